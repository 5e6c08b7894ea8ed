// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pooling under a sliding window, on the host. The images are matrices [rows, channels]; a
// row (TT-NN's "stick") has the channels of one pixel.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilemeter::compute {

/// Windows over sticks: the one that begins in row `o` covers rows o + i * row_step + j * column_step,
/// i < height, j < width.
struct Windows {
    std::span<const std::uint64_t> origins;
    std::uint32_t height = 1;
    std::uint32_t width = 1;
    std::uint64_t row_step = 1;
    std::uint64_t column_step = 1;
};

struct Sticks {
    std::span<const float> values;
    std::uint64_t channels = 1;  ///< of a row
};

/// [windows, used_channels]: the largest value, or the sum, of each channel under each window.
std::vector<float> largest_under(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels);
std::vector<float> sum_under(const Windows& windows, const Sticks& sticks, std::uint64_t used_channels);

}  // namespace tilemeter::compute
