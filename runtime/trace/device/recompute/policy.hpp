// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Policies of recomputation for programs of any length: which values are dropped after a use and made again for the next one.
//
// Units run in their order; a value is dropped after its last use. A policy evicts some values in the longest pause between
// two of their uses: they are dropped when it begins and made again when it ends, by running their units again, and what those
// need that is not there either. Sizes are sums here; holes between buffers are for whoever measures a policy.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/trace/device/recompute/task_graph.hpp"

namespace tilemeter::trace {

/// Bytes in each kind of memory.
using Sizes = std::array<std::uint64_t, 2>;

struct PlanUnit {
    std::vector<std::uint32_t> reads;  ///< values of units before it
    std::vector<std::uint32_t> makes;
    std::uint64_t cost = 0;
    Sizes extra{};           ///< room to work in while it runs
    bool can_repeat = true;  ///< running it again makes the same values and changes nothing else
    /// Units before it that must have run before it does, besides those that make what it reads.
    std::vector<std::uint32_t> after;
    std::vector<std::uint32_t>
        never_after;  ///< units behind it that change what it reads: no run of it comes after theirs
};

struct PlanValue {
    std::uint32_t unit = 0;  ///< that makes it
    Sizes size{};
    bool is_kept = false;  ///< at the end
};

struct PlanModel {
    std::vector<PlanUnit> units;
    std::vector<PlanValue> values;
};

struct PlanStep {
    std::uint32_t index = 0;  ///< the unit that runs, or the value that is dropped
    bool is_drop = false;
    friend bool operator==(const PlanStep&, const PlanStep&) = default;
};

struct Policy {
    std::vector<bool> is_evicted;  ///< by value; empty: none is
    /// A value that is made again on the way to another value stays until its own next use; else it is dropped at once.
    bool keeps_made = true;
    friend bool operator==(const Policy&, const Policy&) = default;
};

struct Planned {
    std::vector<PlanStep> steps;
    std::uint64_t cost = 0;
    Sizes peak{};
    std::array<std::size_t, 2> peak_step{};  ///< the step with the peak of each memory
    std::array<std::uint32_t, 2>
        peak_turn{};  ///< and the unit whose turn it was: the step may repeat one for it
};

class PolicyPlanner {
public:
    /// REQUIRES: `model` outlives it.
    explicit PolicyPlanner(const PlanModel& model);

    Planned plan(const Policy& policy) const;

    /// True if the value may be evicted, and is then when it is this unit's turn.
    bool can_evict(std::uint32_t value, std::uint32_t turn) const;

    const PlanModel& model() const { return model_; }

private:
    struct Pause {
        std::uint32_t begin = 0, end = 0;  // units that use it before and after
    };

    const PlanModel& model_;
    std::vector<std::uint32_t> last_use_;  // by value; the number of units: kept; its unit: none
    std::vector<Pause> pauses_;
};

struct PolicySearch {
    std::size_t memory = 0;  ///< the one whose peak is to fall
    bool keeps_made = true;  ///< of the policies
    double weight_of_cost =
        1;  ///< 0: the largest values first; 1: the most bytes for the cost; 2: the cheapest first
    std::size_t candidates = 24;  ///< that are tried for each value that is evicted
    std::size_t steps = 1000;     ///< values that are evicted at the most
};

/// Policies with lower and lower peaks, the first one evicts nothing.
std::vector<Policy> falling_policies(const PolicyPlanner& planner, const PolicySearch& search);

/// Schedules of a task graph of any size: those of many searches.
std::vector<TaskSchedule> known_schedules(const TaskGraph& graph);

}  // namespace tilemeter::trace
