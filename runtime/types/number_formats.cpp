// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/number_formats.hpp"

#include <algorithm>

namespace tilemeter {

namespace {

constexpr std::size_t kGroup = 16;

void round_group(std::span<float> group, int magnitude_bits) {
    float largest = 0;
    for (const float value : group) {
        if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    }
    if (largest == 0) {
        for (float& value : group)
            value = std::isfinite(value) ? 0.0F : value;
        return;
    }
    // The shared exponent is that of the largest magnitude; the leading bit is explicit, so one step is
    // 2^(exponent - (magnitude_bits - 1)), and the largest representable magnitude (2^magnitude_bits - 1)
    // steps.
    const int exponent = std::ilogb(largest);
    const float step = std::ldexp(1.0F, exponent - (magnitude_bits - 1));
    const float most = static_cast<float>((1 << magnitude_bits) - 1) * step;
    for (float& value : group) {
        if (!std::isfinite(value)) continue;
        value = std::clamp(std::nearbyint(value / step) * step, -most, most);
    }
}

}  // namespace

void round_to_block_float(std::span<float> values, std::uint64_t columns, int magnitude_bits) {
    if (columns == 0) return;
    for (std::size_t row = 0; row < values.size(); row += columns) {
        const std::size_t row_end = std::min(values.size(), row + static_cast<std::size_t>(columns));
        for (std::size_t at = row; at < row_end; at += kGroup) {
            round_group(values.subspan(at, std::min(kGroup, row_end - at)), magnitude_bits);
        }
    }
}

}  // namespace tilemeter
