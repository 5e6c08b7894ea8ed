// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of one element: their lowerings by the functions of activations.cpp, their gradients by TT-NN's own, as rows.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::rules {

namespace {

bool is_tanh_gelu(const CallReader& call) {
    const std::string variant = call.text("variant");
    return call.flag("fast_and_approximate_mode") || call.integer("variant", 0) != 0 ||
           (!variant.empty() && variant != "Accurate");
}

}  // namespace

}  // namespace tilemeter::trace::rules

namespace tilemeter::trace::lowering {

namespace {

// "eps:-1": the argument, and what it is where it is not given.
double argument_of(const Call& call, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return call.number(text);
    double otherwise = 0;
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), otherwise);
    return call.number(text.substr(0, colon), otherwise);
}

Values unary(const Call& call, const char* function, const char* parameters) {
    std::vector<double> numbers;
    rules::for_each_name(parameters, ' ',
                         [&](std::string_view name) { numbers.push_back(argument_of(call, name)); });
    return {call.activation(call[0], function, std::move(numbers))};
}

Values gelu(const Call& call) {
    return {call.activation(call[0], rules::is_tanh_gelu(call) ? "GELU_TANH" : "GELU")};
}

Values clamp(const Call& call) {
    FlatBuilder& to = call.to;
    ValueId x = to.broadcast(call[0], call.shape());
    if (call.result_on_device() == ElementType::kF32) x = call.as_float(x);
    const auto limit = [&](const char* name) -> std::optional<ValueId> {
        if (const auto number = call.find_number(name)) {
            if (*number != std::floor(*number)) x = call.as_float(x);
            return to.full_like(x, *number);
        }
        const auto tensor = call.find(name);
        if (!tensor) return std::nullopt;
        return to.broadcast(to.convert(*tensor, to.element(x)), to.shape(x));
    };
    if (const auto low = limit("min")) x = to.op("maximum", {x, to.convert(*low, to.element(x))});
    if (const auto high = limit("max")) x = to.op("minimum", {to.convert(x, to.element(*high)), *high});
    return {x};
}

Values polyval(const Call& call) {
    const std::vector<double> factors = call.numbers("coeffs");
    ValueId value = call.to.full_like(call[0], factors.at(0));
    for (std::size_t i = 1; i < factors.size(); ++i)
        value = call.to.add(call.to.mul(value, call[0]), factors[i]);
    return {value};
}

Values chain(const Call& call) {
    return {call.activations(call[0], "ops_chain")};
}

// The half times a function of the other half.
Values gated(const Call& call, const char* function) {
    FlatBuilder& to = call.to;
    const Shape from = to.shape(call[0]);
    const std::int64_t axis = call.axis("dim", -1, from.rank());
    const std::int64_t half = from[static_cast<std::size_t>(axis)] / 2;
    const ValueId first = call.slice(call[0], axis, 0, half);
    const ValueId second = call.slice(call[0], axis, half, 2 * half);
    return {to.mul(first, call.activation(second, function))};
}

Values geglu(const Call& call) {
    return gated(call, call.integer("variant", 0) == 0 ? "GELU" : "GELU_TANH");
}

Values bitwise_not(const Call& call) {
    return {call.to.op("not", {call[0]})};
}

Values quantized(const Call& call, double minus, double factor, double plus) {
    FlatBuilder& to = call.to;
    const bool is_rounded = !ir::is_float(call.result_on_device());
    // A float32 product would meet halves that the product of the numbers is beside.
    ValueId x = to.convert(call[0], is_rounded ? ElementType::kF64 : ElementType::kF32);
    x = to.add(to.mul(to.sub(x, minus), factor), plus);
    if (!is_rounded) return {x};
    x = to.op("round_even", {x});
    const bool is_u8 = call.result_on_device() == ElementType::kU8;
    const double low = is_u8 ? 0.0 : -2147483648.0;
    const double high = is_u8 ? 255.0 : 2147483647.0;
    x = to.op("minimum", {to.op("maximum", {x, to.full_like(x, low)}), to.full_like(x, high)});
    return {x};
}

void require_numbers(const Call& call) {
    call.require(call.size() == 1, "scale or zero point is a tensor");
}

Values quantize(const Call& call) {
    require_numbers(call);
    return quantized(call, 0, 1.0 / call.number("scale"), call.number("zero_point"));
}
Values dequantize(const Call& call) {
    require_numbers(call);
    return quantized(call, call.number("zero_point"), call.number("scale"), 0);
}
Values requantize(const Call& call) {
    require_numbers(call);
    return quantized(call, call.number("in_zero_point"), call.number("in_scale") / call.number("out_scale"),
                     call.number("out_zero_point"));
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

namespace {

// Those of selu_bw, as of selu unless it is told others.
constexpr float kSeluScale = 1.0506999492645264F;
constexpr float kSeluAlpha = 1.673259973526001F;

void gelu(Call& call) {
    give_all(call, gelu_bw(GeluGradient{
                       .grad_tensor = call.gradient(),
                       .input_tensor = call.operand(0),
                       .variant = is_tanh_gelu(call) ? GeluVariant::Tanh : GeluVariant::Accurate,
                   }));
}

void clamp(Call& call) {
    const auto limit = [&](const char* name) -> std::optional<float> {
        const std::optional<double> found = call.find_number(name);
        if (!found) return std::nullopt;
        return static_cast<float>(*found);
    };
    give_all(call, clamp_bw(call.gradient(), call.operand(0), limit("min"), limit("max")));
}

// x * tanh(softplus(x))
void mish_back(Call& call) {
    const Tensor x = call.operand(0);
    const Tensor share = tanh(softplus(x));
    const Tensor slope = multiply(sigmoid(x), rsub(square(share), Scalar(1.0)));
    call.give(0, multiply(add(share, multiply(x, slope)), call.gradient()));
}

// The first half of the columns times a function of the second.
template <typename Gate, typename GateGradient>
void gate_back(Call& call, const Gate& gate, const GateGradient& gate_gradient) {
    const Tensor x = call.operand(0);
    const std::size_t last = x.shape().rank() - 1;
    const std::int64_t half = x.shape()[-1] / 2;
    const Tensor gated = part_of(x, last, half, 2 * half);
    const Tensor factor = part_of(x, last, 0, half);
    const Tensor gradient = call.gradient();
    call.give(0, concat(Concat{.tensors = {multiply(gradient, gate(gated)),
                                           gate_gradient(multiply(gradient, factor), gated).at(0).value()},
                               .dim = static_cast<std::int64_t>(last)}));
}

bool takes_gate(const Call& call) {
    const TensorSpec& x = call.spec(0);
    return x.layout == Layout::TILE && is_floating_point(x.dtype) && x.dtype == call.result_spec().dtype &&
           !x.memory_config.is_sharded() && x.shape[-1] == 2 * call.result_spec().shape[-1] &&
           (!call.has("variant") || call.text("variant") == "Accurate");
}

void selu(Call& call) {
    give_all(call, selu_bw(call.gradient(), call.operand(0)));
}

bool takes_selu(const Call& call) {
    return are_alike(call) && call.single("scale", kSeluScale) == kSeluScale &&
           call.single("alpha", kSeluAlpha) == kSeluAlpha;
}

void logit(Call& call) {
    const std::optional<double> limit = call.find_number("eps");
    give_all(call, limit && *limit >= 0
                       ? logiteps_bw(call.gradient(), call.operand(0), static_cast<float>(*limit))
                       : logit_bw(call.gradient(), call.operand(0)));
}

constexpr const char* kInput = "input_tensor";

// A number that the call was given.
template <typename Operation>
Gradient by_number(const Operation& gradient, const char* name) {
    return {kInput,
            [&gradient, name](Call& call) {
                give_all(call,
                         gradient(call.gradient(), call.operand(0), static_cast<float>(call.number(name))));
            },
            [name](const Call& call) { return are_alike(call) && call.find_number(name); }};
}

// Numbers, and what they are where the call does not say them.
struct Number {
    const char* name;
    double otherwise;
};
template <typename Operation>
Gradient by_numbers(const Operation& gradient, Number first, Number second) {
    return {kInput,
            [=, &gradient](Call& call) {
                give_all(call,
                         gradient(call.gradient(), call.operand(0), call.single(first.name, first.otherwise),
                                  call.single(second.name, second.otherwise)));
            },
            are_alike};
}

template <typename Gate, typename GateGradient>
Gradient of_gate(const Gate& gate, const GateGradient& gradient) {
    return {kInput, [&](Call& call) { gate_back(call, gate, gradient); }, takes_gate};
}

struct UnaryRow {
    const char* name;
    const char* function;  ///< as TT-NN's UnaryOpType
    Gradient gradient{};
    const char* parameters = "";  ///< the arguments that are its parameters
};

std::vector<UnaryRow> unary_rows() {
    return {
        {"abs", "ABS", by(abs_bw)},
        {"acos", "ACOS", by(acos_bw)},
        {"acosh", "ACOSH", by(acosh_bw)},
        {"asin", "ASIN", by(asin_bw)},
        {"asinh", "ASINH", by(asinh_bw)},
        {"atan", "ATAN", by(atan_bw)},
        {"atanh", "ATANH", by(atanh_bw)},
        {"cbrt", "CBRT"},
        {"ceil", "CEIL", no_slope()},
        {"celu", "CELU", by_number(celu_bw, "alpha"), "alpha"},
        {"cos", "COS", by(cos_bw)},
        {"cosh", "COSH", by(cosh_bw)},
        {"deg2rad", "DEG2RAD", by(deg2rad_bw)},
        {"digamma", "DIGAMMA", by(digamma_bw)},
        {"elu", "ELU", by_number(elu_bw, "alpha"), "alpha"},
        {"eqz", "EQZ", no_slope()},
        {"erf", "ERF", by(erf_bw)},
        {"erfc", "ERFC", by(erfc_bw)},
        {"erfinv", "ERFINV", by(erfinv_bw)},
        {"exp", "EXP", by(exp_bw)},
        {"exp2", "EXP2", by(exp2_bw)},
        {"expm1", "EXPM1", by(expm1_bw)},
        {"fill", "FILL", no_slope(), "fill_value"},
        {"floor", "FLOOR", no_slope()},
        {"frac", "FRAC", by(frac_bw)},
        {"gez", "GEZ", no_slope()},
        {"gtz", "GTZ", no_slope()},
        {"hardmish", "HARDMISH"},
        {"hardshrink", "HARDSHRINK", by_number(hardshrink_bw, "lambd"), "lambd"},
        {"hardsigmoid", "HARDSIGMOID", by(hardsigmoid_bw)},
        {"hardswish", "HARDSWISH", by(hardswish_bw)},
        {"hardtanh", "HARDTANH", by_numbers(hardtanh_bw, Number{"min_val", -1}, Number{"max_val", 1}),
         "min_val max_val"},
        {"heaviside", "HEAVISIDE", no_slope(), "value"},
        {"identity", "IDENTITY", {"", pass_on, keeps_shape}},
        {"isfinite", "ISFINITE", no_slope()},
        {"isinf", "ISINF", no_slope()},
        {"isnan", "ISNAN", no_slope()},
        {"isneginf", "ISNEGINF", no_slope()},
        {"isposinf", "ISPOSINF", no_slope()},
        {"leaky_relu", "LEAKY_RELU", by_number(leaky_relu_bw, "negative_slope"), "negative_slope"},
        {"lez", "LEZ", no_slope()},
        {"lgamma", "LGAMMA", by(lgamma_bw)},
        {"log", "LOG", by(log_bw)},
        {"log10", "LOG10", by(log10_bw)},
        {"log1p", "LOG1P", by(log1p_bw)},
        {"log2", "LOG2", by(log2_bw)},
        {"log_sigmoid", "LOGSIGMOID", by(log_sigmoid_bw)},
        {"logical_not", "LOGICAL_NOT_UNARY", no_slope()},
        {"logical_not_", "LOGICAL_NOT_UNARY"},
        {"logit", "LOGIT", {kInput, logit, are_alike}, "eps:-1"},
        {"ltz", "LTZ", no_slope()},
        {"mish", "MISH", {kInput, mish_back, are_alike}},
        {"neg", "NEG", by(neg_bw)},
        {"nez", "NEZ", no_slope()},
        {"prelu", "PRELU_SFPU", {}, "weight"},
        {"rad2deg", "RAD2DEG", by(rad2deg_bw)},
        {"reciprocal", "RECIP", by(reciprocal_bw)},
        {"relu", "RELU", by(relu_bw)},
        {"relu6", "RELU6", by(relu6_bw)},
        {"relu_max", "RELU_MAX", {}, "upper_limit"},
        {"relu_min", "RELU_MIN", {}, "lower_limit"},
        {"round", "ROUND", no_slope(), "decimals:0"},
        {"rpow", "RPOW", {}, "exponent"},
        {"rsqrt", "RSQRT", by(rsqrt_bw)},
        {"selu", "SELU", {kInput, selu, takes_selu}, "scale alpha"},
        {"sigmoid", "SIGMOID", by(sigmoid_bw)},
        {"sigmoid_accurate", "SIGMOID", by(sigmoid_bw)},
        {"sign", "SIGN", no_slope()},
        {"signbit", "SIGNBIT", no_slope()},
        {"silu", "SILU", by(silu_bw)},
        {"sin", "SIN", by(sin_bw)},
        {"sinh", "SINH", by(sinh_bw)},
        {"softcap", "SOFTCAP", {}, "beta"},
        {"softplus", "SOFTPLUS", by_numbers(softplus_bw, Number{"beta", 1}, Number{"threshold", 20}),
         "beta threshold"},
        {"softshrink", "SOFTSHRINK", by_number(softshrink_bw, "lambd"), "lambd"},
        {"softsign", "SOFTSIGN", by(softsign_bw)},
        {"sqrt", "SQRT", by(sqrt_bw)},
        {"square", "SQUARE", by(square_bw)},
        {"swish", "SILU", by(silu_bw)},
        {"tan", "TAN", by(tan_bw)},
        {"tanh", "TANH", by(tanh_bw)},
        {"tanhshrink", "TANHSHRINK", by(tanhshrink_bw)},
        {"threshold", "THRESHOLD", by_numbers(threshold_bw, Number{"threshold", 0}, Number{"value", 0}),
         "threshold value"},
        {"trunc", "TRUNC", no_slope()},
        {"xielu", "XIELU", {}, "alpha_p alpha_n"},
    };
}

}  // namespace

std::vector<Rule> eltwise_unary_rules() {
    const Gradient by_limits{kInput, clamp,
                             [](const Call& call) { return are_alike(call) && call.size() == 1; }};
    std::vector<Rule> rules = {
        {"gelu", {kInput, lowering::gelu}, {kInput, gelu, are_alike}},
        {"clamp", {"input_tensor min max", lowering::clamp}, by_limits},
        {"clip", {"input_tensor min max", lowering::clamp}, by_limits},
        {"polyval", {"input_tensor_a", lowering::polyval}},
        {"unary_chain", {kInput, lowering::chain}},
        {"glu", {kInput, with(lowering::gated, "SIGMOID")}, of_gate(sigmoid, sigmoid_bw)},
        {"reglu", {kInput, with(lowering::gated, "RELU")}, of_gate(relu, relu_bw)},
        {"swiglu", {kInput, with(lowering::gated, "SILU")}, of_gate(silu, silu_bw)},
        {"geglu", {kInput, lowering::geglu}, of_gate(tilemeter::gelu, gelu_bw)},
        {"bitwise_not", {kInput, lowering::bitwise_not}},
        {"quantize", {kInput, lowering::quantize}},
        {"dequantize", {kInput, lowering::dequantize}},
        {"requantize", {kInput, lowering::requantize}},
    };
    for (UnaryRow& row : unary_rows())
        rules.push_back({row.name,
                         {kInput, with(lowering::unary, row.function, row.parameters)},
                         std::move(row.gradient)});
    return rules;
}

}  // namespace tilemeter::trace::rules
