// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations on each element of one tensor, with TT-NN's names, arguments and defaults.
//
// Shape and layout of the result: those of the input (TILE or ROW_MAJOR). dtype: that of the input; most need
// floating point, some take integers too (relu, neg, abs, square, sign, comparisons with zero, ...).
// memory_config: that of the input unless given. output_tensor: written to instead of a new tensor, must fit.
// sub_core_grids: the cores that the program runs on, all unless given.
// All throw RuntimeError (an integer dtype where there is no meaning for it, an output tensor that does not
// fit, a tensor that is deallocated or on the host), OutOfMemoryError.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "runtime/compute/unary.hpp"
#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

using UnaryOpType = compute::UnaryKind;

/// A function of one element with its parameters, as activations are handed to other operations.
struct UnaryWithParam {
    UnaryOpType op_type = UnaryOpType::IDENTITY;
    compute::UnaryParameters parameters{};
    auto key_fields() const { return std::tie(op_type, parameters); }
    friend bool operator==(const UnaryWithParam&, const UnaryWithParam&) = default;
};
std::string attribute_text(const UnaryWithParam& function);

/// The activation of that name ("relu", "gelu", "gelu_approx", "silu", "sigmoid", ...). Throws RuntimeError
/// for others.
UnaryWithParam string_to_unary_with_param(std::string_view name);

namespace unscoped {
/// Any function, by its type, as part of another operation: without a scope of its own.
Tensor unary(const UnaryWithParam& function, const Tensor& input_tensor,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);
Tensor unary_chain(const std::vector<UnaryWithParam>& functions, const Tensor& input_tensor,
                   const OptionalMemoryConfig& memory_config = std::nullopt,
                   const OptionalTensor& output_tensor = std::nullopt,
                   const OptionalCores& sub_core_grids = std::nullopt);
}  // namespace unscoped

/// The way gelu is computed: exactly (erf), by line segments on the device (here: the tanh form), by the tanh form.
enum class GeluVariant : std::uint8_t { Accurate, FastLut, Tanh };
UnaryWithParam gelu_function(GeluVariant variant);

inline constexpr const char* kUnaryDocumentation =
    "Each element by itself. Result: shape, dtype and, unless memory_config is given, place of the input; "
    "output_tensor is written to instead of a new tensor. sub_core_grids: the cores that the program runs "
    "on, all unless given.";

/// The arguments that scopes list for a function that takes neither output_tensor nor sub_core_grids: both as none.
template <typename... Listed>
auto without_output(const Listed&... listed) {
    return std::tuple_cat(std::tie(listed...), std::tuple(OptionalTensor(), OptionalCores()));
}

/// A function without arguments of its own.
struct PlainUnary {
    struct Row : OperationRow {
        UnaryOpType function;
    };

    const Row* row = nullptr;
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr const char* kDocumentation = kUnaryDocumentation;
    static constexpr auto kParameters =
        parameters(required<&PlainUnary::input_tensor>(), keyword<&PlainUnary::memory_config>(),
                   keyword<&PlainUnary::output_tensor>().output(), keyword<&PlainUnary::sub_core_grids>());
    Tensor body() const;
};
using UnaryFunction = OperationOf<PlainUnary>;

inline constexpr UnaryFunction abs{"abs", UnaryOpType::ABS};
inline constexpr UnaryFunction acos{"acos", UnaryOpType::ACOS};
inline constexpr UnaryFunction acosh{"acosh", UnaryOpType::ACOSH};
inline constexpr UnaryFunction asin{"asin", UnaryOpType::ASIN};
inline constexpr UnaryFunction asinh{"asinh", UnaryOpType::ASINH};
inline constexpr UnaryFunction atan{"atan", UnaryOpType::ATAN};
inline constexpr UnaryFunction atanh{"atanh", UnaryOpType::ATANH};
inline constexpr UnaryFunction bitwise_not{"bitwise_not", UnaryOpType::BITWISE_NOT};
inline constexpr UnaryFunction cbrt{"cbrt", UnaryOpType::CBRT};
inline constexpr UnaryFunction ceil{"ceil", UnaryOpType::CEIL};
inline constexpr UnaryFunction cos{"cos", UnaryOpType::COS};
inline constexpr UnaryFunction cosh{"cosh", UnaryOpType::COSH};
inline constexpr UnaryFunction deg2rad{"deg2rad", UnaryOpType::DEG2RAD};
inline constexpr UnaryFunction digamma{"digamma", UnaryOpType::DIGAMMA};
inline constexpr UnaryFunction eqz{"eqz", UnaryOpType::EQZ};
inline constexpr UnaryFunction erfc{"erfc", UnaryOpType::ERFC};
inline constexpr UnaryFunction erfinv{"erfinv", UnaryOpType::ERFINV};
inline constexpr UnaryFunction exp2{"exp2", UnaryOpType::EXP2};
inline constexpr UnaryFunction expm1{"expm1", UnaryOpType::EXPM1};
inline constexpr UnaryFunction floor{"floor", UnaryOpType::FLOOR};
inline constexpr UnaryFunction frac{"frac", UnaryOpType::FRAC};
inline constexpr UnaryFunction gez{"gez", UnaryOpType::GEZ};
inline constexpr UnaryFunction gtz{"gtz", UnaryOpType::GTZ};
inline constexpr UnaryFunction hardsigmoid{"hardsigmoid", UnaryOpType::HARDSIGMOID};
inline constexpr UnaryFunction hardmish{"hardmish", UnaryOpType::HARDMISH};
inline constexpr UnaryFunction hardswish{"hardswish", UnaryOpType::HARDSWISH};
inline constexpr UnaryFunction i0{"i0", UnaryOpType::I0};
inline constexpr UnaryFunction i1{"i1", UnaryOpType::I1};
inline constexpr UnaryFunction identity{"identity", UnaryOpType::IDENTITY};
inline constexpr UnaryFunction isfinite{"isfinite", UnaryOpType::ISFINITE};
inline constexpr UnaryFunction isinf{"isinf", UnaryOpType::ISINF};
inline constexpr UnaryFunction isnan{"isnan", UnaryOpType::ISNAN};
inline constexpr UnaryFunction isneginf{"isneginf", UnaryOpType::ISNEGINF};
inline constexpr UnaryFunction isposinf{"isposinf", UnaryOpType::ISPOSINF};
inline constexpr UnaryFunction lez{"lez", UnaryOpType::LEZ};
inline constexpr UnaryFunction lgamma{"lgamma", UnaryOpType::LGAMMA};
inline constexpr UnaryFunction log_sigmoid{"log_sigmoid", UnaryOpType::LOGSIGMOID};
inline constexpr UnaryFunction logical_not{"logical_not", UnaryOpType::LOGICAL_NOT_UNARY};
inline constexpr UnaryFunction ltz{"ltz", UnaryOpType::LTZ};
inline constexpr UnaryFunction neg{"neg", UnaryOpType::NEG};
inline constexpr UnaryFunction nez{"nez", UnaryOpType::NEZ};
inline constexpr UnaryFunction rad2deg{"rad2deg", UnaryOpType::RAD2DEG};
inline constexpr UnaryFunction reciprocal{"reciprocal", UnaryOpType::RECIP};
inline constexpr UnaryFunction relu{"relu", UnaryOpType::RELU};
inline constexpr UnaryFunction relu6{"relu6", UnaryOpType::RELU6};
inline constexpr UnaryFunction sigmoid{"sigmoid", UnaryOpType::SIGMOID};
inline constexpr UnaryFunction sign{"sign", UnaryOpType::SIGN};
inline constexpr UnaryFunction signbit{"signbit", UnaryOpType::SIGNBIT};
inline constexpr UnaryFunction silu{"silu", UnaryOpType::SILU};
inline constexpr UnaryFunction sin{"sin", UnaryOpType::SIN};
inline constexpr UnaryFunction sinh{"sinh", UnaryOpType::SINH};
inline constexpr UnaryFunction softsign{"softsign", UnaryOpType::SOFTSIGN};
inline constexpr UnaryFunction square{"square", UnaryOpType::SQUARE};
inline constexpr UnaryFunction swish{"swish", UnaryOpType::SILU};
inline constexpr UnaryFunction tan{"tan", UnaryOpType::TAN};
inline constexpr UnaryFunction tanhshrink{"tanhshrink", UnaryOpType::TANHSHRINK};
inline constexpr UnaryFunction trunc{"trunc", UnaryOpType::TRUNC};

inline constexpr const UnaryFunction* kUnaryFunctions[] = {
    &abs,      &acos,      &acosh,      &asin,     &asinh,       &atan,        &atanh, &bitwise_not,
    &cbrt,     &ceil,      &cos,        &cosh,     &deg2rad,     &digamma,     &eqz,   &erfc,
    &erfinv,   &exp2,      &expm1,      &floor,    &frac,        &gez,         &gtz,   &hardsigmoid,
    &hardmish, &hardswish, &i0,         &i1,       &identity,    &isfinite,    &isinf, &isnan,
    &isneginf, &isposinf,  &lez,        &lgamma,   &log_sigmoid, &logical_not, &ltz,   &neg,
    &nez,      &rad2deg,   &reciprocal, &relu,     &relu6,       &sigmoid,     &sign,  &signbit,
    &silu,     &sin,       &sinh,       &softsign, &square,      &swish,       &tan,   &tanhshrink,
    &trunc};

/// Not of one element: neighbours along the last dimension, whose size is even, as a complex number each, times i:
/// (-x[2i + 1], x[2i]).
inline constexpr UnaryFunction alt_complex_rotate90{"alt_complex_rotate90",
                                                    UnaryOpType::ALT_COMPLEX_ROTATE90};

/// A function that a device can also compute faster and less exactly; values here are exact either way.
struct ApproximableUnary {
    using Row = PlainUnary::Row;

    const Row* row = nullptr;
    Tensor input_tensor{};
    bool fast_and_approximate_mode = false;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr const char* kDocumentation = kUnaryDocumentation;
    static constexpr auto kParameters = parameters(
        required<&ApproximableUnary::input_tensor>(),
        keyword<&ApproximableUnary::fast_and_approximate_mode, &ApproximableUnary::memory_config>(),
        keyword<&ApproximableUnary::output_tensor>().output(), keyword<&ApproximableUnary::sub_core_grids>());
    Tensor body() const;
};
using ApproximableUnaryFunction = OperationOf<ApproximableUnary>;

inline constexpr ApproximableUnaryFunction erf{"erf", UnaryOpType::ERF};
inline constexpr ApproximableUnaryFunction exp{"exp", UnaryOpType::EXP};
inline constexpr ApproximableUnaryFunction log{"log", UnaryOpType::LOG};
inline constexpr ApproximableUnaryFunction log10{"log10", UnaryOpType::LOG10};
inline constexpr ApproximableUnaryFunction log1p{"log1p", UnaryOpType::LOG1P};
inline constexpr ApproximableUnaryFunction log2{"log2", UnaryOpType::LOG2};
inline constexpr ApproximableUnaryFunction mish{"mish", UnaryOpType::MISH};
inline constexpr ApproximableUnaryFunction rsqrt{"rsqrt", UnaryOpType::RSQRT};
inline constexpr ApproximableUnaryFunction sigmoid_accurate{"sigmoid_accurate", UnaryOpType::SIGMOID};
inline constexpr ApproximableUnaryFunction sqrt{"sqrt", UnaryOpType::SQRT};
inline constexpr ApproximableUnaryFunction tanh{"tanh", UnaryOpType::TANH};

inline constexpr const ApproximableUnaryFunction* kApproximableUnaryFunctions[] = {
    &erf, &exp, &log, &log10, &log1p, &log2, &mish, &rsqrt, &sigmoid_accurate, &sqrt, &tanh};

/// A function with a number, which has a default or must be given.
template <bool kHasDefault>
struct UnaryOfNumber {
    struct Row : OperationRow {
        UnaryOpType function;
        const char* number_name;
        float number = 0.0F;  ///< the default
    };

    const Row* row = nullptr;
    Tensor input_tensor{};
    float number = 0.0F;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr const char* kDocumentation = kUnaryDocumentation;
    static constexpr auto kParameters = parameters(
        required<&UnaryOfNumber::input_tensor>(),
        (kHasDefault ? keyword<&UnaryOfNumber::number>() : required<&UnaryOfNumber::number>())
            .named_by(&Row::number_name)
            .default_by(&Row::number),
        keyword<&UnaryOfNumber::memory_config>(), keyword<&UnaryOfNumber::output_tensor>().output(),
        keyword<&UnaryOfNumber::sub_core_grids>());
    Tensor body() const;
};
using NumberedUnaryFunction = OperationOf<UnaryOfNumber<false>>;
using DefaultedUnaryFunction = OperationOf<UnaryOfNumber<true>>;

inline constexpr NumberedUnaryFunction leaky_relu{"leaky_relu", UnaryOpType::LEAKY_RELU, "negative_slope"};
/// beta * tanh(x / beta). Of Blackhole only; throws RuntimeError on others.
inline constexpr NumberedUnaryFunction softcap{"softcap", UnaryOpType::SOFTCAP, "beta"};
inline constexpr NumberedUnaryFunction heaviside{"heaviside", UnaryOpType::HEAVISIDE, "value"};
inline constexpr NumberedUnaryFunction fill{"fill", UnaryOpType::FILL, "fill_value"};
inline constexpr NumberedUnaryFunction relu_max{"relu_max", UnaryOpType::RELU_MAX, "upper_limit"};
inline constexpr NumberedUnaryFunction relu_min{"relu_min", UnaryOpType::RELU_MIN, "lower_limit"};
/// exponent ^ x: the number is the base, whatever TT-NN calls it.
inline constexpr NumberedUnaryFunction rpow{"rpow", UnaryOpType::RPOW, "exponent"};

inline constexpr const NumberedUnaryFunction* kNumberedUnaryFunctions[] = {
    &leaky_relu, &softcap, &heaviside, &fill, &relu_max, &relu_min, &rpow};

inline constexpr DefaultedUnaryFunction elu{"elu", UnaryOpType::ELU, "alpha", 1.0F};
inline constexpr DefaultedUnaryFunction celu{"celu", UnaryOpType::CELU, "alpha", 1.0F};
inline constexpr DefaultedUnaryFunction softshrink{"softshrink", UnaryOpType::SOFTSHRINK, "lambd", 0.5F};
inline constexpr DefaultedUnaryFunction hardshrink{"hardshrink", UnaryOpType::HARDSHRINK, "lambd", 0.5F};

inline constexpr const DefaultedUnaryFunction* kDefaultedUnaryFunctions[] = {&elu, &celu, &softshrink,
                                                                             &hardshrink};

/// A function with two numbers, which have defaults or must be given.
template <bool kHasDefaults>
struct UnaryOfNumbers {
    struct Row : OperationRow {
        UnaryOpType function;
        const char* first_name;
        float first;  ///< the default
        const char* second_name;
        float second;  ///< the default
    };

    const Row* row = nullptr;
    Tensor input_tensor{};
    float first = 0.0F;
    float second = 0.0F;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr const char* kDocumentation = kUnaryDocumentation;
    static constexpr auto kParameters = parameters(
        required<&UnaryOfNumbers::input_tensor>(),
        (kHasDefaults ? keyword<&UnaryOfNumbers::first>() : required<&UnaryOfNumbers::first>())
            .named_by(&Row::first_name)
            .default_by(&Row::first),
        (kHasDefaults ? keyword<&UnaryOfNumbers::second>() : required<&UnaryOfNumbers::second>())
            .named_by(&Row::second_name)
            .default_by(&Row::second),
        keyword<&UnaryOfNumbers::memory_config>(), keyword<&UnaryOfNumbers::output_tensor>().output(),
        keyword<&UnaryOfNumbers::sub_core_grids>());
    Tensor body() const;
};
using TwoNumbersUnaryFunction = OperationOf<UnaryOfNumbers<true>>;

inline constexpr TwoNumbersUnaryFunction hardtanh{
    "hardtanh", UnaryOpType::HARDTANH, "min_val", -1.0F, "max_val", 1.0F};
inline constexpr TwoNumbersUnaryFunction selu{"selu",  UnaryOpType::SELU, "scale", 1.0506999492645264F,
                                              "alpha", 1.673259973526001F};
inline constexpr TwoNumbersUnaryFunction softplus{"softplus", UnaryOpType::SOFTPLUS, "beta",
                                                  1.0F,       "threshold",           20.0F};
/// alpha_p * x^2 + x / 2 where x is positive, else alpha_n * (e^x - 1 - x) + x / 2.
inline constexpr TwoNumbersUnaryFunction xielu{"xielu", UnaryOpType::XIELU, "alpha_p", 0.8F, "alpha_n", 0.8F};

inline constexpr const TwoNumbersUnaryFunction* kTwoNumbersUnaryFunctions[] = {&hardtanh, &selu, &softplus,
                                                                               &xielu};

/// x where it is larger than the first number, else the second.
inline constexpr OperationOf<UnaryOfNumbers<false>> threshold{
    "threshold", UnaryOpType::THRESHOLD, "threshold", 0.0F, "value", 0.0F};

/// By a variant, or by fast_and_approximate_mode: FastLut instead of Accurate.
template <typename Mode>
struct Gelu {
    Tensor input_tensor{};
    Mode mode{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"gelu", kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Gelu::input_tensor>(),
                   keyword<&Gelu::mode>(std::is_same_v<Mode, bool> ? "fast_and_approximate_mode" : "variant"),
                   keyword<&Gelu::memory_config>(), keyword<&Gelu::output_tensor>().output(),
                   keyword<&Gelu::sub_core_grids>());
    auto recorded() const {
        using Number = std::conditional_t<std::is_same_v<Mode, bool>, bool, int>;
        return std::tuple_cat(std::tie(input_tensor), std::tuple(static_cast<Number>(mode)),
                              std::tie(memory_config, output_tensor, sub_core_grids));
    }
    Tensor body() const;
};

class GeluFunction : public Operation<Gelu<bool>>, public Operation<Gelu<GeluVariant>> {
public:
    using Operation<Gelu<bool>>::operator();
    using Operation<Gelu<GeluVariant>>::operator();
    Tensor operator()(const Tensor& input_tensor) const {
        return call_operation(Gelu<bool>{.input_tensor = input_tensor});
    }
};
inline constexpr GeluFunction gelu;

struct Round {
    Tensor input_tensor{};
    int decimals = 0;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"round", kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Round::input_tensor>(), keyword<&Round::decimals, &Round::memory_config>(),
                   keyword<&Round::output_tensor>().output(), keyword<&Round::sub_core_grids>());
    Tensor body() const;
};
inline constexpr Operation<Round> round;

/// value / x; rounding_mode "floor", "trunc" or none.
struct ReverseDivide {
    Tensor input_tensor{};
    float value = 1.0F;
    std::optional<std::string> rounding_mode{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"rdiv", "value / input_tensor."};
    static constexpr auto kParameters = parameters(
        required<&ReverseDivide::input_tensor, &ReverseDivide::value>(),
        unrecorded_keyword<&ReverseDivide::rounding_mode>(), keyword<&ReverseDivide::memory_config>(),
        keyword<&ReverseDivide::output_tensor>().output(), keyword<&ReverseDivide::sub_core_grids>());
    Tensor call() const;
};
inline constexpr Operation<ReverseDivide> rdiv;

/// ln(x / (1 - x)), x first brought between eps and 1 - eps where eps is given.
struct Logit {
    Tensor input_tensor{};
    std::optional<float> eps{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"logit", kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Logit::input_tensor>(), keyword<&Logit::eps, &Logit::memory_config>(),
                   keyword<&Logit::output_tensor>().output(), keyword<&Logit::sub_core_grids>());
    Tensor body() const;
};
inline constexpr Operation<Logit> logit;

/// The k-th derivative of digamma, k from 1 to 10.
struct Polygamma {
    Tensor input_tensor{};
    int k = 1;
    OptionalMemoryConfig memory_config{};

    auto recorded() const { return without_output(input_tensor, k, memory_config); }

    static constexpr OperationInfo kOperation{"polygamma", kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Polygamma::input_tensor, &Polygamma::k>(), keyword<&Polygamma::memory_config>());
    Tensor call() const;
};
inline constexpr Operation<Polygamma> polygamma;

/// x where it is positive, else weight * x.
struct Prelu {
    Tensor input_tensor_a{};
    float weight = 0.0F;
    OptionalMemoryConfig memory_config{};

    auto recorded() const { return without_output(input_tensor_a, weight, memory_config); }

    static constexpr OperationInfo kOperation{"prelu", kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Prelu::input_tensor_a, &Prelu::weight>(), keyword<&Prelu::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<Prelu> prelu;

struct UnaryChain {
    Tensor input_tensor{};
    std::vector<UnaryWithParam> ops_chain{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"unary_chain",
                                              "Several functions, one after the other, in one program."};
    static constexpr auto kParameters = parameters(
        required<&UnaryChain::input_tensor, &UnaryChain::ops_chain>(), keyword<&UnaryChain::memory_config>(),
        keyword<&UnaryChain::output_tensor>().output(), keyword<&UnaryChain::sub_core_grids>());
    Tensor body() const;
};
inline constexpr Operation<UnaryChain> unary_chain;

struct LogicalNotInPlace {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"logical_not_", "Written over the input."};
    static constexpr auto kParameters = parameters(required<&LogicalNotInPlace::input_tensor>(),
                                                   keyword<&LogicalNotInPlace::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<LogicalNotInPlace> logical_not_;

}  // namespace tilemeter
