// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/memory_lifetimes.hpp"

#include <algorithm>

#include "report/analysis/memory/internal/program_signature.hpp"

namespace tilemeter::analysis {

void ProgramLibrary::add_all(const ProgramLibrary& other) {
    // Their places depend on what lay there before.
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
