// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Which optional operands the norms of rows have.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

/// The optional operands that follow the input, in this order.
struct OptionalOperands {
    bool residual = false;
    bool weight = false;
    bool bias = false;
    bool reciprocals = false;
    bool stats = false;
};

/// The operands' places among the inputs; -1: not there.
struct OperandPlaces {
    explicit OperandPlaces(OptionalOperands operands) {
        int next = 1;
        if (operands.residual) residual = next++;
        if (operands.weight) weight = next++;
        if (operands.bias) bias = next++;
        if (operands.reciprocals) reciprocals = next++;
        if (operands.stats) stats = next++;
    }
    template <typename T>
    static const T* at(std::span<const T> inputs, int place) {
        return place < 0 ? nullptr : &inputs[static_cast<std::size_t>(place)];
    }
    int residual = -1;
    int weight = -1;
    int bias = -1;
    int reciprocals = -1;
    int stats = -1;
};

/// The bytes of a core's part of Welford's table, whose rows are aligned in L1.
inline std::uint64_t bytes_of_reciprocals(const TensorSpec* table, const DeviceDescription& device) {
    require(table != nullptr, "Reciprocal tensor not provided for Welford layernorm");
    const std::optional<ShardSpec>& shards = table->memory_config.shard_spec;
    require(
        shards && table->dtype == DataType::FLOAT32,
        "recip_tensor: expected a row of FLOAT32 on each core, as create_layer_norm_reciprocals makes them");
    return shards->shape[0] * round_up(shards->shape[1] * sizeof(float), device.l1_alignment);
}

}  // namespace tilemeter
