// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/number_formats.hpp"

#include <algorithm>
#include <cstddef>

#include "runtime/types/vectorized.hpp"

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

TILEMETER_VECTORIZED void to_bfloat16(std::span<const float> values, std::uint16_t* to) {
    const float* const from = values.data();
    const std::size_t count = values.size();
    for (std::size_t i = 0; i < count; ++i) {
        // to_bfloat16_bits() without branches.
        const auto bits = std::bit_cast<std::uint32_t>(from[i]);
        const std::uint32_t rounded = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
        const std::uint32_t quiet = bits >> 16 | 0x40U;
        to[i] = static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded);
    }
}

TILEMETER_VECTORIZED void from_bfloat16(const std::uint16_t* values, std::span<float> to) {
    float* const out = to.data();
    const std::size_t count = to.size();
    for (std::size_t i = 0; i < count; ++i)
        out[i] = std::bit_cast<float>(std::uint32_t{values[i]} << 16);
}

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
