// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Least costs against an exhaustive search over the sets of values that can be there, on random training graphs; schedules are
// tried step by step. Recorded optima are trace_check's (remat.json).

#include "runtime/trace/device/recompute/least_cost.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/trace/device/recompute/policy.hpp"
#include "tests/runtime/trace/recompute/training_graph.hpp"

namespace tilemeter::trace {
namespace {

using tilemeter::test::training_graph;

// Dijkstra over all sets of values, each step one task or one drop.
std::optional<std::uint64_t> exhaustive(const TaskGraph& graph, std::uint64_t budget) {
    const std::size_t count = graph.tasks.size();
    std::vector<std::uint64_t> cost(std::size_t{1} << count, std::numeric_limits<std::uint64_t>::max());
    using Entry = std::pair<std::uint64_t, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](std::uint32_t set, std::uint64_t at) {
        if (at >= cost[set]) return;
        cost[set] = at;
        open.push({at, set});
    };
    reach(0, 0);
    while (!open.empty()) {
        const auto [at, set] = open.top();
        open.pop();
        if (at != cost[set]) continue;
        if (std::ranges::all_of(graph.outputs, [&](std::uint32_t each) { return (set >> each & 1U) != 0; }))
            return at;
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < count; ++i)
            size += (set >> i & 1U) != 0 ? graph.tasks[i].size : 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            if ((set >> i & 1U) != 0) {
                reach(set & ~(1U << i), at);
            } else if (size + graph.tasks[i].size <= budget &&
                       std::ranges::all_of(graph.tasks[i].needs,
                                           [&](std::uint32_t each) { return (set >> each & 1U) != 0; })) {
                reach(set | 1U << i, at + graph.tasks[i].cost);
            }
        }
    }
    return std::nullopt;
}

TEST(LeastCost, is_that_of_an_exhaustive_search) {
    std::mt19937 random(7);
    for (int i = 0; i < 60; ++i) {
        const TaskGraph graph =
            training_graph(random, 2 + static_cast<std::uint32_t>(i % 3));  // 6, 9 or 12 tasks
        const std::uint64_t least = least_budget(graph).budget;
        EXPECT_FALSE(exhaustive(graph, least - 1));
        std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
        for (std::uint64_t budget = least; budget < least + 12; ++budget) {
            const LeastCost found = least_cost(graph, budget);
            ASSERT_TRUE(found.schedule) << found.reason;
            EXPECT_TRUE(found.is_exact);
            EXPECT_EQ(fault_of(*found.schedule, graph), "");
            EXPECT_LE(found.schedule->peak, budget);
            EXPECT_EQ(found.schedule->cost, exhaustive(graph, budget).value());
            EXPECT_LE(found.schedule->cost, last) << "a larger budget costs more";
            last = found.schedule->cost;
        }
    }
}

TEST(LeastCost, of_fourteen_tasks_is_found_exactly) {
    std::mt19937 random(11);
    for (int i = 0; i < 1000; ++i) {
        const TaskGraph graph = tilemeter::test::fourteen_tasks(random);
        for (const CurvePoint& each : cost_curve(graph)) {
            EXPECT_TRUE(each.is_exact);
            const LeastCost found = least_cost(graph, each.budget);
            ASSERT_TRUE(found.schedule);
            EXPECT_EQ(found.schedule->cost, each.cost);
            EXPECT_EQ(fault_of(*found.schedule, graph), "");
        }
    }
}

TEST(LeastCost, curve_begins_at_the_least_budget_and_ends_without_recomputation) {
    std::mt19937 random(3);
    for (int i = 0; i < 50; ++i) {
        const TaskGraph graph = training_graph(random, 4);
        const std::vector<CurvePoint> curve = cost_curve(graph);
        ASSERT_FALSE(curve.empty());
        EXPECT_EQ(curve.front().budget, least_budget(graph).budget);
        EXPECT_EQ(curve.back().cost, cost_without_recomputation(graph));
        for (std::size_t k = 1; k < curve.size(); ++k) {
            EXPECT_LT(curve[k - 1].budget, curve[k].budget);
            EXPECT_GT(curve[k - 1].cost, curve[k].cost);
            EXPECT_EQ(least_cost(graph, curve[k].budget - 1).schedule->cost, curve[k - 1].cost);
        }
    }
}

TEST(LeastCost, says_the_least_budget_where_there_is_no_schedule) {
    const TaskGraph graph{{{{}, 4, 1}, {{0}, 3, 1}, {{1}, 2, 1}}, {2}};
    EXPECT_EQ(least_cost(graph, 6).reason, "no order keeps a budget of 6: the least that one keeps is 7");
    EXPECT_EQ(least_cost(graph, 7).schedule->cost, 3U);
}

TEST(LeastCost, refuses_graphs_that_are_none) {
    EXPECT_THROW(least_cost({{{{0}, 1, 1}}, {0}}, 5), std::invalid_argument);
    EXPECT_THROW(least_cost({{{{}, 1, 1}}, {1}}, 5), std::invalid_argument);
}

TEST(LeastCost, of_a_long_chain_is_a_schedule_that_says_it_may_not_be_the_best) {
    std::mt19937 random(5);
    const TaskGraph graph = training_graph(random, 60);
    const LeastBudget least = least_budget(graph, {.states = 1000});
    std::uint64_t all = 0;
    for (const Task& each : graph.tasks)
        all += each.size;
    EXPECT_LT(least.budget, all / 2);
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t budget = least.budget; budget < all; budget += all / 20) {
        const LeastCost found = least_cost(graph, budget, {.states = 1000});
        ASSERT_TRUE(found.schedule);
        EXPECT_EQ(fault_of(*found.schedule, graph), "");
        EXPECT_LE(found.schedule->peak, budget);
        EXPECT_LE(found.schedule->cost, last);
        last = found.schedule->cost;
    }
    EXPECT_EQ(last, cost_without_recomputation(graph));
    const LeastCost none = least_cost(graph, 3, {.states = 1000});
    EXPECT_FALSE(none.schedule);
    EXPECT_NE(none.reason.find("no order "), std::string::npos);
}

TEST(ChainSteps, are_those_of_all_or_one_stored_state) {
    for (std::uint64_t steps = 1; steps < 20; ++steps) {
        EXPECT_EQ(chain_steps(steps, 1), steps * (steps - 1) / 2);
        EXPECT_EQ(chain_steps(steps, steps), steps - 1);
        for (std::uint64_t stored = 2; stored < steps; ++stored)
            EXPECT_LE(chain_steps(steps, stored), chain_steps(steps, stored - 1));
    }
}

}  // namespace
}  // namespace tilemeter::trace
