// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules of short programs beside the optimum over all orders (least_cost.hpp) of random training graphs, and beside an
// exhaustive search of random programs with two memories.
// The figures are printed.

#include "runtime/trace/device/recompute/plan_search.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/trace/device/recompute/least_cost.hpp"
#include "runtime/trace/device/recompute/run_order.hpp"
#include "tests/cases.hpp"
#include "tests/runtime/trace/recompute/training_graph.hpp"

namespace tilemeter::trace {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

// Tasks that no output depends on are left out.
PlanModel model_of(const TaskGraph& graph) {
    std::vector<bool> is_needed(graph.tasks.size());
    for (const std::uint32_t each : graph.outputs)
        is_needed[each] = true;
    for (std::size_t i = graph.tasks.size(); i-- > 0;)
        for (const std::uint32_t each : graph.tasks[i].needs)
            is_needed[each] = is_needed[each] || is_needed[i];
    PlanModel model;
    std::vector<std::uint32_t> number(graph.tasks.size());
    for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
        if (!is_needed[i]) continue;
        number[i] = static_cast<std::uint32_t>(model.units.size());
        PlanUnit& unit = model.units.emplace_back();
        for (const std::uint32_t each : graph.tasks[i].needs)
            unit.reads.push_back(number[each]);
        unit.makes = {number[i]};
        unit.cost = graph.tasks[i].cost;
        model.values.push_back({number[i],
                                {graph.tasks[i].size, 0},
                                std::ranges::find(graph.outputs, i) != graph.outputs.end()});
    }
    return model;
}

TaskGraph graph_of(const PlanModel& model) {
    TaskGraph graph;
    for (std::uint32_t i = 0; i < model.units.size(); ++i) {
        graph.tasks.push_back({model.units[i].reads, model.values[i].size[0], model.units[i].cost});
        if (model.values[i].is_kept) graph.outputs.push_back(i);
    }
    return graph;
}

std::string fault_of(const Planned& planned, const PlanModel& model) {
    TaskSchedule schedule{{}, planned.cost, planned.peak[0]};
    for (const PlanStep& each : planned.steps)
        schedule.steps.push_back({each.index, each.is_drop});
    return fault_of(schedule, graph_of(model));
}

TEST(PlanSearch, costs_the_least_over_all_orders) {
    std::mt19937 random(11);
    std::size_t budgets = 0, kept = 0, near = 0;
    double sum = 0, worst = 0;
    const std::uint32_t graphs = tilemeter::test::cases(40);
    for (std::uint32_t i = 0; i < graphs; ++i) {
        const PlanModel model = model_of(tilemeter::test::fourteen_tasks(random));
        const std::vector<Planned> falling = cheapest_plans(model, 0);
        for (std::size_t k = 0; k < falling.size(); ++k) {
            EXPECT_EQ(fault_of(falling[k], model), "");
            if (k == 0) continue;
            EXPECT_LT(falling[k].peak[0], falling[k - 1].peak[0]);
            EXPECT_GE(falling[k].cost, falling[k - 1].cost);
        }
        for (const CurvePoint& each : cost_curve(graph_of(model))) {
            ++budgets;
            const FoundPlan found = cheapest_plan(model, {each.budget, kAny});
            EXPECT_TRUE(found.is_complete);
            if (!found.planned) continue;
            ++kept;
            EXPECT_EQ(fault_of(*found.planned, model), "");
            EXPECT_LE(found.planned->peak[0], each.budget);
            EXPECT_EQ(found.planned->cost, each.cost);
            const double more = static_cast<double>(found.planned->cost) / static_cast<double>(each.cost) - 1;
            sum += more;
            worst = std::max(worst, more);
            if (more <= 0.05) ++near;
        }
        const std::uint64_t least = least_budget(graph_of(model)).budget;
        const FoundPlan below = cheapest_plan(model, {least - 1, kAny});
        EXPECT_TRUE(below.is_complete);
        EXPECT_FALSE(below.planned);
    }
    EXPECT_EQ(kept, budgets);
    std::cout << graphs << " graphs, " << budgets << " budgets: " << kept << " kept, " << near
              << " within 5 %, mean " << 100 * sum / static_cast<double>(kept) << " %, worst " << 100 * worst
              << " % above\n";
}

// With two memories, room to work in, units that can't repeat, and orders that have to be kept.
PlanModel random_model(std::mt19937& random) {
    const auto any = [&](std::uint64_t from, std::uint64_t to) { return from + random() % (to - from + 1); };
    PlanModel model;
    const std::uint64_t count = any(3, 6);
    for (std::uint32_t i = 0; i < count; ++i) {
        PlanUnit& unit = model.units.emplace_back();
        for (std::uint32_t value = 0; value < model.values.size(); ++value)
            if (any(0, 2) == 0) unit.reads.push_back(value);
        unit.cost = any(0, 5);
        unit.extra = {any(0, 2), any(0, 1)};
        unit.can_repeat = any(0, 3) != 0;
        for (std::uint32_t other = 0; other < i; ++other) {
            if (any(0, 9) == 0) unit.after.push_back(other);
            if (any(0, 9) == 0) model.units[other].never_after.push_back(i);
        }
        for (std::uint64_t k = any(0, 5) == 0 ? 0 : any(1, 2); k-- > 0 && model.values.size() < 8;) {
            unit.makes.push_back(static_cast<std::uint32_t>(model.values.size()));
            model.values.push_back({i, {any(0, 4), any(0, 3)}, any(0, 3) == 0});
        }
    }
    return model;
}

std::uint32_t set_of(const std::vector<std::uint32_t>& numbers) {
    std::uint32_t set = 0;
    for (const std::uint32_t each : numbers)
        set |= 1U << each;
    return set;
}

// Dijkstra over all sets of values and of units that have run, each step one run or one drop.
std::optional<std::uint64_t> exhaustive(const PlanModel& model, const Sizes& budget) {
    using State = std::pair<std::uint32_t, std::uint32_t>;
    std::map<State, std::uint64_t> costs;
    using Entry = std::pair<std::uint64_t, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](const State& state, std::uint64_t cost) {
        const auto [found, is_new] = costs.try_emplace(state, cost);
        if (!is_new && found->second <= cost) return;
        found->second = cost;
        open.push({cost, state});
    };
    std::uint32_t kept = 0;
    for (std::uint32_t value = 0; value < model.values.size(); ++value)
        if (model.values[value].is_kept) kept |= 1U << value;
    reach({0, 0}, 0);
    while (!open.empty()) {
        const auto [cost, state] = open.top();
        open.pop();
        if (costs.at(state) != cost) continue;
        const auto [there, done] = state;
        if (done == (1U << model.units.size()) - 1 && (kept & ~there) == 0) return cost;
        for (std::uint32_t value = 0; value < model.values.size(); ++value)
            if ((there >> value & 1U) != 0) reach({there & ~(1U << value), done}, cost);
        for (std::uint32_t i = 0; i < model.units.size(); ++i) {
            const PlanUnit& unit = model.units[i];
            if ((done >> i & 1U) != 0 && !unit.can_repeat) continue;
            if ((set_of(unit.reads) & ~there) != 0 || (set_of(unit.after) & ~done) != 0) continue;
            if ((set_of(unit.never_after) & done) != 0) continue;
            const std::uint32_t then = there | set_of(unit.makes);
            Sizes size = unit.extra;
            for (std::uint32_t value = 0; value < model.values.size(); ++value)
                for (std::size_t m = 0; m < size.size(); ++m)
                    if ((then >> value & 1U) != 0) size[m] += model.values[value].size[m];
            if (size[0] <= budget[0] && size[1] <= budget[1]) reach({then, done | 1U << i}, cost + unit.cost);
        }
    }
    return std::nullopt;
}

std::string fault_of_runs(const Planned& planned, const PlanModel& model) {
    const Runs runs = runs_of(planned);
    return fault_of(std::span<const std::uint32_t>(runs), model);
}

TEST(PlanSearch, is_that_of_an_exhaustive_search_in_two_memories) {
    std::mt19937 random(5);
    std::size_t kept = 0, refused = 0;
    for (int i = 0; i < 200; ++i) {
        const PlanModel model = random_model(random);
        Runs plain(model.units.size());
        std::iota(plain.begin(), plain.end(), 0U);
        const Sizes most = planned_runs(model, plain).peak;
        PlanFront front(model);
        for (std::uint64_t less = 0; less <= std::max(most[0], most[1]); ++less) {
            const Sizes budget{most[0] - std::min(most[0], less), most[1] - std::min(most[1], less / 2)};
            const FoundPlan found = cheapest_plan(model, budget);
            const std::optional<std::uint64_t> expected = exhaustive(model, budget);
            ASSERT_TRUE(found.is_complete);
            ASSERT_EQ(found.planned.has_value(), expected.has_value());
            const auto searched = front.search(budget);
            ASSERT_TRUE(searched);
            EXPECT_EQ(searched->cost, expected);
            EXPECT_EQ(front.cost_at_least(budget), expected);
            ++(expected ? kept : refused);
            if (!expected) break;
            EXPECT_EQ(found.planned->cost, *expected);
            EXPECT_EQ(fault_of_runs(*found.planned, model), "");
            EXPECT_LE(found.planned->peak[0], budget[0]);
            EXPECT_LE(found.planned->peak[1], budget[1]);
            const FoundPlan in_order = cheapest_plan(model, budget, {.keeps_order = true});
            if (in_order.planned) {
                EXPECT_GE(in_order.planned->cost, *expected);
            }
        }
    }
    EXPECT_GT(kept, 200U);
    EXPECT_GT(refused, 100U);
}

TEST(RunOrder, is_bettered_without_a_higher_cost_or_peak) {
    std::mt19937 random(9);
    std::size_t lower = 0, cheaper = 0;
    for (int i = 0; i < 100; ++i) {
        const PlanModel model =
            i % 2 == 0 ? random_model(random) : model_of(tilemeter::test::training_graph(random, 8));
        const PolicyPlanner planner(model);
        const Policy all{std::vector<bool>(model.values.size(), true)};
        const Planned before = planned_runs(model, runs_of(planner.plan(all)));
        if (!fault_of_runs(before, model).empty()) continue;  // policies don't know of never_after
        for (const std::size_t memory : {std::size_t{0}, std::size_t{1}}) {
            std::size_t effort = 1000;
            const Planned moved =
                planned_runs(model, with_lower_peak(model, runs_of(before), memory, effort));
            EXPECT_EQ(fault_of_runs(moved, model), "");
            EXPECT_EQ(moved.cost, before.cost);
            EXPECT_LE(moved.peak[memory], before.peak[memory]);
            EXPECT_LE(moved.peak[1 - memory], before.peak[1 - memory]);
            if (moved.peak[memory] < before.peak[memory]) ++lower;
            const Planned less =
                planned_runs(model, without_needless_runs(model, runs_of(moved), before.peak));
            EXPECT_EQ(fault_of_runs(less, model), "");
            EXPECT_LE(less.peak[0], before.peak[0]);
            EXPECT_LE(less.peak[1], before.peak[1]);
            EXPECT_LE(less.cost, moved.cost);
            if (less.cost < moved.cost) ++cheaper;
        }
    }
    EXPECT_GT(lower, 20U);
    EXPECT_GT(cheaper, 20U);
}

TEST(RunOrder, runs_idle_units_as_soon_as_they_may) {
    PlanModel model;
    model.units.resize(4);
    model.units[0].makes = {0};
    model.units[2].makes = {1};
    model.values = {{0, {1, 0}, true}, {2, {1, 0}, true}};
    model.units[1].after = {2};
    model.units[3].after = {0, 2};
    EXPECT_EQ(with_idle_units(model, Runs{3, 2, 0}), (Runs{2, 1, 0, 3}));
    model.units[2].after = {1};
    EXPECT_EQ(with_idle_units(model, Runs{1, 2, 0}), (Runs{1, 2, 0, 3}));
}

TEST(PlanSearch, says_where_it_was_given_up) {
    std::mt19937 random(3);
    const PlanModel model = model_of(tilemeter::test::training_graph(random, 12));
    std::uint64_t all = 0;
    for (const PlanValue& each : model.values)
        all += each.size[0];
    const FoundPlan few = cheapest_plan(model, {all / 4, kAny}, {.states = 10});
    EXPECT_FALSE(few.planned);
    EXPECT_FALSE(few.is_complete);
    const PlanModel longer = model_of(tilemeter::test::training_graph(random, 40));
    EXPECT_FALSE(cheapest_plan(longer, {kAny, kAny}).is_complete);
}

}  // namespace
}  // namespace tilemeter::trace
