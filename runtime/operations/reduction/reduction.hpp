// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions, with TT-NN's names, arguments and defaults.
//
// Input: any shape of at least one dimension, interleaved, in TILE also in shards; BFLOAT16, FLOAT32,
// BFLOAT8_B, and for all but mean INT32 and UINT32. dim: one dimension or several, negative ones count from
// the end; none given: all. keepdim: reduced dimensions stay as 1. scalar: factor of the result.
// memory_config of the result: that of the input unless given, its shards cut anew for what is left; its
// dtype is the input's.
//
// Sums and means of ROW_MAJOR rows or columns stay ROW_MAJOR; all else is made tiles first.
//
// They decompose as TT-NN's do: rows and columns of tiles are reduced by a program each; other dimensions are
// summed by a program of their own (sum), or exchanged with the rows first. Sums of bfloat16 over several
// dimensions stay float32 in between.
//
// Throws RuntimeError (dimensions out of range or named twice, dtype, layout), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// One dimension, several, or (nothing) all.
using ReduceDims = std::optional<std::variant<int, std::vector<int>>>;

Tensor sum(const Tensor& input_tensor, const ReduceDims& dim = std::nullopt, bool keepdim = false,
           const OptionalMemoryConfig& memory_config = std::nullopt, float scalar = 1.0F);
Tensor mean(const Tensor& input_tensor, const ReduceDims& dim = std::nullopt, bool keepdim = false,
            const OptionalMemoryConfig& memory_config = std::nullopt, float scalar = 1.0F);
Tensor max(const Tensor& input_tensor, const ReduceDims& dim = std::nullopt, bool keepdim = false,
           const OptionalMemoryConfig& memory_config = std::nullopt, float scalar = 1.0F);
Tensor min(const Tensor& input_tensor, const ReduceDims& dim = std::nullopt, bool keepdim = false,
           const OptionalMemoryConfig& memory_config = std::nullopt, float scalar = 1.0F);

/// Parts of other operations, without scopes of their own: of all elements;
namespace unscoped {
Tensor sum(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor mean(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config = std::nullopt);
/// of the last dimension but one of four, which stays as 1, times `scalar`; tiles have no padding there. In
/// `layout`, where the programs write it themselves or not; none: as they write it.
Tensor sum_of_rows(const Tensor& input_tensor, float scalar, const MemoryConfig& memory_config,
                   const std::optional<Layout>& layout);
}  // namespace unscoped

}  // namespace tilemeter
