// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that the program of an elementwise operation of one tensor occupies.

#pragma once

#include <optional>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// Two tiles of the input and two of the result on the whole grid, or on sub_core_grids, however few tiles
/// there are: the program serves any number of them. Where both are sharded alike: what the tensors lie in.
ProgramPlan plan_unary(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                       const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

/// The properties of its tensors that such a program depends on: one serves all shapes in tiles.
void append_unary_program_key(ProgramKey& key, const KeyedCall& call, const MemoryConfig& asked);

}  // namespace tilemeter
