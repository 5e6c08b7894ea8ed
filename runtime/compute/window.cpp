// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/window.hpp"

#include <algorithm>
#include <limits>

#include "runtime/compute/matmul.hpp"
#include "runtime/compute/parallel.hpp"
#include "runtime/types/reused_memory.hpp"

namespace tilemeter::compute {

namespace {

// Calls body(where in the window, the stick's values) for each stick under a window.
template <typename Body>
void for_each_stick(const Windows& windows, const Sticks& sticks, std::uint64_t origin, Body body) {
    std::uint64_t place = 0;
    for (std::uint32_t i = 0; i < windows.height; ++i) {
        for (std::uint32_t j = 0; j < windows.width; ++j) {
            const std::uint64_t row = origin + i * windows.row_step + j * windows.column_step;
            body(place++, sticks.values.data() + row * sticks.channels);
        }
    }
}

template <typename Combine>
std::vector<float> combine_under(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels,
                                 float start, Combine combine) {
    std::vector<float> result(windows.origins.size() * used_channels, start);
    for (std::size_t window = 0; window < windows.origins.size(); ++window) {
        float* target = result.data() + window * used_channels;
        for_each_stick(windows, sticks, windows.origins[window], [&](std::uint64_t, const float* stick) {
            for (std::uint64_t channel = 0; channel < used_channels; ++channel)
                target[channel] = combine(target[channel], stick[channel]);
        });
    }
    return result;
}

// What lies under some windows, side by side: [windows, height * width * used_channels].
template <typename Element>
void lay_out(const Windows& windows, std::span<const std::uint64_t> origins, const Element* sticks,
             std::uint64_t channels, std::uint64_t used_channels, Element* to) {
    // Neighbours in a row of the window are neighbours in memory.
    const bool in_runs = windows.column_step == 1 && used_channels == channels;
    const std::uint64_t runs = in_runs ? 1 : windows.width;
    const std::uint64_t length = used_channels * (in_runs ? windows.width : 1);
    for (const std::uint64_t origin : origins) {
        for (std::uint32_t i = 0; i < windows.height; ++i) {
            const Element* from = sticks + (origin + i * windows.row_step) * channels;
            for (std::uint64_t j = 0; j < runs; ++j, from += windows.column_step * channels)
                to = std::copy_n(from, length, to);
        }
    }
}

}  // namespace

HostArray convolve(const Windows& windows, const HostArray& sticks, std::uint64_t used_channels,
                   const HostArray& weights, DataType dtype, const Shape& shape,
                   const std::function<void(std::span<float> rows)>& finish) {
    // Sticks are laid side by side for so many windows at a time that it fits into a core's caches.
    constexpr std::uint64_t kElementsAtOnce = 1U << 17U;
    constexpr std::uint64_t kProductsPerStep = 16;
    const std::uint64_t inner = std::uint64_t{windows.height} * windows.width * used_channels;
    const std::uint64_t count = windows.origins.size();
    const std::uint64_t columns = shape[-1];
    const std::uint64_t at_once =
        std::max<std::uint64_t>(1, kElementsAtOnce / std::max<std::uint64_t>(1, inner));
    HostArray result = HostArray::unwritten(dtype, shape);
    if (result.size() == 0) return result;
    const std::uint64_t channels = sticks.shape()[-1];
    FloatBuffer stick_room(0), weight_room(0);
    MatrixOperand from = matrix_operand(sticks, false, stick_room);
    MatrixOperand right = matrix_operand(weights, false, weight_room);
    const bool in_bfloat16 = !from.bfloat16.empty() && !right.bfloat16.empty();
    if (!in_bfloat16) {
        from.values = floats_of(from, stick_room);
        right.values = floats_of(right, weight_room);
        right.bfloat16 = {};
    }
    right.shape = {static_cast<std::uint32_t>(inner), static_cast<std::uint32_t>(columns)};
    const std::span<float> in_place = result.floats();
    const std::uint64_t steps = count * inner * (1 + columns / kProductsPerStep);
    parallel_for((count + at_once - 1) / at_once, steps, [&](std::size_t part) {
        const std::uint64_t begin = part * at_once;
        const std::uint64_t in_part = std::min(at_once, count - begin);
        const std::span<const std::uint64_t> origins = windows.origins.subspan(begin, in_part);
        MatrixOperand left{{}, {static_cast<std::uint32_t>(in_part), static_cast<std::uint32_t>(inner)}};
        ReusedMemory room(in_part * inner * (in_bfloat16 ? sizeof(std::uint16_t) : sizeof(float)));
        if (in_bfloat16) {
            auto* const to = reinterpret_cast<std::uint16_t*>(room.data());
            lay_out(windows, origins, from.bfloat16.data(), channels, used_channels, to);
            left.bfloat16 = {to, in_part * inner};
        } else {
            auto* const to = reinterpret_cast<float*>(room.data());
            lay_out(windows, origins, from.values.data(), channels, used_channels, to);
            left.values = {to, in_part * inner};
        }
        FloatBuffer product(in_place.empty() ? in_part * columns : 0);
        const std::span<float> rows =
            in_place.empty() ? product.values() : in_place.subspan(begin * columns, in_part * columns);
        matmul_in_thread(left, right, rows);
        if (finish) finish(rows);
        if (in_place.empty()) result.write_floats(begin * columns, rows);
    });
    return result;
}

std::vector<float> largest_under(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels) {
    return combine_under(windows, sticks, used_channels, -std::numeric_limits<float>::infinity(),
                         [](float a, float b) { return std::max(a, b); });
}

std::vector<float> sum_under(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels) {
    return combine_under(windows, sticks, used_channels, 0.0F, [](float a, float b) { return a + b; });
}

}  // namespace tilemeter::compute
