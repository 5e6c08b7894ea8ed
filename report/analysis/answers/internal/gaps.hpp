// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The gaps of a list, for a verdict.

#pragma once

#include <vector>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/internal/list_damage.hpp"

namespace tilemeter::analysis::internal {

/// find_gaps() for who has looked for failures and damage already.
std::vector<Reason> find_gaps(const NodeList& list, const MemoryLifetimes& lifetimes,
                              const std::vector<RecordedFailure>& failures, const ListDamage& damage);

}  // namespace tilemeter::analysis::internal
