// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/compare.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "report/analysis/gate/internal/compared_run.hpp"
#include "report/analysis/gate/internal/match_names.hpp"

namespace tilemeter::analysis {
namespace {

using internal::ComparedNames;
using internal::ComparedRun;
using Allocations = std::span<const ComparedRun::Allocation>;

class Comparer {
public:
    Comparer(const ComparedRun& a, const ComparedRun& b, const ComparedNames& names)
        : a_(a), b_(b), names_(names) {}

    std::vector<Difference> run() {
        std::size_t i = 0;
        std::size_t j = 0;
        const auto unmatched_until = [&](std::size_t end_i, std::size_t end_j) {
            for (; i < end_i; ++i) {
                add_operation(Difference::Kind::kRemovedOperation, a_.operations[i]);
                for (const ComparedRun::Allocation& it : a_.allocations_of(i))
                    add_allocation(&it, nullptr);
            }
            for (; j < end_j; ++j) {
                add_operation(Difference::Kind::kNewOperation, b_.operations[j]);
                for (const ComparedRun::Allocation& it : b_.allocations_of(j))
                    add_allocation(nullptr, &it);
            }
        };
        for (const auto& [left, right] : internal::match_names(a_.operations, b_.operations)) {
            unmatched_until(left, right);
            compare(left, right);
            ++i;
            ++j;
        }
        unmatched_until(a_.operations.size(), b_.operations.size());
        return std::move(differences_);
    }

private:
    void add(Difference difference) {
        const auto key = std::tuple(difference.kind, difference.path, difference.before, difference.after,
                                    difference.before_bytes, difference.after_bytes);
        const auto [known, is_new] = places_.try_emplace(key, differences_.size());
        if (is_new)
            differences_.push_back(std::move(difference));
        else
            ++differences_[known->second].count;
    }

    void add_operation(Difference::Kind kind, TextRef name) {
        Difference difference;
        difference.kind = kind;
        difference.path = names_.texts.of(name);
        add(std::move(difference));
    }

    void compare(std::size_t left, std::size_t right) {
        if (compare_allocations(a_.allocations_of(left), b_.allocations_of(right))) return;
        const auto before = a_.programs_of(left);
        const auto after = b_.programs_of(right);
        // Both are in the order of their paths.
        for (auto x = before.begin(), y = after.begin(); x != before.end() || y != after.end();) {
            const bool take_x = x != before.end() && (y == after.end() || x->path <= y->path);
            const bool take_y = y != after.end() && (x == before.end() || y->path <= x->path);
            add_program(take_x ? &*x : nullptr, take_y ? &*y : nullptr);
            if (take_x) ++x;
            if (take_y) ++y;
        }
    }

    void add_program(const ComparedRun::Program* before, const ComparedRun::Program* after) {
        const auto is_recorded = [](const ComparedRun::Program* it) {
            return it == nullptr || it->is_recorded;
        };
        Difference difference;
        difference.path = names_.text((before != nullptr ? before : after)->path);
        difference.memory = MemoryType::kL1;
        if (is_recorded(before) && is_recorded(after)) {
            difference.kind = Difference::Kind::kChangedProgram;
            difference.before_bytes = before == nullptr ? 0 : before->bytes;
            difference.after_bytes = after == nullptr ? 0 : after->bytes;
            if (difference.before_bytes == difference.after_bytes) return;
        } else {
            // The same operation, with the same allocations: what was not recorded on both sides is alike.
            if (!is_recorded(before) && !is_recorded(after)) return;
            difference.kind = Difference::Kind::kOnlyRecorded;
            difference.before = is_recorded(before) ? "recorded" : "not recorded";
            difference.after = is_recorded(after) ? "recorded" : "not recorded";
        }
        add(std::move(difference));
    }

    /// True if there is a difference. Allocations at one path are matched in their order.
    bool compare_allocations(Allocations a, Allocations b) {
        if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return false;
        const auto by_path = [](const auto& x, const auto& y) { return x.path < y.path; };
        std::vector<ComparedRun::Allocation> before(a.begin(), a.end());
        std::vector<ComparedRun::Allocation> after(b.begin(), b.end());
        std::stable_sort(before.begin(), before.end(), by_path);
        std::stable_sort(after.begin(), after.end(), by_path);
        bool changed = false;
        for (auto x = before.begin(), y = after.begin(); x != before.end() || y != after.end();) {
            const bool take_x = x != before.end() && (y == after.end() || x->path <= y->path);
            const bool take_y = y != after.end() && (x == before.end() || y->path <= x->path);
            if (!take_x || !take_y || *x != *y) {
                changed = true;
                add_allocation(take_x ? &*x : nullptr, take_y ? &*y : nullptr);
            }
            if (take_x) ++x;
            if (take_y) ++y;
        }
        return changed;
    }

    void add_allocation(const ComparedRun::Allocation* before, const ComparedRun::Allocation* after) {
        using Kind = Difference::Kind;
        if (before != nullptr && after != nullptr && before->memory != after->memory) {
            // Two changes: bytes of a core and bytes of a bank have no difference.
            add_allocation(Kind::kMovedOut, before, nullptr);
            add_allocation(Kind::kMovedIn, nullptr, after);
            return;
        }
        add_allocation(before == nullptr  ? Kind::kNewAllocation
                       : after == nullptr ? Kind::kRemovedAllocation
                                          : Kind::kChangedAllocation,
                       before, after);
    }

    void add_allocation(Difference::Kind kind, const ComparedRun::Allocation* before,
                        const ComparedRun::Allocation* after) {
        Difference difference;
        difference.kind = kind;
        difference.path = names_.text((before != nullptr ? before : after)->path);
        difference.memory = (before != nullptr ? before : after)->memory;
        if (before != nullptr) {
            difference.before = names_.texts.of(before->what);
            difference.before_bytes = before->bytes;
        }
        if (after != nullptr) {
            difference.after = names_.texts.of(after->what);
            difference.after_bytes = after->bytes;
        }
        add(std::move(difference));
    }

    const ComparedRun& a_;
    const ComparedRun& b_;
    const ComparedNames& names_;
    std::vector<Difference> differences_;
    using Bytes = std::optional<std::uint64_t>;
    std::map<std::tuple<Difference::Kind, std::string, std::string, std::string, Bytes, Bytes>, std::size_t>
        places_;
};

/// The gaps that make a list one that says nothing.
bool is_whole(const Judgement& judgement) {
    using Kind = Reason::Kind;
    for (const Kind kind : {Kind::kNoGraph, Kind::kNothingCaptured, Kind::kNodesMissing, Kind::kEventsDropped,
                            Kind::kProcessDied, Kind::kSizesNotRecorded})
        if (judgement.find(kind) != nullptr) return false;
    return true;
}

/// TT-NN's reports do not say it: what was planned only has no addresses, but for what is older.
std::string mode_of(const NodeList& list, const Judgement& judgement) {
    if (!list.source.run_mode.empty()) return list.source.run_mode;
    const Reason* planned = judgement.find(Reason::Kind::kSizesWithoutAddresses);
    if (planned != nullptr) return planned->count * 2 > planned->total ? "NO_DISPATCH" : "";
    return judgement.l1.peak_bytes != 0 || judgement.dram.peak_bytes != 0 ? "NORMAL" : "";
}

}  // namespace

const char* name_of(Difference::Kind kind) {
    switch (kind) {
        case Difference::Kind::kNewOperation:
            return "new_operation";
        case Difference::Kind::kRemovedOperation:
            return "removed_operation";
        case Difference::Kind::kNewAllocation:
            return "new_allocation";
        case Difference::Kind::kRemovedAllocation:
            return "removed_allocation";
        case Difference::Kind::kChangedAllocation:
            return "changed_allocation";
        case Difference::Kind::kMovedOut:
            return "moved_out";
        case Difference::Kind::kMovedIn:
            return "moved_in";
        case Difference::Kind::kChangedProgram:
            return "changed_program";
        case Difference::Kind::kOnlyRecorded:
            return "only_recorded";
    }
    return "";
}

const char* name_of(Comparison::Answer answer) {
    switch (answer) {
        case Comparison::Answer::kSame:
            return "same";
        case Comparison::Answer::kDiffer:
            return "differ";
        case Comparison::Answer::kUnknown:
            return "unknown";
    }
    return "";
}

bool is_comparable(const MemoryUse& before, const MemoryUse& after) {
    return before.bound == Bound::kExact && after.bound == Bound::kExact;
}

Comparison::Answer Comparison::answer(bool accept_incomplete) const {
    if (!accept_incomplete && !(is_whole(before) && is_whole(after))) return Answer::kUnknown;
    bool only_recorded = false;
    for (const Difference& it : differences) {
        if (it.kind != Difference::Kind::kOnlyRecorded) return Answer::kDiffer;
        only_recorded = true;
    }
    // With the same allocations peaks are others where something is released at another time.
    for (const auto memory : {&Judgement::l1, &Judgement::dram}) {
        const MemoryUse& x = before.*memory;
        const MemoryUse& y = after.*memory;
        if (x.peak_bytes == y.peak_bytes) continue;
        if (is_comparable(x, y)) return Answer::kDiffer;
        only_recorded = true;
    }
    return only_recorded && !accept_incomplete ? Answer::kUnknown : Answer::kSame;
}

std::vector<std::string> Comparison::notes() const {
    std::vector<std::string> notes;
    if (!before_mode.empty() && !after_mode.empty() && before_mode != after_mode)
        notes.push_back("the first was captured in " + before_mode + ", the second in " + after_mode +
                        ": they record different things of one workload");
    if (!before.device.empty() && !after.device.empty() && before.device != after.device)
        notes.push_back("the first was captured on " + before.device + ", the second on " + after.device +
                        ": operations are planned otherwise there");
    for (const auto& [judgement, which] : {std::pair(&before, "the first"), std::pair(&after, "the second")})
        for (const Reason& reason : judgement->reasons)
            if (reason.kind != Reason::Kind::kRanToItsEnd)
                notes.push_back(std::string(which) + ": " + text_of(reason));
    if (before.l1.peak_bytes != after.l1.peak_bytes && !is_comparable(before.l1, after.l1))
        notes.push_back("the peaks of L1 cannot be subtracted: at least one of them is not known in full");
    if (before.dram.peak_bytes != after.dram.peak_bytes && !is_comparable(before.dram, after.dram))
        notes.push_back("the peaks of DRAM cannot be subtracted: at least one of them is not known in full");
    return notes;
}

std::vector<Growth> Comparison::grown(MemoryType memory, std::size_t most) const {
    std::map<std::string, std::int64_t> by_path;
    for (const Difference& it : differences) {
        if (!it.memory || *it.memory == MemoryType::kSystemMemory || is_in_l1(*it.memory) != is_in_l1(memory))
            continue;
        by_path[it.path] += it.count * (static_cast<std::int64_t>(it.after_bytes.value_or(0)) -
                                        static_cast<std::int64_t>(it.before_bytes.value_or(0)));
    }
    std::vector<Growth> grown;
    for (const auto& [path, bytes] : by_path)
        if (bytes > 0) grown.push_back({path, memory, bytes});
    std::stable_sort(grown.begin(), grown.end(),
                     [](const Growth& a, const Growth& b) { return a.bytes > b.bytes; });
    if (grown.size() > most) grown.resize(most);
    return grown;
}

Comparison compare(const NodeList& before, const MemoryLifetimes& lifetimes_before, const NodeList& after,
                   const MemoryLifetimes& lifetimes_after) {
    Comparison comparison;
    comparison.before = judge(before, lifetimes_before);
    comparison.after = judge(after, lifetimes_after);
    comparison.before_mode = mode_of(before, comparison.before);
    comparison.after_mode = mode_of(after, comparison.after);
    ComparedNames names;
    const ComparedRun run_before = compared_run(before, lifetimes_before, names);
    const ComparedRun run_after = compared_run(after, lifetimes_after, names);
    comparison.differences = Comparer(run_before, run_after, names).run();
    return comparison;
}

Comparison compare(const NodeList& before, const NodeList& after) {
    return compare(before, find_lifetimes(before), after, find_lifetimes(after));
}

}  // namespace tilemeter::analysis
