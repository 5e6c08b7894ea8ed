// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/compare.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "report/analysis/internal/program_signature.hpp"
#include "report/analysis/occupancy.hpp"
#include "report/analysis/peak.hpp"

namespace tilemeter::graph {
namespace {

struct Allocation {
    std::string what;  // memory and shape
    std::int64_t bytes = 0;
};

/// One outermost operation: what it calls, allocates and runs, in order.
struct Operation {
    std::string name;
    std::vector<std::pair<std::string, Allocation>> allocations;  // by path
    std::map<std::string, std::int64_t> program_bytes;            // by path
    std::vector<std::string> calls;                               // paths

    bool operator==(const Operation& other) const { return name == other.name; }
};

struct Run {
    std::vector<Operation> operations;
    std::uint64_t l1 = 0;
    std::uint64_t dram = 0;
};

std::uint64_t program_bytes_of(const MemoryLives& lives, const ProgramLife& program) {
    std::map<std::uint16_t, std::uint64_t> by_core;
    std::uint64_t everywhere = 0;
    for (std::uint32_t i = 0; i < program.piece_count; ++i) {
        const ProgramPiece& piece = lives.pieces[program.first_piece + i];
        if (piece.shared || piece.chip > 1) continue;
        if (lives.core_sets[piece.cores].everywhere) everywhere += piece.size_bytes;
        for (const std::uint16_t core : lives.core_sets[piece.cores].cores)
            by_core[core] += piece.size_bytes;
    }
    std::uint64_t most = 0;
    for (const auto& [core, bytes] : by_core)
        most = std::max(most, bytes);
    return most + everywhere;
}

Run run_of(const NodeList& list) {
    const MemoryLives lives = find_lives(list);
    const PeakAnswer peak = find_peak(list, lives);
    Run run;
    if (peak.l1() != nullptr) run.l1 = peak.l1()->bytes;
    if (peak.dram() != nullptr) run.dram = peak.dram()->bytes;
    std::map<std::uint32_t, std::size_t> operation_of_top;
    for (std::uint32_t scope = 0; scope < lives.scopes.scopes.size(); ++scope) {
        const Scope& it = lives.scopes.scopes[scope];
        if (it.parent == kNoIndex) {
            operation_of_top[scope] = run.operations.size();
            run.operations.push_back({.name = std::string(list.name(it.start)),
                                      .allocations = {},
                                      .program_bytes = {},
                                      .calls = {}});
        }
        run.operations[operation_of_top[it.top]].calls.push_back(lives.scopes.path(list, scope));
    }
    for (std::uint32_t index = 0; index < lives.buffers.size(); ++index) {
        const BufferLife& life = lives.buffers[index];
        if (life.before_window || life.maker == kNoIndex) continue;
        const Contributor it = describe_buffer(list, lives, index);
        run.operations[operation_of_top[lives.scopes.scopes[life.maker].top]].allocations.push_back(
            {it.made_by,
             {std::string(name_of(life.memory)) + (it.shape.empty() ? "" : " " + it.shape),
              static_cast<std::int64_t>(life.per_bank.bytes)}});
    }
    for (const ProgramLife& program : lives.programs) {
        if (program.scope == kNoIndex || program.record == ProgramRecord::kUnknown) continue;
        Operation& operation = run.operations[operation_of_top[lives.scopes.scopes[program.scope].top]];
        std::int64_t& bytes = operation.program_bytes[lives.scopes.path(list, program.scope)];
        bytes = std::max(bytes, static_cast<std::int64_t>(program_bytes_of(lives, program)));
    }
    return run;
}

/// Pairs of equal names, in order: as many as a longest common subsequence has. Long runs are compared in a
/// band around what is left when equal beginnings and ends are taken off, so the cost stays near linear.
std::vector<std::pair<std::size_t, std::size_t>> match(const std::vector<Operation>& a,
                                                       const std::vector<Operation>& b) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::size_t begin = 0;
    while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) {
        pairs.emplace_back(begin, begin);
        ++begin;
    }
    std::size_t end_a = a.size();
    std::size_t end_b = b.size();
    std::vector<std::pair<std::size_t, std::size_t>> tail;
    while (end_a > begin && end_b > begin && a[end_a - 1] == b[end_b - 1])
        tail.emplace_back(--end_a, --end_b);
    const std::size_t rows = end_a - begin;
    const std::size_t cols = end_b - begin;
    constexpr std::size_t kMostCells = std::size_t{1} << 26;
    if (rows != 0 && cols != 0 && rows <= kMostCells / cols) {
        std::vector<std::uint32_t> longest((rows + 1) * (cols + 1), 0);
        const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
            return longest[i * (cols + 1) + j];
        };
        for (std::size_t i = rows; i-- > 0;)
            for (std::size_t j = cols; j-- > 0;)
                at(i, j) = a[begin + i] == b[begin + j] ? at(i + 1, j + 1) + 1
                                                        : std::max(at(i + 1, j), at(i, j + 1));
        for (std::size_t i = 0, j = 0; i < rows && j < cols;) {
            if (a[begin + i] == b[begin + j]) {
                pairs.emplace_back(begin + i++, begin + j++);
            } else if (at(i + 1, j) >= at(i, j + 1)) {
                ++i;
            } else {
                ++j;
            }
        }
    } else {  // too different to be worth more: greedily
        std::size_t j = begin;
        for (std::size_t i = begin; i < end_a; ++i) {
            std::size_t found = j;
            while (found < end_b && found < j + 1000 && !(a[i] == b[found]))
                ++found;
            if (found >= end_b || found == j + 1000) continue;
            pairs.emplace_back(i, found);
            j = found + 1;
        }
    }
    pairs.insert(pairs.end(), tail.rbegin(), tail.rend());
    return pairs;
}

class Comparison {
public:
    std::vector<Difference> run(const Run& a, const Run& b) {
        const auto pairs = match(a.operations, b.operations);
        std::size_t i = 0;
        std::size_t j = 0;
        const auto unmatched_until = [&](std::size_t end_i, std::size_t end_j) {
            for (; i < end_i; ++i)
                add({.kind = Difference::Kind::kRemovedOperation,
                     .path = a.operations[i].name,
                     .before = {},
                     .after = {}});
            for (; j < end_j; ++j)
                add({.kind = Difference::Kind::kNewOperation,
                     .path = b.operations[j].name,
                     .before = {},
                     .after = {}});
        };
        for (const auto& [left, right] : pairs) {
            unmatched_until(left, right);
            compare(a.operations[left], b.operations[right]);
            ++i;
            ++j;
        }
        unmatched_until(a.operations.size(), b.operations.size());
        const bool explained = !differences_.empty();
        if (!explained) {
            add_peak(Difference::Kind::kPeakL1, a.l1, b.l1);
            add_peak(Difference::Kind::kPeakDram, a.dram, b.dram);
        }
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

    void add_peak(Difference::Kind kind, std::uint64_t before, std::uint64_t after) {
        if (before == after) return;
        Difference difference;
        difference.kind = kind;
        difference.before_bytes = static_cast<std::int64_t>(before);
        difference.after_bytes = static_cast<std::int64_t>(after);
        add(std::move(difference));
    }

    void compare(const Operation& a, const Operation& b) {
        std::map<std::string, std::pair<std::vector<Allocation>, std::vector<Allocation>>> by_path;
        for (const auto& [path, allocation] : a.allocations)
            by_path[path].first.push_back(allocation);
        for (const auto& [path, allocation] : b.allocations)
            by_path[path].second.push_back(allocation);
        bool changed = false;
        for (const auto& [path, both] : by_path)
            changed = compare_allocations(path, both.first, both.second) || changed;
        if (changed) return;
        for (const auto& [path, bytes] : a.program_bytes) {
            const auto other = b.program_bytes.find(path);
            if (other == b.program_bytes.end() || other->second == bytes) continue;
            Difference difference;
            difference.kind = Difference::Kind::kChangedProgram;
            difference.path = path;
            difference.before_bytes = bytes;
            difference.after_bytes = other->second;
            add(std::move(difference));
        }
    }

    bool compare_allocations(const std::string& path, const std::vector<Allocation>& a,
                             const std::vector<Allocation>& b) {
        bool changed = false;
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            Difference difference;
            difference.path = path;
            if (i < a.size()) {
                difference.before = a[i].what;
                difference.before_bytes = a[i].bytes;
            }
            if (i < b.size()) {
                difference.after = b[i].what;
                difference.after_bytes = b[i].bytes;
            }
            difference.kind = i >= a.size()   ? Difference::Kind::kNewAllocation
                              : i >= b.size() ? Difference::Kind::kRemovedAllocation
                                              : Difference::Kind::kChangedAllocation;
            if (i < a.size() && i < b.size() && a[i].what == b[i].what && a[i].bytes == b[i].bytes) continue;
            changed = true;
            add(std::move(difference));
        }
        return changed;
    }

    std::vector<Difference> differences_;
    std::map<std::tuple<Difference::Kind, std::string, std::string, std::string, std::int64_t, std::int64_t>,
             std::size_t>
        places_;
};

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
    return Comparison().run(run_of(before), run_of(after));
}

std::vector<Configuration> configurations(const NodeList& list, const MemoryLives& lives) {
    std::map<std::uint32_t, std::uint64_t> program_bytes;  // by scope
    for (const ProgramLife& program : lives.programs)
        if (program.scope != kNoIndex) program_bytes[program.scope] = program_bytes_of(lives, program);
    std::map<std::tuple<std::string, std::vector<std::string>, std::vector<std::string>>, Configuration>
        groups;
    for (std::uint32_t scope = 0; scope < lives.scopes.scopes.size(); ++scope) {
        const NodeList::Function* function = list.function(lives.scopes.scopes[scope].start);
        if (function == nullptr || (function->arguments.count == 0 && function->input_tensors.count == 0))
            continue;
        Configuration it;
        it.operation = list.text(function->name);
        for (const TextRef argument : list.arguments(*function))
            it.arguments.push_back(stable_argument(list.text(argument)));
        for (const std::int64_t input : list.of_pool(function->input_tensors)) {
            const NodeList::Tensor* tensor =
                list.holds(input) ? list.tensor(static_cast<std::size_t>(input)) : nullptr;
            if (tensor == nullptr) continue;
            std::string type(list.text(tensor->shape));
            for (const TextRef text : {tensor->dtype, tensor->layout, tensor->memory_config})
                if (text != TextRef::kNone) type += " " + std::string(list.text(text));
            it.inputs.push_back(std::move(type));
        }
        Configuration& group = groups[{it.operation, it.arguments, it.inputs}];
        if (group.count == 0) group = std::move(it);
        ++group.count;
        if (const auto bytes = program_bytes.find(scope); bytes != program_bytes.end())
            group.program_bytes = std::max(group.program_bytes, bytes->second);
    }
    std::vector<Configuration> result;
    for (auto& [key, group] : groups)
        result.push_back(std::move(group));
    return result;
}

}  // namespace tilemeter::graph
