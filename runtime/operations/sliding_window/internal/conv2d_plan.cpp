// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"

#include <algorithm>
#include <string>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

bool one_pixel_at_a_time(const Conv2dArguments& arguments) {
    using Pair = std::array<std::uint32_t, 2>;
    constexpr Pair kOnes{1, 1};
    return arguments.kernel_size == kOnes && arguments.stride == kOnes && arguments.dilation == kOnes &&
           arguments.padding == std::array<std::uint32_t, 4>{} &&
           arguments.conv_config.shard_layout != TensorMemoryLayout::WIDTH_SHARDED;
}

}  // namespace

void refuse_conv2d(const std::string& what) {
    refuse_with("conv2d: ", what);
}

void require_supported_conv2d(const Conv2dProblem& problem) {
    const Conv2dArguments& arguments = problem.arguments;
    const Conv2dConfig& config = arguments.conv_config;
    const std::string name = problem.window.transposed ? "conv_transpose2d" : "conv2d";
    const auto refuse = [&](const std::string& what) { refuse_with(name, ": ", what); };
    require_valid(problem.window, name);
    if (arguments.in_channels % arguments.group_count() != 0 ||
        arguments.out_channels % arguments.group_count() != 0) {
        refuse("groups: expected a divisor of " + std::to_string(arguments.in_channels) + " input and " +
               std::to_string(arguments.out_channels) + " output channels, got " +
               std::to_string(arguments.groups));
    }
    if (config.act_block_h_override % kTileHeight != 0) {
        refuse("act_block_h_override: expected a multiple of 32, got " +
               std::to_string(config.act_block_h_override));
    }
    if (config.override_sharding_config && (!config.core_grid || !config.shard_layout))
        refuse("override_sharding_config: expected core_grid and shard_layout beside it");
    if (config.override_output_sharding_config)
        refuse("expected override_output_sharding_config=False, got True");
    if (problem.depthwise_row() && (problem.window.transposed || problem.is_matmul)) {
        refuse(
            "expected a bias, fewer groups than channels or a kernel and images of more than one row, got "
            "a depthwise convolution along one row, which is not there");
    }
}

Conv2dProblem conv2d_problem(const Tensor& input, const Tensor& weights,
                             const std::shared_ptr<Device>& device, bool has_bias,
                             const Conv2dArguments& arguments) {
    Conv2dProblem problem;
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
    problem.window.replicates_edges = arguments.conv_config.replicates_edges;
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

Conv2dSpread conv2d_spread(const Conv2dProblem& problem, const Parallelization& input,
                           std::uint32_t channels_alignment) {
    const Conv2dArguments& arguments = problem.arguments;
    Conv2dSpread spread;
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
         arguments.kernel_size[1], problem.window.output_sticks(), problem.compute.fp32_dest_acc_en,
         problem.depthwise_row(),
         joins_windows_of_row(problem.device->description().arch, input.layout, spread.input_channels_padded,
                              arguments.kernel_size[1], arguments.dilation[1], problem.input_dtype)},
        arguments.conv_config);
    const std::uint64_t row_tiles = ceil_div(problem.window.output_width(), kTileHeight);
    require(!arguments.conv_config.enable_activation_reuse ||
                input.layout != TensorMemoryLayout::HEIGHT_SHARDED || spread.blocks.act_block_h > row_tiles,
            "Activation reuse needs act block h (", spread.blocks.act_block_h,
            ") to be bigger than output image width in tiles (", row_tiles,
            ") for the optimization to give boost");
    return spread;
}

Conv2dL1Usage conv2d_l1_usage(const Conv2dProblem& problem, TensorMemoryLayout::Value layout,
                              const MemoryConfig* input) {
    const Conv2dArguments& arguments = problem.arguments;
    // In parts of a transposed convolution TT-NN counts whole tiles of channels, and aligns them as for a result.
    const bool transposed_part = problem.window.transposed && input != nullptr;
    const std::uint32_t alignment =
        transposed_part ? static_cast<std::uint32_t>(kTileWidth)
                        : channels_alignment(layout, problem.input_layout, problem.is_matmul, nullptr);
    const Parallelization from =
        input == nullptr
            ? problem.spread(layout, alignment, arguments.conv_config.act_block_h_override)
            : Parallelization{input->shard_spec->grid, input->memory_layout, input->shard_spec->orientation};
    const Conv2dSpread spread = conv2d_spread(problem, from, alignment);
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
    if (transposed_part) {
        request.weight_rows =
            std::uint64_t{spread.input_channels_padded} * arguments.kernel_size[0] * arguments.kernel_size[1];
        request.weight_columns =
            round_up(arguments.out_channels, spread.output.cores_channels() * kTileWidth);
        request.input_channels_padded = static_cast<std::uint32_t>(
            round_up(arguments.in_channels,
                     std::uint64_t{from.cores_channels()} *
                         channels_alignment(layout, arguments.conv_config.output_layout, false, nullptr)));
    }
    request.output_width = problem.window.output_width();
    request.has_bias = problem.has_bias;
    request.depthwise_row = problem.depthwise_row();
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
    Conv2dL1Usage usage;
    usage.cores = std::max(from.grid.num_cores(), spread.output.grid.num_cores());
    usage.halo_input = std::uint64_t{shards.shard_spec->shape[0]} * shards.shard_spec->shape[1] * element /
                       (problem.input_dtype == DataType::BFLOAT8_B ? 2 : 1);
    usage.halo_output = most_halo_sticks(halo_shards(window)) * shards.shard_spec->shape[1] * element;
    usage.total = program + output + usage.halo_output;
    return usage;
}

TensorMemoryLayout::Value choose_conv2d_layout(const Conv2dProblem& problem) {
    if (problem.depthwise_row()) return TensorMemoryLayout::HEIGHT_SHARDED;
    const Conv2dL1Usage height = conv2d_l1_usage(problem, TensorMemoryLayout::HEIGHT_SHARDED, nullptr);
    const Conv2dL1Usage block = conv2d_l1_usage(problem, TensorMemoryLayout::BLOCK_SHARDED, nullptr);
    const Conv2dL1Usage width = conv2d_l1_usage(problem, TensorMemoryLayout::WIDTH_SHARDED, nullptr);
    TensorMemoryLayout::Value layout = TensorMemoryLayout::HEIGHT_SHARDED;
    std::uint64_t least = height.total;
    if (block.total < least && block.cores >= problem.grid().x) {
        layout = TensorMemoryLayout::BLOCK_SHARDED;
        least = block.total;
    }
    if (width.total < least && !problem.is_matmul) layout = TensorMemoryLayout::WIDTH_SHARDED;
    return layout;
}

Conv2dInputShards conv2d_input_shards(const Conv2dProblem& problem, const Tensor& input) {
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
    Conv2dInputShards result;
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

}  // namespace tilemeter
