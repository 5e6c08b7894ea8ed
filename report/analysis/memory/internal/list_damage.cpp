// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/list_damage.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/analysis/memory/failures.hpp"

namespace tilemeter::analysis::internal {
namespace {

class DamageFinder {
public:
    DamageFinder(const NodeList& list, const Scopes& scopes) : list_(list), scopes_(scopes) {}

    ListDamage run() {
        if (list_.size() == 0) return damage_;
        check_frame();
        check_nodes();
        check_functions();
        return std::move(damage_);
    }

private:
    void note(std::string_view what, std::uint32_t node, bool cut) {
        ++damage_.places;
        (cut ? damage_.cut_off : damage_.has_holes) = true;
        if (damage_.text.find(what) != std::string::npos) return;
        if (!damage_.text.empty()) damage_.text += "; ";
        damage_.text += what;
        if (node != kNoIndex) damage_.text += " (node " + std::to_string(node) + ")";
    }

    void check_frame() {
        const auto last = static_cast<std::uint32_t>(list_.size() - 1);
        const ListSource& source = list_.source;
        if (list_.nodes.front().kind != NodeType::kCaptureStart) note("no capture_start", 0, false);
        const bool ended = list_.nodes.back().kind == NodeType::kCaptureEnd;
        if (!ended) note("no capture_end: the list is cut off", last, true);
        if (source.node_count.given() && source.node_count.size_bytes() != list_.size())
            note("the report was written with " + std::to_string(source.node_count.size_bytes()) +
                     " nodes, " + std::to_string(list_.size()) + " are there",
                 kNoIndex, !ended && source.node_count.size_bytes() > list_.size());
        const NodeList::End* end = ended ? list_.end(last) : nullptr;
        if (end != nullptr && source.total_duration_ns.given() &&
            !(end->duration_ns == source.total_duration_ns))
            note("capture_end does not have the capture's duration", last, false);
    }

    void check_nodes() {
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            const Number counter = list_.nodes[node].counter;
            if (counter.given() && counter.value_or(0) != static_cast<std::int64_t>(node))
                note("counters are not the places in the list", node, false);
            for (const std::int64_t target : list_.connections(node)) {
                if (list_.holds(target)) continue;
                // Beyond the end: what it led to came later.
                note("connections lead to nodes that are not there", node, target >= 0);
            }
        }
    }

    void check_functions() {
        std::vector<std::uint32_t> open;
        std::vector<bool> fails(scopes_.scopes.size(), false);
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            const NodeType kind = list_.nodes[node].kind;
            const std::int32_t level = list_.nodes[node].level;
            if (kind == NodeType::kFunctionStart) open.push_back(node);
            if (kind == NodeType::kFunctionStart || kind == NodeType::kFunctionEnd) {
                if (open.empty()) {
                    note("a function_end without its function_start", node, false);
                    continue;
                }
                if (level != NodeList::kNoLevel && level != static_cast<std::int32_t>(open.size()))
                    note("levels are not the nesting", node, false);
            }
            if (kind != NodeType::kFunctionEnd) continue;
            const std::string_view begun = list_.name(open.back());
            const std::string_view ended = list_.name(node);
            if (!begun.empty() && !ended.empty() && begun != ended)
                note("a function_end of another function", node, false);
            open.pop_back();
        }
        // The recorder counted those that threads were still in at the end, and there are no others.
        const auto open_at_end =
            static_cast<std::uint64_t>(std::ranges::count(scopes_.scopes, kNoIndex, &Scope::end));
        if (open_at_end == list_.source.open_functions.size_bytes()) return;
        const std::vector<bool> left_by_printing = find_left_by_printing(list_, scopes_);
        // A function that an exception left may stay open: that is the failure's doing.
        std::uint32_t behind_errors = 0;  // no error node comes at or after it
        for (std::uint32_t node = 0; node < list_.size(); ++node)
            if (list_.nodes[node].kind == NodeType::kError) behind_errors = node + 1;
        for (auto scope = static_cast<std::uint32_t>(scopes_.scopes.size()); scope-- > 0;) {
            const Scope& it = scopes_.scopes[scope];
            const PythonCall* call = list_.source.python_call(it.start);
            const bool failed = fails[scope] || (it.end != kNoIndex && list_.end(it.end)->aborted) ||
                                (call != nullptr && !call->error_message.empty());
            if (failed && it.parent != kNoIndex) fails[it.parent] = true;
            if (it.end == kNoIndex && !failed && !left_by_printing[scope] && it.start >= behind_errors)
                note("a function without its function_end", it.start, true);
        }
    }

    const NodeList& list_;
    const Scopes& scopes_;
    ListDamage damage_;
};

}  // namespace

ListDamage find_damage(const NodeList& list, const Scopes& scopes) {
    return DamageFinder(list, scopes).run();
}

std::vector<std::uint32_t> operations_without_program(const NodeList& list,
                                                      const MemoryLifetimes& lifetimes) {
    if (list.program_memory_is_complete()) return {};
    std::vector<bool> has_program(lifetimes.scopes.scopes.size(), false);
    for (const ProgramLifetime& program : lifetimes.programs)
        if (program.scope != kNoIndex) has_program[program.scope] = true;
    std::vector<std::uint32_t> without;
    for (std::uint32_t scope = 0; scope < lifetimes.scopes.scopes.size(); ++scope)
        if (list.function(lifetimes.scopes.scopes[scope].start)->has_program && !has_program[scope])
            without.push_back(scope);
    return without;
}

}  // namespace tilemeter::analysis::internal
