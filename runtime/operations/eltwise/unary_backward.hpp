// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of functions of one element: that of the input, from that of the result (`grad`) and the input.
//
// Shapes and dtypes: grad and input alike, floating point, TILE. Place of the gradient: memory_config, unless
// given that of the operands. input_grad: written to instead of a new tensor. Values are torch's, with nan
// and infinities where torch has them; zeros for steps (ceil, floor, round, sign, trunc). What differs is
// said. All throw RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <string>

#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

/// Those without arguments of their own, named as the function is; "_bw" comes behind.
#define TILEMETER_UNARY_GRADIENTS(apply)                                                                  \
    apply(abs) apply(acos) apply(acosh) apply(asin) apply(asinh) apply(atan) apply(atanh) apply(ceil)     \
        apply(cos) apply(cosh) apply(deg2rad) apply(digamma) apply(erf) apply(erfc) apply(erfinv)         \
            apply(exp2) apply(expm1) apply(fill_zero) apply(floor) apply(frac) apply(hardsigmoid)         \
                apply(hardswish) apply(i0) apply(lgamma) apply(log) apply(log10) apply(log1p) apply(log2) \
                    apply(log_sigmoid) apply(logit) apply(multigammaln) apply(rad2deg) apply(reciprocal)  \
                        apply(relu) apply(relu6) apply(round) apply(selu) apply(sigmoid) apply(sign)      \
                            apply(sin) apply(sinh) apply(softsign) apply(square) apply(tan)               \
                                apply(tanhshrink) apply(trunc)

/// Those that can be written into a given tensor. fill_bw: zeros, whatever the fill.
#define TILEMETER_UNARY_GRADIENTS_INTO(apply) \
    apply(exp) apply(fill) apply(neg) apply(rsqrt) apply(silu) apply(sqrt) apply(tanh)

/// Those with one number: name, its name, its default.
#define TILEMETER_UNARY_GRADIENTS_OF_NUMBER(apply)                                  \
    apply(celu, alpha, 1.0F) apply(elu, alpha, 1.0F) apply(hardshrink, lambd, 0.5F) \
        apply(leaky_relu, negative_slope, 0.01F) apply(logiteps, eps, 0.0F) apply(softshrink, lambd, 0.5F)

#define TILEMETER_DECLARE(name)                                  \
    Gradients name##_bw(const Tensor& grad, const Tensor& input, \
                        const OptionalMemoryConfig& memory_config = std::nullopt);
TILEMETER_UNARY_GRADIENTS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE
#define TILEMETER_DECLARE(name)                                                   \
    Gradients name##_bw(const Tensor& grad, const Tensor& input,                  \
                        const OptionalMemoryConfig& memory_config = std::nullopt, \
                        const OptionalTensor& input_grad = std::nullopt);
TILEMETER_UNARY_GRADIENTS_INTO(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE
#define TILEMETER_DECLARE(name, parameter, value)                                         \
    Gradients name##_bw(const Tensor& grad, const Tensor& input, float parameter = value, \
                        const OptionalMemoryConfig& memory_config = std::nullopt);
TILEMETER_UNARY_GRADIENTS_OF_NUMBER(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE

/// By Accurate (erf) or Tanh; RuntimeError for FastLut.
Gradients gelu_bw(const Tensor& grad, const Tensor& input, GeluVariant variant = GeluVariant::Accurate,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalTensor& input_grad = std::nullopt);
Gradients hardtanh_bw(const Tensor& grad, const Tensor& input, float min = -1.0F, float max = 1.0F,
                      const OptionalMemoryConfig& memory_config = std::nullopt);
Gradients softplus_bw(const Tensor& grad, const Tensor& input, float beta = 1.0F, float threshold = 20.0F,
                      const OptionalMemoryConfig& memory_config = std::nullopt);
Gradients threshold_bw(const Tensor& grad, const Tensor& input, float threshold, float value,
                       const OptionalMemoryConfig& memory_config = std::nullopt);
/// One of min and max may be missing; both are numbers or both tensors.
Gradients clamp_bw(const Tensor& grad, const Tensor& input, std::optional<float> min,
                   std::optional<float> max, const OptionalMemoryConfig& memory_config = std::nullopt);
Gradients clamp_bw(const Tensor& grad, const Tensor& input, const OptionalTensor& min,
                   const OptionalTensor& max, const OptionalMemoryConfig& memory_config = std::nullopt);
Gradients clip_bw(const Tensor& grad, const Tensor& input, std::optional<float> min, std::optional<float> max,
                  const OptionalMemoryConfig& memory_config = std::nullopt);
Gradients clip_bw(const Tensor& grad, const Tensor& input, const OptionalTensor& min,
                  const OptionalTensor& max, const OptionalMemoryConfig& memory_config = std::nullopt);
/// Of the n-th derivative of digamma.
Gradients polygamma_bw(const Tensor& grad, const Tensor& input, int n,
                       const OptionalMemoryConfig& memory_config = std::nullopt);
/// Of scalar / input; zeros where the quotient is rounded.
Gradients rdiv_bw(const Tensor& grad, const Tensor& input, float scalar,
                  const std::optional<std::string>& rounding_mode = std::nullopt,
                  const OptionalMemoryConfig& memory_config = std::nullopt);
/// Of input / scalar, 0 where scalar is 0.
Gradients div_no_nan_bw(const Tensor& grad, const Tensor& input, float scalar,
                        const OptionalMemoryConfig& memory_config = std::nullopt);
/// Of input ^ exponent, exponent from 0; infinite where input is not positive, as TT-NN has it.
Gradients pow_bw(const Tensor& grad, const Tensor& input, float exponent,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& input_grad = std::nullopt);
/// exponent * input ^ (exponent - 1), nan where input is negative: TT-NN's, who takes the number for the
/// exponent here, though rpow takes it for the base.
Gradients rpow_bw(const Tensor& grad, const Tensor& input, float exponent,
                  const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
