// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that normalising the rows of a sharded tensor occupies: the tensors themselves, and room for the sums that
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

/// For rows that are spread over chips, too: the number of sums that a chip hands on for a row (sum and sum of squares,
/// or squares alone), and whether sums are kept in 32 bits.
struct SumsOfRows {
    std::uint32_t kinds = 1;
    bool in_fp32 = false;
};

/// The memory that summing the rows of a chip occupies. REQUIRES: as above; `output`: on the first core. With a
/// residual the sum with it is written over the input.
std::vector<ProgramMemory> plan_sums_of_shards(const TensorSpec& input, const TensorSpec& output,
                                               const TensorSpec* residual, SumsOfRows sums);

/// The memory that normalizing them by the sums of all chips, `stats`, occupies. `output`: in other shards of the same
/// height, maybe. `stats_index`, `output_index`: their places; an output that is the input has the place 0.
std::vector<ProgramMemory> plan_norm_by_sums(const TensorSpec& input, const TensorSpec& output,
                                             const TensorSpec& stats, const TensorSpec* weight,
                                             const TensorSpec* bias, SumsOfRows sums, int stats_index,
                                             int output_index);

/// Throws RuntimeError for shards that TT-NN finds no senders of sums among.
void require_senders(const MemoryConfig& config);

/// The same, in TT-NN's words, for a grid that is no rectangle and not the first cores of its box, in the order of the
/// shards.
void require_filled_box(const ShardSpec& shards);

}  // namespace tilemeter
