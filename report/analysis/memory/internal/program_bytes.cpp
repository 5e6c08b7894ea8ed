// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/program_bytes.hpp"

#include <algorithm>

namespace tilemeter::analysis::internal {

std::uint64_t ProgramBytes::operator()(const ProgramLifetime& program) {
    // Most programs have all they have on the same cores.
    std::uint32_t common = kNoIndex;
    bool all_alike = true;
    std::uint64_t sum = 0;
    const auto counts = [](const ProgramPiece& piece) { return !piece.shared && piece.chip <= 1; };
    for (std::uint32_t i = 0; i < program.piece_count; ++i) {
        const ProgramPiece& piece = lifetimes_.pieces[program.first_piece + i];
        if (!counts(piece)) continue;
        if (common == kNoIndex) common = piece.cores;
        all_alike = all_alike && piece.cores == common;
        sum += piece.size_bytes;
    }
    if (common == kNoIndex) return 0;
    if (all_alike) {
        const CoreSet& set = lifetimes_.core_sets[common];
        return set.everywhere || !set.cores.empty() ? sum : 0;
    }
    std::uint64_t everywhere = 0;
    std::uint64_t most = 0;
    for (std::uint32_t i = 0; i < program.piece_count; ++i) {
        const ProgramPiece& piece = lifetimes_.pieces[program.first_piece + i];
        if (!counts(piece)) continue;
        if (lifetimes_.core_sets[piece.cores].everywhere) everywhere += piece.size_bytes;
        for (const std::uint16_t core : lifetimes_.core_sets[piece.cores].cores) {
            if (of_core_[core] == 0) touched_.push_back(core);
            of_core_[core] += piece.size_bytes;
            most = std::max(most, of_core_[core]);
        }
    }
    for (const std::uint16_t core : touched_)
        of_core_[core] = 0;
    touched_.clear();
    return most + everywhere;
}

}  // namespace tilemeter::analysis::internal
