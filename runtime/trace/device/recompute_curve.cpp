// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules of a traced function by budget: proposed by policies, judged by the planner.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "capture/graph/captured_graph.hpp"
#include "report/analysis/load.hpp"
#include "report/analysis/peak.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/trace/device/executable.hpp"
#include "runtime/trace/device/internal/call_units.hpp"
#include "runtime/trace/device/internal/rewrite.hpp"
#include "runtime/trace/device/recompute.hpp"

namespace tilemeter::trace {

namespace {

using internal::CallUnit;
using internal::CallUnits;
using internal::kModelDram;
using internal::kModelL1;
using internal::Slot;
using internal::SlotInfo;
using internal::SlotKind;

struct Peaks {
    std::uint64_t l1 = 0, dram = 0;
};

// Of a replay, planned on a shadow on which its tables lie as well.
Peaks planned_peaks(const std::shared_ptr<const TracedProgram>& traced, std::span<const Tensor> inputs) {
    const PlanningFrame frame;
    const ScopedPlanning planning(frame);
    const Executable executable(traced);
    const std::vector<Allocation> live = traced->device()->live_allocations();
    const graph::CapturedGraph planned(executable.plan(inputs));
    const analysis::NodeList list = analysis::node_list_of(planned);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list);
    const analysis::PeakAnswer peak = analysis::find_peak(list, lifetimes);
    Peaks peaks{peak.l1() == nullptr ? 0 : peak.l1()->bytes, peak.dram() == nullptr ? 0 : peak.dram()->bytes};
    // A capture of a run would count these, too.
    std::set<std::pair<record::MemoryType, std::uint64_t>> named;
    for (const analysis::BufferLifetime& each : lifetimes.buffers)
        if (each.before_window) named.emplace(each.memory, each.address.size_bytes());
    for (const Allocation& each : live) {
        const record::BufferRecord& buffer = each.buffer_record;
        if (named.contains({buffer.memory, buffer.address})) continue;
        (buffer.memory == record::MemoryType::kDram ? peaks.dram : peaks.l1) += buffer.size_per_bank_bytes;
    }
    return peaks;
}

std::uint64_t bytes_made(const CallUnits& units, const internal::Recipe& recipe, std::uint32_t unit) {
    std::uint64_t bytes = 0;
    for (const std::uint32_t value : units.model.units[unit].makes)
        bytes += recipe.slots[units.slots[value]].plan.buffer_record.size_bytes;
    return bytes;
}

bool beats(const RecomputePoint& a, const RecomputePoint& b) {
    return a.cost <= b.cost && a.l1_bytes <= b.l1_bytes && a.dram_bytes <= b.dram_bytes;
}

std::string where(const TracedProgram& traced, std::uint32_t number) {
    const ir::Equation equation = traced.graph().equation(number);
    const ir::Location& location = equation.location();
    return equation.operation() +
           (location.file.empty() ? "" : " at " + location.file + ":" + std::to_string(location.line));
}

}  // namespace

class RecomputeCurve::Search {
public:
    Search(RecomputeCurve& curve, std::span<const Tensor> inputs, const RecomputeOptions& options)
        : curve_(curve), units_(*curve.units_), planner_(units_.model), inputs_(inputs), options_(options) {}

    void run() {
        const Planned plain = planner_.plan({});
        curve_.cost_of_run_ = plain.cost;
        // As it was traced, and with each buffer freed after its last use.
        measure({});
        add({}, plain);
        propose();
        thin();
        curve_.proposed_ = proposals_.size() + 1;
        for (const Proposal& each : proposals_) {
            if (curve_.planned_ >= std::max<std::size_t>(options_.plans, 2)) break;
            measure(each.planned.steps);
        }
        keep_unbeaten();
    }

private:
    struct Proposal {
        Policy policy;
        Planned planned;
        std::size_t rank = 0;  // how many rounds of better ones there are
    };

    void add(const Policy& policy, Planned planned) {
        const auto key = std::tuple(planned.cost, planned.peak, planned.steps.size());
        if (known_.insert(key).second) proposals_.push_back({policy, std::move(planned)});
    }

    void propose() {
        std::array<std::vector<Policy>, 2> found;
        for (const std::size_t memory : {kModelDram, kModelL1}) {
            const bool has_any = std::ranges::any_of(units_.model.values, [&](const PlanValue& each) {
                return each.size[memory] != 0 && units_.model.units[each.unit].can_repeat;
            });
            if (!has_any) continue;
            for (const bool keeps_made : {true, false})
                for (const double weight : {0.0, 0.5, 1.0, 2.0})
                    for (Policy& each : falling_policies(planner_, {.memory = memory,
                                                                   .keeps_made = keeps_made,
                                                                   .weight_of_cost = weight,
                                                                   .candidates = 12})) {
                        add(each, planner_.plan(each));
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
                Planned planned = planner_.plan(both);
                add(both, std::move(planned));
            }
    }

    // Those come first that no other beats by its sums, then those that only these beat, and so on; spread over costs.
    void thin() {
        std::ranges::stable_sort(proposals_, {}, [](const Proposal& each) {
            return std::tuple(each.planned.cost, each.planned.peak[kModelDram], each.planned.peak[kModelL1]);
        });
        std::vector<std::vector<const Proposal*>> fronts;
        const auto is_beaten = [](const Proposal& by, const Proposal& each) {
            return by.planned.peak[kModelDram] <= each.planned.peak[kModelDram] &&
                   by.planned.peak[kModelL1] <= each.planned.peak[kModelL1];
        };
        for (Proposal& each : proposals_) {
            while (each.rank < fronts.size() &&
                   std::ranges::any_of(fronts[each.rank],
                                       [&](const Proposal* by) { return is_beaten(*by, each); }))
                ++each.rank;
            if (each.rank == fronts.size()) fronts.emplace_back();
            fronts[each.rank].push_back(&each);
        }
        std::vector<std::size_t> place_of_rank(fronts.size());
        std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> order;  // rank, stride, index
        for (std::size_t i = 0; i < proposals_.size(); ++i) {
            const std::size_t place = place_of_rank[proposals_[i].rank]++;
            // Of a long front every 2^k-th comes before those between them.
            std::size_t stride = 0;
            while (place != 0 && (place >> stride & 1U) == 0)
                ++stride;
            order.emplace_back(proposals_[i].rank, place == 0 ? 0 : 64 - stride, i);
        }
        std::ranges::sort(order);
        std::vector<Proposal> sorted;
        for (const auto& [rank, stride, i] : order)
            sorted.push_back(std::move(proposals_[i]));
        proposals_ = std::move(sorted);
    }

    void measure(const std::vector<PlanStep>& steps) {
        ++curve_.planned_;
        RecomputePoint point;
        point.steps = steps;
        describe(point);
        try {
            const Peaks peaks = planned_peaks(curve_.program(point), inputs_);
            point.l1_bytes = peaks.l1;
            point.dram_bytes = peaks.dram;
        } catch (const OutOfMemoryError&) {
            return;  // that schedule does not fit on the device
        } catch (const ProgramMemoryClashError&) {
            return;
        }
        curve_.points_.push_back(std::move(point));
    }

    void describe(RecomputePoint& point) {
        std::map<std::uint32_t, std::uint32_t> runs;
        for (const PlanStep& each : point.steps)
            if (!each.is_drop) ++runs[each.index];
        for (const auto& [unit, count] : runs) {
            if (count == 1) continue;
            const std::uint64_t cost = units_.model.units[unit].cost;
            point.again.push_back({units_.units[unit].equation, count - 1,
                                   bytes_made(units_, curve_.traced_->recipe(), unit), cost});
            point.cost += cost * (count - 1);
        }
    }

    void keep_unbeaten() {
        std::ranges::stable_sort(curve_.points_, {}, [](const RecomputePoint& each) {
            return std::tuple(each.cost, each.dram_bytes, each.l1_bytes);
        });
        std::vector<RecomputePoint> kept;
        for (RecomputePoint& each : curve_.points_)
            if (std::ranges::none_of(kept, [&](const RecomputePoint& by) { return beats(by, each); }))
                kept.push_back(std::move(each));
        curve_.points_ = std::move(kept);
    }

    RecomputeCurve& curve_;
    const CallUnits& units_;
    const PolicyPlanner planner_;
    const std::span<const Tensor> inputs_;
    const RecomputeOptions options_;
    std::vector<Proposal> proposals_;
    std::set<std::tuple<std::uint64_t, Sizes, std::size_t>> known_;
};

namespace {

// Interleaved buffers lie in all banks; of sharded ones in L1 others may lie on other cores.
NeededAtLeast needed_at_least(const TracedProgram& traced, const CallUnits& units,
                              std::span<const Tensor> inputs, record::MemoryType memory) {
    const internal::Recipe& recipe = traced.recipe();
    NeededAtLeast needed;
    std::set<Slot> given;
    std::vector<bool> is_freed(recipe.slots.size());
    for (const internal::Step& each : recipe.steps)
        if (each.kind == internal::StepKind::kFree) is_freed[each.index] = true;
    const auto counts = [memory](const record::BufferRecord& buffer) {
        return buffer.memory == memory && (memory == record::MemoryType::kDram || buffer.num_cores == 0);
    };
    std::map<record::BufferId, record::BufferRecord> live;
    for (const Allocation& each : traced.device()->live_allocations())
        live.emplace(each.buffer_record.buffer, each.buffer_record);
    const auto add_given = [&](Slot slot, const Buffer& buffer) {
        const auto found = live.find(buffer.id());
        if (found == live.end() || is_freed[slot] || !counts(found->second)) return;
        if (given.insert(slot).second) needed.given_bytes += found->second.size_per_bank_bytes;
    };
    for (std::size_t i = 0; i < inputs.size(); ++i)
        add_given(recipe.input_slots[i], inputs[i].buffer());
    for (const auto& [slot, buffer] : recipe.captured)
        add_given(slot, *buffer);
    std::uint64_t most = 0;
    for (const CallUnit& unit : units.units) {
        if (unit.equation == CallUnit::kNone) continue;
        for (std::uint32_t i = unit.first_step; i < unit.last_step; ++i) {
            if (recipe.steps[i].kind != internal::StepKind::kProgram) continue;
            const internal::ProgramRun& run = recipe.programs[recipe.steps[i].index];
            std::set<Slot> used(run.results.begin(), run.results.end());
            for (const internal::Operand& each : run.operands)
                used.insert(each.slot);
            std::uint64_t bytes = 0;
            for (const Slot each : used) {
                const SlotInfo& info = recipe.slots[each];
                if (info.kind == SlotKind::kMade && counts(info.plan.buffer_record))
                    bytes += info.plan.buffer_record.size_per_bank_bytes;
            }
            if (bytes <= most) continue;
            most = bytes;
            needed.equation = unit.equation;
        }
    }
    needed.bytes = most + needed.given_bytes;
    return needed;
}

// "dram=5 ...": why this memory's budget is not kept; empty if some schedule keeps it.
std::string why_not(const RecomputeCurve& curve, const char* name, const char* unit,
                    std::optional<std::uint64_t> budget, const NeededAtLeast& needed,
                    std::uint64_t RecomputePoint::*peak) {
    if (!budget) return {};
    const auto least = std::ranges::min_element(curve.points(), {}, peak);
    if ((*least).*peak <= *budget) return {};
    const std::string begin = "recompute: no schedule that was found keeps " + std::string(name) + "=" +
                              std::to_string(*budget) + " bytes per " + unit + ": the least found is " +
                              std::to_string((*least).*peak) + " (" + std::to_string(curve.planned()) +
                              " of " + std::to_string(curve.proposed()) + " planned)";
    if (!needed.equation) return begin;
    return begin + ", and none is below " + std::to_string(needed.bytes) + ": " +
           std::to_string(needed.bytes - needed.given_bytes) + " of operands and results of " +
           where(curve.traced(), *needed.equation) + " and " + std::to_string(needed.given_bytes) +
           " that the function is given";
}

}  // namespace

RecomputeCurve::RecomputeCurve(std::shared_ptr<const TracedProgram> traced, std::span<const Tensor> inputs,
                               const RecomputeOptions& options)
    : traced_(std::move(traced)), units_(std::make_unique<const CallUnits>(internal::units_of(*traced_))) {
    Search(*this, inputs, options).run();
    least_l1_ = needed_at_least(*traced_, *units_, inputs, record::MemoryType::kL1);
    least_dram_ = needed_at_least(*traced_, *units_, inputs, record::MemoryType::kDram);
}

RecomputeCurve::~RecomputeCurve() = default;

const RecomputePoint& RecomputeCurve::cheapest(const RecomputeBudget& budget) const {
    for (const RecomputePoint& each : points_) {
        if (budget.l1_bytes && each.l1_bytes > *budget.l1_bytes) continue;
        if (budget.dram_bytes && each.dram_bytes > *budget.dram_bytes) continue;
        return each;
    }
    std::string reason = points_.empty() ? "recompute: no schedule that was found fits on the device (" +
                                               std::to_string(planned_) + " planned)"
                                         : why_not(*this, "dram", "bank", budget.dram_bytes, least_dram_,
                                                   &RecomputePoint::dram_bytes);
    if (reason.empty())
        reason = why_not(*this, "l1", "core", budget.l1_bytes, least_l1_, &RecomputePoint::l1_bytes);
    if (reason.empty())
        reason = "recompute: no schedule that was found keeps l1=" + std::to_string(*budget.l1_bytes) +
                 " bytes per core and dram=" + std::to_string(*budget.dram_bytes) +
                 " bytes per bank at once, though each alone is kept (" + std::to_string(planned_) + " of " +
                 std::to_string(proposed_) + " planned)";
    throw TracingError(TracingErrorKind::kBadArgument, reason);
}

std::shared_ptr<const TracedProgram> RecomputeCurve::program(const RecomputePoint& point) const {
    return point.steps.empty() ? traced_ : internal::rewritten(*traced_, *units_, point.steps);
}

std::vector<Regenerated> regenerated(const TracedProgram& traced, std::span<const std::uint32_t> equations) {
    const CallUnits units = internal::units_of(traced);
    const PolicyPlanner planner(units.model);
    std::vector<std::uint32_t> unit_of(traced.graph().equation_count(), CallUnit::kNone);
    for (std::uint32_t i = 0; i < units.units.size(); ++i)
        if (units.units[i].equation != CallUnit::kNone) unit_of[units.units[i].equation] = i;
    std::vector<Regenerated> all;
    for (const std::uint32_t equation : equations) {
        Regenerated& each = all.emplace_back();
        const std::uint32_t unit = unit_of[equation];
        if (unit == CallUnit::kNone || !units.units[unit].can_repeat) continue;
        Policy policy{std::vector<bool>(units.model.values.size())};
        for (const std::uint32_t value : units.model.units[unit].makes)
            policy.is_evicted[value] = true;
        std::vector<bool> has_run(units.units.size());
        each.is_possible = true;
        for (const PlanStep& step : planner.plan(policy).steps) {
            if (step.is_drop) continue;
            const bool is_again = has_run[step.index];
            has_run[step.index] = true;
            if (!is_again) continue;
            ++each.calls;
            each.bytes += bytes_made(units, traced.recipe(), step.index);
            each.cost += units.model.units[step.index].cost;
        }
    }
    return all;
}

}  // namespace tilemeter::trace
