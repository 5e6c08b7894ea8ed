// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/pool_operation.hpp"

#include <algorithm>
#include <limits>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kFaceWidth = 16;
constexpr std::uint64_t kTileElements = kTileHeight * kTileWidth;

std::uint64_t kernel_elements(const SlidingWindow& window) {
    return std::uint64_t{window.kernel_height} * window.kernel_width;
}

// True if the mean of every window has the same divisor.
bool one_divisor(const PoolRequest& request) {
    if (request.kind == PoolKind::kMax || request.divisor_override) return true;
    const SlidingWindow& window = request.window;
    const bool beyond = window.uncounted_bottom + window.uncounted_right != 0 ||
                        window.padded_height() > window.height + window.pad_top + window.pad_bottom ||
                        window.padded_width() > window.width + window.pad_left + window.pad_right;
    const bool padded = window.pad_top + window.pad_bottom + window.pad_left + window.pad_right != 0;
    return !beyond && (request.count_include_pad || !padded);
}

// Pixels that the mean of a window counts, along one dimension.
std::int64_t counted(std::int64_t begin, std::int64_t kernel, std::int64_t size, std::int64_t pad_after,
                     bool count_padding) {
    const std::int64_t end = std::min(begin + kernel, size + pad_after);
    if (count_padding) return end - begin;
    return std::max<std::int64_t>(0, std::min(end, size) - std::max<std::int64_t>(begin, 0));
}

std::int64_t divisor_of(const PoolRequest& request, std::uint64_t output_stick) {
    if (request.divisor_override) return *request.divisor_override;
    const SlidingWindow& window = request.window;
    const std::uint64_t columns = window.output_width();
    const auto row = static_cast<std::int64_t>(output_stick / columns % window.output_height());
    const auto column = static_cast<std::int64_t>(output_stick % columns);
    return counted(row * window.stride_height - window.pad_top, window.kernel_height, window.height,
                   std::int64_t{window.pad_bottom} - window.uncounted_bottom, request.count_include_pad) *
           counted(column * window.stride_width - window.pad_left, window.kernel_width, window.width,
                   std::int64_t{window.pad_right} - window.uncounted_right, request.count_include_pad);
}

constexpr std::uint32_t kWordsOfDivisorRun = 3;

// Length in 16-bit words of the table of divisors: three per run of equal ones, of the core that has most.
std::uint32_t divisor_table_length(const PoolRequest& request) {
    const std::uint64_t share = request.output.shard_spec->shape[0];
    const std::uint64_t sticks = request.window.output_sticks();
    std::uint32_t longest = 0;
    for (std::uint32_t core = 0; core < request.window.cores_rows; ++core) {
        std::uint32_t runs = 0;
        for (std::uint64_t i = 0; i < share; ++i) {
            const std::uint64_t stick = (core * share + i) % sticks;
            if (i == 0 || divisor_of(request, stick) != divisor_of(request, (stick + sticks - 1) % sticks))
                ++runs;
        }
        longest = std::max(longest, runs);
    }
    return kWordsOfDivisorRun * longest;
}

}  // namespace

// The first of the largest, row by row; padding never is.
std::vector<float> Pool2D::places_of_largest(const compute::Windows& windows,
                                             const compute::Sticks& rows) const {
    const SlidingWindow& window = request.window;
    const std::uint64_t outputs = std::uint64_t{window.output_height()} * window.output_width();
    std::vector<float> places(windows.origins.size() * request.channels);
    for (std::size_t stick = 0; stick < windows.origins.size(); ++stick) {
        const auto y0 =
            static_cast<std::int64_t>(stick % outputs / window.output_width() * window.stride_height) -
            window.pad_top;
        const auto x0 =
            static_cast<std::int64_t>(stick % window.output_width() * window.stride_width) - window.pad_left;
        for (std::uint64_t channel = 0; channel < request.channels; ++channel) {
            float largest = -std::numeric_limits<float>::infinity();
            std::int64_t place = -1;
            for (std::uint32_t i = 0; i < window.kernel_height; ++i) {
                for (std::uint32_t j = 0; j < window.kernel_width; ++j) {
                    const std::int64_t y = y0 + std::int64_t{i} * window.dilation_height;
                    const std::int64_t x = x0 + std::int64_t{j} * window.dilation_width;
                    if (y < 0 || x < 0 || y >= window.height || x >= window.width) continue;
                    const float value = rows.values[(windows.origins[stick] + i * windows.row_step +
                                                     j * windows.column_step) *
                                                        rows.channels +
                                                    channel];
                    if (place >= 0 && !(value > largest)) continue;
                    largest = value;
                    place = y * window.width + x;
                }
            }
            places[stick * request.channels + channel] = static_cast<float>(place);
        }
    }
    return places;
}

namespace {

// The dtype of places in one image.
DataType index_dtype(const SlidingWindow& window) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint16_t>::max();
    return std::uint64_t{window.height} * window.width <= kMost ? DataType::UINT16 : DataType::UINT32;
}

}  // namespace

PoolBuffers pool_buffers(const PoolRequest& request, DataType input_dtype) {
    const DataType dtype = is_block_float(input_dtype) ? DataType::BFLOAT16 : input_dtype;
    const std::uint64_t element = element_size(dtype);
    const std::uint64_t kernel = kernel_elements(request.window);
    const std::uint64_t tiles = ceil_div(ceil_div(request.channels, request.cores_channels), kTileWidth);
    const bool large = kernel > kTileHeight;
    const std::uint64_t most_tiles =
        request.return_indices ? 1 : (request.kind == PoolKind::kAverage && large ? 4 : 8);
    const std::uint64_t rows = kernel <= kFaceWidth ? kernel : kTileHeight;
    const ShardSpec& shard = *request.output.shard_spec;

    PoolBuffers buffers;
    buffers.scalars = 2 * tile_size(dtype);
    if (!one_divisor(request)) buffers.second_scalars = buffers.scalars;
    buffers.start_value = tile_size(dtype);
    buffers.rows = 2 * element * round_up(std::min(tiles, most_tiles) * kTileWidth * rows, kTileElements);
    if (request.layout == Layout::TILE) {
        buffers.untilized = kTileHeight * tiles * kTileWidth * element;
        buffers.output =
            std::uint64_t{shard.shape[0]} * shard.shape[1] / kTileElements * tile_size(request.dtype);
    } else {
        const std::uint64_t channels = ceil_div(request.channels, request.cores_channels);
        const std::uint64_t faces = ceil_div(channels, kFaceWidth);
        buffers.output =
            std::min<std::uint64_t>(kFaceWidth, shard.shape[1]) * element * shard.shape[0] * faces;
    }
    if (request.return_indices) {
        // Places of the window's sticks, what moves them on, and both as tiles; large windows keep the
        // largest so far and its place, too.
        const DataType indices = index_dtype(request.window);
        const std::uint64_t at_once = indices == DataType::UINT16 ? kTileHeight : kTileHeight / 2;
        buffers.index_tiles = kernel > at_once ? 9 : 7;
        buffers.index_tile = tile_size(indices);
        buffers.output += buffers.output / element * element_size(indices);
    }
    return buffers;
}

void Pool2D::validate(SpecsView inputs) const {
    const TensorSpec& input = inputs[0];
    require(input.dtype == DataType::BFLOAT16 && input.layout == Layout::ROW_MAJOR &&
                input.memory_config.is_sharded(),
            "pool2d: expected sharded rows of BFLOAT16, got ", name_of(input.dtype), " ",
            name_of(input.layout), " ", name_of(input.memory_config.memory_layout));
    require(!is_block_float(request.dtype) || request.layout == Layout::TILE,
            "pool2d: dtype: expected TILE output for ", name_of(request.dtype), ", got ROW_MAJOR");
}

TensorSpecs Pool2D::infer(SpecsView) const {
    const auto sticks = static_cast<std::uint32_t>(request.window.output_sticks());
    const Shape shape{1, 1, sticks, request.channels};
    TensorSpecs specs = {TensorSpec{shape, request.dtype, request.layout, request.output}};
    if (request.return_indices)
        specs.push_back(TensorSpec{shape, index_dtype(request.window), request.layout, request.output});
    return specs;
}

ProgramPlan Pool2D::plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
    constexpr int kInput = 0;
    constexpr int kOutput = 1;
    const int window_table_at = request.return_indices ? 3 : 2;
    const int divisor_table_at = window_table_at + 1;
    const TensorSpec& input = inputs[0];
    const ShardSpec& shard = *input.memory_config.shard_spec;
    ProgramPlan plan{{"ttnn::operations::pool::Pool2D::MultiCore", 0}};
    const std::uint32_t words = window_table_length(request.window, 0, 0);
    const TableMemory tables = request.tables_in_dram ? TableMemory::kDram : TableMemory::kL1Small;
    plan.config_tensors.push_back(window_table(input.memory_config, words, tables));
    plan.frees_config_tensors_in_scope = true;
    const auto add = [&](std::uint64_t size, int tensor = ProgramMemory::kOwn) {
        plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, shard.grid, tensor});
    };
    const PoolBuffers buffers = pool_buffers(request, input.dtype);
    add(buffers.scalars);
    if (buffers.second_scalars != 0) add(buffers.second_scalars);
    add(buffers.start_value);
    const std::uint64_t rest = request.channels % shard.shape[1];
    const std::uint64_t channels = rest != 0 && request.cores_channels > 1
                                       ? (request.channels - rest) / (request.cores_channels - 1)
                                       : request.channels / request.cores_channels;
    add(shard.shape[0] * channels * element_size(input.dtype), kInput);
    // For a table in L1_SMALL TT-NN takes the number of words for one of bytes.
    if (request.tables_in_dram)
        add(words * element_size(DataType::UINT16));
    else
        add(round_up(words, 4), window_table_at);
    add(buffers.rows);
    add(buffers.rows);
    if (buffers.untilized != 0) add(buffers.untilized);
    for (std::uint64_t i = 0; i < buffers.index_tiles; ++i)
        add(i == 1 ? buffers.start_value : buffers.index_tile);
    const ShardSpec& out = *request.output.shard_spec;
    add(request.layout == Layout::TILE
            ? buffers.output
            : std::uint64_t{out.shape[0]} * out.shape[1] * element_size(request.dtype),
        kOutput);
    if (request.return_indices) {
        add(std::uint64_t{out.shape[0]} * out.shape[1] * element_size(index_dtype(request.window)),
            kOutput + 1);
    }
    if (!one_divisor(request)) {
        plan.config_tensors.push_back(
            window_table(input.memory_config, divisor_table_length(request), tables));
        // For a table in DRAM the program has room for a run of each stick.
        const std::uint64_t length =
            request.tables_in_dram ? kWordsOfDivisorRun * out.shape[0] : plan.config_tensors[1].shape[-1];
        add(length * element_size(DataType::UINT16),
            request.tables_in_dram ? ProgramMemory::kOwn : divisor_table_at);
    }
    return plan;
}

std::vector<HostArray> Pool2D::compute(ArraysView inputs, SpecsView outputs) const {
    const std::vector<float> sticks = kept_floats(request.window, *inputs[0]);
    const std::vector<std::uint64_t> origins = window_rows(request.window);
    const compute::Windows windows{
        origins, request.window.kernel_height, request.window.kernel_width,
        std::uint64_t{request.window.dilation_height} * request.window.padded_width(),
        request.window.dilation_width};
    const compute::Sticks rows{sticks, inputs[0]->shape()[-1]};
    const std::uint64_t channels = request.channels;
    if (request.return_indices) {
        std::vector<HostArray> results = {HostArray::from_floats(
            compute::largest_under(windows, rows, channels), outputs[0].dtype, outputs[0].shape)};
        results.push_back(
            HostArray::from_floats(places_of_largest(windows, rows), outputs[1].dtype, outputs[1].shape));
        return results;
    }
    if (request.kind == PoolKind::kMax) {
        return {HostArray::from_floats(compute::largest_under(windows, rows, channels), outputs[0].dtype,
                                       outputs[0].shape)};
    }
    std::vector<float> result = compute::sum_under(windows, rows, channels);
    for (std::uint64_t stick = 0; stick < origins.size(); ++stick) {
        const auto divisor = static_cast<float>(divisor_of(request, stick));
        for (std::uint64_t channel = 0; channel < channels; ++channel)
            result[stick * channels + channel] /= divisor;
    }
    return {HostArray::from_floats(result, outputs[0].dtype, outputs[0].shape)};
}

}  // namespace tilemeter
