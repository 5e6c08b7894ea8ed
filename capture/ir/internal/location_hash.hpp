// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "capture/ir/internal/hash.hpp"
#include "capture/ir/location.hpp"

namespace tilemeter::ir::internal {

/// The one that a graph interns its locations by.
inline std::uint64_t hash_of(const Location& location) {
    return hashed(hashed(hashed(location.line, location.file), location.scope), 0);
}

}  // namespace tilemeter::ir::internal
