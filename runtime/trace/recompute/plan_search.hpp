// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Exact schedules of short programs (policy.hpp) under a budget: units run first in their order, and again at any time.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/trace/recompute/policy.hpp"

namespace tilemeter::trace {

struct PlanSearchLimits {
    std::size_t states = 50'000;  ///< of one search, about 100 bytes each
    std::size_t searches = 64;    ///< of a curve
};

struct FoundPlan {
    std::optional<Planned> planned;  ///< each value goes after its last use
    bool is_exact = true;            ///< it costs least, or there is none; else the search was given up
};

/// The schedule of the least cost whose sums keep the budget. Programs of more than 64 values are given up at once.
FoundPlan cheapest_plan(const PlanModel& model, const Sizes& budget, const PlanSearchLimits& limits = {});

/// Those of falling budgets of one memory, beginning below the peak of the program as it is, up to the first search without a
/// result.
std::vector<Planned> cheapest_plans(const PlanModel& model, std::size_t memory,
                                    const PlanSearchLimits& limits = {});

}  // namespace tilemeter::trace
