// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The weight of the first expert among those chosen for each token.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// Of each row the k largest of input + expert_mask, the softmax of those + topk_mask, and of that the sum
/// where the element was the row's first: [N, C, H, W] to [N, C, H, 1]. TILE; k: 32. expert_mask: [N, C, 1,
/// W], topk_mask: [N, C, 1, k]. memory_config: the input's unless given. Throws RuntimeError,
/// OutOfMemoryError.
Tensor moe(const Tensor& input_tensor, const Tensor& expert_mask_tensor, const Tensor& topk_mask_tensor,
           std::uint32_t k = 32, const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt);

}  // namespace tilemeter
