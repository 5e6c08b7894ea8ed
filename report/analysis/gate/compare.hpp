// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Two captures beside each other, matched by operation path; ids, addresses and host pointers don't count.
// And the configurations in which operations ran.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

struct Difference {
    enum class Kind : std::uint8_t {
        kNewOperation,
        kRemovedOperation,
        kNewAllocation,
        kRemovedAllocation,
        kChangedAllocation,  ///< another size or shape in the same memory
        kMovedOut,           ///< it lies in another memory now: its kMovedIn follows
        kMovedIn,
        kChangedProgram,  ///< another amount of program memory
        kOnlyRecorded,    ///< a program's memory is recorded on one side only: no change, as far as is known
    };
    Kind kind = Kind::kNewOperation;
    std::string path;                  ///< of operations, "ttnn.add > BinaryNgDeviceOperation"
    std::string before, after;         ///< its form: memory, shape
    std::optional<MemoryType> memory;  ///< that the bytes are of: per core of L1, per bank of DRAM
    std::optional<std::uint64_t> before_bytes, after_bytes;  ///< nothing: not there, or not known
    std::uint32_t count = 1;                                 ///< equal differences at one path are one
};
/// "moved_in"
const char* name_of(Difference::Kind kind);

/// The growth of one memory, of what is recorded.
struct Growth {
    std::string operation;  ///< a path
    MemoryType memory = MemoryType::kL1;
    std::int64_t bytes = 0;  ///< per core of L1, per bank of DRAM
};

struct Comparison {
    Judgement before, after;              ///< of each on its own device: peaks and what is missing
    std::string before_mode, after_mode;  ///< "NORMAL", "NO_DISPATCH"; empty: not said
    /// Differences that follow from another are left out: where an allocation changed, program memory of the
    /// same operation is not told again. Equal captures give none.
    std::vector<Difference> differences;

    enum class Answer : std::uint8_t { kSame, kDiffer, kUnknown };
    /// Yes where they differ in more than what was recorded; unknown where a list is damaged or empty, or what one of
    /// them lacks might be the same. `accept_incomplete`: what is recorded is all there is.
    Answer answer(bool accept_incomplete = false) const;
    /// Why it is unknown, what the figures of both have not in common, one sentence each.
    std::vector<std::string> notes() const;
    /// Operations that allocate more, and programs that take more, than before; the most first.
    std::vector<Growth> grown(MemoryType memory, std::size_t most) const;
};
/// "same", "differ", "unknown"
const char* name_of(Comparison::Answer answer);

/// True if the peaks of two captures can be subtracted: nothing that adds to either is missing.
bool is_comparable(const MemoryUse& before, const MemoryUse& after);

Comparison compare(const NodeList& before, const MemoryLifetimes& lifetimes_before, const NodeList& after,
                   const MemoryLifetimes& lifetimes_after);
Comparison compare(const NodeList& before, const NodeList& after);

struct Configuration {
    std::string operation;
    std::vector<std::string> arguments;  ///< without host addresses
    std::vector<std::string> inputs;     ///< "Shape([1, 32]) BFLOAT16 TILE MemoryConfig(..)"
    std::uint32_t count = 0;
    std::uint64_t program_bytes = 0;  ///< most program memory on a core; 0: none or not known
};
/// Distinct (operation, arguments, input types) of the functions that have arguments or inputs: most calls
/// first, of these most program memory first, then by name.
std::vector<Configuration> configurations(const NodeList& list, const MemoryLifetimes& lifetimes);

}  // namespace tilemeter::analysis
