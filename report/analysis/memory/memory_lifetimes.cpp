// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/memory_lifetimes.hpp"

#include <algorithm>

#include "report/analysis/memory/internal/buffer_tracker.hpp"
#include "report/analysis/memory/internal/device_table.hpp"
#include "report/analysis/memory/internal/program_signature.hpp"
#include "report/analysis/memory/internal/program_tracker.hpp"

namespace tilemeter::analysis {
namespace {

/// By node; events of one node stay in the order they were noted.
std::vector<MemoryEvent> in_list_order(std::vector<MemoryEvent> events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const MemoryEvent& a, const MemoryEvent& b) { return a.node < b.node; });
    return events;
}

void scan(const NodeList& list, const Scopes& scopes, internal::BufferTracker& buffers,
          internal::ProgramTracker& programs) {
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        switch (list.nodes[node].kind) {
            case NodeType::kBuffer:
                buffers.on_buffer(node);
                break;
            case NodeType::kBufferAllocate:
                buffers.on_allocate(node);
                break;
            case NodeType::kBufferDeallocate:
                buffers.on_deallocate(node);
                break;
            case NodeType::kTensor:
                buffers.on_tensor(node);
                break;
            case NodeType::kCircularBufferDeallocateAll:
                programs.on_deallocate_all(node);
                break;
            case NodeType::kProgramExecution:
                programs.on_execution(node);
                break;
            case NodeType::kFunctionEnd:
                programs.on_function_end(node, scopes.of_node[node]);
                break;
            default:
                if (list.nodes[node].is_program_memory) programs.on_piece(node);
        }
    }
}

}  // namespace

void ProgramLibrary::add_all(const ProgramLibrary& other) {
    // Where they lie depends on what lay there before.
    const auto is_same = [](const Piece& a, const Piece& b) {
        return a.kind == b.kind && a.shared == b.shared && a.size_bytes == b.size_bytes &&
               a.core_ranges == b.core_ranges;
    };
    for (const auto& [signature, pieces] : other.known_) {
        const auto [known, is_new] = known_.try_emplace(signature, pieces);
        if (!is_new && !std::ranges::equal(known->second, pieces, is_same)) disputed_.insert(signature);
    }
    disputed_.insert(other.disputed_.begin(), other.disputed_.end());
    may_lack_pieces = may_lack_pieces || other.may_lack_pieces;
}

MemoryLifetimes find_lifetimes(const NodeList& list, const ProgramLibrary* known_programs) {
    MemoryLifetimes lifetimes;
    lifetimes.scopes = find_scopes(list);
    internal::DeviceTable devices(list);
    internal::BufferTracker buffers(list, lifetimes, devices);
    internal::ProgramTracker programs(list, lifetimes, devices, known_programs);
    scan(list, lifetimes.scopes, buffers, programs);
    buffers.finish();
    programs.finish();
    lifetimes.devices = devices.take_slots();
    lifetimes.events = in_list_order(std::move(lifetimes.events));
    return lifetimes;
}

ProgramLibrary MemoryLifetimes::library(const NodeList& list) const {
    ProgramLibrary result;
    internal::ProgramSignature signatures(list);
    result.may_lack_pieces = list.some_program_memory_is_untold();
    for (const ProgramLifetime& program : programs) {
        // One without pieces is known to have none: its list tells all.
        if (program.record != ProgramRecord::kRecorded) continue;
        if (program.scope == kNoIndex) continue;
        const std::uint64_t signature = signatures.of(scopes.scopes[program.scope].start);
        if (signature == 0 || result.find(signature) != nullptr) continue;
        std::vector<ProgramLibrary::Piece> kept;
        for (std::uint32_t i = 0; i < program.piece_count - program.added_pieces; ++i) {
            const ProgramPiece& piece = pieces[program.first_piece + i];
            if (piece.chip > 1) continue;
            const NodeList::ProgramMemory* row = list.program_piece(piece.node);
            kept.push_back({piece.kind, piece.shared, piece.size_bytes, piece.address,
                            std::string(row ? list.text(row->core_ranges) : std::string_view())});
        }
        result.add(signature, std::move(kept));
    }
    return result;
}

}  // namespace tilemeter::analysis
