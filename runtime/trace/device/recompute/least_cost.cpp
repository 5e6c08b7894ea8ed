// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/least_cost.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <queue>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "runtime/trace/device/recompute/policy.hpp"

namespace tilemeter::trace {

namespace {

using Tasks = std::uint64_t;  // a set of them
constexpr std::size_t kMostTasks = 64;

Tasks one(std::uint32_t task) {
    return Tasks{1} << task;
}

template <typename Visit>
void for_each_task(Tasks set, Visit visit) {
    for (; set != 0; set &= set - 1)
        visit(static_cast<std::uint32_t>(std::countr_zero(set)));
}

enum class Outcome : std::uint8_t { kFound, kImpossible, kGivenUp };

/// A* over the sets of values that are there. Values are dropped when a task needs their room, and no more of them than it
/// needs: to drop a value later never costs more.
class Search {
public:
    Search(const TaskGraph& graph, std::uint64_t budget, const SearchLimits& limits)
        : graph_(graph), budget_(budget), limits_(limits) {
        for (const Task& task : graph.tasks) {
            Tasks& needs = needs_.emplace_back(0);
            for (const std::uint32_t each : task.needs)
                needs |= one(each);
        }
        for (const std::uint32_t each : graph.outputs)
            outputs_ |= one(each);
    }

    Outcome run() {
        enter(0, 0, kNone, 0);
        while (!open_.empty()) {
            const Open next = open_.top();
            open_.pop();
            const State state = states_[next.state];
            if (next.cost != state.cost) continue;  // reached at less since
            if ((outputs_ & ~state.there) == 0) {
                last_ = next.state;
                return Outcome::kFound;
            }
            if (!expand(next.state)) return Outcome::kGivenUp;
        }
        return Outcome::kImpossible;
    }

    /// REQUIRES: run() found one.
    TaskSchedule schedule() const {
        std::vector<std::uint32_t> path;
        for (std::uint32_t state = last_; states_[state].from != kNone; state = states_[state].from)
            path.push_back(state);
        TaskSchedule schedule;
        schedule.cost = states_[last_].cost;
        Tasks there = 0;
        for (const std::uint32_t state : std::vector<std::uint32_t>(path.rbegin(), path.rend())) {
            for_each_task(there & ~states_[state].there, [&](std::uint32_t task) {
                schedule.steps.push_back({task, true});
            });
            schedule.steps.push_back({states_[state].task, false});
            there = states_[state].there;
            schedule.peak = std::max(schedule.peak, size_of(there));
        }
        return schedule;
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    struct State {
        Tasks there = 0;
        std::uint64_t cost = 0;
        std::uint32_t from = kNone;
        std::uint32_t task = 0;  // that ran last
    };
    struct Open {
        std::uint64_t at_least;  // cost of a schedule through it
        std::uint64_t cost;
        std::uint32_t state;
        bool operator<(const Open& other) const {  // the top is what costs least, then what has come farthest
            return at_least != other.at_least ? at_least > other.at_least : cost < other.cost;
        }
    };

    std::uint64_t size_of(Tasks set) const {
        std::uint64_t size = 0;
        for_each_task(set, [&](std::uint32_t task) { size += graph_.tasks[task].size; });
        return size;
    }

    // Missing tasks that must run at least once: the outputs, and what the missing ones among these need.
    std::uint64_t still_to_run(Tasks there) const {
        Tasks needed = outputs_;
        std::uint64_t cost = 0;
        for (std::size_t i = graph_.tasks.size(); i-- > 0;) {
            if ((needed & ~there & one(static_cast<std::uint32_t>(i))) == 0) continue;
            cost += graph_.tasks[i].cost;
            needed |= needs_[i];
        }
        return cost;
    }

    void enter(Tasks there, std::uint64_t cost, std::uint32_t from, std::uint32_t task) {
        const auto [found, is_new] = numbers_.try_emplace(there, static_cast<std::uint32_t>(states_.size()));
        if (is_new) {
            states_.push_back({there, cost, from, task});
        } else {
            State& state = states_[found->second];
            if (state.cost <= cost) return;
            state = {there, cost, from, task};
        }
        open_.push({cost + still_to_run(there), cost, found->second});
    }

    bool expand(std::uint32_t from) {
        const State state = states_[from];
        const std::uint64_t size = size_of(state.there);
        for (std::uint32_t task = 0; task < graph_.tasks.size(); ++task) {
            if ((state.there & one(task)) != 0 || (needs_[task] & ~state.there) != 0) continue;
            const std::uint64_t wanted = size + graph_.tasks[task].size;
            const std::uint64_t cost = state.cost + graph_.tasks[task].cost;
            if (wanted <= budget_) {
                enter(state.there | one(task), cost, from, task);
            } else {
                std::vector<std::uint32_t> droppable;
                for_each_task(state.there & ~needs_[task], [&](std::uint32_t each) {
                    if (graph_.tasks[each].size != 0) droppable.push_back(each);
                });
                // Large ones first: what is left to free is soon too much for the rest.
                std::ranges::sort(droppable, [&](std::uint32_t a, std::uint32_t b) {
                    return graph_.tasks[a].size > graph_.tasks[b].size;
                });
                drop(droppable, 0, 0, wanted - budget_,
                     [&](Tasks dropped) { enter((state.there & ~dropped) | one(task), cost, from, task); });
            }
            if (states_.size() > limits_.states || open_.size() > 8 * limits_.states) return false;
        }
        return true;
    }

    // Visits the sets that free `wanted` and of which no task can be left out: sizes fall, so the last one is the smallest.
    template <typename Visit>
    void drop(const std::vector<std::uint32_t>& droppable, std::size_t next, Tasks dropped,
              std::uint64_t wanted, const Visit& visit) const {
        std::uint64_t rest = 0;
        for (std::size_t i = next; i < droppable.size(); ++i)
            rest += graph_.tasks[droppable[i]].size;
        for (std::size_t i = next; i < droppable.size() && rest >= wanted; ++i) {
            const std::uint64_t size = graph_.tasks[droppable[i]].size;
            if (size >= wanted) {
                visit(dropped | one(droppable[i]));
            } else {
                drop(droppable, i + 1, dropped | one(droppable[i]), wanted - size, visit);
            }
            rest -= size;
        }
    }

    const TaskGraph& graph_;
    const std::uint64_t budget_;
    const SearchLimits& limits_;
    std::vector<Tasks> needs_;
    Tasks outputs_ = 0;
    std::vector<State> states_;
    std::unordered_map<Tasks, std::uint32_t> numbers_;
    std::priority_queue<Open> open_;
    std::uint32_t last_ = kNone;
};

// The least memory of any order: a task with all that it needs, and the outputs together.
std::uint64_t must_fit(const TaskGraph& graph) {
    const auto size_of = [&](const std::vector<std::uint32_t>& tasks) {
        std::uint64_t size = 0;
        std::vector<bool> counted(graph.tasks.size());
        for (const std::uint32_t each : tasks) {
            if (!counted[each]) size += graph.tasks[each].size;
            counted[each] = true;
        }
        return size;
    };
    std::vector<bool> is_needed(graph.tasks.size());
    for (const std::uint32_t each : graph.outputs)
        is_needed[each] = true;
    std::uint64_t most = size_of(graph.outputs);
    for (std::size_t i = graph.tasks.size(); i-- > 0;) {
        if (!is_needed[i]) continue;
        most = std::max(most, size_of(graph.tasks[i].needs) + graph.tasks[i].size);
        for (const std::uint32_t each : graph.tasks[i].needs)
            is_needed[each] = true;
    }
    return most;
}

/// The schedules that were found without a proof, and those that the search proves.
class Solver {
public:
    Solver(const TaskGraph& graph, const SearchLimits& limits) : graph_(graph), limits_(limits) {
        require_sound(graph);
    }

    LeastCost at(std::uint64_t budget) {
        LeastCost found;
        if (graph_.tasks.size() <= kMostTasks) {
            Search search(graph_, budget, limits_);
            const Outcome outcome = search.run();
            if (outcome == Outcome::kFound) found.schedule = search.schedule();
            if (outcome != Outcome::kGivenUp) return found;
        }
        found.is_exact = false;
        for (const TaskSchedule& each : known()) {
            if (each.peak <= budget && (!found.schedule || each.cost < found.schedule->cost))
                found.schedule = each;
        }
        if (found.schedule && found.schedule->cost == cost_without_recomputation(graph_))
            found.is_exact = true;
        return found;
    }

    /// A budget that a schedule keeps for sure.
    std::uint64_t enough() {
        std::uint64_t size = 0;
        for (const Task& task : graph_.tasks)
            size += task.size;
        return size;
    }

    LeastBudget least() {
        LeastBudget least{must_fit(graph_), true};
        std::uint64_t low = least.budget, high = enough();  // none below low, one at high
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            const LeastCost found = at(middle);
            if (found.schedule) {
                high = found.schedule->peak;
            } else {
                low = middle + 1;
                least.is_exact = least.is_exact && found.is_exact;
            }
        }
        least.budget = high;
        return least;
    }

private:
    const std::vector<TaskSchedule>& known() {
        if (known_.empty()) known_ = known_schedules(graph_);
        return known_;
    }

    const TaskGraph& graph_;
    const SearchLimits& limits_;
    std::vector<TaskSchedule> known_;
};

}  // namespace

LeastCost least_cost(const TaskGraph& graph, std::uint64_t budget, const SearchLimits& limits) {
    Solver solver(graph, limits);
    LeastCost found = solver.at(budget);
    if (found.schedule) return found;
    const LeastBudget least = solver.least();
    found.reason = found.is_exact && least.is_exact
                       ? "no order keeps a budget of " + std::to_string(budget) +
                             ": the least that one keeps is " + std::to_string(least.budget)
                       : "no order was found that keeps a budget of " + std::to_string(budget) +
                             ": the least that one was found for is " + std::to_string(least.budget);
    return found;
}

LeastBudget least_budget(const TaskGraph& graph, const SearchLimits& limits) {
    return Solver(graph, limits).least();
}

std::vector<CurvePoint> cost_curve(const TaskGraph& graph, const SearchLimits& limits) {
    Solver solver(graph, limits);
    const std::uint64_t least = solver.least().budget;
    std::vector<CurvePoint> curve;
    // From above: the least budget of each cost.
    std::uint64_t budget = solver.enough();
    while (true) {
        const LeastCost best = solver.at(budget);
        if (!best.schedule) break;
        CurvePoint point{best.schedule->peak, best.schedule->cost, best.is_exact};
        std::uint64_t low = least;  // `point` keeps its cost from point.budget on
        while (low < point.budget) {
            const std::uint64_t middle = low + (point.budget - low) / 2;
            const LeastCost found = solver.at(middle);
            if (found.schedule && found.schedule->cost <= point.cost) {
                point.budget = found.schedule->peak;
            } else {
                low = middle + 1;
                point.is_exact = point.is_exact && found.is_exact;
            }
        }
        curve.push_back(point);
        if (point.budget <= least) break;
        budget = point.budget - 1;
    }
    std::ranges::reverse(curve);
    return curve;
}

std::uint64_t chain_steps(std::uint64_t steps, std::uint64_t stored) {
    if (steps == 0) return 0;
    // By number of stored states, then of steps: the next state that is stored lies `ahead` steps on.
    std::vector<std::uint64_t> fewer(steps + 1), now(steps + 1);
    for (std::uint64_t n = 0; n <= steps; ++n)
        now[n] = n * (n == 0 ? 0 : n - 1) / 2;
    for (std::uint64_t s = 2; s <= std::min(stored, steps); ++s) {
        std::swap(fewer, now);
        now[0] = now[1] = 0;
        for (std::uint64_t n = 2; n <= steps; ++n) {
            now[n] = std::numeric_limits<std::uint64_t>::max();
            for (std::uint64_t ahead = 1; ahead < n; ++ahead)
                now[n] = std::min(now[n], ahead + fewer[n - ahead] + now[ahead]);
        }
    }
    return now[steps];
}

}  // namespace tilemeter::trace
