// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/sliding_window.hpp"

#include <algorithm>
#include <string>

#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/device_facts.hpp"
#include "tools/compat/src/fatal.hpp"

namespace ttnn::operations::sliding_window {

namespace {

using tilemeter::compat::refuse_as_fatal;

constexpr std::uint32_t kTile = 32;

// A window along rows or along columns.
struct Axis {
    std::uint32_t size, kernel, stride, pad_before, pad_after, dilation, output_pad;

    std::uint32_t extent() const { return dilation * (kernel - 1) + 1; }
    std::uint32_t room() const { return size + pad_before + pad_after - extent(); }
    std::uint32_t rounded_up() const {
        return static_cast<std::uint32_t>(tilemeter::ceil_div(room(), stride)) + 1;
    }
    std::uint32_t outputs(bool ceil_mode) const {
        if (!ceil_mode) return room() / stride + 1;
        const std::uint32_t count = rounded_up();
        // No window begins in the padding behind the image.
        return (count - 1) * stride >= size + pad_before ? count - 1 : count;
    }
    std::uint32_t beyond_padding() const {
        const std::int64_t end = std::int64_t{stride} * (outputs(true) - 1) + extent();
        return static_cast<std::uint32_t>(std::max<std::int64_t>(0, end - size - pad_before - pad_after));
    }
    std::uint32_t spread() const { return (size - 1) * stride + 1; }
    std::uint32_t transposed_outputs() const {
        return spread() + extent() - 1 + output_pad - pad_before - pad_after;
    }
};

Axis rows_of(const SlidingWindowConfig& config) {
    return {config.input_hw.first, config.window_hw.first,   config.stride_hw.first,    config.padding[0],
            config.padding[1],     config.dilation_hw.first, config.output_pad_hw.first};
}
Axis columns_of(const SlidingWindowConfig& config) {
    return {config.input_hw.second, config.window_hw.second,   config.stride_hw.second,    config.padding[2],
            config.padding[3],      config.dilation_hw.second, config.output_pad_hw.second};
}

// Height and width of the image that windows begin in.
uint32_pair_t padded_size(const SlidingWindowConfig& config) {
    if (config.is_transpose) {
        const Shape full = config.get_transposed_full_input_shape();
        return {full[1], full[2]};
    }
    const auto [rows, columns] = config.get_ceil_pad_hw();
    return {config.input_hw.first + config.get_pad_h() + rows,
            config.input_hw.second + config.get_pad_w() + columns};
}

}  // namespace

bool SlidingWindowConfig::has_parallel_config() const {
    return num_cores_nhw > 0 && num_cores_c > 0 && !core_range_set.empty();
}

Shape SlidingWindowConfig::get_input_shape() const {
    return {batch_size, input_hw.first, input_hw.second};
}

Shape SlidingWindowConfig::get_output_shape() const {
    const Axis rows = rows_of(*this), columns = columns_of(*this);
    if (ceil_mode && (is_transpose || is_bilinear))
        refuse_as_fatal("!ceil_mode", "ceil_mode: expected false of a transposed or bilinear window");
    if (is_transpose) return {batch_size, rows.transposed_outputs(), columns.transposed_outputs(), 0};
    if (is_bilinear) return {batch_size, input_hw.first * scale_h, input_hw.second * scale_w, 0};
    return {batch_size, rows.outputs(ceil_mode), columns.outputs(ceil_mode), 0};
}

uint32_pair_t SlidingWindowConfig::get_ceil_pad_hw() const {
    if (!ceil_mode) return {0, 0};
    if (ceil_pad_hw) return *ceil_pad_hw;
    return {rows_of(*this).beyond_padding(), columns_of(*this).beyond_padding()};
}

Shape SlidingWindowConfig::get_transposed_full_input_shape() const {
    if (!is_transpose) refuse_as_fatal("is_transpose", "expected a transposed window");
    const Shape output = get_output_shape();
    return {batch_size, output[1] + rows_of(*this).extent() - 1, output[2] + columns_of(*this).extent() - 1,
            0};
}

std::array<uint32_pair_t, 2> SlidingWindowConfig::get_transposed_real_padding() const {
    if (!is_transpose) refuse_as_fatal("is_transpose", "expected a transposed window");
    const auto around = [](const Axis& axis) {
        const std::uint32_t most = axis.extent() - 1;
        return uint32_pair_t{most - axis.pad_before, most - axis.pad_after};
    };
    return {around(rows_of(*this)), around(columns_of(*this))};
}

std::uint32_t SlidingWindowConfig::get_output_shard_y(bool whole_tiles) const {
    if (!has_parallel_config()) refuse_as_fatal("has_parallel_config()", "expected cores, found none");
    const Shape output = get_output_shape();
    const std::uint64_t rows = std::uint64_t{output[0]} * output[1] * output[2];
    const std::uint64_t unit = std::uint64_t{num_cores_nhw} * (whole_tiles ? kTile : 1);
    return static_cast<std::uint32_t>(tilemeter::round_up(rows, unit) / num_cores_nhw);
}

std::vector<std::uint32_t> generate_op_trace_metadata(const SlidingWindowConfig& config) {
    const Shape output = config.get_output_shape();
    const auto [height, width] = padded_size(config);
    const std::uint32_t down = config.is_transpose ? 1 : config.stride_hw.first;
    const std::uint32_t along = config.is_transpose ? 1 : config.stride_hw.second;
    std::vector<std::uint32_t> places;
    for (std::uint32_t image = 0; image < output[0]; ++image)
        for (std::uint32_t row = 0; row < output[1]; ++row)
            for (std::uint32_t column = 0; column < output[2]; ++column)
                places.push_back((image * height + row * down) * width + column * along);
    return places;
}

std::vector<ShardBoundary> generate_shard_boundaries(const SlidingWindowConfig& config) {
    if (config.is_bilinear) refuse_as_fatal("!config.is_bilinear", "is_bilinear: expected false, found true");
    const std::vector<std::uint32_t> places = generate_op_trace_metadata(config);
    const auto count = static_cast<std::uint32_t>(places.size());
    const std::uint32_t share = config.get_output_shard_y(config.snap_to_tile);
    const std::uint32_t width = padded_size(config).second;
    const std::uint32_t behind = (rows_of(config).extent() - 1) * width + columns_of(config).extent() - 1;
    std::vector<ShardBoundary> shards;
    for (std::uint32_t core = 0; core < config.num_cores_nhw; ++core) {
        const std::uint32_t begin = std::min(core * share, count), end = std::min(begin + share, count) - 1;
        const std::uint32_t last = places[end] + behind;
        shards.push_back({{begin, end}, {places[std::min(begin, count - 1)], last}});
    }
    return shards;
}

std::array<std::uint32_t, 4> get_pair_n4_padding(
    const std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>>& padding) {
    if (const auto* sides = std::get_if<std::array<std::uint32_t, 4>>(&padding)) return *sides;
    const auto& [down, along] = std::get<std::array<std::uint32_t, 2>>(padding);
    return {down, down, along, along};
}

std::uint32_t align_buffer(std::uint32_t size) {
    return static_cast<std::uint32_t>(tilemeter::round_up(size, tt::tt_metal::hal::get_dram_alignment()));
}

}  // namespace ttnn::operations::sliding_window
