// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The largest size (batch, sequence) that fits, and the peak as a formula of it: bisection and formula over
// any function of a size. fit_workload.hpp puts them together for a workload that runs; whether a captured
// one fits a device is judge()'s (verdict.hpp).
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilemeter::analysis {

/// The peak at a size; none where the workload fails there (out of memory).
using PeakAtSize = std::function<std::optional<std::uint64_t>(std::int64_t size)>;

struct LargestFit {
    std::optional<std::int64_t> size;           ///< none: not even the smallest fits
    std::optional<std::uint64_t> peak_bytes;    ///< at that size
    std::optional<std::int64_t> first_failing;  ///< none: the largest asked for fits
    std::uint32_t captures = 0;                 ///< calls it took
};
/// By bisection between `smallest` and `largest`, both included. Peaks are taken to grow with the size.
LargestFit largest_fitting(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest,
                           std::uint64_t limit_bytes);

/// peak = bytes_at_begin + slope * (size - begin) for begin <= size <= end, at the sizes that the formula is
/// for.
struct PeakPiece {
    std::int64_t begin = 0, end = 0;
    std::uint64_t bytes_at_begin = 0;
    std::int64_t slope_numerator = 0, slope_denominator = 1;  ///< bytes per unit of size
};
struct PeakFormula {
    /// At which sizes it holds. A device that works in tiles of 32 needs as much for 1 as for 32.
    enum class Sizes : std::uint8_t {
        kSteps,      ///< those that are some `step`s away from the first; pieces are in the size
        kRoundedUp,  ///< all; pieces are in the size rounded up to a multiple of `step`
    };
    std::vector<PeakPiece> pieces;
    std::int64_t step = 1;
    Sizes sizes = Sizes::kSteps;
    std::uint32_t verified = 0;  ///< sizes that were not used for it and came out right
    std::uint32_t captures = 0;
    bool exact = false;    ///< false: no straight pieces were found; pieces is empty then
    bool was_cut = false;  ///< none were found because the time for it was over (peak_sizes.hpp)
    std::optional<std::uint64_t> at(std::int64_t size) const;
    /// "8192 + 2048 * (n - 1)  for 1 <= n <= 96; ...", with "n' = n rounded up to a multiple of 32" behind it
    /// where that is what the pieces are in; or why there are none.
    std::string text(const std::string& variable) const;
};
inline constexpr std::size_t kMostPieces = 64;
/// Finds straight pieces over smallest, smallest + step, ... and checks each at sizes between those it was
/// made from. Gives up where it takes more than `most_pieces`.
PeakFormula peak_formula(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest,
                         std::int64_t step = 1, std::size_t most_pieces = kMostPieces);
/// The same over all sizes rounded up to multiples of `step`; each multiple is checked at both of its ends.
PeakFormula rounded_peak_formula(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest,
                                 std::int64_t step, std::size_t most_pieces = kMostPieces);
/// Few pieces in the size itself, else pieces in whole tiles, else as many pieces in the size as it takes.
PeakFormula simplest_peak_formula(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest);

}  // namespace tilemeter::analysis
