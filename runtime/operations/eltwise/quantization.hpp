// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Floating point as integers by a scale and a zero point, one for the whole tensor, and back.
//
// Quantized tensors are INT32 or UINT8. memory_config of the result: that of the input unless given;
// output_tensor: written to instead of a new tensor. All throw RuntimeError (dtypes), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// round(input / scale + zero_point); dtype: INT32 unless given. Block formats become BFLOAT16 before.
Tensor quantize(const Tensor& input_tensor, float scale, int zero_point,
                const OptionalDataType& dtype = std::nullopt,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
/// (input - zero_point) * scale; dtype: BFLOAT16 unless given.
Tensor dequantize(const Tensor& input_tensor, float scale, int zero_point,
                  const OptionalDataType& dtype = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalTensor& output_tensor = std::nullopt);
/// From one scale and zero point to others; dtype: INT32 unless given.
Tensor requantize(const Tensor& input_tensor, float in_scale, int in_zero_point, float out_scale,
                  int out_zero_point, const OptionalDataType& dtype = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalTensor& output_tensor = std::nullopt);

}  // namespace tilemeter
