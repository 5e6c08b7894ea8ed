// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/compare.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "report/analysis/internal/compared_run.hpp"
#include "report/analysis/internal/match_names.hpp"
#include "report/analysis/peak.hpp"

namespace tilemeter::graph {
namespace {

using internal::ComparedNames;
using internal::ComparedRun;
using Allocations = std::span<const ComparedRun::Allocation>;

class Comparison {
public:
    Comparison(const ComparedRun& a, const ComparedRun& b, const ComparedNames& names)
        : a_(a), b_(b), names_(names) {}

    std::vector<Difference> run() {
        std::size_t i = 0;
        std::size_t j = 0;
        const auto unmatched_until = [&](std::size_t end_i, std::size_t end_j) {
            for (; i < end_i; ++i)
                add_operation(Difference::Kind::kRemovedOperation, a_.operations[i]);
            for (; j < end_j; ++j)
                add_operation(Difference::Kind::kNewOperation, b_.operations[j]);
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
        const auto after = b_.programs_of(right);
        auto other = after.begin();  // both are in the order of their paths
        for (const ComparedRun::Program& program : a_.programs_of(left)) {
            while (other != after.end() && other->path < program.path)
                ++other;
            if (other == after.end()) break;
            if (other->path != program.path || other->bytes == program.bytes) continue;
            Difference difference;
            difference.kind = Difference::Kind::kChangedProgram;
            difference.path = names_.text(program.path);
            difference.before_bytes = program.bytes;
            difference.after_bytes = other->bytes;
            add(std::move(difference));
        }
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
        Difference difference;
        difference.kind = before == nullptr  ? Difference::Kind::kNewAllocation
                          : after == nullptr ? Difference::Kind::kRemovedAllocation
                                             : Difference::Kind::kChangedAllocation;
        difference.path = names_.text((before != nullptr ? before : after)->path);
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
    std::map<std::tuple<Difference::Kind, std::string, std::string, std::string, std::int64_t, std::int64_t>,
             std::size_t>
        places_;
};

void add_peak(Difference::Kind kind, const MemoryPeak* before, const MemoryPeak* after,
              std::vector<Difference>& differences) {
    Difference difference;
    difference.kind = kind;
    difference.before_bytes = before == nullptr ? 0 : static_cast<std::int64_t>(before->bytes);
    difference.after_bytes = after == nullptr ? 0 : static_cast<std::int64_t>(after->bytes);
    if (difference.before_bytes != difference.after_bytes) differences.push_back(std::move(difference));
}

}  // namespace

const char* name_of(Difference::Kind kind) {
    switch (kind) {
        case Difference::Kind::kPeakL1:
            return "L1 peak per core";
        case Difference::Kind::kPeakDram:
            return "DRAM peak per bank";
        case Difference::Kind::kNewOperation:
            return "new operation";
        case Difference::Kind::kRemovedOperation:
            return "removed operation";
        case Difference::Kind::kNewAllocation:
            return "new allocation";
        case Difference::Kind::kRemovedAllocation:
            return "removed allocation";
        case Difference::Kind::kChangedAllocation:
            return "changed allocation";
        case Difference::Kind::kChangedProgram:
            return "changed program memory";
    }
    return "";
}

std::vector<Difference> compare(const NodeList& before, const NodeList& after) {
    const MemoryLives lives_before = find_lives(before);
    const MemoryLives lives_after = find_lives(after);
    ComparedNames names;
    const ComparedRun run_before = compared_run(before, lives_before, names);
    const ComparedRun run_after = compared_run(after, lives_after, names);
    std::vector<Difference> differences = Comparison(run_before, run_after, names).run();
    if (!differences.empty()) return differences;  // peaks differ for these reasons
    const PeakAnswer peak_before = find_peak(before, lives_before);
    const PeakAnswer peak_after = find_peak(after, lives_after);
    add_peak(Difference::Kind::kPeakL1, peak_before.l1(), peak_after.l1(), differences);
    add_peak(Difference::Kind::kPeakDram, peak_before.dram(), peak_after.dram(), differences);
    return differences;
}

}  // namespace tilemeter::graph
