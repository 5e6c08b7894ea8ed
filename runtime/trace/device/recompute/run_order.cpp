// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/run_order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilemeter::trace {

namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

bool has(const std::vector<std::uint32_t>& all, std::uint32_t one) {
    return std::ranges::find(all, one) != all.end();
}

/// Peaks of orders, one after the other: what is there before a run is found from the end.
class Peaks {
public:
    explicit Peaks(const PlanModel& model) : model_(model) {}

    struct Found {
        Sizes peak{};
        std::array<std::size_t, 2> first{};  // the run with the peak of each memory
        std::array<std::size_t, 2> count{};  // the number of runs that have it
    };

    Found of(std::span<const std::uint32_t> runs) {
        is_live_.assign(model_.values.size(), false);
        Sizes live{};
        const auto add = [&](std::uint32_t value) {
            if (is_live_[value]) return;
            is_live_[value] = true;
            for (std::size_t m = 0; m < live.size(); ++m)
                live[m] += model_.values[value].size[m];
        };
        for (std::uint32_t value = 0; value < model_.values.size(); ++value)
            if (model_.values[value].is_kept) add(value);
        Found found;
        for (std::size_t i = runs.size(); i-- > 0;) {
            const PlanUnit& unit = model_.units[runs[i]];
            for (const std::uint32_t each : unit.makes)
                add(each);
            for (const std::uint32_t each : unit.reads)
                add(each);
            for (std::size_t m = 0; m < live.size(); ++m) {
                const std::uint64_t size = live[m] + unit.extra[m];
                if (size > found.peak[m]) {
                    found.peak[m] = size;
                    found.count[m] = 0;
                }
                if (size != found.peak[m]) continue;
                found.first[m] = i;
                ++found.count[m];
            }
            for (const std::uint32_t each : unit.makes) {
                is_live_[each] = false;
                for (std::size_t m = 0; m < live.size(); ++m)
                    live[m] -= model_.values[each].size[m];
            }
        }
        return found;
    }

private:
    const PlanModel& model_;
    std::vector<bool> is_live_;
};

bool keeps(const Sizes& peak, const Sizes& limit) {
    return peak[0] <= limit[0] && peak[1] <= limit[1];
}

/// The places where a run may stand while the others keep their order.
class Places {
public:
    Places(const PlanModel& model, std::span<const std::uint32_t> runs)
        : model_(model), runs_(runs), is_first_(runs.size()) {
        std::vector<bool> has_run(model.units.size());
        for (std::size_t i = 0; i < runs.size(); ++i) {
            is_first_[i] = !has_run[runs[i]];
            has_run[runs[i]] = true;
        }
    }

    /// The first one: right behind the last run that has to come before it.
    std::size_t first_of(std::size_t run) const {
        std::size_t at = run;
        while (at > 0 && !must_follow(at - 1, run))
            --at;
        return at;
    }

    std::size_t last_of(std::size_t run) const {
        std::size_t at = run;
        while (at + 1 < runs_.size() && !must_follow(run, at + 1))
            ++at;
        return at;
    }

private:
    bool must_follow(std::size_t first, std::size_t second) const {
        const std::uint32_t a = runs_[first], b = runs_[second];
        if (a == b) return true;
        const PlanUnit& before = model_.units[a];
        const PlanUnit& then = model_.units[b];
        if (std::ranges::any_of(before.makes, [&](std::uint32_t each) { return has(then.reads, each); }))
            return true;
        if (is_first_[first] && is_first_[second] && has(then.after, a)) return true;
        return has(before.never_after, b);
    }

    const PlanModel& model_;
    const std::span<const std::uint32_t> runs_;
    std::vector<bool> is_first_;
};

}  // namespace

Planned planned_runs(const PlanModel& model, std::span<const std::uint32_t> runs) {
    // By value: the run that made it last, and the last one that uses what this made.
    std::vector<std::uint32_t> last(model.values.size(), kNowhere);
    std::vector<std::vector<std::uint32_t>> drops(runs.size());
    std::vector<bool> is_first(runs.size()), has_run(model.units.size());
    const auto end_life = [&](std::uint32_t value) {
        if (last[value] != kNowhere) drops[last[value]].push_back(value);
    };
    for (std::uint32_t i = 0; i < runs.size(); ++i) {
        const PlanUnit& unit = model.units[runs[i]];
        is_first[i] = !has_run[runs[i]];
        has_run[runs[i]] = true;
        for (const std::uint32_t each : unit.reads)
            last[each] = i;
        for (const std::uint32_t each : unit.makes) {
            end_life(each);
            last[each] = i;
        }
    }
    for (std::uint32_t value = 0; value < model.values.size(); ++value)
        if (!model.values[value].is_kept) end_life(value);
    Planned planned;
    Sizes there{};
    std::array<std::uint32_t, 2> peak_run{};
    for (std::uint32_t i = 0; i < runs.size(); ++i) {
        const PlanUnit& unit = model.units[runs[i]];
        planned.steps.push_back({runs[i], false});
        planned.cost += unit.cost;
        for (std::size_t m = 0; m < there.size(); ++m) {
            for (const std::uint32_t each : unit.makes)
                there[m] += model.values[each].size[m];
            if (there[m] + unit.extra[m] <= planned.peak[m]) continue;
            planned.peak[m] = there[m] + unit.extra[m];
            planned.peak_step[m] = planned.steps.size() - 1;
            peak_run[m] = i;
        }
        for (const std::uint32_t each : drops[i]) {
            planned.steps.push_back({each, true});
            for (std::size_t m = 0; m < there.size(); ++m)
                there[m] -= model.values[each].size[m];
        }
    }
    for (std::size_t m = 0; m < there.size(); ++m) {
        std::uint32_t turn = peak_run[m];
        while (turn < runs.size() && !is_first[turn])
            ++turn;
        planned.peak_turn[m] =
            turn < runs.size() ? runs[turn] : static_cast<std::uint32_t>(model.units.size());
    }
    return planned;
}

Runs runs_of(const Planned& planned) {
    Runs runs;
    for (const PlanStep& each : planned.steps)
        if (!each.is_drop) runs.push_back(each.index);
    return runs;
}

std::vector<bool> idle_units(const PlanModel& model) {
    std::vector<bool> is_idle;
    for (const PlanUnit& unit : model.units)
        is_idle.push_back(unit.reads.empty() && unit.makes.empty() && unit.cost == 0 &&
                          unit.extra == Sizes{} && unit.never_after.empty());
    for (const PlanUnit& unit : model.units)
        for (const std::vector<std::uint32_t>* each : {&unit.after, &unit.never_after})
            for (const std::uint32_t named : *each)
                is_idle[named] = false;
    return is_idle;
}

Runs with_idle_units(const PlanModel& model, std::span<const std::uint32_t> runs) {
    const std::vector<bool> is_idle = idle_units(model);
    std::vector<std::uint32_t> missing(model.units.size());  // of those that have to run before
    std::vector<std::vector<std::uint32_t>> waiting(model.units.size());
    Runs all;
    for (std::uint32_t i = 0; i < model.units.size(); ++i) {
        if (!is_idle[i]) continue;
        missing[i] = static_cast<std::uint32_t>(model.units[i].after.size());
        for (const std::uint32_t each : model.units[i].after)
            waiting[each].push_back(i);
        if (missing[i] == 0) all.push_back(i);
    }
    std::vector<bool> has_run(model.units.size());
    for (const std::uint32_t unit : runs) {
        if (is_idle[unit]) continue;
        all.push_back(unit);
        if (has_run[unit]) continue;
        has_run[unit] = true;
        for (const std::uint32_t each : waiting[unit])
            if (--missing[each] == 0) all.push_back(each);
    }
    return all;
}

std::string fault_of(std::span<const std::uint32_t> runs, const PlanModel& model) {
    std::vector<bool> has_run(model.units.size()), is_made(model.values.size());
    for (const std::uint32_t number : runs) {
        const PlanUnit& unit = model.units[number];
        const std::string name = "unit " + std::to_string(number);
        if (has_run[number] && !unit.can_repeat) return name + " runs again and can't";
        for (const std::uint32_t each : unit.reads)
            if (!is_made[each]) return name + " reads value " + std::to_string(each) + ", which is not there";
        for (const std::uint32_t each : unit.after)
            if (!has_run[each]) return name + " runs before unit " + std::to_string(each);
        for (const std::uint32_t each : unit.never_after)
            if (has_run[each]) return name + " runs after unit " + std::to_string(each);
        has_run[number] = true;
        for (const std::uint32_t each : unit.makes)
            is_made[each] = true;
    }
    const auto missing = std::ranges::find(has_run, false);
    if (missing == has_run.end()) return {};
    return "unit " + std::to_string(missing - has_run.begin()) + " does not run";
}

Runs without_needless_runs(const PlanModel& model, Runs runs, const Sizes& limit) {
    Peaks peaks(model);
    while (true) {
        std::vector<std::size_t> again;
        std::vector<bool> has_run(model.units.size());
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (has_run[runs[i]]) again.push_back(i);
            has_run[runs[i]] = true;
        }
        std::ranges::stable_sort(again, [&](std::size_t a, std::size_t b) {
            return model.units[runs[a]].cost > model.units[runs[b]].cost;
        });
        const bool is_shorter = std::ranges::any_of(again, [&](std::size_t at) {
            Runs tried = runs;
            tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(at));
            if (!keeps(peaks.of(tried).peak, limit)) return false;
            runs = std::move(tried);
            return true;
        });
        if (!is_shorter) return runs;
    }
}

Runs with_lower_peak(const PlanModel& model, Runs runs, std::size_t memory, std::size_t& effort) {
    const std::vector<bool> is_idle = idle_units(model);
    std::erase_if(runs, [&](std::uint32_t each) { return is_idle[each]; });
    Peaks peaks(model);
    Peaks::Found now = peaks.of(runs);
    const std::uint64_t other_limit = now.peak[1 - memory];
    Runs tried;
    while (effort > 0) {
        const Places places(model, runs);
        const std::size_t peak = now.first[memory];
        std::optional<std::pair<Runs, Peaks::Found>> best;
        const auto move = [&](std::size_t from, std::size_t to) {
            if (effort == 0 || from == to) return;
            --effort;
            tried = runs;
            const auto at = [&](std::size_t i) { return tried.begin() + static_cast<std::ptrdiff_t>(i); };
            if (from < to) {
                std::rotate(at(from), at(from + 1), at(to + 1));
            } else {
                std::rotate(at(to), at(from), at(from + 1));
            }
            const Peaks::Found found = peaks.of(tried);
            const auto key = [&](const Peaks::Found& each) {
                return std::pair(each.peak[memory], each.count[memory]);
            };
            if (found.peak[1 - memory] > other_limit || key(found) >= key(best ? best->second : now)) return;
            best = {tried, found};
        };
        for (std::size_t i = 0; i < runs.size(); ++i) {
            // Across the peak, as far as it can go and no farther than needed.
            if (i <= peak) {
                const std::size_t last = places.last_of(i);
                if (last < peak || last == i) continue;
                move(i, last);
                if (last > peak) move(i, peak);
            } else {
                const std::size_t first = places.first_of(i);
                if (first > peak) continue;
                move(i, first);
                if (first < peak) move(i, peak);
            }
        }
        if (!best) break;
        runs = std::move(best->first);
        now = best->second;
    }
    return with_idle_units(model, runs);
}

}  // namespace tilemeter::trace
