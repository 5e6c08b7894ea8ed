// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "runtime/trace/device/recompute/plan_search.hpp"
#include "runtime/trace/device/recompute/run_order.hpp"

namespace tilemeter::trace {

namespace {

/// The program with its units in another order.
class Reordered {
public:
    /// `order`: each unit once, after what it needs.
    Reordered(const PlanModel& model, const Runs& order) : order_(order) {
        std::vector<std::uint32_t> place(model.units.size());
        for (std::uint32_t i = 0; i < order.size(); ++i)
            place[order[i]] = i;
        model_.values = model.values;
        for (PlanValue& each : model_.values)
            each.unit = place[each.unit];
        for (const std::uint32_t unit : order) {
            PlanUnit& made = model_.units.emplace_back(model.units[unit]);
            for (std::vector<std::uint32_t>* units : {&made.after, &made.never_after})
                for (std::uint32_t& each : *units)
                    each = place[each];
        }
    }

    const PlanModel& model() const { return model_; }

    Runs runs_in_model(const Planned& planned) const {
        Runs runs = runs_of(planned);
        for (std::uint32_t& each : runs)
            each = order_[each];
        return runs;
    }

private:
    PlanModel model_;
    const Runs order_;
};

class Proposals {
public:
    explicit Proposals(const PlanModel& model) : model_(model) {}

    // Policies with the units in this order.
    void add_policies(const Runs& order) {
        const Reordered reordered(model_, order);
        const PolicyPlanner planner(reordered.model());
        const auto add_plan = [&](const Policy& policy) {
            const Planned planned = planner.plan(policy);
            const Runs runs = reordered.runs_in_model(planned);
            // Policies know of the order of the program alone.
            if (fault_of(runs, model_).empty()) add(planned_runs(model_, runs));
        };
        std::array<std::vector<Policy>, 2> found;
        for (const std::size_t memory : {std::size_t{1}, std::size_t{0}}) {
            const bool has_any = std::ranges::any_of(model_.values, [&](const PlanValue& each) {
                return each.size[memory] != 0 && model_.units[each.unit].can_repeat;
            });
            if (!has_any) continue;
            for (const bool keeps_made : {true, false})
                for (const double weight : {0.0, 0.5, 1.0, 2.0})
                    for (Policy& each : falling_policies(planner, {.memory = memory,
                                                                  .keeps_made = keeps_made,
                                                                  .weight_of_cost = weight,
                                                                  .candidates = 12})) {
                        add_plan(each);
                        found[memory].push_back(std::move(each));
                    }
        }
        // Both peaks at once.
        constexpr std::size_t kEach = 12;
        const auto some = [](const std::vector<Policy>& all, std::size_t i) -> const Policy& {
            return all[i * all.size() / kEach];
        };
        if (found[0].empty() || found[1].empty()) return;
        for (std::size_t i = 0; i < kEach; ++i)
            for (std::size_t j = 0; j < kEach; ++j) {
                Policy both = some(found[0], i);
                const Policy& other = some(found[1], j);
                for (std::size_t v = 0; v < both.is_evicted.size(); ++v)
                    both.is_evicted[v] = both.is_evicted[v] || other.is_evicted[v];
                add_plan(both);
            }
    }

    // In the order of the program, and a little above the least cost over all orders, as far as that is soon done.
    void add_searched() {
        for (const std::size_t memory : {std::size_t{1}, std::size_t{0}})
            for (const PlanSearchLimits& limits :
                 {PlanSearchLimits{.keeps_order = true}, PlanSearchLimits{.slack = 0.05}})
                for (Planned& each : cheapest_plans(model_, memory, limits))
                    add(std::move(each));
    }

    // Those that no other beats, with runs in another order, and without runs that their peaks do not need.
    void better(std::size_t orders) {
        sort();
        std::vector<Planned> best;
        for (const Proposal& each : proposals_)
            if (each.rank == 0) best.push_back(each.planned);
        for (const Planned& each : best) {
            for (const std::size_t memory : {std::size_t{1}, std::size_t{0}}) {
                if (orders == 0 || each.peak[memory] == 0) continue;
                const Runs runs = with_lower_peak(model_, runs_of(each), memory, orders);
                const Planned lower = planned_runs(model_, runs);
                add(planned_runs(model_, without_needless_runs(model_, runs, lower.peak)));
                add(planned_runs(model_, without_needless_runs(model_, runs, each.peak)));
            }
        }
    }

    // In which units run first in the schedule with the lowest peak.
    Runs order_of_lowest(std::size_t memory) const {
        const auto lowest = std::ranges::min_element(proposals_, {}, [&](const Proposal& each) {
            return std::pair(each.planned.peak[memory], each.planned.cost);
        });
        Runs order;
        std::vector<bool> has_run(model_.units.size());
        for (const std::uint32_t each : runs_of(lowest->planned)) {
            if (!has_run[each]) order.push_back(each);
            has_run[each] = true;
        }
        return order;
    }

    std::vector<Planned> take() {
        sort();
        std::vector<std::size_t> place_of_rank;
        std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> order;  // rank, stride, index
        Sizes lowest;
        lowest.fill(std::numeric_limits<std::uint64_t>::max());
        for (std::size_t i = 0; i < proposals_.size(); ++i) {
            // Most budgets are those of one memory: first those that no other beats in cost and its peak.
            bool is_first = false;
            for (std::size_t m = 0; m < lowest.size(); ++m) {
                is_first = is_first || proposals_[i].planned.peak[m] < lowest[m];
                lowest[m] = std::min(lowest[m], proposals_[i].planned.peak[m]);
            }
            proposals_[i].rank = is_first ? 0 : proposals_[i].rank + 1;
            place_of_rank.resize(std::max(place_of_rank.size(), proposals_[i].rank + 1));
            const std::size_t place = place_of_rank[proposals_[i].rank]++;
            // In a long front every 2^k-th comes before those between them.
            std::size_t stride = 0;
            while (place != 0 && (place >> stride & 1U) == 0)
                ++stride;
            order.emplace_back(proposals_[i].rank, place == 0 ? 0 : 64 - stride, i);
        }
        std::ranges::sort(order);
        std::vector<Planned> sorted;
        for (const auto& [rank, stride, i] : order)
            sorted.push_back(std::move(proposals_[i].planned));
        return sorted;
    }

private:
    struct Proposal {
        Planned planned;
        std::size_t rank = 0;  // the number of rounds of better ones
    };

    void add(Planned planned) {
        const auto key = std::tuple(planned.cost, planned.peak, planned.steps.size());
        if (known_.insert(key).second) proposals_.push_back({std::move(planned)});
    }

    // By cost, with ranks.
    void sort() {
        std::ranges::stable_sort(proposals_, {}, [](const Proposal& each) {
            return std::tuple(each.planned.cost, each.planned.peak[1], each.planned.peak[0]);
        });
        std::vector<std::vector<const Proposal*>> fronts;
        const auto is_beaten = [](const Proposal& by, const Proposal& each) {
            return by.planned.peak[0] <= each.planned.peak[0] && by.planned.peak[1] <= each.planned.peak[1];
        };
        for (Proposal& each : proposals_) {
            each.rank = 0;
            while (each.rank < fronts.size() &&
                   std::ranges::any_of(fronts[each.rank],
                                       [&](const Proposal* by) { return is_beaten(*by, each); }))
                ++each.rank;
            if (each.rank == fronts.size()) fronts.emplace_back();
            fronts[each.rank].push_back(&each);
        }
    }

    const PlanModel& model_;
    std::vector<Proposal> proposals_;
    std::set<std::tuple<std::uint64_t, Sizes, std::size_t>> known_;
};

}  // namespace

std::vector<Planned> proposed_plans(const PlanModel& model, std::size_t orders) {
    Proposals proposals(model);
    Runs order(model.units.size());
    std::iota(order.begin(), order.end(), 0U);
    proposals.add_policies(order);
    proposals.add_searched();
    proposals.better(orders / 2);
    for (const std::size_t memory : {std::size_t{1}, std::size_t{0}})
        proposals.add_policies(proposals.order_of_lowest(memory));
    proposals.better(orders / 2);
    return proposals.take();
}

}  // namespace tilemeter::trace
