// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Heads of models whose numbers of heads are known.
//
// Input: [b, 1, s, width], TILE, interleaved, floating point; the heads have whole tiles of rows.
// memory_config: the input's unless given. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter::experimental {

/// Falcon-7B, width 4672: 71 heads of queries, one of keys and one of values, of 64 elements.
std::vector<Tensor> nlp_create_qkv_heads_falcon7b(const Tensor& input,
                                                  const OptionalMemoryConfig& memory_config = std::nullopt);
/// ViT, width 2304: 12 heads of queries, keys and values each, of 64 elements.
std::vector<Tensor> nlp_create_qkv_heads_vit(const Tensor& input,
                                             const OptionalMemoryConfig& memory_config = std::nullopt);

/// The second half of the last dimension negated, then the first: [-x2, x1]. Its padded size: a multiple
/// of 64.
Tensor rotate_half(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter::experimental
