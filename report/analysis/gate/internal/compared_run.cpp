// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/internal/compared_run.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/internal/list_damage.hpp"
#include "report/analysis/memory/internal/program_bytes.hpp"

namespace tilemeter::analysis::internal {
namespace {

/// Puts `items` (each with its operation) in the order of operations; what one operation has stays in order.
template <class Item>
std::vector<std::size_t> group(const std::vector<std::uint32_t>& operation_of, std::size_t operations,
                               std::vector<Item>& items) {
    std::vector<std::size_t> first(operations + 1, 0);
    for (const std::uint32_t operation : operation_of)
        ++first[operation + 1];
    for (std::size_t i = 0; i < operations; ++i)
        first[i + 1] += first[i];
    std::vector<Item> ordered(items.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < items.size(); ++i)
        ordered[next[operation_of[i]]++] = items[i];
    items = std::move(ordered);
    return first;
}

class RunMaker {
public:
    RunMaker(const NodeList& list, const MemoryLifetimes& lifetimes, ComparedNames& names)
        : list_(list), lifetimes_(lifetimes), names_(names), shared_(list.texts.size() + 1, TextRef::kNone) {}

    ComparedRun run() {
        add_operations();
        add_allocations();
        add_programs();
        return std::move(run_);
    }

private:
    TextRef shared(TextRef own) {
        TextRef& known = shared_[static_cast<std::size_t>(own)];
        if (known == TextRef::kNone) known = names_.texts.intern(list_.text(own));
        return known;
    }

    void add_operations() {
        const auto& scopes = lifetimes_.scopes.scopes;
        path_.resize(scopes.size());
        operation_.resize(scopes.size());
        for (std::size_t scope = 0; scope < scopes.size(); ++scope) {
            const NodeList::Function* function = list_.function(scopes[scope].start);
            const TextRef name = shared(function != nullptr ? function->name : TextRef::kNone);
            const std::uint32_t parent = scopes[scope].parent;
            path_[scope] = names_.path(parent == kNoIndex ? ComparedNames::kNoPath : path_[parent], name);
            if (parent == kNoIndex) {
                operation_[scope] = static_cast<std::uint32_t>(run_.operations.size());
                run_.operations.push_back(name);
            } else {
                operation_[scope] = operation_[parent];
            }
        }
    }

    TextRef what(std::uint32_t buffer) {
        const BufferLifetime& lifetime = lifetimes_.buffers[buffer];
        auto key = std::tuple(lifetime.memory, TextRef::kNone, TextRef::kNone, TextRef::kNone);
        if (lifetime.tensor != kNoIndex) {
            const NodeList::Tensor& tensor = *list_.tensor(lifetime.tensor);
            key = {lifetime.memory, tensor.shape, tensor.dtype, tensor.layout};
        }
        const auto [entry, is_new] = what_.try_emplace(key, TextRef::kNone);
        if (is_new) {
            const std::string shape = describe_buffer(list_, lifetimes_, buffer).shape;
            entry->second = names_.texts.intern(std::string(name_of(lifetime.memory)) +
                                                (shape.empty() ? "" : " " + shape));
        }
        return entry->second;
    }

    void add_allocations() {
        std::vector<std::uint32_t> operation_of;
        for (std::uint32_t index = 0; index < lifetimes_.buffers.size(); ++index) {
            const BufferLifetime& lifetime = lifetimes_.buffers[index];
            if (lifetime.before_window || lifetime.maker == kNoIndex) continue;
            operation_of.push_back(operation_[lifetime.maker]);
            run_.allocations.push_back(
                {path_[lifetime.maker], lifetime.memory, what(index), lifetime.per_bank.bytes});
        }
        run_.first_allocation = group(operation_of, run_.operations.size(), run_.allocations);
    }

    void add_programs() {
        ProgramBytes bytes_of(lifetimes_);
        std::vector<std::uint32_t> operation_of;
        std::vector<ComparedRun::Program> all;
        for (const ProgramLifetime& program : lifetimes_.programs) {
            if (program.scope == kNoIndex) continue;
            operation_of.push_back(operation_[program.scope]);
            const bool is_recorded = program.record != ProgramRecord::kUnknown;
            all.push_back({path_[program.scope], is_recorded ? bytes_of(program) : 0, is_recorded});
        }
        for (const std::uint32_t scope : operations_without_program(list_, lifetimes_)) {
            operation_of.push_back(operation_[scope]);
            all.push_back({path_[scope], 0, false});
        }
        const std::vector<std::size_t> first = group(operation_of, run_.operations.size(), all);
        run_.first_program.push_back(0);
        for (std::size_t operation = 0; operation < run_.operations.size(); ++operation) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first[operation]);
            const auto end = all.begin() + static_cast<std::ptrdiff_t>(first[operation + 1]);
            // By path, the largest of each first.
            std::sort(begin, end, [](const auto& a, const auto& b) {
                return a.path != b.path ? a.path < b.path : a.bytes > b.bytes;
            });
            const std::size_t of_operation = run_.programs.size();
            for (auto it = begin; it != end; ++it) {
                if (run_.programs.size() > of_operation && run_.programs.back().path == it->path)
                    run_.programs.back().is_recorded = run_.programs.back().is_recorded && it->is_recorded;
                else
                    run_.programs.push_back(*it);
            }
            run_.first_program.push_back(run_.programs.size());
        }
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    ComparedNames& names_;
    ComparedRun run_;
    std::vector<TextRef> shared_;  // by the list's own
    std::vector<ComparedNames::Path> path_;
    std::vector<std::uint32_t> operation_;
    std::map<std::tuple<MemoryType, TextRef, TextRef, TextRef>, TextRef> what_;
};

}  // namespace

ComparedNames::Path ComparedNames::path(Path parent, TextRef name) {
    const auto key = std::uint64_t{parent} << 32U | static_cast<std::uint32_t>(name);
    const auto [entry, is_new] = known_.try_emplace(key, static_cast<Path>(steps_.size()));
    if (is_new) steps_.push_back({parent, name});
    return entry->second;
}

std::string ComparedNames::text(Path path) const {
    constexpr std::size_t kMostNames = 64;  // deeper than anyone reads: the middle is left out
    std::vector<std::string_view> names;    // innermost first
    for (; path != kNoPath; path = steps_[path].parent)
        names.push_back(texts.of(steps_[path].name));
    std::string text;
    for (std::size_t i = names.size(); i-- > 0;) {
        if (names.size() > kMostNames && i != 0 && i != names.size() - 1) {
            if (i == 1) text += " > ...";
            continue;
        }
        if (!text.empty() || i + 1 != names.size()) text += " > ";
        text += names[i];
    }
    return text;
}

ComparedRun compared_run(const NodeList& list, const MemoryLifetimes& lifetimes, ComparedNames& names) {
    return RunMaker(list, lifetimes, names).run();
}

}  // namespace tilemeter::analysis::internal
