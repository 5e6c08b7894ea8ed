// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/fit_workload.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "capture/graph/graph_processor.hpp"
#include "capture/log/log.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/device_limits.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/nodes/load.hpp"

namespace tilemeter::analysis {
namespace {

/// Notes that a peak is beyond what is there: "4096 bytes of L1 per core, the device has 1024".
void refuse(WorkloadAtSize& result, FailureCause cause, std::uint64_t bytes, std::string_view memory,
            const std::string& limit) {
    result.fits = false;
    result.cause = cause;
    result.message = std::to_string(bytes) + " bytes " + std::string(memory) + ", " + limit;
}

/// Failures: the innermost function that was left; else where L1 was fullest.
void describe(const NodeList& list, WorkloadAtSize& result) {
    const MemoryLifetimes lifetimes = find_lifetimes(list);
    const PeakMoments peak = find_peak_moments(lifetimes);
    result.l1_bytes = peak.l1.bytes;
    result.dram_bytes = peak.dram.bytes;
    const auto path_at = [&](std::uint32_t node) {
        return node < lifetimes.scopes.of_node.size()
                   ? lifetimes.scopes.path(list, lifetimes.scopes.of_node[node])
                   : std::string();
    };
    result.operation = path_at(peak.l1.node);
    // A tensor that is larger than a whole bank is traced without a place, and nothing is thrown.
    if (const auto limits = limits_of(list, lifetimes, 0); result.fits && limits) {
        const auto require_room = [&](const PeakMoment& moment, std::uint64_t room, std::string_view memory) {
            if (!result.fits || room == 0 || moment.bytes <= room) return;
            refuse(result, FailureCause::kNeverFits, moment.bytes, memory,
                   "the device has " + std::to_string(room));
            result.operation = path_at(moment.node);
        };
        require_room(peak.l1, limits->l1_bytes - limits->l1_small_bytes, "of L1 per core");
        require_room(peak.dram, limits->dram_bank_bytes, "of DRAM per bank");
        if (!result.fits) return;
    }
    if (result.message.empty()) return;
    const auto failures = find_failures(list, lifetimes.scopes);
    if (!failures.empty()) result.operation = failures.back().operation;
}

/// Remembers every size that was asked for: bisection and both formulas come back to the same ones.
class Trials {
public:
    Trials(const Workload& workload, const WorkloadBudget& budget) : workload_(workload), budget_(budget) {}

    const WorkloadAtSize& at(std::int64_t size) {
        const auto known = known_.find(size);
        if (known != known_.end()) return known->second;
        WorkloadAtSize trial = run_at_size(workload_, size);
        const auto require_allowed = [&](std::uint64_t bytes, std::uint64_t allowed,
                                         std::string_view memory) {
            if (trial.fits && bytes > allowed)
                refuse(trial, FailureCause::kExhausted, bytes, memory, std::to_string(allowed) + " allowed");
        };
        require_allowed(trial.l1_bytes, budget_.l1_bytes, "of L1 per core");
        require_allowed(trial.dram_bytes, budget_.dram_bytes, "per bank of DRAM");
        return known_.emplace(size, std::move(trial)).first->second;
    }
    bool fits(std::int64_t size) { return at(size).fits; }

    PeakAtSize peak(std::uint64_t WorkloadAtSize::*memory) {
        return [this, memory](std::int64_t size) -> std::optional<std::uint64_t> {
            const WorkloadAtSize& trial = at(size);
            return trial.fits ? std::optional(trial.*memory) : std::nullopt;
        };
    }

    /// A size that fits although a smaller one does not.
    bool has_gap() const {
        bool failed = false;
        for (const auto& [size, trial] : known_) {
            if (trial.fits && failed) return true;
            failed = failed || !trial.fits;
        }
        return false;
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(known_.size()); }

private:
    const Workload& workload_;
    const WorkloadBudget budget_;
    std::map<std::int64_t, WorkloadAtSize> known_;
};

/// The largest size that fits between one that does (or smallest - 1) and one that does not (or largest + 1).
std::int64_t bisect(Trials& trials, std::int64_t good, std::int64_t bad) {
    while (bad - good > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (trials.fits(middle) ? good : bad) = middle;
    }
    return good;
}

/// smallest - 1 if none fits.
std::int64_t largest_size(Trials& trials, SizeRange sizes) {
    if (trials.fits(sizes.largest)) return sizes.largest;
    std::int64_t good = bisect(trials, sizes.smallest - 1, sizes.largest);
    // Spread evenly over what is above; each that fits starts the search anew, which ends since it is larger.
    for (std::int64_t probe = kProbesAbove; probe >= 1; --probe) {
        const std::int64_t above = sizes.largest - good;
        const std::int64_t size =
            good + (above / kProbesAbove * probe) + above % kProbesAbove * probe / kProbesAbove;
        if (size <= good || size >= sizes.largest || !trials.fits(size)) continue;
        good = bisect(trials, size, sizes.largest);
        probe = kProbesAbove + 1;
    }
    return good;
}

}  // namespace

WorkloadAtSize run_at_size(const Workload& workload, std::int64_t size) {
    WorkloadAtSize result;
    result.size = size;
    graph::CaptureOptions options;
    options.mode = graph::RunMode::NO_DISPATCH;
    options.detail = record::Detail::kEvents;  // no arguments of functions, of which nothing is asked
    graph::ScopedGraphCapture capture(options);
    try {
        workload(size);
        result.fits = true;
    } catch (const std::exception& error) {
        const FailureCause cause = read_failure_message(error.what()).cause;
        if (!is_lack_of_memory(cause)) throw;
        result.cause = cause;
        result.message = error.what();
    }
    describe(node_list_of(capture.end_capture()), result);
    logging::debug({"size ", size, result.fits ? " fits" : " does not fit", ", peak of L1 per core ",
                    result.l1_bytes, ", of DRAM per bank ", result.dram_bytes});
    return result;
}

WorkloadFit fit_workload(const Workload& workload, SizeRange sizes, WorkloadBudget budget) {
    WorkloadFit answer;
    if (sizes.largest < sizes.smallest) return answer;
    Trials trials(workload, budget);
    const std::int64_t largest = largest_size(trials, sizes);
    if (largest < sizes.largest) answer.first_failing = trials.at(largest + 1);
    if (largest >= sizes.smallest) {
        answer.largest = trials.at(largest);
        answer.l1 = simplest_peak_formula(trials.peak(&WorkloadAtSize::l1_bytes), sizes.smallest, largest);
        answer.dram =
            simplest_peak_formula(trials.peak(&WorkloadAtSize::dram_bytes), sizes.smallest, largest);
    }
    answer.fits_above_failures = trials.has_gap();
    answer.captures = trials.count();
    return answer;
}

}  // namespace tilemeter::analysis
