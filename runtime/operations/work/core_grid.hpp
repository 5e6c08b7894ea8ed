// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The part of a device's grid of cores that an operation may take.

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

namespace tilemeter {

/// A number of columns and rows of cores.
struct CoreGrid {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    auto key_fields() const { return std::tie(x, y); }
    friend bool operator==(const CoreGrid&, const CoreGrid&) = default;
};

using OptionalCoreGrid = std::optional<CoreGrid>;

}  // namespace tilemeter
