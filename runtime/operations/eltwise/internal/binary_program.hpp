// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that the program of an elementwise operation of two tensors, or of a tensor and a number, occupies.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// The operands that the program changes by a function of their elements before it combines them: it keeps the changed
/// ones in buffers of their own. Bytes of a tile there.
struct ChangedOperands {
    std::optional<std::uint64_t> left;
    std::optional<std::uint64_t> right;
    std::uint64_t tiles_at_once = 1;  ///< of shards: changed together, then combined
};

/// The tile that a number beside tensors of that dtype lies in; blocks would round it.
std::uint64_t number_tile_size(DataType beside);

/// Two tiles of each operand and of the result on every core (of sub_core_grids), and two more of the operand
/// that is repeated within a tile, if any; one tile in place of a number; one of each operand that is changed
/// first. Where all tensors are sharded alike: what they lie in, and tiles_at_once of each changed operand.
/// Rows in shards beside a column that is not sharded: the sharded ones stay where they lie.
ProgramPlan plan_binary(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                        const ChangedOperands& changed = {},
                        const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

/// True if it lies in shards in L1 of which none is only partly full.
bool fills_its_shards(const TensorSpec& spec);

/// The dimensions, among the last two, that have one element where that of the other operand has more.
std::uint32_t repeated_dimensions(const Shape& a, const Shape& b);

/// If some tensor is sharded: rows and columns of each, padding included, which programs then depend on.
void append_rows_in_shards(ProgramKey& key, const KeyedCall& call);

/// The properties of its tensors that such a program depends on: their kinds, and which dimensions of the last two are
/// repeated.
void append_binary_program_key(ProgramKey& key, const KeyedCall& call, const MemoryConfig& asked);

/// True if all of them lie in the same shards.
bool all_sharded_alike(SpecsView inputs, SpecsView outputs);

}  // namespace tilemeter
