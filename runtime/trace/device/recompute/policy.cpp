// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/policy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace tilemeter::trace {

namespace {

/// One pass over the units, with what is there.
class Pass {
public:
    /// `last_use`: by value, the last turn before whose end it has to be there; raised where a unit that can't repeat would have
    /// to, and then the pass is to be done again.
    Pass(const PlanModel& model, std::vector<std::uint32_t>& last_use) : model_(model), last_use_(last_use) {
        is_there_.resize(model.values.size());
        is_made_again_.resize(model.values.size());
        pins_.resize(model.values.size());
    }

    /// `pauses(value, now, is_made_again)`: whether it is not to be there now, though it has uses to come.
    template <typename Pauses>
    std::optional<Planned> run(Pauses pauses) {
        const auto count = static_cast<std::uint32_t>(model_.units.size());
        for (turn_ = 0; turn_ < count; ++turn_) {
            const PlanUnit& unit = model_.units[turn_];
            need(unit.reads, pauses);
            run_unit(turn_);
            for (const std::uint32_t each : unit.makes)
                is_made_again_[each] = false;
            unpin(unit.reads);
            drop_unless_needed(unit.reads, turn_ + 1, pauses);
            drop_unless_needed(unit.makes, turn_ + 1, pauses);
        }
        std::vector<std::uint32_t> kept;
        for (std::uint32_t value = 0; value < model_.values.size(); ++value) {
            if (model_.values[value].is_kept) kept.push_back(value);
        }
        need(kept, pauses);
        if (is_stuck_) return std::nullopt;
        return std::move(planned_);
    }

private:
    void unpin(const std::vector<std::uint32_t>& values) {
        for (const std::uint32_t each : values)
            --pins_[each];
    }

    template <typename Pauses>
    void drop_unless_needed(const std::vector<std::uint32_t>& values, std::uint32_t now, Pauses pauses) {
        for (const std::uint32_t each : values) {
            if (!is_there_[each] || pins_[each] != 0) continue;
            if (last_use_[each] < now || pauses(each, now, is_made_again_[each])) drop(each);
        }
    }

    // Makes the values that are not there, and pins them all.
    template <typename Pauses>
    void need(const std::vector<std::uint32_t>& values, Pauses pauses) {
        for (const std::uint32_t each : values)
            ++pins_[each];
        for (const std::uint32_t value : values) {
            if (is_there_[value]) continue;
            const std::uint32_t number = model_.values[value].unit;
            const PlanUnit& unit = model_.units[number];
            if (!unit.can_repeat) {
                last_use_[value] = std::max(last_use_[value], turn_);
                is_stuck_ = true;
                is_there_[value] = true;
                continue;
            }
            need(unit.reads, pauses);
            run_unit(number);
            is_made_again_[value] = true;
            unpin(unit.reads);
            drop_unless_needed(unit.makes, turn_, pauses);
            drop_unless_needed(unit.reads, turn_, pauses);
        }
    }

    void run_unit(std::uint32_t number) {
        const PlanUnit& unit = model_.units[number];
        planned_.steps.push_back({number, false});
        planned_.cost += unit.cost;
        for (const std::uint32_t each : unit.makes) {
            if (is_there_[each]) continue;
            is_there_[each] = true;
            for (std::size_t m = 0; m < there_.size(); ++m)
                there_[m] += model_.values[each].size[m];
        }
        for (std::size_t m = 0; m < there_.size(); ++m) {
            if (there_[m] + unit.extra[m] <= planned_.peak[m]) continue;
            planned_.peak[m] = there_[m] + unit.extra[m];
            planned_.peak_step[m] = planned_.steps.size() - 1;
            planned_.peak_turn[m] = turn_;
        }
    }

    void drop(std::uint32_t value) {
        planned_.steps.push_back({value, true});
        is_there_[value] = false;
        is_made_again_[value] = false;
        for (std::size_t m = 0; m < there_.size(); ++m)
            there_[m] -= model_.values[value].size[m];
    }

    const PlanModel& model_;
    std::vector<std::uint32_t>& last_use_;
    std::uint32_t turn_ = 0;
    std::vector<bool> is_there_, is_made_again_;
    std::vector<std::uint32_t> pins_;
    bool is_stuck_ = false;
    Sizes there_{};
    Planned planned_;
};

}  // namespace

PolicyPlanner::PolicyPlanner(const PlanModel& model) : model_(model) {
    const auto count = static_cast<std::uint32_t>(model.units.size());
    std::vector<std::uint32_t> latest(model.values.size());
    for (std::uint32_t value = 0; value < model.values.size(); ++value)
        latest[value] = model.values[value].unit;
    last_use_ = latest;
    pauses_.resize(model.values.size());
    const auto use = [&](std::uint32_t value, std::uint32_t turn) {
        Pause& pause = pauses_[value];
        if (turn - latest[value] > pause.end - pause.begin) pause = {latest[value], turn};
        latest[value] = last_use_[value] = turn;
    };
    for (std::uint32_t turn = 0; turn < count; ++turn) {
        for (const std::uint32_t each : model.units[turn].reads)
            use(each, turn);
    }
    for (std::uint32_t value = 0; value < model.values.size(); ++value) {
        if (model.values[value].is_kept) use(value, count);
    }
}

bool PolicyPlanner::can_evict(std::uint32_t value, std::uint32_t turn) const {
    return pauses_[value].begin < turn && turn < pauses_[value].end &&
           model_.units[model_.values[value].unit].can_repeat;
}

Planned PolicyPlanner::plan(const Policy& policy) const {
    std::vector<std::uint32_t> last_use = last_use_;
    const bool evicts = !policy.is_evicted.empty();
    while (true) {
        std::optional<Planned> planned =
            Pass(model_, last_use).run([&](std::uint32_t value, std::uint32_t now, bool is_made_again) {
                return evicts && policy.is_evicted[value] && pauses_[value].begin < now &&
                       now < pauses_[value].end && model_.units[model_.values[value].unit].can_repeat &&
                       !(is_made_again && policy.keeps_made);
            });
        if (planned) return std::move(*planned);
    }
}

std::vector<Policy> falling_policies(const PolicyPlanner& planner, const PolicySearch& search) {
    const PlanModel& model = planner.model();
    const std::size_t m = search.memory;
    std::vector<Policy> policies{{std::vector<bool>(model.values.size()), search.keeps_made}};
    Planned planned = planner.plan(policies.back());
    for (std::size_t step = 0; step < search.steps; ++step) {
        Policy policy = policies.back();
        std::vector<std::uint32_t> waiting;
        for (std::uint32_t value = 0; value < model.values.size(); ++value) {
            if (!policy.is_evicted[value] && model.values[value].size[m] != 0 &&
                planner.can_evict(value, planned.peak_turn[m]))
                waiting.push_back(value);
        }
        // Those are tried whose own unit costs least for what they take.
        const auto merit = [&](std::uint32_t value, std::uint64_t cost) {
            return static_cast<double>(model.values[value].size[m]) /
                   std::pow(1 + static_cast<double>(cost), search.weight_of_cost);
        };
        const auto own_merit = [&](std::uint32_t value) {
            return merit(value, model.units[model.values[value].unit].cost);
        };
        std::ranges::sort(waiting,
                          [&](std::uint32_t a, std::uint32_t b) { return own_merit(a) > own_merit(b); });
        if (waiting.size() > search.candidates) waiting.resize(search.candidates);
        std::optional<std::pair<double, std::uint32_t>> best;
        Planned best_plan;
        for (const std::uint32_t value : waiting) {
            policy.is_evicted[value] = true;
            Planned tried = planner.plan(policy);
            policy.is_evicted[value] = false;
            const std::uint64_t more = tried.cost > planned.cost ? tried.cost - planned.cost : 0;
            // A higher peak elsewhere is no step down.
            if (tried.peak[m] > planned.peak[m]) continue;
            const double merits = merit(value, more);
            if (best && best->first >= merits) continue;
            best = {merits, value};
            best_plan = std::move(tried);
        }
        if (!best) break;
        policy.is_evicted[best->second] = true;
        policies.push_back(std::move(policy));
        planned = std::move(best_plan);
    }
    return policies;
}

namespace {

PlanModel model_of(const TaskGraph& graph, std::vector<std::uint32_t>& tasks) {
    std::vector<bool> is_needed(graph.tasks.size());
    for (const std::uint32_t each : graph.outputs)
        is_needed[each] = true;
    for (std::size_t i = graph.tasks.size(); i-- > 0;) {
        for (const std::uint32_t each : graph.tasks[i].needs)
            is_needed[each] = is_needed[each] || is_needed[i];
    }
    std::vector<std::uint32_t> number(graph.tasks.size());
    PlanModel model;
    for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
        if (!is_needed[i]) continue;
        number[i] = static_cast<std::uint32_t>(tasks.size());
        tasks.push_back(i);
        PlanUnit& unit = model.units.emplace_back();
        for (const std::uint32_t each : graph.tasks[i].needs)
            unit.reads.push_back(number[each]);
        unit.makes = {number[i]};
        unit.cost = graph.tasks[i].cost;
        model.values.push_back({number[i], {graph.tasks[i].size, 0}, false});
    }
    for (const std::uint32_t each : graph.outputs)
        model.values[number[each]].is_kept = true;
    return model;
}

}  // namespace

std::vector<TaskSchedule> known_schedules(const TaskGraph& graph) {
    std::vector<std::uint32_t> tasks;
    const PlanModel model = model_of(graph, tasks);
    const PolicyPlanner planner(model);
    std::vector<TaskSchedule> schedules;
    for (const bool keeps_made : {true, false}) {
        for (const double weight : {0.0, 0.5, 1.0, 2.0}) {
            for (const Policy& policy :
                 falling_policies(planner, {.keeps_made = keeps_made, .weight_of_cost = weight})) {
                const Planned planned = planner.plan(policy);
                TaskSchedule& schedule = schedules.emplace_back();
                for (const PlanStep& step : planned.steps)
                    schedule.steps.push_back({tasks[step.index], step.is_drop});
                schedule.cost = planned.cost;
                schedule.peak = planned.peak[0];
            }
        }
    }
    return schedules;
}

}  // namespace tilemeter::trace
