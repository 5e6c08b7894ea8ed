// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/recompute/plan_search.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

namespace tilemeter::trace {

namespace {

using Values = std::uint64_t;  // a set of them
constexpr std::size_t kMostValues = 64;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

Values only(std::uint32_t value) {
    return Values{1} << value;
}

Values set_of(const std::vector<std::uint32_t>& values) {
    Values set = 0;
    for (const std::uint32_t each : values)
        set |= only(each);
    return set;
}

template <typename Visit>
void for_each_value(Values set, Visit visit) {
    for (; set != 0; set &= set - 1)
        visit(static_cast<std::uint32_t>(std::countr_zero(set)));
}

// The runs with each value dropped after its last use, and what they take.
Planned planned_runs(const PlanModel& model, const std::vector<std::uint32_t>& runs) {
    // By value: the run that made it last, and the last one that uses what this made.
    std::vector<std::uint32_t> last(model.values.size(), kNone);
    std::vector<std::vector<std::uint32_t>> drops(runs.size());
    const auto end_life = [&](std::uint32_t value) {
        if (last[value] != kNone) drops[last[value]].push_back(value);
    };
    for (std::uint32_t i = 0; i < runs.size(); ++i) {
        const PlanUnit& unit = model.units[runs[i]];
        for (const std::uint32_t each : unit.reads)
            last[each] = i;
        for (const std::uint32_t each : unit.makes) {
            end_life(each);
            last[each] = i;
        }
    }
    for (std::uint32_t value = 0; value < model.values.size(); ++value)
        if (!model.values[value].is_kept) end_life(value);
    Planned planned;
    Sizes there{};
    std::uint32_t turn = 0;
    for (std::uint32_t i = 0; i < runs.size(); ++i) {
        const PlanUnit& unit = model.units[runs[i]];
        planned.steps.push_back({runs[i], false});
        planned.cost += unit.cost;
        for (std::size_t m = 0; m < there.size(); ++m) {
            for (const std::uint32_t each : unit.makes)
                there[m] += model.values[each].size[m];
            if (there[m] + unit.extra[m] <= planned.peak[m]) continue;
            planned.peak[m] = there[m] + unit.extra[m];
            planned.peak_step[m] = planned.steps.size() - 1;
            planned.peak_turn[m] = turn;
        }
        if (runs[i] == turn) ++turn;
        for (const std::uint32_t each : drops[i]) {
            planned.steps.push_back({each, true});
            for (std::size_t m = 0; m < there.size(); ++m)
                there[m] -= model.values[each].size[m];
        }
    }
    return planned;
}

/// A* over the sets of values that are there and the unit whose turn it is. Values are dropped when a unit needs their room, and
/// no more of them than it needs: to drop a value later never costs more.
class PlanSearch {
public:
    PlanSearch(const PlanModel& model, const Sizes& budget, const PlanSearchLimits& limits)
        : model_(model), budget_(budget), limits_(limits), numbers_(model.units.size() + 1) {
        const std::size_t count = model.units.size();
        for (const PlanUnit& unit : model.units) {
            reads_.push_back(set_of(unit.reads));
            makes_.push_back(set_of(unit.makes));
            if (unit.can_repeat) repeatable_ |= makes_.back();
        }
        Values kept = 0;
        for (std::uint32_t i = 0; i < model.values.size(); ++i)
            if (model.values[i].is_kept) kept |= only(i);
        wanted_.assign(count + 1, kept);
        for (std::size_t turn = count; turn-- > 0;)
            wanted_[turn] = wanted_[turn + 1] | reads_[turn];
        // Also by units that may run again.
        useful_ = wanted_;
        for (std::size_t turn = 0; turn <= count; ++turn) {
            for (std::size_t i = turn; i-- > 0;)
                if (model.units[i].can_repeat && (makes_[i] & useful_[turn]) != 0) useful_[turn] |= reads_[i];
        }
    }

    FoundPlan run() {
        enter(0, 0, 0, kNone, 0);
        while (!open_.empty()) {
            const Open next = open_.top();
            open_.pop();
            const State state = states_[next.state];
            if (next.cost != state.cost) continue;  // reached at less since
            if (state.turn == model_.units.size() && (wanted_.back() & ~state.there) == 0)
                return {planned_runs(model_, runs_to(next.state)), true};
            expand(next.state);
            if (states_.size() > limits_.states || open_.size() > 8 * limits_.states) return {{}, false};
        }
        return {};
    }

private:
    struct State {
        Values there = 0;
        std::uint32_t turn = 0;
        std::uint64_t cost = 0;  // of what ran again
        std::uint32_t from = kNone;
        std::uint32_t unit = 0;  // that ran last
    };
    struct Open {
        std::uint64_t at_least;
        std::uint32_t turn;
        std::uint64_t cost;
        std::uint32_t state;
        bool operator<(const Open& other) const {  // the top is what costs least, then what has come farthest
            return at_least != other.at_least ? at_least > other.at_least : turn < other.turn;
        }
    };

    std::vector<std::uint32_t> runs_to(std::uint32_t state) const {
        std::vector<std::uint32_t> runs;
        for (; states_[state].from != kNone; state = states_[state].from)
            runs.push_back(states_[state].unit);
        std::ranges::reverse(runs);
        return runs;
    }

    // Of what is not there, and must be made again; kNever: it can't be.
    std::uint64_t still_to_repeat(Values there, std::uint32_t turn) const {
        Values needed = wanted_[turn];
        std::uint64_t cost = 0;
        for (std::uint32_t i = turn; i-- > 0;) {
            if ((makes_[i] & needed & ~there) == 0) continue;
            if (!model_.units[i].can_repeat) return kNever;
            cost += model_.units[i].cost;
            needed |= reads_[i];
        }
        return cost;
    }

    void enter(Values there, std::uint32_t turn, std::uint64_t cost, std::uint32_t from, std::uint32_t unit) {
        there &= useful_[turn];
        const std::uint64_t more = still_to_repeat(there, turn);
        if (more == kNever) return;
        const auto [found, is_new] =
            numbers_[turn].try_emplace(there, static_cast<std::uint32_t>(states_.size()));
        if (is_new) {
            states_.push_back({there, turn, cost, from, unit});
        } else {
            State& state = states_[found->second];
            if (state.cost <= cost) return;
            state = {there, turn, cost, from, unit};
        }
        open_.push({cost + more, turn, cost, found->second});
    }

    void expand(std::uint32_t from) {
        const State state = states_[from];
        Sizes there{};
        for_each_value(state.there, [&](std::uint32_t each) {
            for (std::size_t m = 0; m < there.size(); ++m)
                there[m] += model_.values[each].size[m];
        });
        const auto last = std::min<std::size_t>(state.turn + std::size_t{1}, model_.units.size());
        for (std::uint32_t i = 0; i < last; ++i) {
            const PlanUnit& unit = model_.units[i];
            const bool is_first = i == state.turn;
            if ((reads_[i] & ~state.there) != 0) continue;
            if (!is_first && (!unit.can_repeat || (makes_[i] & useful_[state.turn] & ~state.there) == 0))
                continue;
            Sizes to_free{};
            for (std::size_t m = 0; m < there.size(); ++m) {
                std::uint64_t size = there[m] + unit.extra[m];
                for (const std::uint32_t each : unit.makes)
                    size += model_.values[each].size[m];
                to_free[m] = size > budget_[m] ? size - budget_[m] : 0;
            }
            const std::uint32_t turn = state.turn + (is_first ? 1 : 0);
            const std::uint64_t cost = state.cost + (is_first ? 0 : unit.cost);
            std::vector<std::uint32_t> droppable;
            for_each_value(state.there & ~reads_[i] & repeatable_,
                           [&](std::uint32_t each) { droppable.push_back(each); });
            // Large ones first: what is left to free is soon too much for the rest.
            const std::size_t tight = to_free[0] != 0 ? 0 : 1;
            std::ranges::sort(droppable, [&](std::uint32_t a, std::uint32_t b) {
                return model_.values[a].size[tight] > model_.values[b].size[tight];
            });
            drop(droppable, 0, 0, to_free,
                 [&](Values dropped) { enter((state.there & ~dropped) | makes_[i], turn, cost, from, i); });
        }
    }

    // Visits the sets that free `wanted` and of which no value can be left out, among others.
    template <typename Visit>
    void drop(const std::vector<std::uint32_t>& droppable, std::size_t next, Values dropped,
              const Sizes& wanted, const Visit& visit) const {
        if (wanted == Sizes{}) {
            visit(dropped);
            return;
        }
        Sizes rest{};
        for (std::size_t i = next; i < droppable.size(); ++i)
            for (std::size_t m = 0; m < rest.size(); ++m)
                rest[m] += model_.values[droppable[i]].size[m];
        for (std::size_t i = next; i < droppable.size(); ++i) {
            if (rest[0] < wanted[0] || rest[1] < wanted[1]) return;
            const Sizes& size = model_.values[droppable[i]].size;
            Sizes left{};
            bool helps = false;
            for (std::size_t m = 0; m < left.size(); ++m) {
                left[m] = wanted[m] - std::min(wanted[m], size[m]);
                helps = helps || left[m] != wanted[m];
                rest[m] -= size[m];
            }
            if (helps) drop(droppable, i + 1, dropped | only(droppable[i]), left, visit);
        }
    }

    const PlanModel& model_;
    const Sizes budget_;
    const PlanSearchLimits& limits_;
    std::vector<Values> reads_, makes_;    // by unit
    Values repeatable_ = 0;                // values that can be made again
    std::vector<Values> wanted_, useful_;  // by turn: by first runs and at the end; by any run
    std::vector<State> states_;
    std::vector<std::unordered_map<Values, std::uint32_t>> numbers_;  // by turn
    std::priority_queue<Open> open_;
};

}  // namespace

FoundPlan cheapest_plan(const PlanModel& model, const Sizes& budget, const PlanSearchLimits& limits) {
    if (model.values.size() > kMostValues) return {{}, false};
    return PlanSearch(model, budget, limits).run();
}

std::vector<Planned> cheapest_plans(const PlanModel& model, std::size_t memory,
                                    const PlanSearchLimits& limits) {
    std::vector<Planned> plans;
    Sizes budget;
    budget.fill(kNever);
    budget[memory] = PolicyPlanner(model).plan({}).peak[memory];
    while (budget[memory] != 0 && plans.size() < limits.searches) {
        --budget[memory];
        FoundPlan found = cheapest_plan(model, budget, limits);
        if (!found.planned) break;
        budget[memory] = found.planned->peak[memory];
        plans.push_back(std::move(*found.planned));
    }
    return plans;
}

}  // namespace tilemeter::trace
