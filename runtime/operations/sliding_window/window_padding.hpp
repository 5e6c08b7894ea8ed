// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Padding around images under a sliding window.

#pragma once

#include <array>
#include <cstdint>

namespace tilemeter {

/// Top, bottom, left, right; of two numbers the first is that of top and bottom, the second that of left and
/// right.
struct WindowPadding : std::array<std::uint32_t, 4> {
    using Pair = std::array<std::uint32_t, 2>;

    constexpr WindowPadding() : array{} {}
    constexpr WindowPadding(std::uint32_t rows, std::uint32_t columns)
        : array{rows, rows, columns, columns} {}
    constexpr WindowPadding(std::uint32_t top, std::uint32_t bottom, std::uint32_t left, std::uint32_t right)
        : array{top, bottom, left, right} {}
    constexpr WindowPadding(const std::array<std::uint32_t, 4>& sides) : array(sides) {}  // NOLINT
    constexpr WindowPadding(const Pair& both) : WindowPadding(both[0], both[1]) {}        // NOLINT
};

}  // namespace tilemeter
