// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/recomputation.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "runtime/trace/device/recompute/least_cost.hpp"

namespace tilemeter::trace_check {

namespace {

using nlohmann::json;
using trace::CurvePoint;
using trace::LeastCost;
using trace::TaskGraph;

std::string differ(const std::string& what, const auto& found, const auto& expected) {
    return what + ": found " + std::to_string(found) + ", expected " + std::to_string(expected);
}

TaskGraph graph_of(const json& graph) {
    TaskGraph tasks;
    std::map<std::string, std::uint32_t> numbers;
    const auto number_of = [&](const json& name) {
        const auto found = numbers.find(name.get<std::string>());
        if (found == numbers.end())
            throw std::runtime_error("found no earlier node " + name.get<std::string>() + " in " +
                                     graph.at("name").get<std::string>());
        return found->second;
    };
    for (const json& node : graph.at("nodes")) {
        trace::Task task;
        for (const json& each : node.at("needs"))
            task.needs.push_back(number_of(each));
        task.size = node.at("size");
        task.cost = node.at("cost");
        numbers[node.at("name")] = static_cast<std::uint32_t>(tasks.tasks.size());
        tasks.tasks.push_back(std::move(task));
    }
    for (const json& each : graph.at("outputs"))
        tasks.outputs.push_back(number_of(each));
    return tasks;
}

std::string check_budget(const TaskGraph& graph, std::uint64_t budget, std::uint64_t expected) {
    const LeastCost found = trace::least_cost(graph, budget);
    if (!found.schedule) return found.reason;
    if (std::string fault = fault_of(*found.schedule, graph); !fault.empty()) return fault;
    if (found.schedule->peak > budget) return differ("peak", found.schedule->peak, budget);
    return found.schedule->cost == expected ? "" : differ("cost", found.schedule->cost, expected);
}

// `expected`: the cost of the point before; none: no schedule exists.
std::string check_below(const TaskGraph& graph, std::uint64_t budget, std::optional<std::uint64_t> expected) {
    if (expected) return check_budget(graph, budget - 1, *expected);
    const LeastCost found = trace::least_cost(graph, budget - 1);
    if (found.schedule) return "found a schedule, expected none";
    const std::string least = "the least that one keeps is " + std::to_string(budget);
    return found.reason.ends_with(least) ? "" : "found '" + found.reason + "', expected '" + least + "'";
}

std::string check_curve(const TaskGraph& graph, const json& expected) {
    const std::vector<CurvePoint> curve = trace::cost_curve(graph);
    if (curve.size() != expected.size()) return differ("points", curve.size(), expected.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const std::string point = "point " + std::to_string(i);
        if (curve[i].budget != expected[i].at("budget"))
            return differ(point + ": budget", curve[i].budget, expected[i].at("budget").get<std::uint64_t>());
        if (curve[i].cost != expected[i].at("least_cost"))
            return differ(point + ": cost", curve[i].cost, expected[i].at("least_cost").get<std::uint64_t>());
        if (!curve[i].is_exact) return point + " is not proven";
    }
    return {};
}

}  // namespace

bool has_recomputation(const json& file) {
    return file.is_object() && (file.contains("chain") || file.contains("graph"));
}

void recomputation_cases(const json& file,
                         const std::function<void(const std::string& kind, const std::string& name,
                                                  const RandomCase& check)>& report) {
    for (const json& each : file.value("chain", json::array())) {
        const std::uint64_t steps = each.at("steps"), stored = each.at("stored");
        report("chain", std::to_string(steps) + " steps, " + std::to_string(stored) + " stored", [&] {
            const std::uint64_t found = trace::chain_steps(steps, stored),
                                expected = each.at("extra_forward_steps");
            return found == expected ? "" : differ("steps", found, expected);
        });
    }
    for (const json& each : file.value("graph", json::array())) {
        const std::string name = each.at("name");
        const TaskGraph graph = graph_of(each);
        if (each.contains("cost_without_recompute")) {
            report("cost", name, [&] {
                const std::uint64_t found = cost_without_recomputation(graph),
                                    expected = each.at("cost_without_recompute");
                return found == expected ? "" : differ("cost", found, expected);
            });
        }
        std::optional<std::uint64_t> before;
        for (const json& point : each.at("curve")) {
            const std::uint64_t budget = point.at("budget"), cost = point.at("least_cost");
            const std::string at = name + " at " + std::to_string(budget);
            report("budget", at, [&] { return check_budget(graph, budget, cost); });
            report("below", at, [&] { return check_below(graph, budget, before); });
            before = cost;
        }
        report("curve", name, [&] { return check_curve(graph, each.at("curve")); });
    }
}

}  // namespace tilemeter::trace_check
