// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/conv2d.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/conv2d_operation.hpp"
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

/// A convolution on its way: what was asked for and what follows from it.
struct Problem {
    Conv2dArguments arguments;
    SlidingWindow window;
    std::shared_ptr<Device> device;
    DataType input_dtype = DataType::BFLOAT16;
    Layout input_layout = Layout::ROW_MAJOR;
    DataType weights_dtype = DataType::BFLOAT16;
    DataType output_dtype = DataType::BFLOAT16;
    DeviceComputeKernelConfig compute;
    bool is_matmul = false;
    bool has_bias = false;

    CoreCoord grid() const { return device->description().compute_grid; }
    ShardOrientation block_orientation() const {
        return arguments.conv_config.transpose_shards ? ShardOrientation::COL_MAJOR
                                                      : ShardOrientation::ROW_MAJOR;
    }
    Shape input_shape() const {
        return {arguments.batch_size, arguments.input_height, arguments.input_width, arguments.in_channels};
    }
    Parallelization spread(TensorMemoryLayout::Value layout, std::uint32_t channels_alignment,
                           std::uint32_t act_block_h_override) const {
        return choose_parallelization({layout, block_orientation(), window.output_sticks(),
                                       arguments.in_channels, arguments.out_channels, channels_alignment,
                                       grid(), !is_matmul, true, true, act_block_h_override});
    }
};

bool one_pixel_at_a_time(const Conv2dArguments& arguments) {
    using Pair = std::array<std::uint32_t, 2>;
    constexpr Pair kOnes{1, 1};
    return arguments.kernel_size == kOnes && arguments.stride == kOnes && arguments.dilation == kOnes &&
           arguments.padding == std::array<std::uint32_t, 4>{} &&
           arguments.conv_config.shard_layout != TensorMemoryLayout::WIDTH_SHARDED;
}

// TT-NN folds kernels that tile the image into channels.
bool is_folded(const Conv2dArguments& arguments, const MemoryConfig& input, Layout layout) {
    const Conv2dConfig& config = arguments.conv_config;
    const bool strides = arguments.stride[0] > 1 || arguments.stride[1] > 1;
    if (config.enable_kernel_stride_folding) return *config.enable_kernel_stride_folding && strides;
    if (!strides || arguments.stride != arguments.kernel_size ||
        arguments.dilation != std::array<std::uint32_t, 2>{1, 1}) {
        return false;
    }
    const auto& padding = arguments.padding;
    if ((arguments.input_height + padding[0] + padding[1]) % arguments.stride[0] != 0 ||
        (arguments.input_width + padding[2] + padding[3]) % arguments.stride[1] != 0) {
        return false;
    }
    const bool no_padding = padding == std::array<std::uint32_t, 4>{};
    return (input.buffer_type == BufferType::DRAM && (layout == Layout::ROW_MAJOR || no_padding)) ||
           input.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED;
}

void refuse(const std::string& what) {
    throw RuntimeError("conv2d: " + what);
}

void require_supported(const Problem& problem, const Tensor& input) {
    const Conv2dArguments& arguments = problem.arguments;
    const Conv2dConfig& config = arguments.conv_config;
    require_valid(problem.window, "conv2d");
    if (arguments.groups == 0 || arguments.in_channels % std::max(1U, arguments.groups) != 0 ||
        arguments.out_channels % std::max(1U, arguments.groups) != 0) {
        refuse("groups: expected a divisor of " + std::to_string(arguments.in_channels) + " input and " +
               std::to_string(arguments.out_channels) + " output channels, found " +
               std::to_string(arguments.groups));
    }
    const std::uint64_t sticks =
        std::uint64_t{arguments.batch_size} * arguments.input_height * arguments.input_width;
    if (input.shape().rank() != 4 || input.shape().volume() != sticks * arguments.in_channels ||
        input.shape()[-1] != arguments.in_channels) {
        refuse("input: expected " + std::to_string(sticks) + " pixels of " +
               std::to_string(arguments.in_channels) + " channels in four dimensions, found " +
               input.shape().to_string());
    }
    if (is_folded(arguments, input.memory_config(), input.layout())) {
        refuse("expected a kernel that overlaps itself or enable_kernel_stride_folding=False, found stride " +
               std::to_string(arguments.stride[0]) + " x " + std::to_string(arguments.stride[1]) +
               ", which folds pixels into channels; folding is not there");
    }
    if (config.config_tensors_in_dram) refuse("expected config_tensors_in_dram=False, found True");
    if (config.act_block_h_override % kTileHeight != 0) {
        refuse("act_block_h_override: expected a multiple of 32, found " +
               std::to_string(config.act_block_h_override));
    }
    if (config.override_sharding_config && (!config.core_grid || !config.shard_layout))
        refuse("override_sharding_config: expected core_grid and shard_layout beside it");
    if (config.override_output_sharding_config)
        refuse("expected override_output_sharding_config=False, found True");
    const bool depthwise =
        arguments.groups == arguments.in_channels && arguments.groups == arguments.out_channels;
    if (depthwise && arguments.groups > 1 && arguments.kernel_size == std::array<std::uint32_t, 2>{1, 1} &&
        arguments.input_height == 1 && !problem.has_bias) {
        refuse(
            "expected a bias, more than one group per channel or a larger kernel, found a depthwise "
            "convolution of one pixel, which is not there");
    }
}

Problem problem_of(const Tensor& input, const Tensor& weights, const std::shared_ptr<Device>& device,
                   bool has_bias, const Conv2dArguments& arguments) {
    Problem problem;
    problem.arguments = arguments;
    problem.device = device;
    problem.window = {arguments.batch_size,
                      arguments.input_height,
                      arguments.input_width,
                      arguments.kernel_size[0],
                      arguments.kernel_size[1],
                      arguments.stride[0],
                      arguments.stride[1],
                      arguments.padding[0],
                      arguments.padding[1],
                      arguments.padding[2],
                      arguments.padding[3],
                      arguments.dilation[0],
                      arguments.dilation[1],
                      false,
                      1,
                      true};
    problem.input_dtype = input.dtype();
    problem.input_layout = input.layout();
    problem.weights_dtype = arguments.conv_config.weights_dtype.value_or(weights.dtype());
    problem.output_dtype = arguments.dtype.value_or(input.dtype());
    const bool fp32 = problem.input_dtype == DataType::FLOAT32 && problem.weights_dtype == DataType::FLOAT32;
    problem.compute = arguments.compute_config.value_or(
        DeviceComputeKernelConfig{MathFidelity::HiFi4, true, fp32, false, false});
    problem.is_matmul = one_pixel_at_a_time(arguments);
    problem.has_bias = has_bias;
    return problem;
}

/// How the parts of a convolution are spread.
struct Spread {
    Parallelization input;
    Parallelization output;
    std::uint32_t input_channels_padded = 1;
    MemoryConfig output_config;
    Conv2dBlocks blocks;
};

Spread spread_of(const Problem& problem, const Parallelization& input, std::uint32_t channels_alignment) {
    const Conv2dArguments& arguments = problem.arguments;
    Spread spread;
    spread.input = input;
    spread.output = output_parallelization(input, problem.grid(), arguments.out_channels, problem.is_matmul);
    spread.input_channels_padded = static_cast<std::uint32_t>(
        round_up(arguments.in_channels, std::uint64_t{input.cores_channels()} * channels_alignment));
    const auto output_channels = static_cast<std::uint32_t>(
        round_up(arguments.out_channels, std::uint64_t{spread.output.cores_channels()} * kTileWidth));
    spread.output_config = sharded_config(round_up(problem.window.output_sticks(), kTileHeight),
                                          output_channels, spread.output, kTileHeight);
    spread.blocks = choose_conv2d_blocks(
        {input, spread.output_config, spread.input_channels_padded, arguments.kernel_size[0],
         arguments.kernel_size[1], problem.window.output_sticks(), problem.compute.fp32_dest_acc_en},
        arguments.conv_config);
    return spread;
}

/// What a core needs, by TT-NN's estimate.
struct L1Usage {
    std::uint64_t cores = 0;
    std::uint64_t halo_input = 0;
    std::uint64_t halo_output = 0;
    std::uint64_t total = 0;  ///< circular buffers, the result and the halo
};

// `input`: the shards of the input, where they are given.
L1Usage l1_usage(const Problem& problem, TensorMemoryLayout::Value layout, const MemoryConfig* input) {
    const Conv2dArguments& arguments = problem.arguments;
    const std::uint32_t alignment =
        channels_alignment(layout, problem.input_layout, problem.is_matmul, nullptr);
    const Parallelization from =
        input == nullptr
            ? problem.spread(layout, alignment, arguments.conv_config.act_block_h_override)
            : Parallelization{input->shard_spec->grid, input->memory_layout, input->shard_spec->orientation};
    const Spread spread = spread_of(problem, from, alignment);
    const MemoryConfig shards =
        input == nullptr ? input_shards(problem.input_shape(), problem.input_layout, from, problem.is_matmul)
                         : *input;

    Conv2dProgramRequest request;
    request.arch = problem.device->description().arch;
    request.layout = layout;
    request.blocks = spread.blocks;
    request.kernel_height = arguments.kernel_size[0];
    request.kernel_width = arguments.kernel_size[1];
    request.dilation_width = arguments.dilation[1];
    request.weight_rows =
        round_up(arguments.in_channels, alignment) * arguments.kernel_size[0] * arguments.kernel_size[1];
    request.weight_columns = round_up(arguments.out_channels, kTileWidth);
    request.weights_dtype = problem.weights_dtype;
    request.input_dtype = problem.input_dtype;
    request.output_dtype = problem.output_dtype;
    request.input_channels_padded = spread.input_channels_padded;
    request.output_width = problem.window.output_width();
    request.has_bias = problem.has_bias;
    request.fp32_sums = problem.compute.fp32_dest_acc_en;
    request.packer_l1_acc = problem.compute.packer_l1_acc;
    std::uint64_t program = 0;
    for (const Conv2dPiece& piece : conv2d_pieces(request, arguments.conv_config)) {
        if (piece.owner == Conv2dPieceOwner::kProgram) program += piece.size_bytes;
    }
    const std::uint64_t output = std::uint64_t{spread.blocks.out_block_h} * spread.blocks.out_block_w *
                                 tile_size(problem.output_dtype);

    SlidingWindow window = problem.window;
    window.cores_rows = from.cores_rows();
    const std::uint64_t element = problem.input_dtype == DataType::FLOAT32 ? 4 : 2;
    L1Usage usage;
    usage.cores = std::max(from.grid.num_cores(), spread.output.grid.num_cores());
    usage.halo_input = std::uint64_t{shards.shard_spec->shape[0]} * shards.shard_spec->shape[1] * element /
                       (problem.input_dtype == DataType::BFLOAT8_B ? 2 : 1);
    usage.halo_output = most_halo_sticks(halo_shards(window)) * shards.shard_spec->shape[1] * element;
    usage.total = program + output + usage.halo_output;
    return usage;
}

// What takes least of L1; blocks only if they cut the channels, columns not for matrix products.
TensorMemoryLayout::Value choose_layout(const Problem& problem) {
    const L1Usage height = l1_usage(problem, TensorMemoryLayout::HEIGHT_SHARDED, nullptr);
    const L1Usage block = l1_usage(problem, TensorMemoryLayout::BLOCK_SHARDED, nullptr);
    const L1Usage width = l1_usage(problem, TensorMemoryLayout::WIDTH_SHARDED, nullptr);
    TensorMemoryLayout::Value layout = TensorMemoryLayout::HEIGHT_SHARDED;
    std::uint64_t least = height.total;
    if (block.total < least && block.cores >= problem.grid().x) {
        layout = TensorMemoryLayout::BLOCK_SHARDED;
        least = block.total;
    }
    if (width.total < least && !problem.is_matmul) layout = TensorMemoryLayout::WIDTH_SHARDED;
    return layout;
}

/// The activations in the shards that the program reads.
struct ShardedInput {
    Parallelization spread;
    std::optional<MemoryConfig> config;  ///< to be brought there; nothing: they lie well
};

ShardedInput shards_for(const Problem& problem, const Tensor& input) {
    const Conv2dConfig& config = problem.arguments.conv_config;
    const MemoryConfig& from = input.memory_config();
    const std::uint32_t alignment =
        channels_alignment(from.memory_layout, input.layout(), problem.is_matmul, &from);
    std::optional<Parallelization> given;
    bool anew = !from.is_sharded();
    // Shards that don't do need to be told where to.
    TensorMemoryLayout::Value layout = config.shard_layout.value_or(TensorMemoryLayout::INTERLEAVED);
    if (from.is_sharded()) {
        const ShardSpec& shard = *from.shard_spec;
        given = Parallelization{shard.grid, from.memory_layout, shard.orientation};
        const bool by_block = from.memory_layout == TensorMemoryLayout::BLOCK_SHARDED;
        anew = (!by_block && shard.orientation != ShardOrientation::ROW_MAJOR) ||
               shard.shape[1] % alignment != 0 || (problem.is_matmul && shard.shape[0] % kTileHeight != 0);
        if (problem.is_matmul && by_block &&
            problem.arguments.in_channels != given->cores_channels() * shard.shape[1]) {
            anew = true;
            layout = TensorMemoryLayout::BLOCK_SHARDED;
        }
        if (config.override_sharding_config) {
            anew = anew || *config.core_grid != shard.grid || layout != from.memory_layout ||
                   (layout == TensorMemoryLayout::BLOCK_SHARDED &&
                    shard.orientation != problem.block_orientation());
        }
    }
    ShardedInput result;
    if (given) result.spread = *given;
    if (config.reshard_if_not_optimal || anew) {
        result.spread = problem.spread(layout, alignment, config.act_block_h_override);
        if (config.override_sharding_config) {
            result.spread = {*config.core_grid, layout,
                             layout == TensorMemoryLayout::BLOCK_SHARDED ? problem.block_orientation()
                                                                         : ShardOrientation::ROW_MAJOR};
        }
        anew = anew || given != result.spread;
    }
    if (anew) result.config = input_shards(input.shape(), input.layout(), result.spread, problem.is_matmul);
    return result;
}

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
Tensor placed_input(const Problem& problem, const Tensor& input, const ShardedInput& shards, bool stays) {
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

MatmulProgramConfig product_config(const Spread& spread, const Conv2dConfig& config) {
    const CoreRange box = spread.output_config.shard_spec->grid.bounding_box();
    const CoreCoord grid{box.end.x - box.start.x + 1, box.end.y - box.start.y + 1};
    const Conv2dBlocks& blocks = spread.blocks;
    if (spread.input.layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        MatmulMultiCoreReuseMultiCast1DProgramConfig product;
        product.compute_with_storage_grid_size = grid;
        product.in0_block_w = blocks.act_block_w;
        product.out_subblock_h = blocks.out_subblock_h;
        product.out_subblock_w = blocks.out_subblock_w;
        product.out_block_h = product.per_core_M = blocks.out_block_h;
        product.out_block_w = product.per_core_N = blocks.out_block_w;
        product.fused_activation = config.activation;
        product.mcast_in0 = false;
        return product;
    }
    MatmulMultiCoreReuseMultiCastProgramConfig product;
    product.compute_with_storage_grid_size = grid;
    product.in0_block_w = blocks.act_block_w;
    product.out_subblock_h = blocks.out_subblock_h;
    product.out_subblock_w = blocks.out_subblock_w;
    product.out_block_h = product.per_core_M = blocks.out_block_h;
    product.out_block_w = product.per_core_N = blocks.out_block_w;
    product.transpose_mcast = spread.input.orientation == ShardOrientation::COL_MAJOR;
    product.fused_activation = config.activation;
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

Tensor as_product(const Problem& problem, ScopedTensor& input, const Prepared& prepared, const Spread& spread,
                  bool free_input) {
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

Tensor as_windows(const Problem& problem, ScopedTensor& input, const Prepared& prepared,
                  const Spread& spread) {
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
Tensor in_shards(Problem problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                 const OptionalTensor& bias_tensor, const Prepared& prepared) {
    Conv2dConfig& config = problem.arguments.conv_config;
    const bool chosen = !input_tensor.is_sharded() && !config.shard_layout;
    if (chosen) config.shard_layout = choose_layout(problem);
    const ShardedInput shards = shards_for(problem, input_tensor);
    const bool stays = chosen && problem.is_matmul;
    ScopedTensor input(placed_input(problem, input_tensor, shards, stays));
    const std::uint32_t alignment = channels_alignment(input->memory_config().memory_layout, input->layout(),
                                                       problem.is_matmul, &input->memory_config());
    const Spread spread = spread_of(problem, shards.spread, alignment);
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
Tensor through_l1(Problem problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                  const OptionalTensor& bias_tensor, const Prepared& prepared) {
    Conv2dArguments& arguments = problem.arguments;
    const ScopedTensor input(input_tensor.shape() == problem.input_shape()
                                 ? input_tensor
                                 : untraced::reshape(input_tensor, problem.input_shape()));
    TensorSpec spec{Shape{arguments.batch_size, problem.window.output_height(), problem.window.output_width(),
                          arguments.out_channels},
                    problem.output_dtype, arguments.conv_config.output_layout, DRAM_MEMORY_CONFIG};
    Tensor whole = create_device_tensor(spec, problem.device);

    const TensorMemoryLayout::Value layout =
        arguments.conv_config.shard_layout ? *arguments.conv_config.shard_layout : choose_layout(problem);
    const std::uint32_t alignment = channels_alignment(layout, problem.input_layout, false, nullptr);
    const MemoryConfig shards = input_shards(problem.input_shape(), problem.input_layout,
                                             problem.spread(layout, alignment, 0), false);
    const L1Usage usage = l1_usage(problem, layout, &shards);
    const std::uint64_t needed = std::max(usage.halo_input + usage.halo_output, usage.total);
    const std::uint64_t free =
        problem.device->with_state([](const DeviceMemory& memory, const ProgramCache&) {
            return memory.allocator(record::MemoryType::kL1).statistics().free;
        });
    if (needed > free) {
        refuse("input in DRAM: expected a convolution that fits into L1 in one piece, found one that needs " +
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

Tensor run(const Problem& problem, const Tensor& input_tensor, const Tensor& weight_tensor,
           const OptionalTensor& bias_tensor, const Prepared& prepared) {
    const auto& slices = problem.arguments.slice_config;
    if (slices && slices->slice_type != Conv2dSliceConfig::SliceType::L1_FULL && slices->num_slices > 1) {
        refuse("slice_config: expected L1_FULL or one slice, found " + std::to_string(slices->num_slices) +
               " slices of DRAM");
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
                     const Problem problem = problem_of(input, weight_tensor, input.shared_device(),
                                                        bias_tensor.has_value(), arguments);
                     require_supported(problem, input);
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
