// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The peak of a workload at every size of a range, which sizes fit, and where the peak jumps.
//
//     const PeakSizes peaks = peak_sizes([&](std::int64_t batch) { model(inputs(batch)); }, {1, 4096});
//     peaks.largest->size;              // the largest that fits; peaks.next: what the next one meets
//     peaks.at(96)->l1_bytes;           // and whether that was computed or interpolated
//
// Every size is planned (NO_DISPATCH, as fit_workload()) where that takes less than the time given. Else the range is
// halved again and again for half of the time. What lies between two sizes that were planned is interpolated where they
// and a third one between or beside them are on one line, in the size or in the size rounded up to whole tiles.
// Otherwise it is not known. The answer says which is which. Formulas are looked for in what is left of the time.
//
// Thread safety: one call at a time; a capture sees what all threads do.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/gate/fit_workload.hpp"

namespace tilemeter::analysis {

/// Sizes from begin to end, both included.
struct SizeSpan {
    std::int64_t begin = 0, end = 0;
    friend bool operator==(const SizeSpan&, const SizeSpan&) = default;
};
/// "1 to 31, 40": at most `most` of them, then how many more sizes there are.
std::string spans_text(const std::vector<SizeSpan>& spans, std::size_t most = 8);

/// A size at which a peak is another one than at the size before.
struct PeakJump {
    std::int64_t size = 0;
    std::uint64_t from_bytes = 0, to_bytes = 0;
};

/// Sizes between two that were planned, whose peaks are on a line with them: in the size, or in the size rounded up to
/// whole tiles.
struct InterpolatedSpan {
    SizeSpan sizes;
    bool is_l1_in_tiles = false, is_dram_in_tiles = false;
};

/// A peak at one size.
struct PeakAt {
    std::uint64_t l1_bytes = 0;    ///< per core
    std::uint64_t dram_bytes = 0;  ///< per bank
    bool is_computed = false;      ///< false: interpolated
};

struct PeakSizes {
    SizeRange sizes;
    std::vector<WorkloadAtSize> computed;  ///< by size
    std::vector<InterpolatedSpan> interpolated;
    std::vector<SizeSpan> unknown;  ///< between computed ones that are on no line

    std::optional<WorkloadAtSize> largest;  ///< that was seen to fit; none: no computed size fits
    std::optional<WorkloadAtSize>
        next;                       ///< the next larger size, which fails; none: `largest` is the last one
    std::vector<SizeSpan> failing;  ///< computed sizes below `largest` that fail all the same

    PeakFormula
        l1;  ///< of the sizes from the one behind the last failing one below `largest` up to `largest`
    PeakFormula dram;  ///< the same, per bank

    /// True if every size was computed.
    [[nodiscard]] bool is_complete() const { return interpolated.empty() && unknown.empty(); }
    /// None where the size fails, is unknown or is not in the range.
    [[nodiscard]] std::optional<PeakAt> at(std::int64_t size) const;
    /// The first size above `size` with another peak than `size` has, as far as all between them fit and were computed.
    [[nodiscard]] std::optional<PeakJump> next_l1_jump(std::int64_t size) const;
    [[nodiscard]] std::optional<PeakJump> next_dram_jump(std::int64_t size) const;
};

struct PeakSizesOptions {
    double seconds = 5;  ///< for planning; the boundary of what fits is found in any case
    WorkloadBudget budget{};
};

/// Passes on what the workload throws, lack of memory apart.
PeakSizes peak_sizes(const Workload& workload, SizeRange sizes, const PeakSizesOptions& options = {});

/// The answer in lines. `name`: of the size.
std::string text_of(const PeakSizes& peaks, const std::string& name);

}  // namespace tilemeter::analysis
