// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What fills the core, and what would have to go: for a failure or for any moment of a list.
//
//   1,499,136  ┬ tensor 12        from above
//              ├ hole
//              ├ tensor 7
//     761,184  ┼ ─ ─ ─ program memory ends here
//     319,488  ┴ tensor 9         clash: 441,696 bytes
//     105,824  ─ program memory   from below
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/failure.hpp"
#include "report/analysis/l1_region.hpp"
#include "report/analysis/peak.hpp"

namespace tilemeter::graph {

/// A stretch of addresses of one core's L1 (or of one DRAM bank).
struct MapPart {
    enum class Kind : std::uint8_t { kProgram, kTensor, kHole };
    Kind kind = Kind::kHole;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::optional<Contributor>
        owner;  ///< not for holes, nor for program memory that is known by its end only
};

struct MoveCandidate {
    Contributor tensor;
    std::uint64_t cost_bytes = 0;  ///< whole buffer: what moving it elsewhere copies
    std::uint32_t uses_later = 0;  ///< 0: it can be released instead
};

struct Explanation {
    FailureCause cause = FailureCause::kNone;
    std::string message;  ///< the runtime's, if there was one
    std::uint32_t node = kNoIndex;
    std::string operation;  ///< path
    std::optional<Core> core;
    L1Region region;
    std::vector<MapPart> map;  ///< from the lowest address; parts of a clash overlap
    bool addresses_known = false;
    std::uint64_t program_bytes = 0, tensor_bytes = 0, free_bytes = 0, largest_hole_bytes = 0;
    std::uint64_t overlap_bytes = 0;  ///< kClash
    std::uint64_t missing_bytes = 0;  ///< of an allocation
    std::optional<Clash> clash;
    std::optional<OutOfMemory> out_of_memory;
    /// The smallest set of tensors (by bytes) whose move or release clears it; empty if none would.
    std::vector<MoveCandidate> clearing_set;
    std::vector<std::string> notes;
};

/// The map after `node` and whether programs and tensors meet there.
Explanation explain_moment(const NodeList& list, const MemoryLives& lives, std::uint16_t device,
                           std::uint32_t node);

/// A failure at `node`, from the runtime's message. A program that was refused leaves no nodes of its own;
/// `known_programs` (may be null) of another capture say what it would have taken.
Explanation explain_failure(const NodeList& list, const MemoryLives& lives, std::uint16_t device,
                            std::uint32_t node, const std::string& message,
                            const ProgramLibrary* known_programs = nullptr);

}  // namespace tilemeter::graph
