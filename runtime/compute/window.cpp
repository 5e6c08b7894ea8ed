// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/window.hpp"

#include <algorithm>
#include <limits>

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

std::vector<float> largest_under(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels) {
    return combine_under(windows, sticks, used_channels, -std::numeric_limits<float>::infinity(),
                         [](float a, float b) { return std::max(a, b); });
}

std::vector<float> sum_under(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels) {
    return combine_under(windows, sticks, used_channels, 0.0F, [](float a, float b) { return a + b; });
}

}  // namespace tilemeter::compute
