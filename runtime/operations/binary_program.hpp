// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the program of an elementwise operation of two tensors, or of a tensor and a number, occupies.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <span>

#include "runtime/operations/device_operation.hpp"

namespace tilemeter {

/// Two tiles of each operand and of the result on every core, and two more of the operand that is repeated
/// within a tile, if any; one tile in place of a number. Where all are sharded alike: what the tensors lie
/// in.
ProgramPlan plan_binary(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                        const DeviceDescription& device);

/// Whether all of them lie in the same shards.
bool all_sharded_alike(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs);

}  // namespace tilemeter
