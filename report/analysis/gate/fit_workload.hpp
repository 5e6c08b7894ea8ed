// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The largest size of a workload Of a workload that is a function of a size (batch, sequence), asked by running it in
// NO_DISPATCH captures: nothing is computed or allocated, and what the device would refuse is refused.
//
//     const WorkloadFit fit = fit_workload([&](std::int64_t batch) { model(inputs(batch)); }, {1, 4096});
//     fit.largest->size;            // the largest batch that fits
//     fit.first_failing->message;   // what the next one meets
//     fit.l1.text("batch");         // "24576 + 2048 * (batch - 1)  for 1 <= batch <= 96; ..."
//
// Only the workload's own memory counts: tensors it finds on the device (weights) occupy it, but stand in the peaks
// only if the workload uses them. It has to be repeatable: nothing of one call may be left on the device when the next
// begins.
//
// Thread safety: one call at a time; a capture sees what all threads do.

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "report/analysis/gate/fit.hpp"
#include "report/analysis/memory/failure.hpp"

namespace tilemeter::analysis {

/// Runs the workload at a size. What it throws for lack of memory (failure.hpp knows the wordings) means that
/// the size does not fit; everything else it throws is passed on.
using Workload = std::function<void(std::int64_t size)>;

/// One size, run once.
struct WorkloadAtSize {
    std::int64_t size = 0;
    bool fits = false;                         ///< it ran, within the budget
    std::uint64_t l1_bytes = 0;                ///< peak per core; up to the failure where it failed
    std::uint64_t dram_bytes = 0;              ///< peak per bank
    std::string operation;                     ///< the place of the failure, or of the fullest L1; a path
    FailureCause cause = FailureCause::kNone;  ///< why it does not fit
    std::string message;  ///< the runtime's, where it failed; of what is larger than the device, ours
};
WorkloadAtSize run_at_size(const Workload& workload, std::int64_t size);

/// Sizes from `smallest` to `largest`, both included.
struct SizeRange {
    std::int64_t smallest = 1;
    std::int64_t largest = 4096;
};

/// Limits of the asker's own; the device's hold anyway.
struct WorkloadBudget {
    std::uint64_t l1_bytes = std::numeric_limits<std::uint64_t>::max();    ///< per core
    std::uint64_t dram_bytes = std::numeric_limits<std::uint64_t>::max();  ///< per bank
};

struct WorkloadFit {
    std::optional<WorkloadAtSize> largest;        ///< none: not even the smallest fits
    std::optional<WorkloadAtSize> first_failing;  ///< the next larger size; none: all fit
    /// Some larger size failed and yet `largest` fits, or the other way: operations choose other programs at
    /// other sizes. `largest` is the largest that was seen to fit.
    bool fits_above_failures = false;
    PeakFormula l1;  ///< per core, from the smallest size to the largest that fits
    PeakFormula dram;
    std::uint32_t captures = 0;
};
/// Finds the largest size by bisection, then looks at `kProbesAbove` sizes above it, since not every workload
/// needs more memory for more work. Peaks are formulas in the size, or in the size rounded up to whole tiles
/// where only that gives straight pieces.
WorkloadFit fit_workload(const Workload& workload, SizeRange sizes, WorkloadBudget budget = {});
inline constexpr std::int64_t kProbesAbove = 16;

}  // namespace tilemeter::analysis
