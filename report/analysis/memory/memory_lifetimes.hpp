// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Occupied memory from moment to moment: buffers, and the memory of programs while they run. Every answer about memory
// starts here. What it takes as true, and why TT-NN's own answers differ, stands in ../ANSWERS.md.
//
//   node        0   1   2   3   4   5   6   7
//   buffer A    ├───────────────────┤             older than the list, released at 5
//   buffer B            ├─────────────────────▶   allocated at 2, never released
//   program P               ├─p1──┤               pieces p1, p2 until its function ends
//                             ├p2─┤
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "report/analysis/memory/bank_size.hpp"
#include "report/analysis/nodes/core_set.hpp"
#include "report/analysis/nodes/node_list.hpp"
#include "report/analysis/nodes/scopes.hpp"

namespace tilemeter::analysis {

struct BufferLifetime {
    std::uint32_t node;       ///< the buffer node, or the event's where there is none; kNoIndex: in no node
    std::uint32_t begin = 0;  ///< alive from this node on; 0 for what is older than the list
    std::uint32_t end = kNoIndex;  ///< the buffer_deallocate; kNoIndex: alive at the end
    std::uint32_t maker =
        kNoIndex;  ///< scope of the allocation; kNoIndex: before the list, or outside of all
    std::uint32_t tensor = kNoIndex;     ///< the first tensor node that lies in it
    std::uint32_t first_use = kNoIndex;  ///< start of the first function that takes it as input
    std::uint32_t last_use = kNoIndex;   ///< end of the last function that does (the list's end if open)
    std::uint32_t uses = 0;
    std::uint16_t device = 0;  ///< slot in MemoryLifetimes::devices
    MemoryType memory = MemoryType::kSystemMemory;
    bool before_window = false;
    BankSize per_bank;
    std::uint64_t size_bytes = 0;  ///< all banks
    Number address;                ///< not given, or 0: not known (NO_DISPATCH)
};

/// One circular buffer, dataflow buffer, scratchpad or unknown kind of a program.
struct ProgramPiece {
    std::uint32_t node;
    ProgramMemoryKind kind;
    bool shared;  ///< lies in a tensor's buffer: takes nothing of its own
    std::uint16_t
        chip;  ///< 0: on every chip of the device alike; else 1 + its place among the program's chips
    std::uint32_t cores;  ///< in MemoryLifetimes::core_sets
    std::uint64_t size_bytes;
    std::uint64_t address;  ///< 0: not known
};

enum class ProgramRecord : std::uint8_t {
    kRecorded,
    kFilledIn,     ///< not recorded (program cache): the pieces are those of its recorded run in this list
    kFromLibrary,  ///< not recorded in this list: the pieces are those of the same program in another capture
    kUnknown,      ///< it ran, and what it took is not known
};

struct ProgramLifetime {
    std::uint32_t scope = kNoIndex;
    std::uint32_t begin = 0;
    std::uint32_t end = kNoIndex;
    std::uint32_t first_piece = 0;  ///< in MemoryLifetimes::pieces
    std::uint32_t piece_count = 0;
    std::uint16_t device = 0;
    std::uint16_t chips = 1;  ///< number of chips whose identical pieces were taken as one
    ProgramRecord record = ProgramRecord::kRecorded;
    /// Its list does not tell all of each kind of program memory, and no other capture had the rest.
    bool may_lack_pieces = false;
    /// The last of its pieces: those that its list does not have, from another capture.
    std::uint32_t added_pieces = 0;
};

struct MemoryEvent {
    enum class Kind : std::uint8_t { kAllocate, kRelease, kPiece, kProgramEnd };
    std::uint32_t node;
    Kind kind;
    std::uint32_t index;      ///< buffer, or program
    std::uint32_t piece = 0;  ///< kPiece: in pieces
};

struct DeviceSlot {
    Number id;  ///< not given: the list names no device
    std::vector<std::int64_t> chips;
};

/// Pieces of programs by signature: fills in what a capture with program-cache hits, or without some kinds of
/// program memory, left out.
class ProgramLibrary {
public:
    struct Piece {
        ProgramMemoryKind kind;
        bool shared;
        std::uint64_t size_bytes, address;
        std::string core_ranges;
    };
    void add(std::uint64_t signature, std::vector<Piece> pieces) {
        known_.try_emplace(signature, std::move(pieces));
    }
    /// Adds the programs that another capture knows. Of a program that the two tell differently nothing is known.
    void add_all(const ProgramLibrary& other);
    const std::vector<Piece>* find(std::uint64_t signature) const {
        const auto found = known_.find(signature);
        return found == known_.end() || disputed_.contains(signature) ? nullptr : &found->second;
    }
    /// True if programs may have more pieces than it knows.
    bool may_lack_pieces = false;

private:
    std::unordered_map<std::uint64_t, std::vector<Piece>> known_;
    std::unordered_set<std::uint64_t> disputed_;
};

struct MemoryLifetimes {
    std::vector<BufferLifetime> buffers;    ///< in the order in which they are met
    std::vector<ProgramLifetime> programs;  ///< in the order of their begin
    std::vector<ProgramPiece> pieces;
    std::vector<CoreSet> core_sets;
    std::vector<MemoryEvent> events;  ///< in the order of the list
    std::vector<DeviceSlot> devices;
    Scopes scopes;
    std::vector<std::uint32_t>
        lifetime_of_tensor;  ///< by node: the buffer a tensor node lies in, or kNoIndex

    /// Its records of programs, for find_lifetimes() of another capture of the same workload.
    ProgramLibrary library(const NodeList& list) const;
};

/// Linear in the size of the list. `known_programs` (may be null) fills in programs that the list does not
/// describe.
MemoryLifetimes find_lifetimes(const NodeList& list, const ProgramLibrary* known_programs = nullptr);

}  // namespace tilemeter::analysis
