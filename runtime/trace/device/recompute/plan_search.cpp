// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/plan_search.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "runtime/trace/device/recompute/run_order.hpp"

namespace tilemeter::trace {

namespace {

using Values = std::uint64_t;  // a set of them
constexpr std::size_t kMost = 64;
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

/// A* over the sets of values that are there and of units that have run. Values are dropped when a unit needs their room, and no
/// more of them than it needs: to drop a value later never costs more.
class PlanSearch {
public:
    PlanSearch(const PlanModel& model, const Sizes& budget, const PlanSearchLimits& limits)
        : model_(model), budget_(budget), limits_(limits) {
        number_units();
        if (!fits_in_sets()) return;
        find_constraints();
        for (std::uint32_t i = 0; i < model.values.size(); ++i)
            if (model.values[i].is_kept) kept_ |= only(i);
    }

    FoundPlan run() {
        if (!fits_in_sets()) return {{}, false, 0};
        enter({}, 0, kNone, 0);
        while (!open_.empty()) {
            const Open next = open_.top();
            open_.pop();
            const State& state = states_[next.state];
            if (next.cost != state.cost) continue;  // reached at less since
            if (is_end(state.at)) return {planned_runs(model_, runs_to(next.state)), true, states_.size()};
            expand(next.state);
            if (is_too_much()) return {{}, false, states_.size()};
        }
        return {{}, true, states_.size()};
    }

private:
    using Units = std::uint64_t;  // a set of those that are not idle

    struct At {
        Values there = 0;
        Units done = 0;  // of those that are followed
        friend bool operator==(const At&, const At&) = default;
    };
    struct HashAt {
        std::size_t operator()(const At& at) const {
            std::uint64_t mixed = (at.there ^ (at.done * 0xff51afd7ed558ccdU)) * 0x9e3779b97f4a7c15U;
            mixed ^= mixed >> 32U;
            return static_cast<std::size_t>(mixed * 0x9e3779b97f4a7c15U);
        }
    };
    struct State {
        At at;
        std::uint64_t cost = 0;
        std::uint32_t from = kNone;
        std::uint32_t unit = 0;  // that ran last
    };
    struct Open {
        std::uint64_t at_least;
        std::uint64_t cost;
        std::uint32_t state;
        bool operator<(const Open& other) const {  // the top is what costs least, then what has come farthest
            return at_least != other.at_least ? at_least > other.at_least : cost < other.cost;
        }
    };

    bool fits_in_sets() const { return units_.size() <= kMost && model_.values.size() <= kMost; }
    bool is_too_much() const { return states_.size() > limits_.states || open_.size() > 8 * limits_.states; }

    // Idle ones run as soon as they may.
    void number_units() {
        const std::vector<bool> is_idle = idle_units(model_);
        for (std::uint32_t i = 0; i < model_.units.size(); ++i)
            if (!is_idle[i]) units_.push_back(i);
    }

    void find_constraints() {
        std::vector<std::uint32_t> place(model_.units.size(), kNone);
        for (std::uint32_t i = 0; i < units_.size(); ++i)
            place[units_[i]] = i;
        const auto places = [&](const std::vector<std::uint32_t>& units) {
            Units set = 0;
            for (const std::uint32_t each : units)
                if (place[each] != kNone) set |= only(place[each]);
            return set;
        };
        Values read = 0;
        for (const std::uint32_t number : units_) {
            const PlanUnit& unit = model_.units[number];
            reads_.push_back(set_of(unit.reads));
            makes_.push_back(set_of(unit.makes));
            after_.push_back(limits_.keeps_order ? only(static_cast<std::uint32_t>(after_.size())) - 1
                                                 : places(unit.after));
            never_after_.push_back(places(unit.never_after));
            if (unit.can_repeat) can_repeat_ |= only(static_cast<std::uint32_t>(after_.size() - 1));
            read |= reads_.back();
        }
        for (std::uint32_t i = 0; i < model_.values.size(); ++i)
            if (model_.values[i].is_kept) read |= only(i);
        for (std::uint32_t i = 0; i < units_.size(); ++i) {
            // Others run as somebody needs what they make.
            if ((can_repeat_ & only(i)) == 0 || (makes_[i] & read) == 0) is_followed_ |= only(i);
            if (after_[i] != 0) is_followed_ |= only(i) | after_[i];
            is_followed_ |= never_after_[i];
        }
    }

    bool is_end(const At& at) const { return at.done == is_followed_ && (kept_ & ~at.there) == 0; }

    // For units that are not followed the first run is like any other.
    bool may_repeat(std::uint32_t unit, Units done) const {
        return (can_repeat_ & only(unit)) != 0 && (never_after_[unit] & done) == 0;
    }
    bool is_due(std::uint32_t unit, Units done) const { return (is_followed_ & ~done & only(unit)) != 0; }

    Runs runs_to(std::uint32_t state) const {
        Runs runs;
        for (; states_[state].from != kNone; state = states_[state].from)
            runs.push_back(units_[states_[state].unit]);
        std::ranges::reverse(runs);
        return with_idle_units(model_, runs);
    }

    // The cost of all that must run still; kNever: it can't.
    std::uint64_t still_to_run(const At& at) const {
        Values needed = kept_;
        std::uint64_t cost = 0;
        for (auto i = static_cast<std::uint32_t>(units_.size()); i-- > 0;) {
            if (is_due(i, at.done)) {
                if ((never_after_[i] & at.done) != 0) return kNever;
            } else {
                if ((makes_[i] & needed & ~at.there) == 0) continue;
                if (!may_repeat(i, at.done)) return kNever;
            }
            cost += model_.units[units_[i]].cost;
            needed |= reads_[i];
        }
        return cost;
    }

    // The values that units which can still run may need.
    Values useful(Units done) const {
        Values set = kept_;
        for (auto i = static_cast<std::uint32_t>(units_.size()); i-- > 0;)
            if (is_due(i, done) || ((makes_[i] & set) != 0 && may_repeat(i, done))) set |= reads_[i];
        return set;
    }

    void enter(At at, std::uint64_t cost, std::uint32_t from, std::uint32_t unit) {
        at.there &= useful(at.done);
        const std::uint64_t more = still_to_run(at);
        if (more == kNever) return;
        const auto [found, is_new] = numbers_.try_emplace(at, static_cast<std::uint32_t>(states_.size()));
        if (is_new) {
            states_.push_back({at, cost, from, unit});
        } else {
            State& state = states_[found->second];
            if (state.cost <= cost) return;
            state = {at, cost, from, unit};
        }
        const auto slack = static_cast<std::uint64_t>(limits_.slack * static_cast<double>(more));
        open_.push({cost + more + slack, cost, found->second});
    }

    void expand(std::uint32_t from) {
        const At at = states_[from].at;
        const Values wanted = useful(at.done);
        const std::uint64_t cost_here = states_[from].cost;
        // A value that can't be made again may still go if it is only there to make others again.
        Values can_be_made_again = 0, read = kept_;
        for (std::uint32_t i = 0; i < units_.size(); ++i) {
            if (may_repeat(i, at.done)) can_be_made_again |= makes_[i];
            if (is_due(i, at.done)) read |= reads_[i];
        }
        for (std::uint32_t i = 0; i < units_.size(); ++i) {
            const PlanUnit& unit = model_.units[units_[i]];
            if ((reads_[i] & ~at.there) != 0) continue;
            if (is_due(i, at.done)) {
                if ((after_[i] & ~at.done) != 0 || (never_after_[i] & at.done) != 0) continue;
            } else if (!may_repeat(i, at.done) || (makes_[i] & wanted & ~at.there) == 0) {
                continue;
            }
            const Values there = at.there & ~makes_[i];
            Sizes to_free{};
            for (std::size_t m = 0; m < to_free.size(); ++m) {
                std::uint64_t size = unit.extra[m];
                for_each_value(there | makes_[i],
                               [&](std::uint32_t each) { size += model_.values[each].size[m]; });
                to_free[m] = size > budget_[m] ? size - budget_[m] : 0;
            }
            std::vector<std::uint32_t> droppable;
            for_each_value(there & ~reads_[i] & (can_be_made_again | ~read),
                           [&](std::uint32_t each) { droppable.push_back(each); });
            // Large ones first: what is left to free is soon too much for the rest.
            const std::size_t tight = to_free[0] != 0 ? 0 : 1;
            std::ranges::sort(droppable, [&](std::uint32_t a, std::uint32_t b) {
                return model_.values[a].size[tight] > model_.values[b].size[tight];
            });
            drop(droppable, 0, 0, to_free, [&](Values dropped) {
                if (!is_least(dropped, to_free)) return;
                enter({(there & ~dropped) | makes_[i], at.done | (is_followed_ & only(i))},
                      cost_here + unit.cost, from, i);
            });
        }
    }

    // None of these values can be left out.
    bool is_least(Values dropped, const Sizes& wanted) const {
        Sizes more{};
        for_each_value(dropped, [&](std::uint32_t each) {
            for (std::size_t m = 0; m < more.size(); ++m)
                more[m] += model_.values[each].size[m];
        });
        for (std::size_t m = 0; m < more.size(); ++m)
            more[m] -= wanted[m];
        bool is_least = true;
        for_each_value(dropped, [&](std::uint32_t each) {
            const Sizes& size = model_.values[each].size;
            is_least = is_least && (size[0] > more[0] || size[1] > more[1]);
        });
        return is_least;
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
            if (rest[0] < wanted[0] || rest[1] < wanted[1] || is_too_much()) return;
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
    std::vector<std::uint32_t> units_;        // numbers in the model of those that are not idle
    std::vector<Values> reads_, makes_;       // by unit that is not idle
    std::vector<Units> after_, never_after_;  // likewise
    Units can_repeat_ = 0, is_followed_ = 0;
    Values kept_ = 0;
    std::vector<State> states_;
    std::unordered_map<At, std::uint32_t, HashAt> numbers_;
    std::priority_queue<Open> open_;
};

bool is_within(const Sizes& peak, const Sizes& budget) {
    return peak[0] <= budget[0] && peak[1] <= budget[1];
}

}  // namespace

FoundPlan cheapest_plan(const PlanModel& model, const Sizes& budget, const PlanSearchLimits& limits) {
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

PlanFront::PlanFront(const PlanModel& model, const PlanSearchLimits& limits)
    : model_(model), limits_(limits), states_left_(40 * limits.states) {}

std::optional<PlanFront::Searched> PlanFront::search(const Sizes& budget) {
    for (const Searched& each : searched_) {
        if (!is_within(budget, each.budget)) continue;
        if (!each.plan || is_within(plans_[*each.plan].peak, budget)) return each;
    }
    PlanSearchLimits limits = limits_;
    limits.states = std::min(limits.states, states_left_);
    FoundPlan found = cheapest_plan(model_, budget, limits);
    states_left_ -= std::min(states_left_, found.states);
    if (!found.is_complete) return std::nullopt;
    Searched& searched = searched_.emplace_back();
    searched.budget = budget;
    if (found.planned) {
        searched.cost = found.planned->cost;
        searched.plan = plans_.size();
        plans_.push_back(std::move(*found.planned));
    }
    return searched;
}

std::optional<std::uint64_t> PlanFront::cost_at_least(const Sizes& budget) const {
    std::uint64_t least = 0;
    for (const Searched& each : searched_) {
        if (!is_within(budget, each.budget)) continue;
        if (!each.cost) return std::nullopt;
        least = std::max(least, *each.cost);
    }
    return least;
}

}  // namespace tilemeter::trace
