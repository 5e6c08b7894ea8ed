// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Equal contributors of a peak told once: 24 weights of one shape are a line, not 24. Or, coarser, what each
// line of the user's program holds, each operation, each shape.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/answers/peak.hpp"

namespace tilemeter::analysis {

/// The common property of a group's members.
enum class GroupBy : std::uint8_t {
    kAlike,      ///< everything but name, node, address and cores
    kLine,       ///< the line of Python that made them (Contributor::source_line)
    kOperation,  ///< the operation that made them, with the functions in it (Contributor::made_by)
    kShape,      ///< shape, type and layout; of program memory, its kind
};

struct ContributorGroup {
    std::vector<std::uint32_t> members;  ///< places in the list that was grouped, in its order; never empty
    std::uint64_t bytes = 0;             ///< of all together; each has the same part of it
};

/// Largest in all first; equal ones in the order of their first members. Their bytes add up to those of the
/// contributors.
std::vector<ContributorGroup> grouped_contributors(const std::vector<Contributor>& contributors,
                                                   GroupBy by = GroupBy::kAlike);

/// By what a contributor is grouped: "model.py:51", "ttnn.add > ...", "Shape([32, 32]) BFLOAT16 TILE"; empty:
/// that is not known of it.
std::string group_key(const Contributor& contributor, GroupBy by);

/// The name of a group's line: a single member's name and shape, else "24 x Shape([1024, 3072]) ..." or "24 x circular
/// buffer".
std::string title_of(const ContributorGroup& group, const std::vector<Contributor>& contributors);

}  // namespace tilemeter::analysis
