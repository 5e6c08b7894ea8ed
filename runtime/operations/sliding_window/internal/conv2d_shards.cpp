// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/conv2d_shards.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/move.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_operation.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// Frees the source of a copy and moves the copy to where it was.
Tensor instead_of(Tensor source, Tensor copy) {
    source.deallocate();
    return unscoped::move(copy);
}

Tensor made_for(const Tensor& input, const MemoryConfig& config, const std::shared_ptr<Device>& device) {
    TensorSpec spec = input.spec();
    spec.memory_config = config;
    spec.alignment = {};
    if (!input.memory_config().is_sharded()) spec.alignment = config.shard_spec->shape;
    return create_device_tensor(spec, device);
}

Tensor brought_to_shards(const Tensor& input, const MemoryConfig& config, bool free_input) {
    Tensor output = made_for(input, config, input.shared_device());
    unscoped::to_shards_of(input, output);
    return free_input && in_l1(input) ? instead_of(input, output) : output;
}

// The same memory, in which the rows behind those of `shape` are padding.
Tensor with_rows_as_padding(const Tensor& padded, const Shape& shape) {
    TensorSpec spec = padded.spec();
    spec.alignment = {spec.shape[-2], spec.shape[-1]};
    spec.shape = shape;
    change_values(padded, [shape](const HostArray& values) {
        const std::vector<std::uint32_t> begin(shape.rank(), 0);
        const std::vector<std::uint32_t> step(shape.rank(), 1);
        return compute::sliced(values, begin, step, shape);
    });
    return Tensor::on_device(std::move(spec), padded.shared_buffer());
}

std::uint32_t padded_channels(const Conv2dInputShards& shards) {
    return shards.config->shard_spec->shape[1] * shards.spread.cores_channels();
}

// True if rows on the host get into shards of parts of rows by way of DRAM: where channels are padded.
bool by_way_of_dram(const Tensor& input, const Conv2dInputShards& shards) {
    return input.storage_type() == StorageType::HOST && input.layout() == Layout::ROW_MAJOR &&
           shards.spread.layout != TensorMemoryLayout::HEIGHT_SHARDED && shards.config &&
           input.shape()[-1] != padded_channels(shards);
}

// An input on the host, as the program reads it. Rows are padded on the host if a core has whole ones; shards of parts of
// rows are filled by way of DRAM where channels are padded, and on the device where only rows are.
Tensor placed_from_host(const Conv2dProblem& problem, const Tensor& input, const Conv2dInputShards& shards,
                        bool stays) {
    require(
        shards.config.has_value(),
        "conv2d: input_tensor: expected on a device or of interleaved memory, got a host tensor of shards");
    const MemoryConfig& config = *shards.config;
    const std::shared_ptr<Device>& device = problem.device;
    const Shape in_tiles = input.padded_shape();
    require_modelled(
        input.layout() != Layout::TILE ||
            in_tiles.volume() / in_tiles[-1] == input.shape().volume() / input.shape()[-1],
        "conv2d: input_tensor: expected rows or tiles without rows of padding, as others are not modelled on the host, got ",
        input.shape(), " in tiles");
    const Tensor flat = flattened(input);
    if (flat.layout() == Layout::TILE) return upload(flat, device, stays ? DRAM_MEMORY_CONFIG : config);
    const std::array<std::uint32_t, 2>& shard = config.shard_spec->shape;
    const std::uint32_t rows = shard[0] * shards.spread.cores_rows();
    const std::uint32_t columns = padded_channels(shards);
    if (by_way_of_dram(input, shards)) {
        Tensor output = made_for(flat, config, device);
        unscoped::to_shards_of(upload(flat, device, DRAM_MEMORY_CONFIG), output);
        return output;
    }
    if (stays || shards.spread.layout == TensorMemoryLayout::HEIGHT_SHARDED)
        return upload(unscoped::pad_on_host(flat, rows, columns), device,
                      stays ? DRAM_MEMORY_CONFIG : config);
    const Tensor given = upload(flat, device, config);
    if (flat.shape()[-2] == rows) return given;
    return with_rows_as_padding(unscoped::pad_behind(given, {1, 1, rows, columns}), flat.shape());
}

// The input as the program reads it. `stays`: a matrix product takes it as it lies.
Tensor placed_input(const Conv2dProblem& problem, const Tensor& input, const Conv2dInputShards& shards,
                    bool stays) {
    if (input.storage_type() == StorageType::HOST) return placed_from_host(problem, input, shards, stays);
    const bool free_input = problem.arguments.conv_config.deallocate_activation;
    Tensor flat = flattened(input);
    if (!shards.config) return flat;
    if (problem.is_matmul && flat.layout() == Layout::ROW_MAJOR &&
        shards.spread.layout != TensorMemoryLayout::HEIGHT_SHARDED) {
        const Tensor tiled = unscoped::to_layout(flat, Layout::TILE);
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

OptionalTensor held(const ScopedTensor& tensor) {
    return tensor->is_allocated() ? OptionalTensor(*tensor) : std::nullopt;
}

// Shards are padded to whole tiles already.
Tensor in_tiles(const Tensor& rows) {
    const Shape padded = rows.padded_shape();
    if (padded[-1] % kTileWidth != 0 || padded[-2] % kTileHeight != 0)
        return unscoped::to_layout(rows, Layout::TILE);
    return launch(TilizeOperation{rows.memory_config(), rows.dtype()}, {rows});
}

Tensor as_product(const Conv2dProblem& problem, ScopedTensor& input, const PreparedConv2d& prepared,
                  const Conv2dSpread& spread, bool free_input) {
    const Conv2dArguments& arguments = problem.arguments;
    if (input->layout() != Layout::TILE) {
        Tensor tiled = in_tiles(*input);
        if (free_input) Tensor(*input).deallocate();
        input = std::move(tiled);
    }
    const bool sharded = input->is_sharded();
    Tensor output = unscoped::linear(
        *input, *prepared.weights, held(prepared.bias),
        sharded ? OptionalMemoryConfig(spread.output_config) : std::nullopt, problem.output_dtype,
        sharded ? OptionalProgramConfig(product_config(spread, arguments.conv_config)) : std::nullopt,
        sharded ? std::nullopt : arguments.conv_config.activation, problem.compute);
    if (free_input) input.take().deallocate();
    return output;
}

Tensor as_windows(const Conv2dProblem& problem, ScopedTensor& input, const PreparedConv2d& prepared,
                  const Conv2dSpread& spread) {
    const Conv2dArguments& arguments = problem.arguments;
    const Conv2dConfig& config = arguments.conv_config;
    SlidingWindow window = problem.window;
    window.cores_rows = spread.input.cores_rows();
    const bool padded = window.transposed || arguments.padding != std::array<std::uint32_t, 4>{};
    // A transposed convolution's input stays until the end, unless it is to be freed.
    ScopedTensor beside_input{Tensor()};
    ScopedTensor& source = window.transposed ? beside_input : input;
    if (spread.input.layout != TensorMemoryLayout::WIDTH_SHARDED || input->layout() != Layout::ROW_MAJOR ||
        padded) {
        Tensor halo = launch(
            Halo{window, 0.0F, config.config_tensors_in_dram ? TableMemory::kDram : TableMemory::kL1Small,
                 problem.compute},
            {*input});
        if (config.deallocate_activation && in_l1(*input)) Tensor(*input).deallocate();
        source = std::move(halo);
        if (config.reallocate_halo_output) {
            Tensor haloed = *source;
            source = unscoped::move(haloed);
        }
    }
    std::vector<Tensor> inputs = {*source, *prepared.weights};
    if (const OptionalTensor bias = held(prepared.bias)) inputs.push_back(*bias);
    return launch(Conv2dDeviceOperation{Conv2dRequest{window, arguments.in_channels, arguments.out_channels,
                                                      arguments.groups, spread.input_channels_padded,
                                                      spread.blocks, spread.output_config,
                                                      problem.output_dtype, config, problem.compute}},
                  std::move(inputs));
}

// Weights for the kernel before its stride was folded; where they don't fit what the program reads, TT-NN
// fails.
WeightMatrix unfolded_matrix(const Conv2dProblem& problem, const Conv2dSpread& spread) {
    const std::uint64_t channels = spread.input_channels_padded;
    Conv2dArguments arguments = problem.arguments;
    const std::uint64_t block = round_up(channels * arguments.kernel_size[1], kTileHeight);
    const std::uint64_t inner = channels * (*problem.unfolded_kernel)[1];
    const bool by_height = spread.input.layout == TensorMemoryLayout::HEIGHT_SHARDED;
    require(!by_height || problem.is_matmul || block >= inner, "Block height ", block,
            " must be >= inner dimension ", inner);
    arguments.kernel_size[0] = (*problem.unfolded_kernel)[0];
    const WeightMatrix matrix =
        weight_matrix(arguments, spread.input, spread.output, spread.input_channels_padded, false);
    require(!problem.is_matmul || matrix.rows == round_up(channels, kTileHeight), [&] {
        return "K dimension in tiles must match between input A (" +
               std::to_string(ceil_div(channels, kTileHeight)) + ") and input B (" +
               std::to_string(matrix.rows / kTileHeight) + ")";
    });
    return matrix;
}

WeightMatrix matrix_of(const Conv2dProblem& problem, const Conv2dSpread& spread, bool stays) {
    if (problem.unfolded_kernel && !stays) return unfolded_matrix(problem, spread);
    WeightMatrix matrix = weight_matrix(problem.arguments, spread.input, spread.output,
                                        spread.input_channels_padded, problem.is_matmul);
    if (problem.depthwise_row()) {
        const std::uint32_t width = problem.arguments.kernel_size[1];
        matrix.times = static_cast<std::uint32_t>(spread.blocks.act_block_h * kTileHeight);
        matrix.rows = matrix.times * width;
        // Blocks share the times as they would input channels.
        if (spread.input.layout == TensorMemoryLayout::BLOCK_SHARDED) {
            const std::uint32_t cores = spread.input.cores_channels();
            matrix.rows =
                static_cast<std::uint32_t>(cores * round_up(matrix.times / cores * width, kTileHeight));
        }
    }
    if (stays) {
        // The product pads by itself.
        matrix.padded_on_host = false;
        matrix.rows = static_cast<std::uint32_t>(round_up(problem.arguments.in_channels, kTileWidth));
        matrix.columns = static_cast<std::uint32_t>(round_up(problem.arguments.out_channels, kTileWidth));
    }
    return matrix;
}

}  // namespace

WeightMatrix conv2d_weight_matrix(Conv2dProblem problem, const Tensor& input, std::uint32_t least_alignment) {
    // Weights that are prepared for a product are laid out for it.
    if (problem.is_matmul) problem.unfolded_kernel.reset();
    Conv2dConfig& config = problem.arguments.conv_config;
    const bool chosen = !input.is_sharded() && !config.shard_layout;
    if (chosen) config.shard_layout = choose_conv2d_layout(problem);
    const Conv2dInputShards shards = conv2d_input_shards(problem, input);
    const bool stays = chosen && problem.is_matmul;
    const MemoryConfig placed = shards.config && !stays ? *shards.config : input.memory_config();
    const std::uint32_t alignment =
        std::max(least_alignment,
                 channels_alignment(placed.memory_layout, input.layout(), problem.is_matmul, &placed));
    return matrix_of(problem, conv2d_spread(problem, shards.spread, alignment), stays);
}

Tensor conv2d_in_shards(Conv2dProblem problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                        const OptionalTensor& bias_tensor, const PreparedConv2d& prepared) {
    Conv2dConfig& config = problem.arguments.conv_config;
    const bool chosen = !input_tensor.is_sharded() && !config.shard_layout;
    if (problem.is_matmul && weight_tensor.storage_type() == StorageType::DEVICE &&
        weight_tensor.layout() == Layout::TILE) {
        problem.unfolded_kernel.reset();
    }
    // Told of no dtype for weights, TT-NN converts them only where it has chosen the shards itself.
    const bool converted = chosen || config.weights_dtype;
    if (chosen) config.shard_layout = choose_conv2d_layout(problem);
    const Conv2dInputShards shards = conv2d_input_shards(problem, input_tensor);
    const bool stays = chosen && problem.is_matmul && !by_way_of_dram(input_tensor, shards);
    ScopedTensor input(placed_input(problem, input_tensor, shards, stays));
    const std::uint32_t alignment = channels_alignment(input->memory_config().memory_layout, input->layout(),
                                                       problem.is_matmul, &input->memory_config());
    const Conv2dSpread spread = conv2d_spread(problem, shards.spread, alignment);
    WeightMatrix matrix = matrix_of(problem, spread, stays);
    matrix.converted = converted;
    if (chosen && problem.is_matmul) matrix.padded_on_host = false;
    const bool prepares = !prepared.weights->is_allocated();
    if (prepares) {
        prepared.weights =
            prepared_weights(weight_tensor, problem.arguments, matrix, problem.weights_dtype, problem.device);
        if (bias_tensor) {
            prepared.bias =
                prepared_bias(*bias_tensor, problem.arguments, matrix, problem.weights_dtype, problem.device);
        }
    }
    const bool free_input = config.deallocate_activation && in_l1(input_tensor);
    if (QueryShadow* const query = QueryShadow::current()) {
        Conv2dConfig found = config;
        found.act_block_h_override = spread.blocks.act_block_h * static_cast<std::uint32_t>(kTileHeight);
        found.weights_dtype = problem.weights_dtype;
        query->note_config(found);
    }
    Tensor output;
    try {
        output = problem.is_matmul ? as_product(problem, input, prepared, spread, free_input)
                                   : as_windows(problem, input, prepared, spread);
    } catch (...) {
        // The tensor that was made last goes first, before the input; only of a convolution that succeeds do weights
        // outlive it.
        if (prepares) {
            { const ScopedTensor bias(prepared.bias.take()); }
            const ScopedTensor weights(prepared.weights.take());
        }
        throw;
    }
    const OptionalMemoryConfig& memory_config = problem.arguments.memory_config;
    if (memory_config && *memory_config != output.memory_config())
        output = unscoped::to_memory_config(output, *memory_config);
    return output;
}

}  // namespace tilemeter
