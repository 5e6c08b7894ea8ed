// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of one element: by TT-NN's gradients of them, as rows.

#include <array>

#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

constexpr const char* kInput = "input_tensor";
// Those of selu_bw, as of selu unless it is told others.
constexpr float kSeluScale = 1.0506999492645264F;
constexpr float kSeluAlpha = 1.673259973526001F;

struct UnaryRow {
    const char* name;
    const UnaryGradientFunction* gradient;
};
const std::array kUnaries = {
    UnaryRow{"abs", &abs_bw},
    UnaryRow{"acos", &acos_bw},
    UnaryRow{"acosh", &acosh_bw},
    UnaryRow{"asin", &asin_bw},
    UnaryRow{"asinh", &asinh_bw},
    UnaryRow{"atan", &atan_bw},
    UnaryRow{"atanh", &atanh_bw},
    UnaryRow{"cos", &cos_bw},
    UnaryRow{"cosh", &cosh_bw},
    UnaryRow{"deg2rad", &deg2rad_bw},
    UnaryRow{"digamma", &digamma_bw},
    UnaryRow{"erf", &erf_bw},
    UnaryRow{"erfc", &erfc_bw},
    UnaryRow{"erfinv", &erfinv_bw},
    UnaryRow{"exp2", &exp2_bw},
    UnaryRow{"expm1", &expm1_bw},
    UnaryRow{"frac", &frac_bw},
    UnaryRow{"hardsigmoid", &hardsigmoid_bw},
    UnaryRow{"hardswish", &hardswish_bw},
    UnaryRow{"i0", &i0_bw},
    UnaryRow{"lgamma", &lgamma_bw},
    UnaryRow{"log", &log_bw},
    UnaryRow{"log10", &log10_bw},
    UnaryRow{"log1p", &log1p_bw},
    UnaryRow{"log2", &log2_bw},
    UnaryRow{"log_sigmoid", &log_sigmoid_bw},
    UnaryRow{"multigammaln", &multigammaln_bw},
    UnaryRow{"rad2deg", &rad2deg_bw},
    UnaryRow{"reciprocal", &reciprocal_bw},
    UnaryRow{"relu", &relu_bw},
    UnaryRow{"relu6", &relu6_bw},
    UnaryRow{"sigmoid", &sigmoid_bw},
    UnaryRow{"sigmoid_accurate", &sigmoid_bw},
    UnaryRow{"sin", &sin_bw},
    UnaryRow{"sinh", &sinh_bw},
    UnaryRow{"softsign", &softsign_bw},
    UnaryRow{"square", &square_bw},
    UnaryRow{"tan", &tan_bw},
    UnaryRow{"tanhshrink", &tanhshrink_bw},
};

struct UnaryIntoRow {
    const char* name;
    const UnaryGradientIntoFunction* gradient;
};
const std::array kUnariesInto = {
    UnaryIntoRow{"exp", &exp_bw},   UnaryIntoRow{"neg", &neg_bw},   UnaryIntoRow{"rsqrt", &rsqrt_bw},
    UnaryIntoRow{"silu", &silu_bw}, UnaryIntoRow{"sqrt", &sqrt_bw}, UnaryIntoRow{"swish", &silu_bw},
    UnaryIntoRow{"tanh", &tanh_bw},
};

struct NumberRow {
    const char* name;
    const DefaultedGradientFunction* gradient;
    const char* argument;
};
const std::array kNumbers = {
    NumberRow{"celu", &celu_bw, "alpha"},
    NumberRow{"elu", &elu_bw, "alpha"},
    NumberRow{"hardshrink", &hardshrink_bw, "lambd"},
    NumberRow{"leaky_relu", &leaky_relu_bw, "negative_slope"},
    NumberRow{"softshrink", &softshrink_bw, "lambd"},
};

// Functions whose derivative is 0, and comparisons.
constexpr const char* kSteps[] = {
    "ceil",       "floor",     "round",     "sign",        "trunc",      "signbit",     "eqz",
    "nez",        "gtz",       "ltz",       "gez",         "lez",        "isfinite",    "isinf",
    "isnan",      "isneginf",  "isposinf",  "logical_not", "eq",         "ne",          "gt",
    "ge",         "lt",        "le",        "logical_and", "logical_or", "logical_xor", "isclose",
    "zeros_like", "ones_like", "full_like", "fill",        "heaviside",  "floor_div",   "moreh_full_like",
};

Tensor only(const Gradients& gradients) {
    return gradients.at(0).value();
}

// Sigmoids of log_sigmoid and logit that are given other arguments are lowered.
bool is_plain(const Call& call) {
    return are_alike(call);
}

void gelu(Call& call) {
    const bool is_tanh = call.flag("fast_and_approximate_mode") ||
                         call.find_number("variant").value_or(0) != 0 ||
                         (!call.text("variant").empty() && call.text("variant") != "Accurate");
    call.give(0, only(gelu_bw(GeluGradient{
                     .grad_tensor = call.gradient(),
                     .input_tensor = call.operand(0),
                     .variant = is_tanh ? GeluVariant::Tanh : GeluVariant::Accurate,
                 })));
}

void clamp(Call& call) {
    const auto limit = [&](const char* name) -> std::optional<float> {
        const std::optional<double> found = call.find_number(name);
        if (!found) return std::nullopt;
        return static_cast<float>(*found);
    };
    call.give(0, only(clamp_bw(call.gradient(), call.operand(0), limit("min"), limit("max"))));
}

// x * tanh(softplus(x))
void mish_back(Call& call) {
    const Tensor x = call.operand(0);
    const Tensor share = tanh(softplus(x));
    const Tensor slope = multiply(sigmoid(x), rsub(square(share), Scalar(1.0)));
    call.give(0, multiply(add(share, multiply(x, slope)), call.gradient()));
}

// The first half of the columns times a function of the second.
struct GateRow {
    const char* name;
    Tensor (*gate)(const Tensor& x);
    Gradients (*gradient)(const Tensor& gradient, const Tensor& x);
};
const std::array kGates = {
    GateRow{"glu", [](const Tensor& x) { return sigmoid(x); },
            [](const Tensor& g, const Tensor& x) { return sigmoid_bw(g, x); }},
    GateRow{"reglu", [](const Tensor& x) { return relu(x); },
            [](const Tensor& g, const Tensor& x) { return relu_bw(g, x); }},
    GateRow{"geglu", [](const Tensor& x) { return tilemeter::gelu(x); },
            [](const Tensor& g, const Tensor& x) { return gelu_bw(g, x); }},
    GateRow{"swiglu", [](const Tensor& x) { return silu(x); },
            [](const Tensor& g, const Tensor& x) { return silu_bw(g, x); }},
};

void gate_back(Call& call, const GateRow& row) {
    const Tensor x = call.operand(0);
    const auto last = static_cast<std::int64_t>(x.shape().rank()) - 1;
    Integers begin(x.shape().rank(), 0);
    Integers end = extents_of(x.shape());
    const std::int64_t middle = end.back() / 2;
    begin.back() = middle;
    const Tensor gated = slice(Slice{.input_tensor = x, .slice_start = begin, .slice_end = end});
    begin.back() = 0;
    end.back() = middle;
    const Tensor factor = slice(Slice{.input_tensor = x, .slice_start = begin, .slice_end = end});
    const Tensor gradient = call.gradient();
    call.give(0, concat(Concat{.tensors = {multiply(gradient, row.gate(gated)),
                                           only(row.gradient(multiply(gradient, factor), gated))},
                               .dim = last}));
}

bool takes_gate(const Call& call) {
    const TensorSpec& x = call.spec(0);
    return x.layout == Layout::TILE && is_floating_point(x.dtype) && x.dtype == call.result_spec().dtype &&
           !x.memory_config.is_sharded() && x.shape[-1] == 2 * call.result_spec().shape[-1] &&
           (!call.has("variant") || call.text("variant") == "Accurate");
}

// TT-NN's pow_bw is infinite where the base is not positive.
void power(Call& call) {
    const float exponent = call.number("exponent", 1);
    const Tensor x = call.operand(0);
    if (exponent == 2.0F) {
        call.give(0, only(square_bw(call.gradient(), x)));
        return;
    }
    const Tensor less = pow(PowerOfTensor{.input_tensor = x, .exponent = exponent - 1});
    call.give(0, multiply(multiply(less, Scalar(exponent)), call.gradient()));
}

}  // namespace

std::vector<Rule> elementwise_rules() {
    std::vector<Rule> rules;
    for (const UnaryRow& row : kUnaries)
        rules.push_back(
            {row.name, kInput,
             [&row](Call& call) { call.give(0, only((*row.gradient)(call.gradient(), call.operand(0)))); },
             is_plain});
    for (const UnaryIntoRow& row : kUnariesInto)
        rules.push_back(
            {row.name, kInput,
             [&row](Call& call) { call.give(0, only((*row.gradient)(call.gradient(), call.operand(0)))); },
             is_plain});
    for (const NumberRow& row : kNumbers)
        rules.push_back(
            {row.name, kInput,
             [&row](Call& call) {
                 const float number = static_cast<float>(call.find_number(row.argument).value());
                 call.give(0, only((*row.gradient)(call.gradient(), call.operand(0), number)));
             },
             [&row](const Call& call) { return are_alike(call) && call.find_number(row.argument); }});
    for (const char* const name : kSteps)
        rules.push_back({name, "", [](Call& /*call*/) {}});
    for (const GateRow& row : kGates)
        rules.push_back({row.name, kInput, [&row](Call& call) { gate_back(call, row); }, takes_gate});
    rules.push_back({"mish", kInput, mish_back, is_plain});
    rules.push_back({"selu", kInput,
                     [](Call& call) { call.give(0, only(selu_bw(call.gradient(), call.operand(0)))); },
                     [](const Call& call) {
                         return is_plain(call) && call.number("scale", kSeluScale) == kSeluScale &&
                                call.number("alpha", kSeluAlpha) == kSeluAlpha;
                     }});
    const auto has_numbers = [](const Call& call) { return are_alike(call) && call.size() == 1; };
    rules.push_back({"gelu", kInput, gelu, is_plain});
    rules.push_back({"clamp", kInput, clamp, has_numbers});
    rules.push_back({"clip", kInput, clamp, has_numbers});
    rules.push_back({"hardtanh", kInput,
                     [](Call& call) {
                         call.give(
                             0, only(hardtanh_bw(call.gradient(), call.operand(0), call.number("min_val", -1),
                                                 call.number("max_val", 1))));
                     },
                     is_plain});
    rules.push_back({"softplus", kInput,
                     [](Call& call) {
                         call.give(0,
                                   only(softplus_bw(call.gradient(), call.operand(0), call.number("beta", 1),
                                                    call.number("threshold", 20))));
                     },
                     is_plain});
    rules.push_back({"threshold", kInput,
                     [](Call& call) {
                         call.give(0,
                                   only(threshold_bw(call.gradient(), call.operand(0),
                                                     call.number("threshold", 0), call.number("value", 0))));
                     },
                     is_plain});
    rules.push_back(
        {"logit", kInput,
         [](Call& call) {
             const std::optional<double> limit = call.find_number("eps");
             call.give(0, only(limit && *limit >= 0
                                   ? logiteps_bw(call.gradient(), call.operand(0), static_cast<float>(*limit))
                                   : logit_bw(call.gradient(), call.operand(0))));
         },
         is_plain});
    rules.push_back({"pow", kInput, power, [](const Call& call) {
                         return are_alike(call) && call.size() == 1 && call.find_number("exponent");
                     }});
    rules.push_back({"rdiv", kInput,
                     [](Call& call) {
                         call.give(0,
                                   only(rdiv_bw(ReverseDivideGradient{.grad_tensor = call.gradient(),
                                                                      .input_tensor = call.operand(0),
                                                                      .scalar = call.number("value", 1)})));
                     },
                     [](const Call& call) { return are_alike(call) && call.text("rounding_mode").empty(); }});
    return rules;
}

}  // namespace tilemeter::trace::backward
