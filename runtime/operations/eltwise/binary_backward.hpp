// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of functions of two and three elements: those of the inputs, from that of the result (`grad`) and
// the inputs, in the order of the inputs.
//
// Shapes and dtypes: all alike, floating point, TILE. Place of the gradients: memory_config, unless given
// that of the operands. are_required_outputs: for which inputs one is made. input_grad, other_grad: written
// to instead of new tensors. Values are torch's, with nan and infinities where torch has them. A gradient
// that is `grad` itself is the same tensor. All throw RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

using RequiredOutputs = std::vector<bool>;

/// Those of two tensors, named as the function is; "_bw" comes behind. max, min: half each where both are
/// equal.
#define TILEMETER_BINARY_GRADIENTS(apply)                                                            \
    apply(atan2) apply(fmod) apply(hypot) apply(ldexp) apply(logaddexp) apply(logaddexp2) apply(max) \
        apply(min) apply(remainder) apply(squared_difference) apply(xlogy)
#define TILEMETER_DECLARE(name)                                                                         \
    Gradients name##_bw(const Tensor& grad, const Tensor& input_tensor_a, const Tensor& input_tensor_b, \
                        const OptionalMemoryConfig& memory_config = std::nullopt);
TILEMETER_BINARY_GRADIENTS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE

/// Those that can be left out or written into given tensors.
#define TILEMETER_BINARY_GRADIENTS_INTO(apply) apply(add) apply(assign) apply(mul) apply(rsub) apply(sub)
#define TILEMETER_DECLARE(name)                                                       \
    Gradients name##_bw(const Tensor& grad, const Tensor& input, const Tensor& other, \
                        const RequiredOutputs& are_required_outputs = {true, true},   \
                        const OptionalMemoryConfig& memory_config = std::nullopt,     \
                        const OptionalTensor& input_grad = std::nullopt,              \
                        const OptionalTensor& other_grad = std::nullopt);
TILEMETER_BINARY_GRADIENTS_INTO(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE
Gradients div_bw(const Tensor& grad, const Tensor& input, const Tensor& other,
                 const std::optional<std::string>& rounding_mode = std::nullopt,
                 const RequiredOutputs& are_required_outputs = {true, true},
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& input_grad = std::nullopt,
                 const OptionalTensor& other_grad = std::nullopt);
Gradients addalpha_bw(const Tensor& grad, const Tensor& input, const Tensor& other, float alpha = 1.0F,
                      const RequiredOutputs& are_required_outputs = {true, true},
                      const OptionalMemoryConfig& memory_config = std::nullopt,
                      const OptionalTensor& input_grad = std::nullopt,
                      const OptionalTensor& other_grad = std::nullopt);
Gradients subalpha_bw(const Tensor& grad, const Tensor& input, const Tensor& other, float alpha = 1.0F,
                      const RequiredOutputs& are_required_outputs = {true, true},
                      const OptionalMemoryConfig& memory_config = std::nullopt,
                      const OptionalTensor& input_grad = std::nullopt,
                      const OptionalTensor& other_grad = std::nullopt);

/// Beside a number: one gradient.
Gradients add_bw(const Tensor& grad, const Tensor& input, float scalar,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& input_grad = std::nullopt);
Gradients sub_bw(const Tensor& grad, const Tensor& input, float scalar,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& input_grad = std::nullopt);
Gradients mul_bw(const Tensor& grad, const Tensor& input, float scalar,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& input_grad = std::nullopt);
Gradients div_bw(const Tensor& grad, const Tensor& input, float scalar,
                 const std::optional<std::string>& rounding_mode = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& input_grad = std::nullopt);
Gradients fmod_bw(const Tensor& grad, const Tensor& input, float scalar,
                  const OptionalMemoryConfig& memory_config = std::nullopt);
Gradients remainder_bw(const Tensor& grad, const Tensor& input, float scalar,
                       const OptionalMemoryConfig& memory_config = std::nullopt);
/// Of a copy.
Gradients assign_bw(const Tensor& grad, const Tensor& input,
                    const OptionalMemoryConfig& memory_config = std::nullopt,
                    const OptionalTensor& input_grad = std::nullopt);
/// Of gelu(input + bias): the same for both. A number has no gradient.
Gradients bias_gelu_bw(const Tensor& grad, const Tensor& input, const std::variant<Tensor, float>& bias,
                       GeluVariant variant = GeluVariant::Accurate,
                       const OptionalMemoryConfig& memory_config = std::nullopt);

/// Of a + alpha * b * c, a + alpha * b / c.
Gradients addcmul_bw(const Tensor& grad, const Tensor& a, const Tensor& b, const Tensor& c, float alpha,
                     const OptionalMemoryConfig& memory_config = std::nullopt);
Gradients addcdiv_bw(const Tensor& grad, const Tensor& a, const Tensor& b, const Tensor& c, float alpha,
                     const OptionalMemoryConfig& memory_config = std::nullopt);
/// Of input + weight * (end - input); a weight that is a number has no gradient.
Gradients lerp_bw(const Tensor& grad, const Tensor& input, const Tensor& end,
                  const std::variant<Tensor, float>& weight,
                  const OptionalMemoryConfig& memory_config = std::nullopt);
/// Of the two tensors that where() chooses from.
Gradients where_bw(const Tensor& grad, const Tensor& condition, const Tensor& input, const Tensor& other,
                   const OptionalMemoryConfig& memory_config = std::nullopt,
                   const RequiredOutputs& are_required_outputs = {true, true},
                   const OptionalTensor& input_grad = std::nullopt,
                   const OptionalTensor& other_grad = std::nullopt);

}  // namespace tilemeter
