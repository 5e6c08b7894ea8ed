// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/internal/contributors.hpp"

#include <algorithm>
#include <utility>

#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/memory/tensor_flow.hpp"

namespace tilemeter::analysis::internal {
namespace {

void count(MemoryPeak& peak, Contributor contributor) {
    switch (contributor.share) {
        case Share::kProgram:
            peak.program_bytes += contributor.bytes;
            break;
        case Share::kTemporary:
            peak.temporary_bytes += contributor.bytes;
            break;
        case Share::kPersistent:
            peak.persistent_bytes += contributor.bytes;
            break;
        case Share::kStale:
            peak.stale_bytes += contributor.bytes;
            break;
    }
    peak.bytes += contributor.bytes;
    if (contributor.bytes != 0) peak.contributors.push_back(std::move(contributor));
}

void sort_largest_first(MemoryPeak& peak) {
    std::stable_sort(peak.contributors.begin(), peak.contributors.end(),
                     [](const Contributor& a, const Contributor& b) { return a.bytes > b.bytes; });
}

}  // namespace

void Contributors::apply(const MemoryEvent& event) {
    if (event.kind == MemoryEvent::Kind::kAllocate) live_.insert(event.index);
    if (event.kind == MemoryEvent::Kind::kRelease) live_.erase(event.index);
}

MemoryPeak Contributors::instant(std::uint32_t node) const {
    MemoryPeak peak;
    peak.node = node;
    const std::uint32_t scope =
        node < lifetimes_.scopes.of_node.size() ? lifetimes_.scopes.of_node[node] : kNoIndex;
    if (scope == kNoIndex) return peak;
    peak.operation_node = lifetimes_.scopes.scopes[lifetimes_.scopes.scopes[scope].top].start;
    peak.operation = std::string(list_.name(peak.operation_node));
    peak.path = lifetimes_.scopes.path(list_, scope);
    peak.source_line = source_of(list_, lifetimes_.scopes, scope);
    return peak;
}

Share Contributors::share_of(const BufferLifetime& lifetime, const MemoryPeak& peak) const {
    const std::uint32_t scope = lifetimes_.scopes.of_node[peak.node];
    const std::uint32_t start = scope == kNoIndex ? peak.node : peak.operation_node;
    std::uint32_t end = peak.node;
    if (scope != kNoIndex) end = lifetimes_.scopes.scopes[lifetimes_.scopes.scopes[scope].top].end;
    const bool made_here = !lifetime.before_window && lifetime.begin >= start;
    if (made_here)
        return lifetime.end != kNoIndex && lifetime.end <= end ? Share::kTemporary : Share::kPersistent;
    const bool used_later = lifetime.last_use != kNoIndex && lifetime.last_use >= peak.node;
    return used_later || lifetime.end == kNoIndex || lifetime.end >= known_until_ ? Share::kPersistent
                                                                                  : Share::kStale;
}

void Contributors::add_buffers(MemoryPeak& peak, std::uint16_t device, bool in_dram) const {
    for (const std::uint32_t index : live_) {
        const BufferLifetime& lifetime = lifetimes_.buffers[index];
        if (lifetime.device != device || is_dram(lifetime.memory) != in_dram ||
            lifetime.memory == MemoryType::kSystemMemory)
            continue;
        Contributor contributor = describe_buffer(list_, lifetimes_, index);
        contributor.share = share_of(lifetime, peak);
        count(peak, std::move(contributor));
    }
}

void Contributors::add_pieces(MemoryPeak& peak, const Occupancy& occupancy, std::uint16_t device,
                              const Occupancy::CoreUse& use) const {
    // Bytes under several pieces belong to the one that begins lower.
    std::vector<std::uint32_t> pieces;
    for (const std::uint32_t index : occupancy.active_pieces(device)) {
        const ProgramPiece& piece = lifetimes_.pieces[index];
        const CoreSet& set = lifetimes_.core_sets[piece.cores];
        if (piece.chip == use.chip && set.contains(use.core)) pieces.push_back(index);
    }
    std::stable_sort(pieces.begin(), pieces.end(), [this](std::uint32_t a, std::uint32_t b) {
        return lifetimes_.pieces[a].address < lifetimes_.pieces[b].address;
    });
    std::uint64_t reached = 0;
    for (const std::uint32_t index : pieces) {
        const ProgramPiece& piece = lifetimes_.pieces[index];
        Contributor contributor;
        contributor.kind = piece.kind;
        contributor.node = piece.node;
        contributor.name = name_of(piece.kind);
        contributor.bytes = piece.size_bytes;
        if (piece.address != 0 && !lifetimes_.core_sets[piece.cores].everywhere) {
            const std::uint64_t end = piece.address + piece.size_bytes;
            const std::uint64_t from = std::max(piece.address, reached);
            contributor.bytes = end > from ? end - from : 0;
            reached = std::max(reached, end);
        }
        if (piece.address != 0) contributor.address = static_cast<std::int64_t>(piece.address);
        contributor.made_by = peak.path;
        contributor.source_line = peak.source_line;
        if (const auto* row = list_.program_piece(piece.node))
            contributor.core_ranges = std::string(list_.text(row->core_ranges));
        count(peak, std::move(contributor));
    }
}

MemoryPeak Contributors::l1(const Occupancy& occupancy, std::uint16_t device, std::uint32_t node) const {
    MemoryPeak peak = instant(node);
    const Occupancy::CoreUse use = occupancy.fullest_core(device);
    if (use.program_bytes != 0) {
        peak.core = use.core;
        if (use.chip != 0) peak.chip = use.chip - 1;
        add_pieces(peak, occupancy, device, use);
    }
    add_buffers(peak, device, false);
    sort_largest_first(peak);
    return peak;
}

MemoryPeak Contributors::dram(const Occupancy& occupancy, std::uint16_t device, std::uint32_t node) const {
    MemoryPeak peak = instant(node);
    add_buffers(peak, device, true);
    sort_largest_first(peak);
    peak.total_bytes = occupancy.tensors(device).dram_total_bytes;
    return peak;
}

}  // namespace tilemeter::analysis::internal
