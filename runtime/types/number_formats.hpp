// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Conversions between float32 and the narrow formats of tile devices.

#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace tilemeter {

/// The upper half of the float32, rounded to nearest even; NaN stays NaN.
inline std::uint16_t to_bfloat16_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

inline float from_bfloat16_bits(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

/// As many as `values`, at `to`; as to_bfloat16_bits() of each.
void to_bfloat16(std::span<const float> values, std::uint16_t* to);
/// As many as `to`, from `values` on.
void from_bfloat16(const std::uint16_t* values, std::span<float> to);

/// Rounds values in place to a block format: each group of 16 neighbours in a row shares the exponent of its
/// largest magnitude; each keeps a sign and `magnitude_bits` bits (BFLOAT8_B: 7, BFLOAT4_B: 3), rounded to
/// nearest even. Rows have `columns` elements; groups do not cross rows, the last one of a row may be
/// shorter. Source: Tenstorrent's description of the block floating point formats.
void round_to_block_float(std::span<float> values, std::uint64_t columns, int magnitude_bits);

}  // namespace tilemeter
