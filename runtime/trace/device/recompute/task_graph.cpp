// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/task_graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace tilemeter::trace {

void require_sound(const TaskGraph& graph) {
    for (std::size_t i = 0; i < graph.tasks.size(); ++i) {
        for (const std::uint32_t each : graph.tasks[i].needs) {
            if (each >= i)
                throw std::invalid_argument("recompute: task " + std::to_string(i) +
                                            ": expected to need earlier tasks, needs task " +
                                            std::to_string(each));
        }
    }
    for (const std::uint32_t each : graph.outputs) {
        if (each >= graph.tasks.size())
            throw std::invalid_argument("recompute: expected outputs among " +
                                        std::to_string(graph.tasks.size()) + " tasks, found " +
                                        std::to_string(each));
    }
}

std::string fault_of(const TaskSchedule& schedule, const TaskGraph& graph) {
    std::vector<bool> is_there(graph.tasks.size());
    std::uint64_t there = 0, peak = 0, cost = 0;
    for (const TaskStep& step : schedule.steps) {
        const Task& task = graph.tasks.at(step.task);
        const std::string name = "task " + std::to_string(step.task);
        if (step.is_drop != is_there[step.task])
            return name + (step.is_drop ? " is not there" : " is there already");
        if (step.is_drop) {
            there -= task.size;
        } else {
            for (const std::uint32_t each : task.needs) {
                if (!is_there[each])
                    return name + " needs task " + std::to_string(each) + ", which is not there";
            }
            there += task.size;
            cost += task.cost;
            peak = std::max(peak, there);
        }
        is_there[step.task] = !step.is_drop;
    }
    for (const std::uint32_t each : graph.outputs) {
        if (!is_there[each]) return "output " + std::to_string(each) + " is not there at the end";
    }
    if (cost != schedule.cost)
        return "costs " + std::to_string(cost) + ", said " + std::to_string(schedule.cost);
    if (peak != schedule.peak)
        return "peak " + std::to_string(peak) + ", said " + std::to_string(schedule.peak);
    return {};
}

std::uint64_t cost_without_recomputation(const TaskGraph& graph) {
    std::vector<bool> is_needed(graph.tasks.size());
    for (const std::uint32_t each : graph.outputs)
        is_needed[each] = true;
    std::uint64_t cost = 0;
    for (std::size_t i = graph.tasks.size(); i-- > 0;) {
        if (!is_needed[i]) continue;
        cost += graph.tasks[i].cost;
        for (const std::uint32_t each : graph.tasks[i].needs)
            is_needed[each] = true;
    }
    return cost;
}

}  // namespace tilemeter::trace
