// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/peak_sizes.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

#include "report/analysis/nodes/units.hpp"

namespace tilemeter::analysis {
namespace {

using Bytes = std::uint64_t WorkloadAtSize::*;
using Runs = std::map<std::int64_t, WorkloadAtSize>;

constexpr std::int64_t kTile = 32;

std::int64_t in_tiles(std::int64_t size) {
    return (size + kTile - 1) / kTile * kTile;
}

/// Each size is planned once.
class Sweep {
public:
    Sweep(const Workload& workload, SizeRange sizes, const PeakSizesOptions& options)
        : workload_(workload), sizes_(sizes), options_(options) {}

    const WorkloadAtSize& at(std::int64_t size) {
        const auto known = runs_.find(size);
        if (known != runs_.end()) return known->second;
        WorkloadAtSize run = run_at_size(workload_, size);
        const WorkloadBudget& budget = options_.budget;
        if (run.fits && (run.l1_bytes > budget.l1_bytes || run.dram_bytes > budget.dram_bytes)) {
            const bool is_l1 = run.l1_bytes > budget.l1_bytes;
            run.fits = false;
            run.cause = FailureCause::kExhausted;
            run.message = is_l1 ? std::to_string(run.l1_bytes) + " bytes of L1 per core, " +
                                      std::to_string(budget.l1_bytes) + " allowed"
                                : std::to_string(run.dram_bytes) + " bytes per bank of DRAM, " +
                                      std::to_string(budget.dram_bytes) + " allowed";
        }
        return runs_.emplace(size, std::move(run)).first->second;
    }

    // The widest gaps first, so that what was planned when the time is over is spread evenly. Where all sizes will take
    // longer than that, half of the time is left for the formulas.
    void plan_while_there_is_time() {
        const auto count = static_cast<double>(sizes_.largest - sizes_.smallest + 1);
        const auto is_enough = [&] {
            const double seconds = elapsed();
            const double for_all = seconds / static_cast<double>(runs_.size()) * count;
            return seconds > options_.seconds ||
                   (seconds > options_.seconds / 2 && for_all > options_.seconds);
        };
        at(sizes_.smallest);
        at(sizes_.largest);
        std::deque<SizeSpan> gaps{{sizes_.smallest, sizes_.largest}};
        while (!gaps.empty() && !is_enough()) {
            const SizeSpan gap = gaps.front();
            gaps.pop_front();
            if (gap.end - gap.begin < 2) continue;
            const std::int64_t middle = gap.begin + (gap.end - gap.begin) / 2;
            at(middle);
            gaps.push_back({gap.begin, middle});
            gaps.push_back({middle, gap.end});
        }
    }

    // The size behind the largest that fits is planned as well, whatever the time.
    std::optional<std::int64_t> find_largest() {
        for (;;) {
            const auto last =
                std::find_if(runs_.rbegin(), runs_.rend(), [](const auto& run) { return run.second.fits; });
            if (last == runs_.rend()) {
                return std::nullopt;
            }
            const auto above = runs_.upper_bound(last->first);
            if (above == runs_.end() || above->first == last->first + 1) return last->first;
            at(last->first + (above->first - last->first) / 2);
        }
    }

    [[nodiscard]] const Runs& runs() const { return runs_; }

    // The formula for sizes from `begin` to `end`. What it still plans, it plans while there is time.
    PeakFormula formula(Bytes bytes, std::int64_t begin, std::int64_t end) {
        bool was_cut = false;
        const PeakAtSize peak = [&](std::int64_t size) -> std::optional<std::uint64_t> {
            if (!runs_.contains(size) && elapsed() > options_.seconds) {
                was_cut = true;
                return std::nullopt;
            }
            const WorkloadAtSize& run = at(size);
            return run.fits ? std::optional(run.*bytes) : std::nullopt;
        };
        PeakFormula found = simplest_peak_formula(peak, begin, end);
        found.was_cut = was_cut && !found.exact;
        return found;
    }

private:
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    const Workload& workload_;
    const SizeRange sizes_;
    const PeakSizesOptions& options_;
    Runs runs_;
};

// True if c is on the line through a and b, where sizes are as `place` has them.
template <class Place>
bool is_on_line(const WorkloadAtSize& a, const WorkloadAtSize& b, const WorkloadAtSize& c, Bytes bytes,
                const Place& place) {
    const auto value = [&](const WorkloadAtSize& run) { return static_cast<std::int64_t>(run.*bytes); };
    std::int64_t left = 0;
    std::int64_t right = 0;
    if (__builtin_mul_overflow(value(b) - value(a), place(c.size) - place(a.size), &left) ||
        __builtin_mul_overflow(value(c) - value(a), place(b.size) - place(a.size), &right))
        return false;
    return left == right;
}

std::int64_t as_it_is(std::int64_t size) {
    return size;
}

// A gap between two runs, with a third one beside it: in tiles (true), in the size, or on no line (nothing).
std::optional<bool> line_of(const WorkloadAtSize& a, const WorkloadAtSize& b, const WorkloadAtSize& c,
                            Bytes bytes) {
    if (!a.fits || !b.fits || !c.fits) return std::nullopt;
    if (is_on_line(a, b, c, bytes, as_it_is)) return false;
    if (in_tiles(a.size) != in_tiles(b.size) && is_on_line(a, b, c, bytes, in_tiles)) return true;
    return std::nullopt;
}

// Sizes between two neighbours that were planned are on a line with the one before or the one behind them, or not
// known.
void divide_gaps(const Runs& runs, PeakSizes& answer) {
    for (auto run = runs.begin(); run != runs.end() && std::next(run) != runs.end(); ++run) {
        const auto next = std::next(run);
        if (next->first == run->first + 1) continue;
        const auto line = [&](Bytes bytes) {
            std::optional<bool> found;
            if (run != runs.begin())
                found = line_of(run->second, next->second, std::prev(run)->second, bytes);
            if (!found && std::next(next) != runs.end())
                found = line_of(run->second, next->second, std::next(next)->second, bytes);
            return found;
        };
        const SizeSpan gap{run->first + 1, next->first - 1};
        const auto l1 = line(&WorkloadAtSize::l1_bytes);
        const auto dram = line(&WorkloadAtSize::dram_bytes);
        if (l1 && dram)
            answer.interpolated.push_back({gap, *l1, *dram});
        else
            answer.unknown.push_back(gap);
    }
}

void add_size(std::vector<SizeSpan>& spans, std::int64_t size) {
    if (!spans.empty() && spans.back().end + 1 == size)
        spans.back().end = size;
    else
        spans.push_back({size, size});
}

std::optional<PeakJump> next_jump(const PeakSizes& peaks, std::int64_t size, Bytes bytes) {
    auto run = std::ranges::lower_bound(peaks.computed, size, {}, &WorkloadAtSize::size);
    if (run == peaks.computed.end() || run->size != size || !run->fits) return std::nullopt;
    const std::uint64_t from = (*run).*bytes;
    for (auto next = std::next(run); next != peaks.computed.end(); run = next++) {
        if (next->size != run->size + 1 || !next->fits) return std::nullopt;
        if ((*next).*bytes != from) return PeakJump{next->size, from, (*next).*bytes};
    }
    return std::nullopt;
}

std::int64_t count_of(const std::vector<SizeSpan>& spans) {
    std::int64_t count = 0;
    for (const SizeSpan& each : spans)
        count += each.end - each.begin + 1;
    return count;
}

std::string failure_text(const WorkloadAtSize& run) {
    std::string text = "fails (" + std::string(name_of(run.cause)) + ")";
    if (!run.operation.empty()) text += " in " + run.operation;
    return text + ": " + run.message.substr(0, run.message.find('\n'));
}

std::string jump_text(const char* memory, const std::string& name, const std::optional<PeakJump>& jump) {
    if (!jump) return {};
    const bool is_more = jump->to_bytes > jump->from_bytes;
    return std::string(", ") + memory + " jumps at " + name + " = " + std::to_string(jump->size) + " by " +
           (is_more ? "+" : "-") +
           std::to_string(is_more ? jump->to_bytes - jump->from_bytes : jump->from_bytes - jump->to_bytes);
}

}  // namespace

std::string spans_text(const std::vector<SizeSpan>& spans, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, spans.size()); ++i) {
        if (i > 0) text += ", ";
        text += std::to_string(spans[i].begin);
        if (spans[i].end > spans[i].begin) text += " to " + std::to_string(spans[i].end);
    }
    if (spans.size() > most)
        text += " and " +
                std::to_string(
                    count_of(std::vector(spans.begin() + static_cast<std::ptrdiff_t>(most), spans.end()))) +
                " more";
    return text;
}

std::optional<PeakAt> PeakSizes::at(std::int64_t size) const {
    const auto above = std::ranges::lower_bound(computed, size, {}, &WorkloadAtSize::size);
    if (above != computed.end() && above->size == size) {
        if (!above->fits) return std::nullopt;
        return PeakAt{above->l1_bytes, above->dram_bytes, true};
    }
    const auto span = std::ranges::find_if(interpolated, [&](const InterpolatedSpan& each) {
        return each.sizes.begin <= size && size <= each.sizes.end;
    });
    if (span == interpolated.end()) return std::nullopt;
    const auto below = std::prev(above);
    const auto value = [&](Bytes bytes, bool is_in_tiles) {
        const auto low = static_cast<std::int64_t>((*below).*bytes);
        const std::int64_t rise = static_cast<std::int64_t>((*above).*bytes) - low;
        const auto place = is_in_tiles ? in_tiles : as_it_is;
        return static_cast<std::uint64_t>(low + rise * (place(size) - place(below->size)) /
                                                    (place(above->size) - place(below->size)));
    };
    return PeakAt{value(&WorkloadAtSize::l1_bytes, span->is_l1_in_tiles),
                  value(&WorkloadAtSize::dram_bytes, span->is_dram_in_tiles), false};
}

std::optional<PeakJump> PeakSizes::next_l1_jump(std::int64_t size) const {
    return next_jump(*this, size, &WorkloadAtSize::l1_bytes);
}

std::optional<PeakJump> PeakSizes::next_dram_jump(std::int64_t size) const {
    return next_jump(*this, size, &WorkloadAtSize::dram_bytes);
}

PeakSizes peak_sizes(const Workload& workload, SizeRange sizes, const PeakSizesOptions& options) {
    PeakSizes answer;
    answer.sizes = sizes;
    if (sizes.largest < sizes.smallest) return answer;
    Sweep sweep(workload, sizes, options);
    sweep.plan_while_there_is_time();
    if (const auto largest = sweep.find_largest()) {
        answer.largest = sweep.at(*largest);
        if (*largest < sizes.largest) answer.next = sweep.at(*largest + 1);
        std::int64_t begin = sizes.smallest;
        for (const auto& [size, run] : sweep.runs())
            if (!run.fits && size < *largest) begin = size + 1;
        answer.l1 = sweep.formula(&WorkloadAtSize::l1_bytes, begin, *largest);
        answer.dram = sweep.formula(&WorkloadAtSize::dram_bytes, begin, *largest);
    }
    for (const auto& [size, run] : sweep.runs()) {
        answer.computed.push_back(run);
        if (!run.fits && answer.largest && size < answer.largest->size) add_size(answer.failing, size);
    }
    divide_gaps(sweep.runs(), answer);
    return answer;
}

std::string text_of(const PeakSizes& peaks, const std::string& name) {
    const auto figures = [](const WorkloadAtSize& run) {
        return "L1 " + bytes_text(run.l1_bytes) + " per core, DRAM " + bytes_text(run.dram_bytes) +
               " per bank";
    };
    const std::string all =
        name + " from " + std::to_string(peaks.sizes.smallest) + " to " + std::to_string(peaks.sizes.largest);
    std::string text;
    if (!peaks.largest)
        text += peaks.is_complete() ? "no size fits: " + all + "\n" : "no computed size fits: " + all + "\n";
    else
        text += "largest " + name + " that " + (peaks.unknown.empty() ? "fits" : "was seen to fit") + ": " +
                std::to_string(peaks.largest->size) + ", " + figures(*peaks.largest) + "\n";
    if (!peaks.largest && !peaks.computed.empty())
        text += "  " + name + " = " + std::to_string(peaks.computed.front().size) + " " +
                failure_text(peaks.computed.front()) + "\n";
    if (peaks.next)
        text +=
            "  " + name + " = " + std::to_string(peaks.next->size) + " " + failure_text(*peaks.next) + "\n";
    if (!peaks.failing.empty()) text += "  smaller sizes that fail: " + spans_text(peaks.failing) + "\n";
    if (peaks.largest) {
        text += "  L1 per core:   " + peaks.l1.text(name) + "\n";
        text += "  DRAM per bank: " + peaks.dram.text(name) + "\n";
    }
    if (!peaks.computed.empty() && peaks.computed.front().fits) {
        const WorkloadAtSize& first = peaks.computed.front();
        text += "  at " + name + " = " + std::to_string(first.size) + ": " + figures(first) +
                jump_text("L1", name, peaks.next_l1_jump(first.size)) +
                jump_text("DRAM", name, peaks.next_dram_jump(first.size)) + "\n";
    }
    text += "  " + std::to_string(peaks.computed.size()) +
            (peaks.is_complete() ? " sizes, all computed" : " sizes computed");
    if (!peaks.interpolated.empty()) {
        std::vector<SizeSpan> spans;
        for (const InterpolatedSpan& each : peaks.interpolated)
            spans.push_back(each.sizes);
        constexpr std::size_t kMostNamed = 6;
        std::uint64_t count = 0;
        for (const SizeSpan& each : spans)
            count += static_cast<std::uint64_t>(each.end - each.begin + 1);
        text += "; interpolated between them: " +
                (spans.size() <= kMostNamed
                     ? spans_text(spans)
                     : grouped(count) + " sizes from " + std::to_string(spans.front().begin) + " to " +
                           std::to_string(spans.back().end));
    }
    if (!peaks.unknown.empty()) text += "; not known: " + spans_text(peaks.unknown);
    return text + "\n";
}

}  // namespace tilemeter::analysis
