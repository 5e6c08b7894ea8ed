// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Outermost operations of two captures beside each other.
//
//   before   norm  linear  gelu         add
//   after    norm  linear        relu   add
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct AlignedOperation {
    std::uint32_t before = kNoIndex;  ///< a scope of the first capture; kNoIndex: it has none like it
    std::uint32_t after = kNoIndex;   ///< of the second
};

/// The n-th operation of a name belongs to the n-th of that name, as far as the order of both allows. In the
/// order of both; where neither tells, those of the first capture come first.
std::vector<AlignedOperation> aligned_operations(const NodeList& before, const Scopes& scopes_before,
                                                 const NodeList& after, const Scopes& scopes_after);

}  // namespace tilemeter::analysis
