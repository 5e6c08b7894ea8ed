// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Layer normalisation and RMS normalisation over the last dimension, with TT-NN's names, arguments and
// defaults.
//
//     layer_norm   (x - mean) / sqrt(variance + epsilon) * weight + bias
//     rms_norm     x / sqrt(mean(x * x) + epsilon) * weight + bias        with x = input + residual
//
// Input: any shape, TILE, interleaved; BFLOAT16, FLOAT32 or BFLOAT8_B. residual_input_tensor: of the input's
// shape. weight, bias: BFLOAT16 or FLOAT32, one row of the input's width, TILE [1, W], or ROW_MAJOR in rows
// of 32 [W / 32, 32]. memory_config of the result: that of the input unless given. Throws RuntimeError
// (shapes, dtypes, layouts), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/optional_arguments.hpp"

namespace tilemeter {

Tensor layer_norm(const Tensor& input_tensor, float epsilon = 1e-12F,
                  const OptionalTensor& weight = std::nullopt, const OptionalTensor& bias = std::nullopt,
                  const OptionalTensor& residual_input_tensor = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt);

Tensor rms_norm(const Tensor& input_tensor, float epsilon = 1e-12F,
                const OptionalTensor& weight = std::nullopt, const OptionalTensor& bias = std::nullopt,
                const OptionalTensor& residual_input_tensor = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
