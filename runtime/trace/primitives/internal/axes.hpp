// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "capture/ir/attributes.hpp"

namespace tilemeter::trace::internal {

/// Whether the axis is one of these.
inline bool contains(const ir::Integers& axes, std::int64_t axis) {
    return std::ranges::find(axes, axis) != axes.end();
}

}  // namespace tilemeter::trace::internal
