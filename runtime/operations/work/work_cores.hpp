// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cores that a program may use, and the order in which it takes them.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

/// The caller's choice: all cores of the device, the first alone, or those of sub_core_grids.
struct CoreChoice {
    bool use_multicore = true;
    OptionalCores sub_core_grids;

    CoreChoice(bool multicore = true, OptionalCores cores = std::nullopt)  // NOLINT: a flag is a choice
        : use_multicore(multicore), sub_core_grids(std::move(cores)) {}
};

/// The cores in order: down the columns or along the rows of the grid, or of each rectangle of
/// sub_core_grids.
class WorkCores {
public:
    WorkCores(const OptionalCores& sub_core_grids, CoreCoord grid, CoreWalk walk);

    std::uint64_t size() const { return cores_.size(); }
    CoreCoord operator[](std::uint64_t n) const { return cores_[n]; }
    CoreRangeSet first(std::uint64_t count) const;  ///< REQUIRES: count <= size()

private:
    std::vector<CoreCoord> cores_;
};

/// split_work over the cores of sub_core_grids, or over the grid where none are named.
WorkSplit split_work(std::uint64_t units, const OptionalCores& sub_core_grids, CoreCoord grid, CoreWalk walk);

/// Throws RuntimeError, in TT-NN's words, where the device has not all of the cores.
void require_on_grid(const OptionalCores& sub_core_grids, CoreCoord grid, std::string_view operation);

}  // namespace tilemeter
