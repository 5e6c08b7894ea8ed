// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Two captures beside each other, matched by operation path; ids, addresses and host pointers don't count.
// And the configurations in which operations ran.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/memory_lives.hpp"

namespace tilemeter::graph {

struct Difference {
    enum class Kind : std::uint8_t {
        kPeakL1,
        kPeakDram,
        kNewOperation,
        kRemovedOperation,
        kNewAllocation,
        kRemovedAllocation,
        kChangedAllocation,  ///< another size or shape
        kChangedProgram,     ///< another amount of program memory
    };
    Kind kind = Kind::kPeakL1;
    std::string path;           ///< of operations, "ttnn.add > BinaryNgDeviceOperation"; empty for peaks
    std::string before, after;  ///< what it was: shape, memory
    std::int64_t before_bytes = 0, after_bytes = 0;
    std::uint32_t count = 1;  ///< equal differences at one path are one
};
const char* name_of(Difference::Kind kind);

/// Differences that follow from another are left out: where an allocation changed, peaks and program memory
/// of the same path are not told again. Equal captures give none.
std::vector<Difference> compare(const NodeList& before, const NodeList& after);

struct Configuration {
    std::string operation;
    std::vector<std::string> arguments;  ///< without host addresses
    std::vector<std::string> inputs;     ///< "Shape([1, 32]) BFLOAT16 TILE MemoryConfig(..)"
    std::uint32_t count = 0;
    std::uint64_t program_bytes = 0;  ///< most program memory on a core; 0: none or not known
};
/// Distinct (operation, arguments, input types) of the functions that have arguments or inputs: most calls
/// first, of these most program memory first, then by name.
std::vector<Configuration> configurations(const NodeList& list, const MemoryLives& lives);

}  // namespace tilemeter::graph
