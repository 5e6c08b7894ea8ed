// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/internal/structure_cache.hpp"

#include <unordered_set>
#include <utility>

#include "capture/ir/passes/compare.hpp"
#include "runtime/trace/calls/evaluate.hpp"

namespace tilemeter::trace::internal {

namespace {

std::uint64_t held_bytes(const ir::Graph& graph, std::unordered_set<const void*>& seen) {
    // Measured: tables and room of a graph and of its evaluation; an equation; what one extent takes in all the
    // copies of a type that needs an allocation.
    constexpr std::uint64_t kGraph = 5000;
    constexpr std::uint64_t kEquation = 400;
    constexpr std::uint64_t kFarExtent = 160;
    if (!seen.insert(&graph).second) return 0;
    std::uint64_t bytes = kGraph + graph.equation_count() * kEquation;
    for (std::size_t i = 0; i < graph.value_count(); ++i)
        if (const std::size_t rank = graph.type(static_cast<ir::ValueId>(i)).shape.rank();
            rank > ir::Shape::kInline)
            bytes += rank * kFarExtent;
    for (const ir::Constant& constant : graph.constants())
        if (seen.insert(constant.storage().get()).second) bytes += constant.bytes().size();
    for (const ir::Equation equation : graph.equations())
        for (const ir::Subgraph& each : equation.subgraphs())
            bytes += held_bytes(*each.graph, seen);
    return bytes;
}

}  // namespace

std::uint64_t held_bytes(const ir::Graph& graph) {
    std::unordered_set<const void*> seen;
    return held_bytes(graph, seen);
}

struct StructureCache::Entry {
    Entry(const ir::Graph& from, std::uint64_t structure)
        // Once as it is known and once as it runs.
        : graph(from), hash(structure), bytes(2 * internal::held_bytes(from)), evaluator(from) {}

    const ir::Graph graph;
    const std::uint64_t hash;
    const std::uint64_t bytes;
    std::mutex mutex;  ///< one run at a time
    Evaluator evaluator;
};

StructureCache::StructureCache(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}
StructureCache::~StructureCache() = default;

std::shared_ptr<StructureCache::Entry> StructureCache::entry_of(const ir::Graph& graph) {
    const std::uint64_t hash = structural_hash(graph);
    const auto find = [&]() -> std::shared_ptr<Entry> {
        const auto [first, last] = by_hash_.equal_range(hash);
        for (auto known = first; known != last; ++known) {
            if (!equal((*known->second)->graph, graph, ir::Detail::kStructure)) continue;
            entries_.splice(entries_.begin(), entries_, known->second);
            return *known->second;
        }
        return nullptr;
    };
    {
        const std::lock_guard lock(mutex_);
        if (auto found = find()) return found;
    }
    auto made = std::make_shared<Entry>(graph, hash);
    const std::lock_guard lock(mutex_);
    if (auto found = find()) return found;  // another thread was faster
    entries_.push_front(made);
    by_hash_.emplace(hash, entries_.begin());
    held_bytes_ += made->bytes;
    ++compiled_;
    shrink();
    return made;
}

void StructureCache::shrink() {
    while (held_bytes_ > most_bytes_ && entries_.size() > 1) {
        const auto last = std::prev(entries_.end());
        const auto [first, end] = by_hash_.equal_range((*last)->hash);
        for (auto known = first; known != end; ++known)
            if (known->second == last) {
                by_hash_.erase(known);
                break;
            }
        held_bytes_ -= (*last)->bytes;
        entries_.erase(last);
    }
}

std::vector<ir::Constant> StructureCache::run(const ir::Graph& graph, std::span<const ir::Constant> inputs) {
    const std::shared_ptr<Entry> entry = entry_of(graph);
    const std::lock_guard lock(entry->mutex);
    return entry->evaluator.run(inputs);
}

std::uint64_t StructureCache::compiled() const {
    const std::lock_guard lock(mutex_);
    return compiled_;
}

std::uint64_t StructureCache::held_bytes() const {
    const std::lock_guard lock(mutex_);
    return held_bytes_;
}

void StructureCache::clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
    by_hash_.clear();
    held_bytes_ = 0;
}

}  // namespace tilemeter::trace::internal
