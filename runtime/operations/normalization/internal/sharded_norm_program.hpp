// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What normalising the rows of a sharded tensor occupies: the tensors themselves, and room for the sums that
// the cores of a row exchange.
//
// Rules: from some two hundred random configurations of TT-NN 0.81.1 on n150 and p150.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/device/program_memory.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// REQUIRES: `input` and `output` in the same WIDTH or BLOCK shards. `subtracts_mean`: layer_norm, which also
/// keeps its sums in 32 bits. `residual`: none, or in the same shards, the second input; `weight`, `bias`:
/// none, or one row. `reciprocal_bytes`: of a core's part of Welford's table, the last input, which is used
/// then; 0: none. `output_index`: place of the output after the inputs.
std::vector<ProgramMemory> plan_sharded_norm(const TensorSpec& input, const TensorSpec& output,
                                             const TensorSpec* residual, const TensorSpec* weight,
                                             const TensorSpec* bias, bool subtracts_mean, bool sums_in_fp32,
                                             std::uint64_t reciprocal_bytes, int output_index);

}  // namespace tilemeter
