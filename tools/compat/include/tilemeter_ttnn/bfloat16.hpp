// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// bfloat16: the upper half of a float32.

#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <iosfwd>

class bfloat16 {
public:
    constexpr bfloat16() = default;
    /// Rounded to the nearest, ties to even; a NaN stays one.
    constexpr bfloat16(float value) {  // NOLINT: as TT-Metalium's
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if (value != value)
            bits_ = static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
        else
            bits_ = static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
    }
    constexpr operator float() const {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16U);
    }  // NOLINT

    constexpr bfloat16& operator+=(bfloat16 other) { return *this = bfloat16(float(*this) + float(other)); }
    constexpr bfloat16& operator-=(bfloat16 other) { return *this = bfloat16(float(*this) - float(other)); }
    constexpr bfloat16& operator*=(bfloat16 other) { return *this = bfloat16(float(*this) * float(other)); }
    constexpr bfloat16& operator/=(bfloat16 other) { return *this = bfloat16(float(*this) / float(other)); }

private:
    std::uint16_t bits_ = 0;
};
static_assert(sizeof(bfloat16) == 2);
