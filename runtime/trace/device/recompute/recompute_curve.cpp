// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Schedules of a traced function by budget: searched over all orders or proposed by policies, judged by the planner.

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "capture/graph/captured_graph.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/trace/device/recompute/internal/call_units.hpp"
#include "runtime/trace/device/recompute/internal/rewrite.hpp"
#include "runtime/trace/device/recompute/plan_search.hpp"
#include "runtime/trace/device/recompute/recompute.hpp"
#include "runtime/trace/device/replay/executable.hpp"

namespace tilemeter::trace {

namespace {

using internal::CallUnit;
using internal::CallUnits;
using internal::kModelDram;
using internal::kModelL1;
using internal::Slot;
using internal::SlotInfo;
using internal::SlotKind;

// The peaks of a replay, planned on a shadow on which its tables lie as well.
graph::ReplayPeaks planned_peaks(const std::shared_ptr<const TracedProgram>& traced,
                                 std::span<const Tensor> inputs, graph::PeaksOfReplay peaks_of) {
    const PlanningFrame frame;
    const ScopedPlanning planning(frame);
    const Executable executable(traced);
    std::vector<record::BufferRecord> on_device;
    for (const Allocation& each : traced->device()->live_allocations())
        on_device.push_back(each.buffer_record);
    return peaks_of(graph::CapturedGraph(executable.plan(inputs)), on_device);
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

}  // namespace

/// Facts for all budgets: schedules of the least sums, and how sums become true peaks.
class RecomputeCurve::Proof {
public:
    explicit Proof(const PlanModel& model) : front(model) {}

    void note(const Sizes& sums, const Sizes& peaks) {
        ++planned_;
        for (std::size_t m = 0; m < sums.size(); ++m) {
            const std::uint64_t beside = peaks[m] - std::min(peaks[m], sums[m]);
            if (planned_ == 1) beside_[m] = beside;
            are_peaks_[m] = are_peaks_[m] && peaks[m] >= sums[m] && beside_[m] == beside;
        }
    }

    /// None: nothing keeps it.
    std::optional<Sizes> sums_of(const RecomputeBudget& budget) const {
        Sizes sums;
        sums.fill(kAny);
        const auto take = [&](std::size_t m, const std::optional<std::uint64_t>& bytes) {
            if (!bytes || planned_ == 0 || !are_peaks_[m]) return true;
            sums[m] = *bytes - beside_[m];
            return *bytes >= beside_[m];
        };
        if (!take(kModelL1, budget.l1_bytes) || !take(kModelDram, budget.dram_bytes)) return std::nullopt;
        return sums;
    }

    static constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

    PlanFront front;

private:
    std::size_t planned_ = 0;
    // By memory: what the device has beside the sums, and whether that is the same for all schedules that were planned. Of sharded
    // buffers the fullest core may not have all.
    Sizes beside_{};
    std::array<bool, 2> are_peaks_{true, true};
};

class RecomputeCurve::Search {
public:
    Search(RecomputeCurve& curve, std::span<const Tensor> inputs, graph::PeaksOfReplay peaks_of,
           const RecomputeOptions& options)
        : curve_(curve), units_(*curve.units_), inputs_(inputs), peaks_of_(peaks_of), options_(options) {}

    void run() {
        const Planned plain = PolicyPlanner(units_.model).plan({});
        curve_.cost_of_run_ = plain.cost;
        // As it was traced, and with each buffer freed after its last use.
        measure({}, nullptr);
        measure(plain.steps, &plain.peak);
        const bool is_complete = search_all_orders();
        curve_.proposed_ = curve_.planned_;
        if (!is_complete) {
            const std::vector<Planned> proposals = proposed_plans(units_.model, options_.orders);
            curve_.proposed_ += proposals.size();
            for (const Planned& each : proposals) {
                if (!may_plan(1)) break;
                measure(each.steps, &each.peak);
            }
        }
        keep_unbeaten();
        for (RecomputePoint& each : curve_.points_)
            each.is_least = curve_.cost_at_least({each.l1_bytes, each.dram_bytes}) == each.cost;
    }

private:
    enum class Fit : std::uint8_t { kFits, kNotInL1, kNotInDram };

    bool may_plan(std::size_t part) const {
        return curve_.planned_ < std::max<std::size_t>(options_.plans, 2) / part;
    }

    // Short programs: budgets fall from schedule to schedule, first of each memory alone. Whether that was all.
    bool search_all_orders() {
        std::deque<Sizes> budgets{{Proof::kAny, Proof::kAny}};
        std::set<Sizes> seen;
        bool is_complete = true;
        const auto fall = [&](Sizes budget, std::size_t m, const Sizes& sums) {
            if (sums[m] == 0) return;
            budget[m] = sums[m] - 1;
            if (!seen.insert(budget).second) return;
            budget[1 - m] == Proof::kAny ? budgets.push_front(budget) : budgets.push_back(budget);
        };
        std::map<std::size_t, Fit> fits;  // by plan of the front
        while (!budgets.empty()) {
            const Sizes budget = budgets.front();
            budgets.pop_front();
            const bool is_of_both = budget[0] != Proof::kAny && budget[1] != Proof::kAny;
            if (is_of_both && !is_complete) return false;
            const std::optional<PlanFront::Searched> found = curve_.proof_->front.search(budget);
            if (!found) is_complete = false;
            if (!found || !found->plan) continue;
            const Planned plan = curve_.proof_->front.plans()[*found->plan];
            const auto known = fits.find(*found->plan);
            if (known == fits.end() && !may_plan(is_of_both ? 2 : 1)) return false;
            const Fit fit = known != fits.end() ? known->second : measure(plan.steps, &plan.peak);
            fits.emplace(*found->plan, fit);
            if (fit != Fit::kNotInDram) fall(budget, kModelL1, plan.peak);
            if (fit != Fit::kNotInL1) fall(budget, kModelDram, plan.peak);
        }
        return is_complete;
    }

    // `sums`: of the schedule, if it is one of the model's.
    Fit measure(const std::vector<PlanStep>& steps, const Sizes* sums) {
        ++curve_.planned_;
        RecomputePoint point;
        point.steps = steps;
        describe(point);
        try {
            const graph::ReplayPeaks peaks = planned_peaks(curve_.program(point), inputs_, peaks_of_);
            point.l1_bytes = peaks.l1_bytes;
            point.dram_bytes = peaks.dram_bytes;
        } catch (const OutOfMemoryError& error) {
            return error.memory == record::MemoryType::kDram ? Fit::kNotInDram : Fit::kNotInL1;
        } catch (const ProgramMemoryClashError&) {
            return Fit::kNotInL1;
        } catch (const ProgramMemoryExhaustedError&) {
            return Fit::kNotInL1;
        }
        if (sums != nullptr) {
            Sizes peaks;
            peaks[kModelL1] = point.l1_bytes;
            peaks[kModelDram] = point.dram_bytes;
            curve_.proof_->note(*sums, peaks);
        }
        curve_.points_.push_back(std::move(point));
        return Fit::kFits;
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
    const std::span<const Tensor> inputs_;
    const graph::PeaksOfReplay peaks_of_;
    const RecomputeOptions options_;
};

namespace {

// Interleaved buffers lie in all banks; of sharded ones in L1 others may lie on other cores.
NeededAtLeast needed_at_least(const TracedProgram& traced, const CallUnits& units,
                              std::span<const Tensor> inputs, record::MemoryType memory) {
    const internal::Recipe& recipe = traced.recipe();
    NeededAtLeast needed;
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
        if (found == live.end()) return;  // two slots share it
        if (!is_freed[slot] && counts(found->second)) needed.given_bytes += found->second.size_per_bank_bytes;
        live.erase(found);
    };
    for (std::size_t i = 0; i < inputs.size(); ++i)
        add_given(recipe.input_slots[i], inputs[i].buffer());
    for (const auto& [slot, buffer] : recipe.captured)
        add_given(slot, *buffer);
    for (const auto& [id, buffer] : live)
        if (counts(buffer)) needed.beside_bytes += buffer.size_per_bank_bytes;
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
    needed.bytes = most + needed.given_bytes + needed.beside_bytes;
    return needed;
}

// "dram=5 ...": why this memory's budget is not kept; empty if some schedule keeps it.
std::string why_not(const RecomputeCurve& curve, const char* name, const char* unit,
                    std::optional<std::uint64_t> budget, const NeededAtLeast& needed,
                    std::uint64_t RecomputePoint::*peak,
                    std::optional<std::uint64_t> RecomputeBudget::*bytes) {
    if (!budget) return {};
    const auto least = std::ranges::min_element(curve.points(), {}, peak);
    if ((*least).*peak <= *budget) return {};
    const std::string kept =
        " keeps " + std::string(name) + "=" + std::to_string(*budget) + " bytes per " + unit + ": ";
    const std::string found = std::to_string((*least).*peak);
    RecomputeBudget below;
    below.*bytes = (*least).*peak - 1;
    if (!curve.cost_at_least(below))
        return "recompute: no order of the calls" + kept + "the least that one keeps is " + found;
    const std::string begin = "recompute: no schedule that was found" + kept + "the least found is " + found +
                              " (" + std::to_string(curve.planned()) + " of " +
                              std::to_string(curve.proposed()) + " planned)";
    if (!needed.equation) return begin;
    const std::uint64_t of_call = needed.bytes - needed.given_bytes - needed.beside_bytes;
    return begin + ", and none is below " + std::to_string(needed.bytes) + ": " + std::to_string(of_call) +
           " of operands and results of " +
           text_with_source(curve.traced().graph().equation(*needed.equation)) + ", " +
           std::to_string(needed.given_bytes) + " that the function is given and " +
           std::to_string(needed.beside_bytes) + " of other tensors on the device";
}

}  // namespace

RecomputeCurve::RecomputeCurve(std::shared_ptr<const TracedProgram> traced, std::span<const Tensor> inputs,
                               graph::PeaksOfReplay peaks_of, const RecomputeOptions& options)
    : traced_(std::move(traced)),
      units_(std::make_unique<const CallUnits>(internal::units_of(*traced_))),
      proof_(std::make_unique<Proof>(units_->model)) {
    Search(*this, inputs, peaks_of, options).run();
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
                                                   &RecomputePoint::dram_bytes, &RecomputeBudget::dram_bytes);
    if (reason.empty())
        reason = why_not(*this, "l1", "core", budget.l1_bytes, least_l1_, &RecomputePoint::l1_bytes,
                         &RecomputeBudget::l1_bytes);
    if (reason.empty()) {
        const bool is_proven = !cost_at_least(budget);
        reason = "recompute: no " +
                 std::string(is_proven ? "order of the calls" : "schedule that was found") +
                 " keeps l1=" + std::to_string(*budget.l1_bytes) +
                 " bytes per core and dram=" + std::to_string(*budget.dram_bytes) +
                 " bytes per bank at once, though each alone is kept";
        if (!is_proven)
            reason += " (" + std::to_string(planned_) + " of " + std::to_string(proposed_) + " planned)";
    }
    throw TracingError(TracingErrorKind::kBadArgument, reason);
}

std::optional<std::uint64_t> RecomputeCurve::cost_at_least(const RecomputeBudget& budget) const {
    const std::optional<Sizes> sums = proof_->sums_of(budget);
    if (!sums) return std::nullopt;
    const std::optional<std::uint64_t> cost = proof_->front.cost_at_least(*sums);
    if (!cost) return std::nullopt;
    return *cost - std::min(*cost, cost_of_run_);
}

std::shared_ptr<const TracedProgram> RecomputeCurve::program(const RecomputePoint& point) const {
    return point.steps.empty() ? traced_ : internal::rewritten(*traced_, *units_, point.steps);
}

std::vector<Regenerated> regenerated(const TracedProgram& traced, std::span<const std::uint32_t> equations) {
    const CallUnits units = internal::units_of(traced);
    const PolicyPlanner planner(units.model);
    const std::vector<std::uint32_t> unit_of = units.by_equation(traced.graph().equation_count());
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
