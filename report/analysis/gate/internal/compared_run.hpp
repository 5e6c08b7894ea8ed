// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A capture as `compare` sees it: what each outermost operation allocates and runs, without ids, addresses
// and times. Names are those of one pool for both captures, so they are compared as numbers.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// Names and paths of operations of several lists. A path is its parent's and a name.
class ComparedNames {
public:
    using Path = std::uint32_t;
    static constexpr Path kNoPath = kNoIndex;

    TextPool texts;
    Path path(Path parent, TextRef name);
    /// "ttnn.add > BinaryNgDeviceOperation"
    std::string text(Path path) const;

private:
    struct Step {
        Path parent;
        TextRef name;
    };
    std::vector<Step> steps_;
    std::unordered_map<std::uint64_t, Path> known_;
};

struct ComparedRun {
    struct Allocation {
        ComparedNames::Path path = 0;
        MemoryType memory = MemoryType::kL1;
        TextRef what = TextRef::kNone;  ///< memory and shape
        std::uint64_t bytes = 0;        ///< per core, or per bank
        friend bool operator==(const Allocation&, const Allocation&) = default;
    };
    struct Program {
        ComparedNames::Path path = 0;
        std::uint64_t bytes = 0;  ///< on the core where it has most
        bool is_recorded = true;  ///< false: something ran, and what it took is not recorded
        friend bool operator==(const Program&, const Program&) = default;
    };

    std::vector<TextRef> operations;  ///< names of the outermost ones
    std::span<const Allocation> allocations_of(std::size_t operation) const {
        return std::span(allocations)
            .subspan(first_allocation[operation],
                     first_allocation[operation + 1] - first_allocation[operation]);
    }
    /// The largest program at each path, by path; recorded if all are.
    std::span<const Program> programs_of(std::size_t operation) const {
        return std::span(programs).subspan(first_program[operation],
                                           first_program[operation + 1] - first_program[operation]);
    }

    std::vector<Allocation> allocations;
    std::vector<Program> programs;
    std::vector<std::size_t> first_allocation;  ///< by operation, and one more
    std::vector<std::size_t> first_program;
};
ComparedRun compared_run(const NodeList& list, const MemoryLifetimes& lifetimes, ComparedNames& names);

}  // namespace tilemeter::analysis::internal
