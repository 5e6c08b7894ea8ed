// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The schedule of a task graph that costs least within a budget of memory, and the curve of costs over budgets.
//
// Graphs of up to 64 tasks are searched exactly (A* over what is there) as long as the search stays within its limit of
// states. Else the best schedule of a family is taken (policy.hpp), and the answer says that it may not be the optimum.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/trace/device/recompute/task_graph.hpp"

namespace tilemeter::trace {

struct SearchLimits {
    std::size_t states = 2'000'000;  ///< about 100 bytes each
};

struct LeastCost {
    std::optional<TaskSchedule> schedule;  ///< none: no schedule keeps the budget, or none was found
    bool is_exact = true;  ///< the schedule is the optimum, or there is none; else nothing better was found
    /// Why there is none, in one line, with the least budget that a schedule keeps.
    std::string reason;
};

/// Throws as require_sound().
LeastCost least_cost(const TaskGraph& graph, std::uint64_t budget, const SearchLimits& limits = {});

struct LeastBudget {
    std::uint64_t budget = 0;  ///< below it no schedule exists (exact), or none was found
    bool is_exact = true;
};
LeastBudget least_budget(const TaskGraph& graph, const SearchLimits& limits = {});

struct CurvePoint {
    std::uint64_t budget = 0;  ///< from which on the cost is the least
    std::uint64_t cost = 0;
    bool is_exact = true;
    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};
/// From the least budget on, each with a lower cost than the one before it.
std::vector<CurvePoint> cost_curve(const TaskGraph& graph, const SearchLimits& limits = {});

/// A chain of steps, whose states are needed again one by one, last one first, where `stored` states fit at once, the
/// first one among them. The result is the least number of steps that run to have each state when it is needed.
/// REQUIRES: stored >= 1
std::uint64_t chain_steps(std::uint64_t steps, std::uint64_t stored);

}  // namespace tilemeter::trace
