// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/pool.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/move.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/dram_slices.hpp"
#include "runtime/operations/sliding_window/internal/global_pool.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"
#include "runtime/operations/sliding_window/internal/pool_operation.hpp"
#include "runtime/operations/sliding_window/parallelization.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kSticksOfL1 = 8;  // elements of 16 bytes in bfloat16

struct Problem {
    const char* name;
    PoolKind kind;
    const Pool2dArguments& arguments;
    SlidingWindow window;
    bool return_indices = false;

    bool tiled_output() const { return arguments.output_layout == Layout::TILE; }
};

void require_supported(const Problem& problem, const Tensor& input) {
    const Pool2dArguments& arguments = problem.arguments;
    require_on_device(input, problem.name, "input_tensor");
    const auto fail = [&](const std::string& what) { refuse_with(problem.name, ": ", what); };
    const auto pair = [](std::uint32_t a, std::uint32_t b) {
        return "(" + std::to_string(a) + ", " + std::to_string(b) + ")";
    };
    const auto half = [&](std::size_t axis) { return arguments.kernel_size[axis] / 2; };
    require(
        arguments.padding[0] <= half(0) && arguments.padding[1] <= half(0) && arguments.padding[2] <= half(1),
        [&] {
            return "Pool2D: Padding (" + std::to_string(arguments.padding[0]) + ", " +
                   std::to_string(arguments.padding[1]) + ", " + std::to_string(arguments.padding[2]) +
                   ") should not exceed half of kernel size " +
                   pair(arguments.kernel_size[0], arguments.kernel_size[1]);
        });
    const std::uint32_t covered[] = {arguments.dilation[0] * (arguments.kernel_size[0] - 1) + 1,
                                     arguments.dilation[1] * (arguments.kernel_size[1] - 1) + 1};
    const std::uint32_t padded[] = {arguments.input_h + arguments.padding[0] + arguments.padding[1],
                                    arguments.input_w + arguments.padding[2] + arguments.padding[3]};
    require(covered[0] <= padded[0] && covered[1] <= padded[1], [&] {
        return "Pool2D: Effective kernel size " + pair(covered[0], covered[1]) +
               " cannot exceed padded input size " + pair(padded[0], padded[1]);
    });
    require_valid(problem.window, problem.name);
    const std::uint64_t sticks = std::uint64_t{arguments.batch_size} * arguments.input_h * arguments.input_w;
    if (input.shape().rank() != 4 || input.shape()[-1] != arguments.channels ||
        input.shape().volume() != sticks * arguments.channels) {
        fail("input: expected " + std::to_string(sticks) + " pixels of " +
             std::to_string(arguments.channels) + " channels in four dimensions, got " +
             input.shape().to_string());
    }
    if (arguments.divisor_override && *arguments.divisor_override == 0)
        fail("divisor_override: expected a number other than 0, got 0");
    if (input.is_sharded()) {
        if (arguments.applied_shard_scheme)
            fail("applied_shard_scheme: expected none for a sharded input, got one");
        if (input.memory_config().shard_spec->orientation != ShardOrientation::ROW_MAJOR)
            fail("input: expected shards in ROW_MAJOR orientation, got COL_MAJOR");
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
                        arguments.divisor_override,
                        problem.return_indices,
                        arguments.config_tensor_in_dram,
                        arguments.compute_kernel_config.value_or(kWindowCompute)};
    request.window.cores_rows = spread.cores_rows();
    request.window.snap_to_tile = problem.tiled_output();
    return request;
}

/// What TT-NN reckons at most for each stick of a shard where tables of windows lie in DRAM and are read into circular buffers.
constexpr std::uint64_t kTableBytesOfStick = 6;

std::uint64_t estimated_l1(const Problem& problem, const Tensor& input, const Parallelization& spread) {
    const auto channels = static_cast<std::uint32_t>(
        round_up(problem.arguments.channels, std::uint64_t{spread.cores_channels()} * kTileWidth));
    const MemoryConfig config = sharded_config(problem.window.output_sticks(), channels, spread, kTileHeight);
    const PoolBuffers buffers = pool_buffers(request_of(problem, spread, config), input.dtype());
    const std::uint64_t sticks = config.shard_spec->shape[0];
    std::uint64_t tables = 0;
    if (problem.arguments.config_tensor_in_dram) {
        tables = kTableBytesOfStick * sticks + 2;
        if (buffers.second_scalars != 0) tables += kTableBytesOfStick * sticks;  // of divisors
    }
    return buffers.own() + tables + round_up(buffers.output, input.device().description().dram_alignment);
}

// The spread that takes least of L1: rows before columns before blocks.
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
    const std::uint32_t alignment = tiled ? static_cast<std::uint32_t>(kTileWidth) : kSticksOfL1;
    const auto& scheme = problem.arguments.applied_shard_scheme;
    const Parallelization spread =
        scheme ? spread_of(problem, input, *scheme, alignment) : choose_spread(problem, input);
    const auto channels = static_cast<std::uint32_t>(
        round_up(problem.arguments.channels, std::uint64_t{spread.cores_channels()} * alignment));
    const Shape padded = input.padded_shape();
    const ScopedTensor flat(flattened(input));
    const MemoryConfig config =
        sharded_config(padded.volume() / padded[-1], channels, spread, tiled ? kTileHeight : 1);
    sharded = unscoped::to_memory_config(*flat, config);
    return {sharded, spread};
}

MemoryConfig output_config(const Problem& problem, const Placed& placed) {
    const bool tiled = problem.tiled_output();
    const std::uint64_t rows = placed.spread.cores_rows();
    const std::uint64_t columns = placed.spread.cores_channels();
    MemoryConfig config = placed.tensor->memory_config();
    const std::uint64_t half = kTileWidth / 2, width = ceil_div(problem.arguments.channels, columns);
    const bool half_a_tile = !tiled && (width < half || width % half == 0);
    config.shard_spec->shape = {
        static_cast<std::uint32_t>(
            round_up(problem.window.output_sticks(), rows * (tiled ? kTileHeight : 1)) / rows),
        static_cast<std::uint32_t>(
            round_up(problem.arguments.channels, columns * (half_a_tile ? half : kTileWidth)) / columns)};
    config.shard_spec->orientation = ShardOrientation::ROW_MAJOR;
    return config;
}

// The values, or the values and indices.
std::vector<Tensor> pooled(const Problem& problem, const Tensor& input) {
    const Pool2dArguments& arguments = problem.arguments;
    const bool from_dram = input.memory_config().buffer_type == BufferType::DRAM;
    ScopedTensor sharded{Tensor()};
    const Placed placed = place(problem, input, sharded);
    const PoolRequest request = request_of(problem, placed.spread, output_config(problem, placed));
    const float start = problem.kind == PoolKind::kMax ? -std::numeric_limits<float>::infinity() : 0.0F;
    const TableMemory tables = arguments.config_tensor_in_dram ? TableMemory::kDram : TableMemory::kL1Small;
    ScopedTensor halo(launch(Halo{request.window, start, tables, request.compute}, {*sharded}));
    if (arguments.deallocate_input || from_dram) Tensor(*sharded).deallocate();
    if (arguments.reallocate_halo_output) {
        Tensor haloed = *halo;
        halo = unscoped::move(haloed);
    }
    std::vector<Tensor> outputs = launch_all(Pool2D{request}, {*halo});
    for (Tensor& output : outputs) {
        if (arguments.memory_config && *arguments.memory_config != output.memory_config())
            output = unscoped::to_memory_config(output, *arguments.memory_config);
    }
    return outputs;
}

// Pixels that windows need beyond the padded image are padding of a part, too, which a mean does not count. Columns
// that fill up a tile are no part of the result.
SlidingWindow window_of_part(const Problem& whole, const WindowPart& part) {
    const SlidingWindow& all = whole.window;
    SlidingWindow window = part.window;
    if (whole.kind != PoolKind::kAverage || window.ceil_mode) return window;
    if (part.output.end[0] == all.output_height())
        window.uncounted_bottom = all.padded_height() - all.height - all.pad_top - all.pad_bottom;
    if (part.output.end[1] == all.output_width())
        window.uncounted_right = all.padded_width() - all.width - all.pad_left - all.pad_right;
    return window;
}

/// A part of a pooling in DRAM; its own arguments, which its problem refers to.
struct PartOfPooling {
    PartOfPooling(const Problem& whole, const WindowPart& part)
        : arguments(whole.arguments),
          problem{whole.name, whole.kind, arguments, window_of_part(whole, part), false} {
        arguments.input_h = part.window.height;
        arguments.input_w = part.window.width;
        arguments.deallocate_input = true;
        arguments.reallocate_halo_output = true;
        arguments.memory_config = std::nullopt;
    }
    PartOfPooling(const PartOfPooling&) = delete;
    PartOfPooling& operator=(const PartOfPooling&) = delete;

    Parallelization spread(const Tensor& images) const {
        const auto& scheme = arguments.applied_shard_scheme;
        return scheme ? spread_of(problem, images, *scheme, alignment(images))
                      : choose_spread(problem, images);
    }
    static std::uint32_t alignment(const Tensor& images) {
        return images.layout() == Layout::TILE ? static_cast<std::uint32_t>(kTileWidth) : kSticksOfL1;
    }
    MemoryConfig shards(const Parallelization& spread, const Tensor& images) const {
        const auto channels = static_cast<std::uint32_t>(
            round_up(arguments.channels, std::uint64_t{spread.cores_channels()} * alignment(images)));
        const SlidingWindow& window = problem.window;
        return sharded_config(std::uint64_t{window.batch} * window.height * window.width, channels, spread,
                              images.layout() == Layout::TILE ? kTileHeight : 1);
    }

    Pool2dArguments arguments;
    Problem problem;
};

// TT-NN counts the result of a part once more: without its batch, and without what does not divide among the cores.
std::uint64_t counted_again(const Problem& part, std::uint64_t rows, const ShardSpec& input) {
    const std::uint64_t sticks =
        std::uint64_t{part.window.output_height()} * part.window.output_width() / rows;
    return (part.tiled_output() ? round_up(sticks, kTileHeight) : sticks) * input.shape[1] *
           element_size(DataType::BFLOAT16);
}

// The images go when the halo is there. Of what is written TT-NN counts one image, also where a part has several.
std::uint64_t needed_l1(const PartOfPooling& part, const Tensor& images) {
    const Parallelization spread = part.spread(images);
    const ShardSpec shard = *part.shards(spread, images).shard_spec;
    SlidingWindow window = part.problem.window;
    window.cores_rows = spread.cores_rows();
    const std::uint64_t stick = shard.shape[1] * element_size(DataType::BFLOAT16);
    const std::uint64_t halo = most_halo_sticks(halo_shards(window)) * stick;
    const std::uint64_t from = shard.shape[0] * stick;
    Problem of_one = part.problem;
    of_one.window.batch = 1;
    const std::uint64_t to = estimated_l1(of_one, images, spread);
    return halo + std::max(from, to + counted_again(part.problem, window.cores_rows, shard));
}

// Images in DRAM, in slices if they do not fit into L1 at once.
std::vector<Tensor> pooled_from_dram(const Problem& problem, const Tensor& input) {
    const Pool2dArguments& arguments = problem.arguments;
    const PartOperation operation{
        [&](const WindowPart& part) { return needed_l1(PartOfPooling(problem, part), input); },
        [&](const WindowPart& part) {
            const PartOfPooling own(problem, part);
            return own.shards(own.spread(input), input);
        },
        [&](const Tensor& images, const WindowPart& part) {
            return pooled(PartOfPooling(problem, part).problem, images).front();
        },
        true};
    const Conv2dSliceConfig slices = choose_slices(problem.window, std::nullopt, arguments.output_layout,
                                                   free_l1_in_all(input.device()), operation);
    if (slices.num_slices == 1) return pooled(problem, input);
    require(!problem.return_indices, problem.name,
            ": expected images that fit into L1 at once for indices, got some that need ", slices.num_slices,
            " slices");
    const Shape shape{arguments.batch_size, arguments.input_h, arguments.input_w, arguments.channels};
    const ScopedTensor images(input.shape() == shape ? input : unscoped::reshape(input, shape));
    TensorSpec spec{Shape{arguments.batch_size, problem.window.output_height(), problem.window.output_width(),
                          arguments.channels},
                    arguments.dtype, arguments.output_layout, DRAM_MEMORY_CONFIG};
    Tensor whole = create_device_tensor(spec, input.shared_device());
    run_in_slices(problem.window, slices, *images, whole, operation);
    if (arguments.memory_config && *arguments.memory_config != whole.memory_config())
        whole = unscoped::to_memory_config(whole, *arguments.memory_config);
    return {whole};
}

Problem problem_of(const char* name, PoolKind kind, const Pool2dArguments& arguments) {
    return {name,
            kind,
            arguments,
            {arguments.batch_size, arguments.input_h, arguments.input_w, arguments.kernel_size[0],
             arguments.kernel_size[1], arguments.stride[0], arguments.stride[1], arguments.padding[0],
             arguments.padding[1], arguments.padding[2], arguments.padding[3], arguments.dilation[0],
             arguments.dilation[1], arguments.ceil_mode, 1, arguments.output_layout == Layout::TILE},
            false};
}

template <typename Definition>
std::vector<Tensor> in_pool_scope(const Definition& definition, const Problem& problem) {
    return in_operation(definition, [&] {
        const Pool2dArguments& arguments = problem.arguments;
        const Tensor input = unscoped::unsqueeze_to_4D(definition.input_tensor);
        require_supported(problem, input);
        if (problem.kind == PoolKind::kAverage && averages_whole_images(arguments, input))
            return std::vector<Tensor>{average_of_whole_images(arguments, input)};
        const bool from_dram = input.memory_config().buffer_type == BufferType::DRAM;
        return from_dram && !input.is_sharded() ? pooled_from_dram(problem, input) : pooled(problem, input);
    });
}

void require_no_slices(const char* operation, const Pool2dArguments& arguments) {
    require_none(arguments.dram_slice_config, operation, "dram_slice_config");
}

void require_countable(const Pool2dArguments& arguments) {
    require(arguments.output_layout == Layout::ROW_MAJOR && arguments.dtype == DataType::BFLOAT16,
            "max_pool2d: return_indices: expected ROW_MAJOR BFLOAT16 results, got ",
            name_of(arguments.output_layout), " ", name_of(arguments.dtype));
}

/// Along one dimension: window i of n covers [floor(i * size / n), ceil((i + 1) * size / n)). One kernel and
/// stride can do that if the first and the last window may reach into padding.
struct AdaptiveAxis {
    AdaptiveAxis(std::uint32_t input, std::uint32_t output) : size(input) {
        for (std::uint64_t i = 0; i < output; ++i) {
            begins.push_back(static_cast<std::int64_t>(i * size / output));
            pattern.push_back(static_cast<std::int64_t>(ceil_div((i + 1) * size, output)) - begins.back());
        }
        kernel = pattern.size() > 1 ? pattern[1] : pattern[0];
        before = std::max<std::int64_t>(0, kernel - pattern.front());
        after = std::max<std::int64_t>(0, kernel - pattern.back());
        const std::int64_t steps = std::max<std::int64_t>(1, output - 1);
        stride = std::max<std::int64_t>(1, (2 * (size + before + after - kernel) + steps) / (2 * steps));
    }

    bool uniform() const {
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            const std::int64_t from = static_cast<std::int64_t>(i) * stride - before;
            const std::int64_t begin = std::max<std::int64_t>(0, from);
            if (begin != begins[i] || std::min(size, from + kernel) - begin != pattern[i]) return false;
        }
        return true;
    }
    /// "[3,4,3] - middle elements not uniform", or nothing.
    std::string complaint(const char* name) const {
        bool same = true;
        std::string text;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            if (i > 1 && i + 1 < pattern.size() && pattern[i] != pattern[1]) same = false;
            text += (i == 0 ? "" : ",") + std::to_string(pattern[i]);
        }
        return same ? ""
                    : std::string(name) + " kernel pattern [" + text + "] - middle elements not uniform, ";
    }

    std::int64_t size;
    std::vector<std::int64_t> begins, pattern;
    std::int64_t kernel = 1, stride = 1, before = 0, after = 0;
};

Pool2dArguments adaptive(const char* name, const std::array<std::uint32_t, 2>& output_size,
                         Pool2dArguments arguments) {
    require(output_size[0] != 0 && output_size[1] != 0 && arguments.input_h != 0 && arguments.input_w != 0,
            name, ": expected input and output sizes of at least 1, got 0");
    const AdaptiveAxis rows(arguments.input_h, output_size[0]);
    const AdaptiveAxis columns(arguments.input_w, output_size[1]);
    const auto pair = [](std::int64_t a, std::int64_t b) {
        return std::to_string(a) + "," + std::to_string(b);
    };
    require(rows.uniform() && columns.uniform(), [&] {
        return "Adaptive pooling configuration not supported. " + rows.complaint("Height") +
               columns.complaint("Width") + "Calculated pooling parameters (kernel=[" +
               pair(rows.kernel, columns.kernel) + "], stride=[" + pair(rows.stride, columns.stride) +
               "], padding=[" + pair(rows.before, rows.after) + "," + pair(columns.before, columns.after) +
               "]) do not produce uniform pooling behavior, Correctable patterns require uniform "
               "middle kernels AND borders <= middle AND calculated pooling parameters must "
               "produce uniform behavior. Input shape: (" +
               pair(rows.size, columns.size) + "), Output shape: (" + pair(output_size[0], output_size[1]) +
               ").";
    });
    const auto whole = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
    arguments.kernel_size = {whole(rows.kernel), whole(columns.kernel)};
    arguments.stride = {whole(rows.stride), whole(columns.stride)};
    arguments.padding = {whole(rows.before), whole(rows.after), whole(columns.before), whole(columns.after)};
    arguments.dilation = {1, 1};
    arguments.ceil_mode = false;
    arguments.count_include_pad = false;
    return arguments;
}

}  // namespace

MaxPool2dResult MaxPool2d::call() const {
    require_no_slices("max_pool2d", *this);
    if (return_indices) require_countable(*this);
    Problem problem = problem_of("max_pool2d", PoolKind::kMax, *this);
    problem.return_indices = return_indices;
    std::vector<Tensor> made = in_pool_scope(*this, problem);
    MaxPool2dResult result{std::move(made.at(0)), {}};
    if (return_indices) result.indices = std::move(made.at(1));
    return result;
}

Tensor AvgPool2d::call() const {
    require_no_slices("avg_pool2d", *this);
    return in_pool_scope(*this, problem_of("avg_pool2d", PoolKind::kAverage, *this)).front();
}

template <PoolKind kKind>
Tensor AdaptivePool2d<kKind>::call() const {
    require_no_slices("adaptive pooling", *this);
    const Pool2dArguments all = adaptive(kOperation.name, output_size, *this);
    return in_pool_scope(*this, problem_of(kOperation.name, kKind, all)).front();
}

template struct AdaptivePool2d<PoolKind::kMax>;
template struct AdaptivePool2d<PoolKind::kAverage>;

}  // namespace tilemeter
