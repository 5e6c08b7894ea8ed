// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program that a matrix product gets when the caller prescribes none: the rules of TT-NN 0.81.1.
//
// Without a core grid and with interleaved `a`:
//   everything in DRAM: 1D where the result is narrow (8 : 1, or one tile wide or high),
//   else 2D over the whole grid;
//   something in L1: squares of 16 x 16 tiles (8 x 8 and less as memory demands); 1D if all lie in one row
//   or column of squares or the result is narrow, 2D if they fit into the grid, else one tile at a time.
// With a core grid: 1D where narrow, whole products per core where `b` has batches, else 2D over the grid.
// With sharded `a`: the shards say which core does what.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/matmul/internal/matmul_problem.hpp"

namespace tilemeter {

struct MatmulChoiceInput {
    std::optional<CoreGrid> core_grid;
    std::optional<UnaryWithParam> activation;  ///< fused only into programs over a core grid
    bool run_batched = false;                  ///< `b` has batches and the operation is matmul
    CoreCoord device_grid;
    std::uint64_t l1_space_bytes = 0;  ///< per core, below the lowest tensor
};

/// Throws RuntimeError where no program can serve (shards that don't match).
MatmulProgramConfig choose_matmul_program_config(const MatmulProblem& problem,
                                                 const MatmulChoiceInput& input);

}  // namespace tilemeter
