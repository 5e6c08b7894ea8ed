// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/pool.hpp"

#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/conv2d_tensors.hpp"
#include "runtime/operations/halo.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/move.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/pool_operation.hpp"
#include "runtime/operations/program_pieces.hpp"
#include "runtime/operations/scoped_tensor.hpp"
#include "runtime/operations/sharding.hpp"
#include "runtime/operations/window_parallelization.hpp"

namespace tilemeter {

namespace {

struct Problem {
    const char* name;
    PoolKind kind;
    const Pool2dArguments& arguments;
    SlidingWindow window;

    bool tiled_output() const { return arguments.output_layout == Layout::TILE; }
};

void require_supported(const Problem& problem, const Tensor& input) {
    const Pool2dArguments& arguments = problem.arguments;
    require_on_device(input, problem.name, "input_tensor");
    const auto fail = [&](const std::string& what) {
        throw RuntimeError(std::string(problem.name) + ": " + what);
    };
    const auto pair = [](std::uint32_t a, std::uint32_t b) {
        return "(" + std::to_string(a) + ", " + std::to_string(b) + ")";
    };
    const auto half = [&](std::size_t axis) { return arguments.kernel_size[axis] / 2; };
    if (arguments.padding[0] > half(0) || arguments.padding[1] > half(0) || arguments.padding[2] > half(1)) {
        throw RuntimeError("Pool2D: Padding (" + std::to_string(arguments.padding[0]) + ", " +
                           std::to_string(arguments.padding[1]) + ", " +
                           std::to_string(arguments.padding[2]) + ") should not exceed half of kernel size " +
                           pair(arguments.kernel_size[0], arguments.kernel_size[1]));
    }
    const std::uint32_t covered[] = {arguments.dilation[0] * (arguments.kernel_size[0] - 1) + 1,
                                     arguments.dilation[1] * (arguments.kernel_size[1] - 1) + 1};
    const std::uint32_t padded[] = {arguments.input_h + arguments.padding[0] + arguments.padding[1],
                                    arguments.input_w + arguments.padding[2] + arguments.padding[3]};
    if (covered[0] > padded[0] || covered[1] > padded[1]) {
        throw RuntimeError("Pool2D: Effective kernel size " + pair(covered[0], covered[1]) +
                           " cannot exceed padded input size " + pair(padded[0], padded[1]));
    }
    require_valid(problem.window, problem.name);
    const std::uint64_t sticks = std::uint64_t{arguments.batch_size} * arguments.input_h * arguments.input_w;
    if (input.shape().rank() != 4 || input.shape()[-1] != arguments.channels ||
        input.shape().volume() != sticks * arguments.channels) {
        fail("input: expected " + std::to_string(sticks) + " pixels of " +
             std::to_string(arguments.channels) + " channels in four dimensions, found " +
             input.shape().to_string());
    }
    if (arguments.divisor_override && *arguments.divisor_override == 0)
        fail("divisor_override: expected a number other than 0, found 0");
    if (input.is_sharded()) {
        if (arguments.applied_shard_scheme)
            fail("applied_shard_scheme: expected none for a sharded input, found one");
        if (input.memory_config().shard_spec->orientation != ShardOrientation::ROW_MAJOR)
            fail("input: expected shards in ROW_MAJOR orientation, found COL_MAJOR");
    }
}

Parallelization spread_of(const Problem& problem, const Tensor& input, TensorMemoryLayout::Value layout,
                          std::uint32_t channels_alignment) {
    const bool tiled = problem.tiled_output();
    return choose_parallelization({layout, ShardOrientation::ROW_MAJOR, problem.window.output_sticks(),
                                   problem.arguments.channels, problem.arguments.channels, channels_alignment,
                                   input.device().description().compute_grid, false, tiled,
                                   tiled || input.layout() == Layout::TILE, 0});
}

PoolRequest request_of(const Problem& problem, const Parallelization& spread, MemoryConfig output) {
    const Pool2dArguments& arguments = problem.arguments;
    PoolRequest request{problem.kind,
                        problem.window,
                        arguments.channels,
                        spread.cores_channels(),
                        arguments.dtype,
                        arguments.output_layout,
                        std::move(output),
                        arguments.count_include_pad,
                        arguments.divisor_override};
    request.window.cores_rows = spread.cores_rows();
    request.window.snap_to_tile = problem.tiled_output();
    return request;
}

std::uint64_t estimated_l1(const Problem& problem, const Tensor& input, const Parallelization& spread) {
    const auto channels = static_cast<std::uint32_t>(
        round_up(problem.arguments.channels, std::uint64_t{spread.cores_channels()} * kTileWidth));
    const MemoryConfig config = sharded_config(problem.window.output_sticks(), channels, spread, kTileHeight);
    const PoolBuffers buffers = pool_buffers(request_of(problem, spread, config), input.dtype());
    return buffers.own() + round_up(buffers.output, input.device().description().dram_alignment);
}

// What takes least of L1: rows before columns before blocks.
Parallelization choose_spread(const Problem& problem, const Tensor& input) {
    const auto candidate = [&](TensorMemoryLayout::Value layout) {
        Parallelization spread = spread_of(problem, input, layout, kTileWidth);
        const std::uint64_t bytes = estimated_l1(problem, input, spread);
        return std::pair(bytes, std::move(spread));
    };
    const auto height = candidate(TensorMemoryLayout::HEIGHT_SHARDED);
    const auto width = candidate(TensorMemoryLayout::WIDTH_SHARDED);
    const auto block = candidate(TensorMemoryLayout::BLOCK_SHARDED);
    if (height.first > width.first) return width.first > block.first ? block.second : width.second;
    return height.first > block.first ? block.second : height.second;
}

/// The images in shards.
struct Placed {
    ScopedTensor& tensor;
    Parallelization spread;
};

Placed place(const Problem& problem, const Tensor& input, ScopedTensor& sharded) {
    if (input.is_sharded()) {
        const MemoryConfig& config = input.memory_config();
        sharded = flattened(input);
        return {sharded, {config.shard_spec->grid, config.memory_layout, config.shard_spec->orientation}};
    }
    const bool tiled = input.layout() == Layout::TILE;
    constexpr std::uint32_t kSticksOfL1 = 8;
    const std::uint32_t alignment = tiled ? static_cast<std::uint32_t>(kTileWidth) : kSticksOfL1;
    const auto& scheme = problem.arguments.applied_shard_scheme;
    const Parallelization spread =
        scheme ? spread_of(problem, input, *scheme, alignment) : choose_spread(problem, input);
    const auto channels = static_cast<std::uint32_t>(
        round_up(problem.arguments.channels, std::uint64_t{spread.cores_channels()} * alignment));
    const Shape padded = input.padded_shape();
    const Tensor flat = flattened(input);
    const MemoryConfig config =
        sharded_config(padded.volume() / padded[-1], channels, spread, tiled ? kTileHeight : 1);
    sharded = untraced::to_memory_config(flat, config);
    return {sharded, spread};
}

MemoryConfig output_config(const Problem& problem, const Placed& placed) {
    const bool tiled = problem.tiled_output();
    const std::uint64_t rows = placed.spread.cores_rows();
    const std::uint64_t columns = placed.spread.cores_channels();
    MemoryConfig config = placed.tensor->memory_config();
    const bool half_a_tile = !tiled && ceil_div(problem.arguments.channels, columns) <= kTileWidth / 2;
    config.shard_spec->shape = {
        static_cast<std::uint32_t>(
            round_up(problem.window.output_sticks(), rows * (tiled ? kTileHeight : 1)) / rows),
        static_cast<std::uint32_t>(
            round_up(problem.arguments.channels, columns * (half_a_tile ? kTileWidth / 2 : kTileWidth)) /
            columns)};
    config.shard_spec->orientation = ShardOrientation::ROW_MAJOR;
    return config;
}

Tensor pooled(const Problem& problem, const Tensor& input) {
    require_supported(problem, input);
    const Pool2dArguments& arguments = problem.arguments;
    const bool from_dram = input.memory_config().buffer_type == BufferType::DRAM;
    ScopedTensor sharded{Tensor()};
    const Placed placed = place(problem, input, sharded);
    const PoolRequest request = request_of(problem, placed.spread, output_config(problem, placed));
    const float start = problem.kind == PoolKind::kMax ? -std::numeric_limits<float>::infinity() : 0.0F;
    ScopedTensor halo(launch(Halo(request.window, start), {*sharded}));
    if (arguments.deallocate_input || from_dram) Tensor(*sharded).deallocate();
    if (arguments.reallocate_halo_output) {
        Tensor haloed = *halo;
        halo = untraced::move(haloed);
    }
    Tensor output = launch(Pool2D(request), {*halo});
    if (arguments.memory_config && *arguments.memory_config != output.memory_config())
        output = untraced::to_memory_config(output, *arguments.memory_config);
    return output;
}

Problem problem_of(const char* name, PoolKind kind, const Pool2dArguments& arguments) {
    return {name,
            kind,
            arguments,
            {arguments.batch_size, arguments.input_h, arguments.input_w, arguments.kernel_size[0],
             arguments.kernel_size[1], arguments.stride[0], arguments.stride[1], arguments.padding[0],
             arguments.padding[1], arguments.padding[2], arguments.padding[3], arguments.dilation[0],
             arguments.dilation[1], arguments.ceil_mode, 1, arguments.output_layout == Layout::TILE}};
}

Tensor in_pool_scope(const OperationName& name, const Problem& problem, const Tensor& input) {
    const Pool2dArguments& arguments = problem.arguments;
    return in_operation(name,
                        std::tie(input, arguments.batch_size, arguments.input_h, arguments.input_w,
                                 arguments.channels, arguments.ceil_mode, arguments.memory_config),
                        [&] { return pooled(problem, input); });
}

}  // namespace

Tensor max_pool2d(const Tensor& input_tensor, const Pool2dArguments& arguments) {
    static const OperationName kName("max_pool2d");
    return in_pool_scope(kName, problem_of("max_pool2d", PoolKind::kMax, arguments), input_tensor);
}

Tensor avg_pool2d(const Tensor& input_tensor, const Pool2dArguments& arguments) {
    static const OperationName kName("avg_pool2d");
    return in_pool_scope(kName, problem_of("avg_pool2d", PoolKind::kAverage, arguments), input_tensor);
}

}  // namespace tilemeter
