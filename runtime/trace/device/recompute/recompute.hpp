// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A traced function that keeps less: buffers go after their last use. The operands of a call of the way back are made
// again in front of it, by running the calls that made them, instead of being kept from the way forward.
//
//     const auto less = recomputed(*traced, std::array{std::uint32_t{4}});   // what equation 4 makes is made again
//     const auto plan = Executable(less).plan(inputs);                       // its true peak, as analysis::plan_memory() tells
//     const auto results = Executable(less).replay(inputs);                  // the same values, to the bit
//
// The calls are those that were traced, with their programs: nothing is chosen anew. A call runs again only where that makes
// the same values and changes nothing else: what it makes is not returned and not written by others, and what it reads is
// not written in between.
//
// A budget, too, tells which values are made again:
//
//     const RecomputeCurve curve(traced, inputs, &analysis::peaks_of_replay);
//     const RecomputePoint& point = curve.cheapest({.dram_bytes = 600'000});
//     const Executable step(curve.program(point));                           // its true peak is at most 600,000 bytes per bank
//
// Schedules of short functions are searched over all orders of their calls, those of others are proposed by policies and bettered;
// both count sums of bytes. Each that looks worth it is planned on the device's memory, with addresses, holes and the memory of
// programs, and only what that says is in the curve.
//
// Thread safety: const calls may run at the same time; programs run nothing.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "capture/graph/planned_replay.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/recompute/policy.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace {

/// In an equation that runs again: the number of the one in the same graph whose values it makes.
inline constexpr std::string_view kRecomputesAttribute = "recomputes";

/// The equations of its graph whose calls can run again.
std::vector<std::uint32_t> repeatable_equations(const TracedProgram& traced);

/// The function, in which what these equations make is dropped in its longest pause between two uses, and made again; what that
/// needs and is not there as well. All else is freed after its last use. Throws TracingError (kBadArgument) for an equation that is
/// none, or can't run again.
std::shared_ptr<const TracedProgram> recomputed(const TracedProgram& traced,
                                                std::span<const std::uint32_t> equations);

namespace internal {
struct CallUnits;
}

/// Most bytes that may be taken at any time; none: what the device has.
struct RecomputeBudget {
    std::optional<std::uint64_t> l1_bytes;    ///< per core
    std::optional<std::uint64_t> dram_bytes;  ///< per bank
};

/// A call of the traced function that runs more than once.
struct CallAgain {
    std::uint32_t equation = 0;  ///< of the traced graph
    std::uint32_t times = 0;     ///< besides the first
    std::uint64_t bytes = 0;     ///< that it makes again each time, in all banks
    std::uint64_t cost = 0;      ///< each time
};

/// The calls that run again if an equation's values are not kept: its call, and those that make what it needs and is
/// not there any more.
struct Regenerated {
    bool is_possible = false;  ///< the call can run again
    std::uint32_t calls = 0;
    std::uint64_t bytes = 0;  ///< that they make, in all banks
    std::uint64_t cost = 0;   ///< as RecomputePoint::cost
};

/// One schedule, and what it takes.
struct RecomputePoint {
    /// The true peaks: all that is on the device counts, also what the function does not name.
    std::uint64_t l1_bytes = 0, dram_bytes = 0;
    /// The cost of the calls that run again: bytes that their programs read and write, and multiply-adds of products,
    /// 128 for a byte.
    std::uint64_t cost = 0;
    std::vector<CallAgain> again;  ///< by equation
    std::vector<PlanStep> steps;   ///< empty: as it was traced
    bool is_least = false;         ///< no order of the calls costs less within these peaks
};

struct RecomputeOptions {
    std::size_t plans = 200;      ///< schedules that are planned at the most
    std::size_t orders = 20'000;  ///< that are tried at the most to better what policies propose
};

/// The least that any order of the traced calls needs, whatever is made again: the operands and results of one call,
/// the arguments of the function, and other tensors on the device.
struct NeededAtLeast {
    std::uint64_t bytes = 0;
    std::uint64_t given_bytes = 0;          ///< of them
    std::uint64_t beside_bytes = 0;         ///< of them; no business of the function's
    std::optional<std::uint32_t> equation;  ///< with most operands and results; none: nothing has any
};

class RecomputeCurve {
public:
    /// Plans as many schedules as `options` allow, on the memory of the device as it is; `peaks_of` judges the plans. Throws as
    /// Executable and its plan().
    RecomputeCurve(std::shared_ptr<const TracedProgram> traced, std::span<const Tensor> inputs,
                   graph::PeaksOfReplay peaks_of, const RecomputeOptions& options = {});
    ~RecomputeCurve();
    RecomputeCurve(const RecomputeCurve&) = delete;
    RecomputeCurve& operator=(const RecomputeCurve&) = delete;

    /// By cost: those that no other found one beats, which costs no more and has no higher peak.
    const std::vector<RecomputePoint>& points() const { return points_; }
    /// The least cost found within the budget; more room never costs more. Throws TracingError (kBadArgument): the least that any
    /// order keeps, where that is known, or else the least that was found, and what one call needs.
    const RecomputePoint& cheapest(const RecomputeBudget& budget) const;
    /// No order of the calls, whatever is made again, costs less within the budget; none: none keeps it. 0 where that is not known.
    std::optional<std::uint64_t> cost_at_least(const RecomputeBudget& budget) const;
    std::shared_ptr<const TracedProgram> program(const RecomputePoint& point) const;

    /// The cost of a run without recomputation, in the same measure.
    std::uint64_t cost_of_run() const { return cost_of_run_; }
    std::size_t planned() const { return planned_; }    ///< schedules that were planned
    std::size_t proposed() const { return proposed_; }  ///< that there were to plan
    const NeededAtLeast& least_l1() const { return least_l1_; }
    const NeededAtLeast& least_dram() const { return least_dram_; }
    const TracedProgram& traced() const { return *traced_; }

private:
    class Search;
    class Proof;

    std::shared_ptr<const TracedProgram> traced_;
    std::unique_ptr<const internal::CallUnits> units_;
    std::unique_ptr<Proof> proof_;
    std::vector<RecomputePoint> points_;
    std::uint64_t cost_of_run_ = 0;
    std::size_t planned_ = 0, proposed_ = 0;
    NeededAtLeast least_l1_, least_dram_;
};

/// The calls for each of these equations alone, all others' values being kept. REQUIRES: they are of its graph
std::vector<Regenerated> regenerated(const TracedProgram& traced, std::span<const std::uint32_t> equations);

}  // namespace tilemeter::trace
