// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The largest elements and where they are.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <vector>

#include "runtime/operations/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The `k` largest (or smallest) elements along `dim`, in order, and their indices (UINT16): two tensors of
/// the input's shape but for `dim`, which is k. Of equal elements the first counts as the larger. Input:
/// TILE, BFLOAT16 or BFLOAT8_B, at most 65,536 elements along dim. memory_config: the input's unless given;
/// with another dimension than the last the input's in any case. Throws RuntimeError, OutOfMemoryError.
std::vector<Tensor> topk(const Tensor& input_tensor, std::uint32_t k, int dim = -1, bool largest = true,
                         bool sorted = true, const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
