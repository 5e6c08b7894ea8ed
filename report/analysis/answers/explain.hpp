// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The contents of a memory, and the tensors that would have to go: for a failure or for any moment of a list.
//
//   1,499,136  ┬ tensor 12        from above
//              ├ hole
//              ├ tensor 7
//     761,184  ┼ ─ ─ ─ program memory ends here
//     319,488  ┴ tensor 9         clash: 441,696 bytes
//     105,824  ─ program memory   from below
//
// A bank of DRAM is filled from below, by tensors only; L1_SMALL has a region of its own above L1's. Where
// addresses are not recorded the sizes are placed as the device's allocator would. Sizes in bytes, per core
// in L1 and L1_SMALL, per bank in DRAM.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/failure.hpp"

namespace tilemeter::analysis {

/// A stretch of addresses of one core's L1, or of one DRAM bank.
struct MapPart {
    enum class Kind : std::uint8_t { kProgram, kTensor, kHole };
    Kind kind = Kind::kHole;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::optional<Contributor>
        owner;  ///< not for holes, nor for program memory that is known by its end only
};

/// The list's word on a tensor's time after the node in question.
enum class LaterUse : std::uint8_t {
    kUsed,           ///< by the operation there, or by a later one
    kReleased,       ///< not used any more, and the program itself releases it later on
    kAliveAtTheEnd,  ///< not used in what follows, but not released either: an output, perhaps
    kNotKnown,       ///< the list does not know what follows (a failure, a missing part, no addresses)
};
/// "used", "released", "alive_at_the_end", "not_known"
const char* name_of(LaterUse use);

/// For a place in MemoryLifetimes::buffers after `node`. `known_until`: until where the list's uses are known
/// (verdict.hpp), at most the node of the failure that it is asked for.
LaterUse later_use(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t known_until,
                   std::uint32_t buffer, std::uint32_t node);

/// Moving a tensor elsewhere is always possible; that it can be released needs evidence.
struct MoveCandidate {
    Contributor tensor;
    std::uint64_t cost_bytes = 0;  ///< whole buffer: what moving it elsewhere copies
    LaterUse later = LaterUse::kNotKnown;
    std::uint32_t released_at = kNoIndex;  ///< kReleased: the node
    /// Nothing: not known.
    std::optional<bool> can_be_released() const;
};

enum class AddressOrigin : std::uint8_t {
    kRecorded,
    kPlaced,    ///< not recorded: placed anew, as the device's allocator would
    kNotKnown,  ///< neither recorded, nor is the device described
};
/// "recorded", "placed", "not_known"
const char* name_of(AddressOrigin origin);

struct Explanation {
    FailureCause cause = FailureCause::kNone;
    std::string message;  ///< the runtime's, if there was one
    std::uint32_t node = kNoIndex;
    std::string operation;  ///< path
    std::optional<Core> core;
    std::optional<MemoryType>
        memory;  ///< that the map is of: kL1, kL1Small, kDram; nothing: none was touched
    std::uint64_t region_begin = 0, region_end = 0;  ///< its addresses; both 0: not known
    std::vector<MapPart> map;                        ///< from the lowest address; parts of a clash overlap
    AddressOrigin addresses = AddressOrigin::kNotKnown;
    std::uint64_t program_bytes = 0, tensor_bytes = 0;
    std::optional<std::uint64_t> free_bytes, largest_hole_bytes;  ///< of the map
    /// The bound of the bytes alive; where it is a lower bound, the free bytes are an upper one.
    Bound bound = Bound::kExact;
    std::uint64_t overlap_bytes = 0;  ///< kClash
    std::uint64_t missing_bytes = 0;  ///< of an allocation
    std::optional<Clash> clash;
    std::optional<OutOfMemory> out_of_memory;
    std::optional<ProgramTooLarge> program_too_large;
    std::optional<Contributor> refused;  ///< the tensor that found no place, where the list has it
    /// All that is alive in `memory`, largest first; of a failure without known lack of memory in all.
    std::vector<Contributor> contributors;
    /// The smallest set of tensors (by bytes) whose move or release clears it; empty if none would.
    std::vector<MoveCandidate> clearing_set;
    std::vector<std::string> notes;

    bool region_known() const { return region_end > region_begin; }
};

struct ExplainQuestion {
    std::optional<std::uint32_t> at = {};  ///< the moment after this node
    std::string message = {};              ///< the runtime's, from a log; needs no list
    /// May be null: another capture's programs. One that was refused leaves no nodes of its own.
    const ProgramLibrary* known_programs = nullptr;
};
/// The message's failure, or the moment asked for; else every failure of the list, and where the judgement
/// says that something finds no place; else the fullest moment. Empty where no memory was touched and nothing
/// failed. A message comes at the end of the list's last operation, or of the one that failed.
std::vector<Explanation> explain(const NodeList& list, const MemoryLifetimes& lifetimes,
                                 const Judgement& judgement, const ExplainQuestion& question = {});

/// The map of `memory` after `node`, and whether programs and tensors meet there.
Explanation explain_moment(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
                           std::uint32_t node, MemoryType memory = MemoryType::kL1);

/// The device (a slot of `lifetimes`) that a node is about: of the program that runs there, else the one
/// whose `memory` is fullest at all.
std::uint16_t device_near(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint32_t node,
                          MemoryType memory = MemoryType::kL1);

/// A failure at `node`, from the runtime's message; empty: it is not recorded.
Explanation explain_failure(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
                            std::uint32_t node, const std::string& message,
                            const ProgramLibrary* known_programs = nullptr);

/// The judgement of a list, and of a message from elsewhere: a refusal does not fit, whatever the list says.
Judgement judge_with_message(Judgement judgement, const std::string& message);

}  // namespace tilemeter::analysis
