// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// Contradictions within a list: recorders write lists that always hold together.
struct ListDamage {
    std::uint32_t places = 0;
    bool cut_off = false;    ///< the end is missing
    bool has_holes = false;  ///< nodes within it are missing, or numbers were changed
    std::string text;        ///< the first place of each sort

    bool any() const { return places != 0; }
    /// All nodes up to some moment are there.
    bool is_prefix() const { return !has_holes; }
};
/// Looks for: no capture_start or capture_end, counters that are not the place in the list, connections to
/// nodes that are not there, ends without or with another function's start, functions that have no end though
/// nothing failed in them and no thread was in them, levels that are not the nesting, a number of nodes or a duration other than what
/// the report says of the capture.
ListDamage find_damage(const NodeList& list, const Scopes& scopes);

/// Scopes of device operations that name their program and have no record of it, not even that it ran.
std::vector<std::uint32_t> operations_without_program(const NodeList& list, const MemoryLifetimes& lifetimes);

}  // namespace tilemeter::analysis::internal
