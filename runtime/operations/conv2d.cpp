// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/conv2d.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/operations/conv2d_operation.hpp"
#include "runtime/operations/conv2d_plan.hpp"
#include "runtime/operations/conv2d_tensors.hpp"
#include "runtime/operations/halo.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/layout_conversion.hpp"
#include "runtime/operations/matmul.hpp"
#include "runtime/operations/move.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/program_pieces.hpp"
#include "runtime/operations/reshape.hpp"
#include "runtime/operations/scoped_tensor.hpp"
#include "runtime/operations/sharding.hpp"
#include "runtime/operations/sharding_operations.hpp"
#include "runtime/operations/tilize_operations.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

bool in_l1(const Tensor& tensor) {
    return tensor.memory_config().buffer_type != BufferType::DRAM;
}

// Frees the source of a copy and moves the copy to where it was.
Tensor instead_of(Tensor source, Tensor copy) {
    source.deallocate();
    return untraced::move(copy);
}

Tensor brought_to_shards(const Tensor& input, const MemoryConfig& config, bool free_input) {
    TensorSpec spec = input.spec();
    spec.memory_config = config;
    spec.alignment = {};
    const bool resharded = input.memory_config().is_sharded();
    if (!resharded) spec.alignment = config.shard_spec->shape;
    Tensor output = create_device_tensor(spec, input.shared_device());
    if (resharded) {
        launch_into(Reshard(config), {input}, output);
    } else {
        launch_into(InterleavedToSharded(config, input.dtype()), {input}, output);
    }
    return free_input && in_l1(input) ? instead_of(input, output) : output;
}

// The input as the program reads it. `stays`: a matrix product takes it as it lies.
Tensor placed_input(const Conv2dProblem& problem, const Tensor& input, const Conv2dInputShards& shards,
                    bool stays) {
    const bool free_input = problem.arguments.conv_config.deallocate_activation;
    Tensor flat = flattened(input);
    if (!shards.config) return flat;
    if (problem.is_matmul && flat.layout() == Layout::ROW_MAJOR &&
        shards.spread.layout != TensorMemoryLayout::HEIGHT_SHARDED) {
        const Tensor tiled = untraced::to_layout(flat, Layout::TILE);
        flat = free_input && in_l1(flat) ? instead_of(flat, tiled) : tiled;
    }
    return stays ? flat : brought_to_shards(flat, *shards.config, free_input);
}

MatmulProgramConfig product_config(const Conv2dSpread& spread, const Conv2dConfig& config) {
    const CoreRange box = spread.output_config.shard_spec->grid.bounding_box();
    const Conv2dBlocks& blocks = spread.blocks;
    const auto with_blocks = [&](auto product) {
        product.compute_with_storage_grid_size = {box.end.x - box.start.x + 1, box.end.y - box.start.y + 1};
        product.in0_block_w = blocks.act_block_w;
        product.out_subblock_h = blocks.out_subblock_h;
        product.out_subblock_w = blocks.out_subblock_w;
        product.out_block_h = product.per_core_M = blocks.out_block_h;
        product.out_block_w = product.per_core_N = blocks.out_block_w;
        product.fused_activation = config.activation;
        return product;
    };
    if (spread.input.layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        auto product = with_blocks(MatmulMultiCoreReuseMultiCast1DProgramConfig());
        product.mcast_in0 = false;
        return product;
    }
    auto product = with_blocks(MatmulMultiCoreReuseMultiCastProgramConfig());
    product.transpose_mcast = spread.input.orientation == ShardOrientation::COL_MAJOR;
    return product;
}

/// What lives until the convolution is done; freed in this order, unless the caller wants it.
struct Prepared {
    ScopedTensor& weights;
    ScopedTensor& bias;
};

OptionalTensor held(const ScopedTensor& tensor) {
    return tensor->is_allocated() ? OptionalTensor(*tensor) : std::nullopt;
}

// Shards are padded to whole tiles already.
Tensor in_tiles(const Tensor& rows) {
    const Shape padded = rows.padded_shape();
    if (padded[-1] % kTileWidth != 0 || padded[-2] % kTileHeight != 0)
        return untraced::to_layout(rows, Layout::TILE);
    return launch(Tilize(rows.memory_config(), rows.dtype()), {rows});
}

Tensor as_product(const Conv2dProblem& problem, ScopedTensor& input, const Prepared& prepared,
                  const Conv2dSpread& spread, bool free_input) {
    const Conv2dArguments& arguments = problem.arguments;
    if (input->layout() != Layout::TILE) {
        Tensor tiled = in_tiles(*input);
        if (free_input) Tensor(*input).deallocate();
        input = std::move(tiled);
    }
    const bool sharded = input->is_sharded();
    Tensor output = untraced::linear(
        *input, *prepared.weights, held(prepared.bias),
        sharded ? OptionalMemoryConfig(spread.output_config) : std::nullopt, problem.output_dtype,
        sharded ? OptionalProgramConfig(product_config(spread, arguments.conv_config)) : std::nullopt,
        sharded ? std::nullopt : arguments.conv_config.activation, problem.compute);
    if (free_input) input.take().deallocate();
    return output;
}

Tensor as_windows(const Conv2dProblem& problem, ScopedTensor& input, const Prepared& prepared,
                  const Conv2dSpread& spread) {
    const Conv2dArguments& arguments = problem.arguments;
    const Conv2dConfig& config = arguments.conv_config;
    SlidingWindow window = problem.window;
    window.cores_rows = spread.input.cores_rows();
    const bool padded = arguments.padding != std::array<std::uint32_t, 4>{};
    if (spread.input.layout != TensorMemoryLayout::WIDTH_SHARDED || input->layout() != Layout::ROW_MAJOR ||
        padded) {
        Tensor halo = launch(Halo(window, 0.0F), {*input});
        if (config.deallocate_activation && in_l1(*input)) Tensor(*input).deallocate();
        input = std::move(halo);
        if (config.reallocate_halo_output) {
            Tensor haloed = *input;
            input = untraced::move(haloed);
        }
    }
    std::vector<Tensor> inputs = {*input, *prepared.weights};
    if (const OptionalTensor bias = held(prepared.bias)) inputs.push_back(*bias);
    return launch(Conv2d(Conv2dRequest{window, arguments.in_channels, arguments.out_channels,
                                       arguments.groups, spread.input_channels_padded, spread.blocks,
                                       spread.output_config, problem.output_dtype, config, problem.compute}),
                  std::move(inputs));
}

// In L1. Weights and bias are left in `prepared`.
Tensor in_shards(Conv2dProblem problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                 const OptionalTensor& bias_tensor, const Prepared& prepared) {
    Conv2dConfig& config = problem.arguments.conv_config;
    const bool chosen = !input_tensor.is_sharded() && !config.shard_layout;
    if (chosen) config.shard_layout = choose_conv2d_layout(problem);
    const Conv2dInputShards shards = conv2d_input_shards(problem, input_tensor);
    const bool stays = chosen && problem.is_matmul;
    ScopedTensor input(placed_input(problem, input_tensor, shards, stays));
    const std::uint32_t alignment = channels_alignment(input->memory_config().memory_layout, input->layout(),
                                                       problem.is_matmul, &input->memory_config());
    const Conv2dSpread spread = conv2d_spread(problem, shards.spread, alignment);
    WeightMatrix matrix = weight_matrix(problem.arguments, spread.input, spread.output,
                                        spread.input_channels_padded, problem.is_matmul);
    if (stays) {
        // The product pads by itself.
        matrix.padded_on_host = false;
        matrix.rows = static_cast<std::uint32_t>(round_up(problem.arguments.in_channels, kTileWidth));
        matrix.columns = static_cast<std::uint32_t>(round_up(problem.arguments.out_channels, kTileWidth));
    }
    prepared.weights =
        prepared_weights(weight_tensor, problem.arguments, matrix, problem.weights_dtype, problem.device);
    if (bias_tensor) {
        prepared.bias =
            prepared_bias(*bias_tensor, problem.arguments, matrix, problem.weights_dtype, problem.device);
    }
    const bool free_input = config.deallocate_activation && in_l1(input_tensor);
    Tensor output = problem.is_matmul ? as_product(problem, input, prepared, spread, free_input)
                                      : as_windows(problem, input, prepared, spread);
    const OptionalMemoryConfig& memory_config = problem.arguments.memory_config;
    if (memory_config && *memory_config != output.memory_config())
        output = untraced::to_memory_config(output, *memory_config);
    return output;
}

// From DRAM and back, in one piece.
Tensor through_l1(Conv2dProblem problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                  const OptionalTensor& bias_tensor, const Prepared& prepared) {
    Conv2dArguments& arguments = problem.arguments;
    const ScopedTensor input(input_tensor.shape() == problem.input_shape()
                                 ? input_tensor
                                 : untraced::reshape(input_tensor, problem.input_shape()));
    TensorSpec spec{Shape{arguments.batch_size, problem.window.output_height(), problem.window.output_width(),
                          arguments.out_channels},
                    problem.output_dtype, arguments.conv_config.output_layout, DRAM_MEMORY_CONFIG};
    Tensor whole = create_device_tensor(spec, problem.device);

    const TensorMemoryLayout::Value layout = arguments.conv_config.shard_layout
                                                 ? *arguments.conv_config.shard_layout
                                                 : choose_conv2d_layout(problem);
    const std::uint32_t alignment = channels_alignment(layout, problem.input_layout, false, nullptr);
    const MemoryConfig shards = input_shards(problem.input_shape(), problem.input_layout,
                                             problem.spread(layout, alignment, 0), false);
    const Conv2dL1Usage usage = conv2d_l1_usage(problem, layout, &shards);
    const std::uint64_t needed = std::max(usage.halo_input + usage.halo_output, usage.total);
    const std::uint64_t free =
        problem.device->with_state([](const DeviceMemory& memory, const ProgramCache&) {
            return memory.allocator(record::MemoryType::kL1).statistics().free;
        });
    if (needed > free) {
        refuse_conv2d(
            "input in DRAM: expected a convolution that fits into L1 in one piece, found one that needs " +
            std::to_string(needed) + " bytes of each core where " + std::to_string(free) +
            " are free; slices are not there");
    }
    whole.deallocate();
    arguments.conv_config.deallocate_activation = true;
    arguments.conv_config.reallocate_halo_output = true;
    arguments.conv_config.output_layout = Layout::TILE;
    arguments.memory_config = std::nullopt;
    const ScopedTensor output(in_shards(problem, *input, weight_tensor, bias_tensor, prepared));
    return flattened(untraced::to_memory_config(*output, DRAM_MEMORY_CONFIG));
}

Tensor run(const Conv2dProblem& problem, const Tensor& input_tensor, const Tensor& weight_tensor,
           const OptionalTensor& bias_tensor, const Prepared& prepared) {
    const auto& slices = problem.arguments.slice_config;
    if (slices && slices->slice_type != Conv2dSliceConfig::SliceType::L1_FULL && slices->num_slices > 1) {
        refuse_conv2d("slice_config: expected L1_FULL or one slice, found " +
                      std::to_string(slices->num_slices) + " slices of DRAM");
    }
    const bool full = slices && slices->slice_type == Conv2dSliceConfig::SliceType::L1_FULL;
    if (full || problem.is_matmul || (!slices && in_l1(input_tensor)))
        return in_shards(problem, input_tensor, weight_tensor, bias_tensor, prepared);
    return through_l1(problem, input_tensor, weight_tensor, bias_tensor, prepared);
}

}  // namespace

Conv2dResult conv2d(const Tensor& input_tensor, const Tensor& weight_tensor,
                    const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                    const Conv2dArguments& arguments) {
    static const OperationName kName("conv2d");
    Conv2dResult result;
    in_operation(kName,
                 std::tie(input_tensor, weight_tensor, arguments.in_channels, arguments.out_channels,
                          arguments.batch_size, arguments.input_height, arguments.input_width, bias_tensor),
                 [&] {
                     Tensor input = input_tensor;
                     if (input.storage_type() == StorageType::HOST)
                         input = upload(input, device, DRAM_MEMORY_CONFIG);
                     require_on_device(input, "conv2d", "input_tensor");
                     const Conv2dProblem problem = conv2d_problem(input, weight_tensor, input.shared_device(),
                                                                  bias_tensor.has_value(), arguments);
                     require_supported_conv2d(problem, input);
                     // Freed in reverse order: the weights first, then the bias.
                     ScopedTensor bias{Tensor()};
                     ScopedTensor weights{Tensor()};
                     const Tensor output = run(problem, input, weight_tensor, bias_tensor, {weights, bias});
                     result.output = output;
                     result.output_height = problem.window.output_height();
                     result.output_width = problem.window.output_width();
                     std::vector<Tensor> outputs = {output};
                     if (arguments.return_weights_and_bias) {
                         result.weight = weights.take();
                         outputs.push_back(*result.weight);
                         if (bias_tensor) {
                             result.bias = bias.take();
                             outputs.push_back(*result.bias);
                         }
                     }
                     return outputs;
                 });
    return result;
}

}  // namespace tilemeter
