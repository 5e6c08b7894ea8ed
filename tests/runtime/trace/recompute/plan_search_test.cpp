// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules in the order of the program beside the optimum over all orders (least_cost.hpp), on random training graphs.
// TILEMETER_RECOMPUTE_GRAPHS sets how many; the figures are printed.

#include "runtime/trace/recompute/plan_search.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/trace/recompute/least_cost.hpp"
#include "tests/runtime/trace/recompute/training_graph.hpp"

namespace tilemeter::trace {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

// What no output depends on is left out.
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

std::size_t graphs() {
    const char* text = std::getenv("TILEMETER_RECOMPUTE_GRAPHS");
    return text == nullptr ? 40 : std::strtoul(text, nullptr, 10);
}

TEST(PlanSearch, is_near_the_optimum_of_all_orders) {
    std::mt19937 random(11);
    std::size_t budgets = 0, kept = 0, near = 0;
    double sum = 0, worst = 0;
    for (std::size_t i = 0; i < graphs(); ++i) {
        const PlanModel model = model_of(tilemeter::test::fourteen_tasks(random));
        const std::vector<Planned> falling = cheapest_plans(model, 0);
        for (std::size_t k = 0; k < falling.size(); ++k) {
            EXPECT_EQ(fault_of(falling[k], model), "");
            if (k == 0) continue;
            EXPECT_LT(falling[k].peak[0], falling[k - 1].peak[0]);
            EXPECT_GE(falling[k].cost, falling[k - 1].cost);
        }
        std::uint64_t last = kAny;
        for (const CurvePoint& each : cost_curve(graph_of(model))) {
            ++budgets;
            const FoundPlan found = cheapest_plan(model, {each.budget, kAny});
            EXPECT_TRUE(found.is_exact);
            if (!found.planned) continue;
            ++kept;
            EXPECT_EQ(fault_of(*found.planned, model), "");
            EXPECT_LE(found.planned->peak[0], each.budget);
            EXPECT_LE(found.planned->cost, last);
            EXPECT_GE(found.planned->cost, each.cost);
            last = found.planned->cost;
            const double more = static_cast<double>(found.planned->cost) / static_cast<double>(each.cost) - 1;
            sum += more;
            worst = std::max(worst, more);
            if (more <= 0.05) ++near;
        }
    }
    EXPECT_EQ(kept, budgets);
    std::cout << graphs() << " graphs, " << budgets << " budgets: " << kept << " kept, " << near
              << " within 5 %, mean " << 100 * sum / static_cast<double>(kept) << " %, worst " << 100 * worst
              << " % above\n";
}

}  // namespace
}  // namespace tilemeter::trace
