// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules of short programs (policy.hpp) of the least cost within a budget, over all orders of their units.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/trace/device/recompute/policy.hpp"

namespace tilemeter::trace {

struct PlanSearchLimits {
    std::size_t states = 50'000;  ///< of one search, about 100 bytes each
    std::size_t searches = 64;    ///< of a curve
    /// Units run first in their order: far fewer states, and not always the least cost.
    bool keeps_order = false;
    /// The schedule may cost this part more than the least: fewer states.
    double slack = 0;
};

struct FoundPlan {
    std::optional<Planned> planned;  ///< each value goes after its last use
    bool is_complete =
        true;  ///< the schedule is as the limits ask, or there is none; else the search was given up
    std::size_t states = 0;  ///< that were looked at
};

/// The schedule of the least cost whose sums keep the budget. Programs of more than 64 values or units that are not idle are
/// given up at once.
FoundPlan cheapest_plan(const PlanModel& model, const Sizes& budget, const PlanSearchLimits& limits = {});

/// Those of falling budgets of one memory, beginning below the peak of the program as it is, up to the first search without a
/// result.
std::vector<Planned> cheapest_plans(const PlanModel& model, std::size_t memory,
                                    const PlanSearchLimits& limits = {});

/// The known least costs of a program, for all budgets of both memories that were searched.
class PlanFront {
public:
    struct Searched {
        Sizes budget{};
        std::optional<std::uint64_t> cost;  ///< the least within the budget; none: no schedule keeps it
        std::optional<std::size_t> plan;    ///< in plans()
    };

    /// REQUIRES: `model` outlives it. `limits`: of one search; all together look at 40 times as many states at the most.
    explicit PlanFront(const PlanModel& model, const PlanSearchLimits& limits = {});

    /// Searches a budget, unless a schedule of a larger one keeps it. None: the search was given up.
    std::optional<Searched> search(const Sizes& budget);

    const std::vector<Planned>& plans() const { return plans_; }
    /// No schedule whose sums keep the budget costs less; none: none keeps it.
    std::optional<std::uint64_t> cost_at_least(const Sizes& budget) const;

private:
    const PlanModel& model_;
    const PlanSearchLimits limits_;
    std::size_t states_left_;
    std::vector<Planned> plans_;
    std::vector<Searched> searched_;
};

/// Schedules of programs of any length, by policies that are bettered. By sums, those first that no other beats in cost and the peak of one memory, then those that none beats in cost and both peaks,
/// then those that only these beat, and so on; each spread over costs.
/// `orders`: about how many orders of runs may be tried.
std::vector<Planned> proposed_plans(const PlanModel& model, std::size_t orders = 20'000);

}  // namespace tilemeter::trace
