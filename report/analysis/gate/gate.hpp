// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The gate of a CI: reports against limits, budgets of operations, and what they took before.
//
//     GateReport report = check_report(list, lifetimes, {.budget = {.whole = {.l1 = limit}}});
//     report.outcome;              // within, cannot be judged, exceeded, bad input
//     report.judgement.reasons;    // why
//
// Nothing is within its limits by accident: what a report lacks for the question makes it "cannot be judged",
// and a failed operation does so even where a lower bound is accepted.
//
// L1 is counted per core, DRAM per bank or over all banks: three limits with three names everywhere. Sizes in
// bytes. Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/gate/compare.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/result.hpp"

namespace tilemeter::analysis {

/// From the best to the worst: of several reports the worst counts.
enum class GateOutcome : std::uint8_t { kWithin, kCannotBeJudged, kExceeded, kBadInput };
/// "within the limits", "cannot be judged", "exceeded", "bad input"
const char* words_of(GateOutcome outcome);

/// As given: bytes, or shares of what can be allocated on the report's device.
struct GateLimits {
    std::optional<SizeLimit> l1;          ///< max_l1, per core
    std::optional<SizeLimit> dram;        ///< max_dram_per_bank
    std::optional<SizeLimit> dram_total;  ///< max_dram_total, over all banks
    bool any() const { return l1 || dram || dram_total; }
};

struct Budget {
    GateLimits whole;
    /// Peaks while an outermost operation of that name is open, by name.
    std::map<std::string, GateLimits> operations;
};
/// {"max_l1": "1 MiB", "max_dram_per_bank": .., "max_dram_total": ..,
///  "operations": {"ttnn.matmul": {"max_l1": ..}}}
/// A limit is a number of bytes or a text as parse_size_limit takes it.
report::Result<Budget> read_budget(const std::filesystem::path& file);
/// The error in a name of limits; "max_dram", which once meant two things, names the two.
std::string no_such_limit(std::string_view name);

/// The growth of a peak that is allowed: a share of that, or bytes.
struct GrowthLimit {
    double percent = 0;
    std::optional<std::uint64_t> bytes;
    /// The largest peak that is no growth.
    std::uint64_t allowed(std::uint64_t before) const;
};
/// "2%", "0", "64 KiB"
report::Result<GrowthLimit> parse_growth(std::string_view text);

enum class GrowthAnswer : std::uint8_t { kWithin, kBeyond, kUnknown };
/// Never surer than the figures: what is at least so much may be more. With `accept_incomplete` figures count
/// as they are, but not against those of a capture that recorded more, or less.
GrowthAnswer judge_growth(const MemoryUse& before, const MemoryUse& after, const GrowthLimit& limit,
                          bool accept_incomplete);

/// The peaks of an earlier report: from the earlier report, or from what `check --json` said of it.
struct Baseline {
    std::string file;
    std::string report;  ///< its name in the answer of an earlier check; empty: `file` is the report
    std::string device;  ///< empty: not known
    bool has_operations = true;
    bool is_damaged = false;  ///< ListSource::is_damaged()
    MemoryUse l1, dram;
    /// Null where only figures are known. Must outlive the call of check_report.
    const NodeList* list = nullptr;
    const MemoryLifetimes* lifetimes = nullptr;
};
Baseline baseline_of(const NodeList& list, const MemoryLifetimes& lifetimes);
/// Those of the answer of an earlier check; an Error where it is none.
report::Result<std::vector<Baseline>> read_baselines(const std::filesystem::path& file);

struct GateQuestion {
    Budget budget;
    /// The baseline is asked about where this is set.
    std::optional<GrowthLimit> growth = {};
    bool accept_incomplete = false;
};

struct OperationUse {
    std::string operation;
    std::uint64_t calls = 0;
    MemoryUse l1, dram, dram_total;  ///< while one is open
};

struct BaselineUse {
    std::string file;
    MemoryUse l1, dram;  ///< before
    GrowthAnswer l1_growth = GrowthAnswer::kUnknown;
    GrowthAnswer dram_growth = GrowthAnswer::kUnknown;
    std::vector<Growth> grown;  ///< operations whose memory grew most; none where not known
};

struct GateReport {
    std::string file;
    GateOutcome outcome = GateOutcome::kBadInput;
    Judgement judgement;                                    ///< verdict, reasons, peaks against the limits
    std::string l1_source, dram_source, dram_total_source;  ///< "model.py:51" of the first beyond
    std::vector<OperationUse> operations;
    std::optional<BaselineUse> baseline;
    std::string error;  ///< kBadInput: the line
};
/// `baseline` null: there is none, which cannot be judged where growth is asked about.
GateReport check_report(const NodeList& list, const MemoryLifetimes& lifetimes, const GateQuestion& question,
                        const Baseline* baseline = nullptr);
GateReport bad_report(std::string file, std::string error);

struct GateAnswer {
    GateOutcome outcome = GateOutcome::kWithin;
    Verdict verdict = Verdict::kUnknown;
    std::vector<Reason> reasons;  ///< of the worst report, the first of them
    std::vector<GateReport> reports;
    std::vector<std::string> left_out;  ///< files of folders that are no reports, and why
};
/// A budget of an operation that is in none of the reports is a mistake that would stay green: it cannot be
/// judged. So are reports that the baseline has and nobody asks about (`missing`).
GateAnswer gather(std::vector<GateReport> reports, const GateQuestion& question,
                  const std::vector<std::string>& missing = {});

}  // namespace tilemeter::analysis
