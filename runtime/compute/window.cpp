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

}  // namespace

std::vector<float> convolve(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels,
                            std::span<const float> weights, std::uint64_t outputs) {
    // Sticks are laid side by side for so many windows at a time that it fits into caches of the host.
    constexpr std::uint64_t kElementsAtOnce = 1U << 18U;
    constexpr std::uint64_t kProductsPerStep = 16;
    const std::uint64_t inner = std::uint64_t{windows.height} * windows.width * used_channels;
    const std::uint64_t count = windows.origins.size();
    const std::uint64_t at_once =
        std::max<std::uint64_t>(1, kElementsAtOnce / std::max<std::uint64_t>(1, inner));
    std::vector<float> result(count * outputs);
    if (result.empty()) return result;
    const std::uint64_t steps = count * inner * (1 + outputs / kProductsPerStep);
    parallel_for((count + at_once - 1) / at_once, steps, [&](std::size_t part) {
        const std::uint64_t begin = part * at_once;
        const std::uint64_t in_part = std::min(at_once, count - begin);
        FloatBuffer laid_out(in_part * inner);
        for (std::uint64_t window = 0; window < in_part; ++window) {
            float* row = laid_out.values().data() + window * inner;
            for_each_stick(windows, sticks, windows.origins[begin + window],
                           [&](std::uint64_t place, const float* stick) {
                               std::copy_n(stick, used_channels, row + place * used_channels);
                           });
        }
        const Shape left{static_cast<std::uint32_t>(in_part), static_cast<std::uint32_t>(inner)};
        const Shape right{static_cast<std::uint32_t>(inner), static_cast<std::uint32_t>(outputs)};
        matmul_in_thread({laid_out.values(), left, false}, {weights, right, false},
                         std::span(result).subspan(begin * outputs, in_part * outputs));
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
