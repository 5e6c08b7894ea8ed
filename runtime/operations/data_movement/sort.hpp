// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The elements of a tensor in order along a dimension, and where they were.
//
// Input: at least one dimension, TILE, interleaved; BFLOAT16 or FLOAT32. Rows of more than 2048 elements are
// shared by cores, two tiles each; where the device has not that many cores, all of them, if they are a power
// of two, else such rows are refused. Equal elements keep their order. Results: [values, indices], in the
// input's shape; indices are UINT16, those of FLOAT32 and of 65,536 elements and more UINT32. memory_config
// of both: that of the input unless given. Rows are sorted at lengths that are powers of two of tiles: others
// are padded before and cut after. out: written into where dim is the last one and nothing is padded. Throws
// RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

std::vector<Tensor> sort(const Tensor& input_tensor, std::int64_t dim = -1, bool descending = false,
                         bool stable = false, const OptionalMemoryConfig& memory_config = std::nullopt,
                         const std::vector<Tensor>& out = {});

}  // namespace tilemeter
