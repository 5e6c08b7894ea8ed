// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of functions of one element: that of the input, from that of the result (`grad`) and the input.
//
// Shapes and dtypes: grad and input alike, floating point, TILE. Place of the gradient: memory_config, unless
// given that of the operands. input_grad: written to instead of a new tensor. Values are torch's, with nan
// and infinities where torch has them; zeros for steps (ceil, floor, round, sign, trunc). What differs is
// said. All throw RuntimeError, OutOfMemoryError.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

inline constexpr const char* kInputGradientDocumentation =
    "The gradient of the input, in a list, from that of the result: shapes and dtypes alike, floating point, "
    "TILE. Place: memory_config, unless given that of the operands; input_grad is written to instead of a "
    "new tensor.";

/// The gradient of a function without arguments of its own.
struct UnaryGradient {
    using Formula = Term (*)(const Term& grad, const Term& input);
    struct Row : OperationRow {
        Formula formula;
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation = kInputGradientDocumentation;
    static constexpr auto kParameters =
        parameters(required<&UnaryGradient::grad_tensor, &UnaryGradient::input_tensor>(),
                   keyword<&UnaryGradient::memory_config>());
    Gradients body() const;
};
using UnaryGradientFunction = OperationOf<UnaryGradient>;

extern const UnaryGradientFunction abs_bw, acos_bw, acosh_bw, asin_bw, asinh_bw, atan_bw, atanh_bw, ceil_bw,
    cos_bw, cosh_bw, deg2rad_bw, digamma_bw, erf_bw, erfc_bw, erfinv_bw, exp2_bw, expm1_bw, fill_zero_bw,
    floor_bw, frac_bw, hardsigmoid_bw, hardswish_bw, i0_bw, lgamma_bw, log_bw, log10_bw, log1p_bw, log2_bw,
    log_sigmoid_bw, logit_bw, multigammaln_bw, rad2deg_bw, reciprocal_bw, relu_bw, relu6_bw, round_bw,
    selu_bw, sigmoid_bw, sign_bw, sin_bw, sinh_bw, softsign_bw, square_bw, tan_bw, tanhshrink_bw, trunc_bw;
/// All of them.
std::span<const UnaryGradientFunction* const> unary_gradients();

/// The gradient of a function without arguments of its own, written into a given tensor.
struct UnaryGradientInto {
    using Formula = Term (*)(const Term& grad, const Term& input, const OptionalTensor& input_grad);
    struct Row : OperationRow {
        Formula formula;
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};

    static constexpr const char* kDocumentation = kInputGradientDocumentation;
    static constexpr auto kParameters = parameters(
        required<&UnaryGradientInto::grad_tensor, &UnaryGradientInto::input_tensor>(),
        keyword<&UnaryGradientInto::memory_config>(), keyword<&UnaryGradientInto::input_grad>().output());
    auto recorded() const { return std::tie(grad_tensor, input_tensor, input_grad, memory_config); }
    Gradients body() const;
};
using UnaryGradientIntoFunction = OperationOf<UnaryGradientInto>;

/// fill_bw: zeros, whatever the fill.
extern const UnaryGradientIntoFunction exp_bw, fill_bw, neg_bw, rsqrt_bw, silu_bw, sqrt_bw, tanh_bw;
std::span<const UnaryGradientIntoFunction* const> unary_gradients_into();

/// The gradient of a function with a number, which has a default or must be given.
template <bool kHasDefault>
struct UnaryGradientOfNumber {
    using Formula = Term (*)(const Term& grad, const Term& input, float number);
    struct Row : OperationRow {
        Formula formula;
        const char* number_name;
        float number = 0.0F;  ///< the default
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    float number = 0.0F;
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation = kInputGradientDocumentation;
    static constexpr auto kParameters = parameters(
        required<&UnaryGradientOfNumber::grad_tensor, &UnaryGradientOfNumber::input_tensor>(),
        (kHasDefault ? keyword<&UnaryGradientOfNumber::number>() : required<&UnaryGradientOfNumber::number>())
            .named_by(&Row::number_name)
            .default_by(&Row::number),
        keyword<&UnaryGradientOfNumber::memory_config>());
    Gradients body() const;
};
using DefaultedGradientFunction = OperationOf<UnaryGradientOfNumber<true>>;
using NumberedGradientFunction = OperationOf<UnaryGradientOfNumber<false>>;

extern const DefaultedGradientFunction celu_bw, elu_bw, hardshrink_bw, leaky_relu_bw, logiteps_bw,
    softshrink_bw;
std::span<const DefaultedGradientFunction* const> defaulted_gradients();

/// The gradient of input / scalar, 0 where scalar is 0.
extern const NumberedGradientFunction div_no_nan_bw;
/// exponent * input ^ (exponent - 1), nan where input is negative: TT-NN's, who takes the number for the
/// exponent here, though rpow takes it for the base.
extern const NumberedGradientFunction rpow_bw;
std::span<const NumberedGradientFunction* const> numbered_gradients();

/// The gradient of a function with two numbers, which have defaults or must be given.
template <bool kHasDefaults>
struct UnaryGradientOfNumbers {
    using Formula = Term (*)(const Term& grad, const Term& input, float first, float second);
    struct Row : OperationRow {
        Formula formula;
        const char* first_name;
        float first;  ///< the default
        const char* second_name;
        float second;  ///< the default
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    float first = 0.0F;
    float second = 0.0F;
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation = kInputGradientDocumentation;
    static constexpr auto kParameters =
        parameters(required<&UnaryGradientOfNumbers::grad_tensor, &UnaryGradientOfNumbers::input_tensor>(),
                   (kHasDefaults ? keyword<&UnaryGradientOfNumbers::first>()
                                 : required<&UnaryGradientOfNumbers::first>())
                       .named_by(&Row::first_name)
                       .default_by(&Row::first),
                   (kHasDefaults ? keyword<&UnaryGradientOfNumbers::second>()
                                 : required<&UnaryGradientOfNumbers::second>())
                       .named_by(&Row::second_name)
                       .default_by(&Row::second),
                   keyword<&UnaryGradientOfNumbers::memory_config>());
    Gradients body() const;
};

extern const OperationOf<UnaryGradientOfNumbers<true>> hardtanh_bw, softplus_bw;
/// TT-NN calls the threshold min and the value max.
extern const OperationOf<UnaryGradientOfNumbers<false>> threshold_bw;

/// By Accurate (erf) or Tanh; RuntimeError for FastLut.
struct GeluGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    GeluVariant variant = GeluVariant::Accurate;
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};

    static constexpr OperationInfo kOperation{"gelu_bw", kInputGradientDocumentation};
    static constexpr auto kParameters =
        parameters(required<&GeluGradient::grad_tensor, &GeluGradient::input_tensor>(),
                   keyword<&GeluGradient::variant, &GeluGradient::memory_config>(),
                   keyword<&GeluGradient::input_grad>().output());
    auto recorded() const { return std::tie(grad_tensor, input_tensor, input_grad, memory_config); }
    Gradients body() const;
};
inline constexpr Operation<GeluGradient> gelu_bw;

/// The gradient of elements brought between limits: one of min and max may be missing; both are numbers or both
/// tensors.
template <typename Limit>
struct ClampGradient {
    using Row = OperationRow;

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    std::optional<Limit> min{};
    std::optional<Limit> max{};
    OptionalMemoryConfig memory_config{};

    static constexpr auto kParameters =
        parameters(required<&ClampGradient::grad_tensor, &ClampGradient::input_tensor>(),
                   optional<&ClampGradient::min, &ClampGradient::max>().unrecorded(),
                   keyword<&ClampGradient::memory_config>());
    Gradients body() const;
};
using ClampGradientFunction = OperationOf<ClampGradient<float>, ClampGradient<Tensor>>;
inline constexpr ClampGradientFunction clamp_bw{"clamp_bw", kInputGradientDocumentation};
inline constexpr ClampGradientFunction clip_bw{"clip_bw", kInputGradientDocumentation};

/// The gradient of the n-th derivative of digamma.
struct PolygammaGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    int n = 1;
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"polygamma_bw", kInputGradientDocumentation};
    static constexpr auto kParameters = parameters(
        required<&PolygammaGradient::grad_tensor, &PolygammaGradient::input_tensor, &PolygammaGradient::n>(),
        keyword<&PolygammaGradient::memory_config>());
    Gradients body() const;
};
inline constexpr Operation<PolygammaGradient> polygamma_bw;

/// The gradient of scalar / input; zeros where the quotient is rounded.
struct ReverseDivideGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    float scalar = 1.0F;
    std::optional<std::string> rounding_mode{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"rdiv_bw", kInputGradientDocumentation};
    static constexpr auto kParameters =
        parameters(required<&ReverseDivideGradient::grad_tensor, &ReverseDivideGradient::input_tensor,
                            &ReverseDivideGradient::scalar>(),
                   keyword<&ReverseDivideGradient::rounding_mode, &ReverseDivideGradient::memory_config>());
    Gradients body() const;
};
inline constexpr Operation<ReverseDivideGradient> rdiv_bw;

/// The gradient of input ^ exponent, exponent from 0; infinite where input is not positive, as TT-NN has it.
struct PowerGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    float exponent = 1.0F;
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};

    static constexpr OperationInfo kOperation{"pow_bw", kInputGradientDocumentation};
    static constexpr auto kParameters = parameters(
        required<&PowerGradient::grad_tensor, &PowerGradient::input_tensor, &PowerGradient::exponent>(),
        keyword<&PowerGradient::memory_config>(), keyword<&PowerGradient::input_grad>().output());
    auto recorded() const { return std::tie(grad_tensor, input_tensor, exponent, input_grad, memory_config); }
    Gradients body() const;
};
inline constexpr Operation<PowerGradient> pow_bw;

}  // namespace tilemeter
