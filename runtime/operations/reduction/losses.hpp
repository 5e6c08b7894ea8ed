// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Losses of a prediction, with TT-NN's names, arguments and defaults.
//
// Both tensors: equal shapes, BFLOAT16 or FLOAT32, TILE. NONE: one loss per element, in the shape of the
// inputs; SUM and MEAN: over all elements, shape []. memory_config of the result: that of the reference
// unless given. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

enum class LossReductionMode : std::uint8_t { NONE, SUM, MEAN };

/// |reference - prediction|
Tensor l1_loss(const Tensor& input_reference, const Tensor& input_prediction,
               LossReductionMode reduction = LossReductionMode::NONE,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output_tensor = std::nullopt);
/// (reference - prediction) squared
Tensor mse_loss(const Tensor& input_reference, const Tensor& input_prediction,
                LossReductionMode reduction = LossReductionMode::NONE,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);

}  // namespace tilemeter
