// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/dram_slices.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/sliding_window/internal/padded_slice.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/types/dtype.hpp"

namespace tilemeter {

namespace {

using SliceType = Conv2dSliceConfig::SliceType;

// The unit that parts along the width are a multiple of.
std::uint32_t column_unit(Layout output_layout) {
    return output_layout == Layout::TILE ? static_cast<std::uint32_t>(kTileHeight) : 1;
}

std::uint32_t most_slices(const SlidingWindow& whole, SliceType type, Layout output_layout) {
    if (type == SliceType::DRAM_HEIGHT) return whole.output_height();
    return static_cast<std::uint32_t>(ceil_div(whole.output_width(), column_unit(output_layout)));
}

/// Along one axis: input pixels under the windows, and padding that is left around them.
struct AxisPart {
    std::uint32_t begin, end, pad_before, pad_after;
    std::uint32_t output_pad = 0;
};

struct SlicedAxis {
    std::uint32_t size, kernel, stride, pad_before, pad_after, dilation, outputs;
    std::uint32_t output_pad = 0;

    // The last part has the rest of the input and of the padding, also what no window covers.
    AxisPart under(std::uint32_t output_begin, std::uint32_t output_end) const {
        const std::int64_t first = std::int64_t{output_begin} * stride - pad_before;
        const std::int64_t last = output_end == outputs ? std::int64_t{size} + pad_after
                                                        : std::int64_t{output_end - 1} * stride - pad_before +
                                                              std::int64_t{dilation} * (kernel - 1) + 1;
        const auto begin = static_cast<std::uint32_t>(std::clamp<std::int64_t>(first, 0, size));
        const auto end = static_cast<std::uint32_t>(std::clamp<std::int64_t>(last, 0, size));
        return {begin, end, static_cast<std::uint32_t>(std::max<std::int64_t>(0, -first)),
                static_cast<std::uint32_t>(std::max<std::int64_t>(0, last - size))};
    }

    // Under a transposed window: the pixels that its outputs are made of, and what lies before the first and behind the
    // last of them, said as padding of the convolution which is undone.
    AxisPart spread_under(std::uint32_t output_begin, std::uint32_t output_end) const {
        const std::int64_t step = stride;
        const std::int64_t reach = std::int64_t{dilation} * (kernel - 1);
        const std::int64_t from = output_begin - (reach - pad_before);
        const std::int64_t to = from + (output_end - output_begin) + reach;
        AxisPart part{0, size, pad_before, pad_after};
        if (output_begin != 0) {
            const std::int64_t begin = std::clamp<std::int64_t>((from + step - 1) / step, 0, size - 1);
            part.begin = static_cast<std::uint32_t>(begin);
            part.pad_before = static_cast<std::uint32_t>(reach - (begin * step - from));
        }
        if (output_end == outputs) {
            part.output_pad = output_pad;
        } else {
            const std::int64_t end = std::min<std::int64_t>(size, (to - 1) / step + 1);
            part.end = static_cast<std::uint32_t>(end);
            part.pad_after = static_cast<std::uint32_t>(reach - (to - 1 - (end - 1) * step));
        }
        return part;
    }
};

WindowPart transposed_part(const SlidingWindow& whole, const ImageBox& output, Layout output_layout) {
    const SlicedAxis rows{whole.height,          whole.kernel_height,    whole.stride_height,
                          whole.pad_top,         whole.pad_bottom,       whole.dilation_height,
                          whole.output_height(), whole.output_pad_height};
    const SlicedAxis columns{whole.width,          whole.kernel_width,    whole.stride_width,
                             whole.pad_left,       whole.pad_right,       whole.dilation_width,
                             whole.output_width(), whole.output_pad_width};
    const AxisPart y = rows.spread_under(output.begin[0], output.end[0]);
    const AxisPart x = columns.spread_under(output.begin[1], output.end[1]);
    WindowPart part{whole, {{y.begin, x.begin}, {y.end, x.end}}, output};
    part.window.height = y.end - y.begin;
    part.window.width = x.end - x.begin;
    part.window.pad_top = y.pad_before;
    part.window.pad_bottom = y.pad_after;
    part.window.pad_left = x.pad_before;
    part.window.pad_right = x.pad_after;
    part.window.output_pad_height = y.output_pad;
    part.window.output_pad_width = x.output_pad;
    const bool all = part.window.height == whole.height && part.window.width == whole.width;
    if (!all) {
        const std::uint32_t width = output.end[1] - output.begin[1];
        const auto padding = static_cast<std::uint32_t>(round_up(width, column_unit(output_layout)) - width);
        part.output.end[1] += padding;
        part.window.output_pad_width += padding;
    }
    return part;
}

WindowPart part_of(const SlidingWindow& whole, const ImageBox& output, Layout output_layout,
                   bool exact_padding) {
    if (whole.transposed) return transposed_part(whole, output, output_layout);
    const SlicedAxis rows{whole.height,
                          whole.kernel_height,
                          whole.stride_height,
                          whole.pad_top,
                          whole.padded_height() - whole.height - whole.pad_top,
                          whole.dilation_height,
                          whole.output_height()};
    const SlicedAxis columns{whole.width,
                             whole.kernel_width,
                             whole.stride_width,
                             whole.pad_left,
                             whole.padded_width() - whole.width - whole.pad_left,
                             whole.dilation_width,
                             whole.output_width()};
    const AxisPart y = rows.under(output.begin[0], output.end[0]);
    const AxisPart x = columns.under(output.begin[1], output.end[1]);
    const std::uint32_t width = output.end[1] - output.begin[1];
    const auto padding = static_cast<std::uint32_t>(round_up(width, column_unit(output_layout)) - width);
    WindowPart part{whole, {{y.begin, x.begin}, {y.end, x.end}}, output};
    part.output.end[1] += padding;
    part.window.height = y.end - y.begin;
    part.window.width = x.end - x.begin;
    part.window.pad_top = y.pad_before;
    part.window.pad_bottom = y.pad_after;
    part.window.pad_left = x.pad_before;
    part.window.pad_right = x.pad_after + padding * whole.stride_width;
    if (padding != 0 && exact_padding) {
        const std::uint32_t covered = (part.output.end[1] - part.output.begin[1] - 1) * whole.stride_width +
                                      whole.dilation_width * (whole.kernel_width - 1) + 1;
        part.window.pad_right = covered - std::min(covered, part.window.width + part.window.pad_left);
    }
    part.window.ceil_mode = false;
    return part;
}

// Along the width, unless the images are too narrow for that.
SliceType preferred_type(const SlidingWindow& whole, Layout output_layout) {
    constexpr std::uint32_t kNarrowInTiles = 200;
    constexpr std::uint32_t kTallInRows = 3;
    const bool narrow = output_layout == Layout::TILE
                            ? whole.width <= kNarrowInTiles || whole.height > whole.width
                            : whole.height > kTallInRows * whole.width;
    return narrow ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH;
}

/// The number of parts of that kind it takes; 0: no number is enough.
std::uint32_t slices_needed(const SlidingWindow& whole, SliceType type, Layout output_layout,
                            std::uint64_t free_l1_bytes, const PartOperation& operation) {
    const std::uint32_t most = most_slices(whole, type, output_layout);
    for (std::uint32_t count = 1; count <= most; ++count) {
        std::vector<WindowPart> parts =
            window_parts(whole, {type, count}, output_layout, operation.exact_padding);
        if (count == 1) parts.front().window = whole;  // goes as it is
        const bool fit = std::all_of(parts.begin(), parts.end(), [&](const WindowPart& part) {
            return operation.l1_bytes(part) <= free_l1_bytes;
        });
        if (fit) return count;
    }
    return 0;
}

// As rows in L1 that SliceWrite takes.
Tensor ready_to_write(Tensor part, const WindowPart& place, Layout output_layout) {
    const bool by_width = part.memory_config().memory_layout == TensorMemoryLayout::WIDTH_SHARDED;
    if (output_layout == Layout::TILE || part.layout() == output_layout) return part;
    if (by_width) part = unscoped::to_memory_config(part, L1_MEMORY_CONFIG);
    part = unscoped::untilize(part);
    if (!by_width) return part;
    return reshape_view(part, {place.window.batch, place.output.end[0] - place.output.begin[0],
                               place.output.end[1] - place.output.begin[1], part.shape()[-1]});
}

}  // namespace

std::vector<WindowPart> window_parts(const SlidingWindow& whole, const Conv2dSliceConfig& slices,
                                     Layout output_layout, bool exact_padding) {
    const bool along_rows = slices.slice_type == SliceType::DRAM_HEIGHT;
    const std::size_t axis = along_rows ? 0 : 1;
    const std::uint32_t unit = along_rows ? 1 : column_unit(output_layout);
    const std::uint32_t size = along_rows ? whole.output_height() : whole.output_width();
    const auto units = static_cast<std::uint32_t>(ceil_div(size, unit));
    std::vector<WindowPart> parts;
    ImageBox box{{0, 0}, {whole.output_height(), whole.output_width()}};
    for (std::uint32_t i = 0; i < slices.num_slices && box.begin[axis] < size; ++i) {
        const std::uint32_t share =
            unit * (units / slices.num_slices + (i < units % slices.num_slices ? 1 : 0));
        if (share == 0) break;
        box.end[axis] = std::min(size, box.begin[axis] + share);
        const WindowPart part = part_of(whole, box, output_layout, exact_padding);
        // TT-NN ends here, and leaves the rest of the result unwritten.
        if (part.input.begin[axis] == part.input.end[axis]) break;
        parts.push_back(part);
        box.begin[axis] = box.end[axis];
    }
    return parts;
}

Conv2dSliceConfig choose_slices(const SlidingWindow& whole, const std::optional<Conv2dSliceConfig>& asked,
                                Layout output_layout, std::uint64_t free_l1_bytes,
                                const PartOperation& operation) {
    if (asked && asked->num_slices != 0) {
        const std::uint32_t most = most_slices(whole, asked->slice_type, output_layout);
        require(asked->num_slices <= most, "Number of slices (", asked->num_slices,
                ") exceeds the maximum allowed (", most, ") for the given output dimension and alignment.");
        return *asked;
    }
    SliceType type = asked ? asked->slice_type : preferred_type(whole, output_layout);
    std::uint32_t count = slices_needed(whole, type, output_layout, free_l1_bytes, operation);
    if (count == 0 && !asked) {
        type = type == SliceType::DRAM_WIDTH ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH;
        count = slices_needed(whole, type, output_layout, free_l1_bytes, operation);
    }
    if (count != 0) return {type, count};
    const bool along_rows = type == SliceType::DRAM_HEIGHT;
    throw ProgramMemoryExhaustedError(
        "DRAM Auto slice could not find valid slice configuration. Tried up to " +
        std::to_string(most_slices(whole, type, output_layout)) + " slices for " +
        (along_rows ? "height" : "width") + "-slicing on output dimension " +
        std::to_string(along_rows ? whole.output_height() : whole.output_width()) +
        ". Available L1: " + std::to_string(free_l1_bytes) +
        " bytes. Operation requires more memory than available even with maximum slicing.");
}

void run_in_slices(const SlidingWindow& window, const Conv2dSliceConfig& slices, const Tensor& images,
                   const Tensor& whole, const PartOperation& operation) {
    const std::uint32_t batch = window.batch;
    const std::uint32_t channels = images.shape()[-1];
    const bool tiled = whole.layout() == Layout::TILE;
    for (const WindowPart& part : window_parts(window, slices, whole.layout(), operation.exact_padding)) {
        const auto& [begin, end] = part.input;
        Tensor input = launch(
            PaddedSlice{
                {0, begin[0], begin[1], 0}, {batch, end[0], end[1], channels}, operation.input_shards(part)},
            {images});
        const ScopedTensor result(
            ready_to_write(operation.run(std::move(input), part), part, whole.layout()));
        const auto& to = part.output;
        const std::uint32_t last = tiled ? whole.padded_shape()[-1] : whole.shape()[-1];
        launch_into(SliceWrite{{0, to.begin[0], to.begin[1], 0}, {batch, to.end[0], to.end[1], last}},
                    {*result, whole}, whole);
    }
}

}  // namespace tilemeter
