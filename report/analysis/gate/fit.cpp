// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/fit.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tilemeter::analysis {
namespace {

/// Remembers what was measured: bisection and formula come back to the same sizes.
class Measured {
public:
    explicit Measured(const PeakAtSize& peak_at) : peak_at_(peak_at) {}
    std::optional<std::uint64_t> at(std::int64_t size) {
        const auto known = known_.find(size);
        if (known != known_.end()) return known->second;
        return known_[size] = peak_at_(size);
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(known_.size()); }

private:
    const PeakAtSize& peak_at_;
    std::map<std::int64_t, std::optional<std::uint64_t>> known_;
};

std::optional<std::uint64_t> value_of(const PeakPiece& piece, std::int64_t size) {
    const std::int64_t rise = piece.slope_numerator * (size - piece.begin);
    if (rise % piece.slope_denominator != 0) return {};
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(piece.bytes_at_begin) +
                                      rise / piece.slope_denominator);
}

/// The measured peak at the size first + index * step.
using PeakAtIndex = std::function<std::optional<std::uint64_t>(std::int64_t index)>;

class FormulaFinder {
public:
    FormulaFinder(PeakAtIndex peak_at, std::int64_t first, std::int64_t step, std::size_t most_pieces)
        : peak_at_(std::move(peak_at)), first_(first), step_(step), most_pieces_(most_pieces) {}

    PeakFormula run(std::int64_t last) {
        PeakFormula formula;
        formula.step = step_;
        std::int64_t begin = 0;
        formula.exact = last >= 0;
        while (begin <= last && formula.exact) {
            const auto piece =
                formula.pieces.size() == most_pieces_ ? std::nullopt : longest_piece(begin, last);
            formula.exact = piece.has_value();
            if (!piece) break;
            formula.pieces.push_back(*piece);
            begin = (piece->end - first_) / step_ + 1;
        }
        if (!formula.exact) formula.pieces.clear();
        formula.verified = static_cast<std::uint32_t>(verified_.size());
        return formula;
    }

private:
    std::int64_t size(std::int64_t index) const { return first_ + index * step_; }

    // Grows the piece by doubling while it is straight, then bisects to where it breaks.
    std::optional<PeakPiece> longest_piece(std::int64_t begin, std::int64_t last) {
        const auto first = peak_at_(begin);
        if (!first) return {};
        PeakPiece piece{size(begin), size(begin), *first, 0, 1};
        if (begin == last) return piece;
        const auto second = peak_at_(begin + 1);
        if (!second) return {};
        const auto rise = static_cast<std::int64_t>(*second) - static_cast<std::int64_t>(*first);
        const std::int64_t divisor = std::max<std::int64_t>(1, std::gcd(rise, step_));
        piece.slope_numerator = rise / divisor;
        piece.slope_denominator = step_ / divisor;
        std::int64_t good = begin + 1;
        std::int64_t stride = 1;
        std::int64_t bad = last + 1;
        while (good < last) {
            const std::int64_t probe = std::min(good + stride, last);
            if (!is_on(piece, good, probe)) {
                bad = probe;
                break;
            }
            good = probe;
            stride *= 2;
        }
        while (bad <= last && bad - good > 1) {
            const std::int64_t middle = good + (bad - good) / 2;
            (is_on(piece, good, middle) ? good : bad) = middle;
        }
        piece.end = size(good);
        return piece;
    }

    // At the probe and between: a staircase meets a line at single points, too.
    bool is_on(const PeakPiece& piece, std::int64_t good, std::int64_t probe) {
        const std::int64_t between = good + (probe - good) / 2;
        for (const std::int64_t index : {probe, between, std::max(good, probe - 1)}) {
            const auto measured = peak_at_(index);
            if (!measured || measured != value_of(piece, size(index))) return false;
            if (index > good) verified_.insert(index);
        }
        return true;
    }

    const PeakAtIndex peak_at_;
    const std::int64_t first_;
    const std::int64_t step_;
    const std::size_t most_pieces_;
    std::set<std::int64_t> verified_;
};

std::int64_t rounded_up(std::int64_t size, std::int64_t step) {
    return (size + step - 1) / step * step;
}

}  // namespace

LargestFit largest_fitting(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest,
                           std::uint64_t limit_bytes) {
    Measured measured(peak_at);
    LargestFit answer;
    const auto fits = [&](std::int64_t size) {
        const auto peak = measured.at(size);
        return peak && *peak <= limit_bytes;
    };
    std::int64_t good = smallest - 1;
    std::int64_t bad = largest + 1;
    if (smallest <= largest && fits(largest)) {
        good = largest;
    } else {
        while (bad - good > 1) {
            const std::int64_t middle = good + (bad - good) / 2;
            (fits(middle) ? good : bad) = middle;
        }
    }
    if (good >= smallest) {
        answer.size = good;
        answer.peak_bytes = measured.at(good);
    }
    if (good < largest) answer.first_failing = good + 1;
    answer.captures = measured.count();
    return answer;
}

PeakFormula peak_formula(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest,
                         std::int64_t step, std::size_t most_pieces) {
    Measured measured(peak_at);
    step = std::max<std::int64_t>(step, 1);
    const auto at_index = [&](std::int64_t index) { return measured.at(smallest + index * step); };
    const std::int64_t last = largest < smallest ? -1 : (largest - smallest) / step;
    PeakFormula formula = FormulaFinder(at_index, smallest, step, most_pieces).run(last);
    formula.captures = measured.count();
    return formula;
}

PeakFormula rounded_peak_formula(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest,
                                 std::int64_t step, std::size_t most_pieces) {
    Measured measured(peak_at);
    step = std::max<std::int64_t>(step, 1);
    const std::int64_t first = rounded_up(smallest, step);
    const auto at_index = [&](std::int64_t index) -> std::optional<std::uint64_t> {
        const std::int64_t multiple = first + index * step;
        const auto high = measured.at(std::min(multiple, largest));
        const auto low = measured.at(std::max(multiple - step + 1, smallest));
        return low == high ? high : std::nullopt;
    };
    const std::int64_t last = largest < smallest ? -1 : (rounded_up(largest, step) - first) / step;
    PeakFormula formula = FormulaFinder(at_index, first, step, most_pieces).run(last);
    formula.sizes = PeakFormula::Sizes::kRoundedUp;
    formula.captures = measured.count();
    return formula;
}

PeakFormula simplest_peak_formula(const PeakAtSize& peak_at, std::int64_t smallest, std::int64_t largest) {
    constexpr std::size_t kFewPieces = 8;
    constexpr std::int64_t kTile = 32;
    PeakFormula formula = peak_formula(peak_at, smallest, largest, 1, kFewPieces);
    if (formula.exact) return formula;
    formula = rounded_peak_formula(peak_at, smallest, largest, kTile);
    return formula.exact ? formula : peak_formula(peak_at, smallest, largest);
}

std::optional<std::uint64_t> PeakFormula::at(std::int64_t size) const {
    const bool rounds = sizes == Sizes::kRoundedUp;
    const std::int64_t place = rounds ? rounded_up(size, step) : size;
    for (const PeakPiece& piece : pieces) {
        if (place >= piece.begin && place <= piece.end && (place - piece.begin) % step == 0)
            return value_of(piece, place);
    }
    return {};
}

std::string PeakFormula::text(const std::string& variable) const {
    if (!exact)
        return was_cut ? "no formula: no straight pieces were found in the time given"
                       : "no formula: no straight pieces were found";
    const bool rounds = sizes == Sizes::kRoundedUp;
    const std::string name = rounds ? variable + "'" : variable;
    std::string result;
    for (const PeakPiece& piece : pieces) {
        if (!result.empty()) result += "; ";
        result += std::to_string(piece.bytes_at_begin);
        if (piece.slope_numerator != 0) {
            result += " + " + std::to_string(piece.slope_numerator);
            if (piece.slope_denominator != 1) result += "/" + std::to_string(piece.slope_denominator);
            result += " * (" + name + " - " + std::to_string(piece.begin) + ")";
        }
        result += "  for " + std::to_string(piece.begin) + " <= " + name + " <= " + std::to_string(piece.end);
    }
    if (rounds)
        result +=
            ", where " + name + " is " + variable + " rounded up to a multiple of " + std::to_string(step);
    return result;
}

}  // namespace tilemeter::analysis
