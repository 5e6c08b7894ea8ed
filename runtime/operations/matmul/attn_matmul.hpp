// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products of one token of each user with what the user's cache holds.
//
// TILE, interleaved, floating point. The programs take all cores of the device. memory_config: the input's
// unless given; dtype: the input's unless given. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter::experimental {

/// [1, heads, users, K] times [users, 1, K, N], user by user: [1, heads, users, N].
Tensor attn_matmul(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                   const OptionalDataType& dtype = std::nullopt,
                   const OptionalMemoryConfig& memory_config = std::nullopt,
                   const OptionalTensor& output_tensor = std::nullopt);

/// With the first num_tokens rows of a cache [users, 1, rows, K], transposed ([1, heads, users, tokens]) or
/// not.
Tensor attn_matmul_from_cache(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                              std::uint32_t num_tokens, bool transpose_hw,
                              const OptionalMemoryConfig& memory_config = std::nullopt,
                              const OptionalDataType& dtype = std::nullopt,
                              const OptionalTensor& output_tensor = std::nullopt);

/// [1, q heads, 32, K] times [32, kv heads, K, N]: as many heads of a share one of b as there are more of
/// them.
Tensor group_attn_matmul(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                         const OptionalMemoryConfig& memory_config = std::nullopt,
                         const OptionalDataType& dtype = std::nullopt,
                         const OptionalTensor& output_tensor = std::nullopt);

}  // namespace tilemeter::experimental
