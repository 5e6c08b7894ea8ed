// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Batch normalisation of a model that is not trained, with TT-NN's names, arguments and defaults:
//
//     (input - running_mean) / sqrt(running_var + eps) * weight + bias      each channel with its own
//
// input [N, C, H, W]; the others [1, C, 1, 1], all of one dtype; TILE, interleaved, BFLOAT16 or FLOAT32. The
// result has the input's shape and dtype; its memory_config is the input's unless given. Training (statistics
// of the batch, running ones updated) is refused. Throws RuntimeError (shapes, dtypes, layouts),
// OutOfMemoryError.
//
// Thread safety: may be called from any thread.

#pragma once

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor batch_norm(const Tensor& input, const OptionalTensor& running_mean = std::nullopt,
                  const OptionalTensor& running_var = std::nullopt, bool training = false, float eps = 1e-5F,
                  const OptionalTensor& weight = std::nullopt, const OptionalTensor& bias = std::nullopt,
                  const OptionalTensor& output = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

}  // namespace tilemeter
