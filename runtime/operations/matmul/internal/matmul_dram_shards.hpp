// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Matrix products of one row of tiles, or of batches, whose second operand lies in shards in DRAM, one per bank. Each
// bank is read by the core next to it. That core makes the columns, or the batches, of the result that its shard has,
// and sends them to the result's place. The rules are those of recordings of TT-NN 0.81.1 (n150, p150); which core is
// next to a bank stands in the device's description.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/matmul/internal/matmul_problem.hpp"

namespace tilemeter {

/// Throws RuntimeError: more than one row of tiles, operands or result that do not lie in shards, steps that
/// do not divide the depth, more cores per bank than the device or the shard has room for.
void require_fitting_dram_shards(const MatmulProblem& problem,
                                 const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config,
                                 const DeviceDescription& device);

ProgramPlan plan_from_dram_shards(const MatmulProblem& problem,
                                  const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config,
                                  const TensorSpec& output, const DeviceDescription& device);

/// Throws RuntimeError: operands or result that do not lie in height shards on the banks' cores, sizes that are not
/// those of a batch, steps that do not divide the depth.
void require_fitting_batches(const MatmulProblem& problem,
                             const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig& config,
                             const DeviceDescription& device);

ProgramPlan plan_batches_from_dram_shards(
    const MatmulProblem& problem, const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig& config,
    const TensorSpec& output, const DeviceDescription& device);

}  // namespace tilemeter
