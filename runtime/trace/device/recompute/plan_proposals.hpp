// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules of programs of any length (policy.hpp), none of them proven to be the best: policies in the order of the units and
// in others, bettered by moving runs and leaving some out, and what short searches find.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <vector>

#include "runtime/trace/device/recompute/policy.hpp"

namespace tilemeter::trace {

/// By sums, those first that no other beats in cost and the peak of one memory, then those that none beats in cost and both peaks,
/// then those that only these beat, and so on; each spread over costs.
/// `orders`: about how many orders of runs may be tried.
std::vector<Planned> proposed_plans(const PlanModel& model, std::size_t orders = 20'000);

}  // namespace tilemeter::trace
