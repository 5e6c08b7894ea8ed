// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace tilemeter {

/// a / b, rounded up.
constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}
/// The least multiple that is not below the value.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return ceil_div(value, multiple) * multiple;
}

}  // namespace tilemeter
