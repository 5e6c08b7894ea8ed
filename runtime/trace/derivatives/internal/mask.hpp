// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A set among a list of values: those that have tangents, are mapped, are known.

#pragma once

#include <algorithm>
#include <vector>

namespace tilemeter::trace::internal {

using Mask = std::vector<bool>;

/// REQUIRES: of equal length
inline Mask joined(const Mask& a, const Mask& b) {
    Mask both = a;
    for (std::size_t i = 0; i < b.size(); ++i)
        both[i] = both[i] || b[i];
    return both;
}

inline bool any_of(const Mask& mask) {
    return std::ranges::find(mask, true) != mask.end();
}

}  // namespace tilemeter::trace::internal
