// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/clamp.hpp"
#include "runtime/operations/eltwise/creation_like.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/trace/device/vjp_cases.hpp"

namespace tilemeter::trace::vjp_test {

namespace {

template <typename Function>
Case unary(const char* name, const Function& function, float low = -2, float high = 2) {
    return {name, [&function](Inputs x) { return function(x[0]); }, {{kTile, low, high}}};
}
template <typename Function>
Case binary(const char* name, const Function& function, float low = -2, float high = 2) {
    return {name,
            [&function](Inputs x) { return function(x[0], x[1]); },
            {{kTile, low, high}, {kTile, low, high}},
            {0, 1}};
}

/// At 0.25, which no input is.
template <typename Function>
Case beside_number(const char* name, const Function& function) {
    return {name, [&function](Inputs x) { return function(x[0], 0.25F); }, {{kTile}}};
}

}  // namespace

std::vector<Case> elementwise_cases() {
    return {
        unary("abs", abs),
        unary("acos", acos, -0.9F, 0.9F),
        unary("acosh", acosh, 1.3F, 3),
        unary("asin", asin, -0.9F, 0.9F),
        unary("asinh", asinh),
        unary("atan", atan),
        unary("atanh", atanh, -0.8F, 0.8F),
        unary("cos", cos),
        unary("cosh", cosh),
        unary("deg2rad", deg2rad),
        unary("digamma", digamma, 1, 4),
        unary("erf", erf),
        unary("erfc", erfc),
        unary("erfinv", erfinv, -0.8F, 0.8F),
        unary("exp2", exp2),
        unary("expm1", expm1),
        unary("frac", frac),
        unary("hardsigmoid", hardsigmoid),
        unary("hardswish", hardswish),
        unary("i0", i0),
        unary("lgamma", lgamma, 1, 4),
        unary("log", log, 0.5F, 3),
        unary("log10", log10, 0.5F, 3),
        unary("log1p", log1p, -0.5F, 3),
        unary("log2", log2, 0.5F, 3),
        unary("log_sigmoid", log_sigmoid),
        unary("multigammaln", multigammaln, 2, 4),
        unary("rad2deg", rad2deg),
        unary("reciprocal", reciprocal, 0.5F, 2),
        unary("relu", relu),
        unary("relu6", relu6, -2, 8),
        unary("sigmoid", sigmoid),
        unary("sigmoid_accurate", sigmoid_accurate),
        unary("sin", sin),
        unary("sinh", sinh),
        unary("softsign", softsign),
        unary("square", square),
        unary("tan", tan, -1, 1),
        unary("tanhshrink", tanhshrink),
        unary("exp", exp),
        unary("neg", neg),
        unary("rsqrt", rsqrt, 0.5F, 3),
        unary("silu", silu),
        unary("sqrt", sqrt, 0.5F, 3),
        unary("swish", swish),
        unary("tanh", tanh),
        unary("celu", celu),
        unary("elu", elu),
        unary("hardshrink", hardshrink),
        unary("softshrink", softshrink),
        unary("gelu", gelu),
        unary("hardtanh", hardtanh),
        unary("softplus", softplus),
        unary("mish", mish),
        unary("selu", selu),
        {"glu", [](Inputs x) { return glu(x[0]); }, {{{1, 1, 32, 128}}}},
        {"reglu", [](Inputs x) { return reglu(x[0]); }, {{{1, 1, 32, 128}}}},
        {"geglu", [](Inputs x) { return geglu(x[0]); }, {{{1, 1, 32, 128}}}},
        {"swiglu", [](Inputs x) { return swiglu(x[0]); }, {{{1, 1, 32, 128}}}},
        unary("logit", logit, 0.1F, 0.9F),
        unary("ceil", ceil),
        unary("floor", floor),
        unary("sign", sign),
        unary("signbit", signbit),
        unary("trunc", trunc),
        unary("eqz", eqz),
        unary("nez", nez),
        unary("gtz", gtz),
        unary("ltz", ltz),
        unary("gez", gez),
        unary("lez", lez),
        unary("isfinite", isfinite),
        unary("isinf", isinf),
        unary("isnan", isnan),
        unary("isneginf", isneginf),
        unary("isposinf", isposinf),
        unary("logical_not", logical_not),
        unary("zeros_like", zeros_like),
        unary("ones_like", ones_like),
        {"round", [](Inputs x) { return round(Round{.input_tensor = x[0]}); }, {{kTile}}},
        {"fill", [](Inputs x) { return fill(x[0], 2.0F); }, {{kTile}}},
        {"full_like", [](Inputs x) { return full_like(x[0], 2.0F); }, {{kTile}}},
        {"heaviside", [](Inputs x) { return heaviside(x[0], 0.5F); }, {{kTile}}},
        {"moreh_full_like",
         [](Inputs x) { return moreh_full_like(x[0], 2.0F); },
         {{kTile}},
         {0},
         DataType::BFLOAT16},
        {"leaky_relu", [](Inputs x) { return leaky_relu(x[0], 0.2F); }, {{kTile}}},
        {"threshold", [](Inputs x) { return threshold(x[0], 0.5F, 3.0F); }, {{kTile}}},
        {"clamp", [](Inputs x) { return clamp(x[0], std::optional(-1.1F), std::optional(0.9F)); }, {{kTile}}},
        {"clip", [](Inputs x) { return clip(x[0], std::optional(-1.1F), std::optional(0.9F)); }, {{kTile}}},
        {"pow", [](Inputs x) { return pow(PowerOfTensor{.input_tensor = x[0], .exponent = 3}); }, {{kTile}}},
        {"pow", [](Inputs x) { return pow(PowerOfTensor{.input_tensor = x[0], .exponent = 2}); }, {{kTile}}},
        {"pow",
         [](Inputs x) { return pow(PowerOfTensor{.input_tensor = x[0], .exponent = 0.5F}); },
         {{kTile, 0.5F, 3}}},
        {"rdiv", [](Inputs x) { return rdiv(x[0], 3.0F); }, {{kTile, 0.5F, 3}}},
    };
}

std::vector<Case> binary_cases() {
    const std::vector<Range> kRepeated{{{2, 32, 64}, 0.5F, 2}, {{1, 64}, 0.5F, 2}};
    return {
        binary("add", add),
        {"add", [](Inputs x) { return add(x[0], x[1]); }, kRepeated, {0, 1}},
        {"add", [](Inputs x) { return add(x[0], 2.0F); }, {{kTile}}},
        binary("subtract", subtract),
        {"subtract", [](Inputs x) { return subtract(x[1], x[0]); }, kRepeated, {0, 1}},
        {"subtract", [](Inputs x) { return subtract(3.0F, x[0]); }, {{kTile}}},
        binary("rsub", rsub),
        binary("multiply", multiply),
        {"multiply", [](Inputs x) { return multiply(x[0], x[1]); }, kRepeated, {0, 1}},
        {"multiply", [](Inputs x) { return multiply(x[0], x[1]); }, kRepeated, {1}},
        {"multiply", [](Inputs x) { return multiply(x[0], 2.5F); }, {{kTile}}},
        binary("divide", divide, 0.5F, 2),
        {"divide", [](Inputs x) { return divide(x[0], x[1]); }, kRepeated, {0, 1}},
        {"divide", [](Inputs x) { return divide(x[0], 2.5F); }, {{kTile}}},
        {"divide", [](Inputs x) { return divide(2.5F, x[0]); }, {{kTile, 0.5F, 2}}},
        {"div",
         [](Inputs x) { return div(Divide<Tensor, Tensor>{.input_tensor_a = x[0], .input_tensor_b = x[1]}); },
         {{kTile, 0.5F, 2}, {kTile, 0.5F, 2}},
         {0, 1}},
        beside_number("eq", eq),
        beside_number("ne", ne),
        beside_number("gt", gt),
        beside_number("ge", ge),
        beside_number("lt", lt),
        beside_number("le", le),
        {"isclose", [](Inputs x) { return isclose(x[0], x[1]); }, {{kTile, 1, 2}, {kTile, 3, 4}}, {0, 1}},
        {"floor_div", [](Inputs x) { return floor_div(x[0], Scalar(1.0)); }, {{kTile}}},
        {"add_", [](Inputs x) { return add_(exp(x[0]), x[1]); }, {{kTile}, {kTile}}, {0, 1}},
        {"subtract_", [](Inputs x) { return subtract_(exp(x[0]), x[1]); }, {{kTile}, {kTile}}, {0, 1}},
        {"multiply_", [](Inputs x) { return multiply_(exp(x[0]), x[1]); }, {{kTile}, {kTile}}},
        {"multiply_", [](Inputs x) { return multiply_(exp(x[0]), 2.5F); }, {{kTile}}},
        {"divide_", [](Inputs x) { return divide_(exp(x[0]), x[1]); }, {{kTile}, {kTile, 0.5F, 2}}, {0, 1}},
        {"divide_", [](Inputs x) { return divide_(exp(x[0]), 2.5F); }, {{kTile}}},
        {"mac", [](Inputs x) { return mac(x[0], x[1], x[2]); }, {{kTile}, {kTile}, {kTile}}, {0, 1, 2}},
        {"mac", [](Inputs x) { return mac(x[0], 0.5F, 2.0F); }, {{kTile}}},
        binary("logical_and", logical_and),
        binary("logical_or", logical_or),
        binary("logical_xor", logical_xor),
        binary("atan2", atan2, 0.5F, 2),
        binary("hypot", hypot, 0.5F, 2),
        binary("ldexp", ldexp),
        binary("logaddexp", logaddexp),
        binary("logaddexp2", logaddexp2),
        binary("maximum", maximum),
        binary("minimum", minimum),
        binary("squared_difference", squared_difference),
        binary("xlogy", xlogy, 0.5F, 2),
        {"addalpha", [](Inputs x) { return addalpha(x[0], x[1], 0.7F); }, {{kTile}, {kTile}}, {0, 1}},
        {"subalpha", [](Inputs x) { return subalpha(x[0], x[1], 0.7F); }, {{kTile}, {kTile}}, {0, 1}},
        {"addcmul",
         [](Inputs x) { return addcmul(x[0], x[1], x[2], 0.7F); },
         {{kTile}, {kTile}, {kTile}},
         {0, 1, 2}},
        {"addcdiv",
         [](Inputs x) { return addcdiv(x[0], x[1], x[2], 0.7F); },
         {{kTile}, {kTile}, {kTile, 0.5F, 2}},
         {0, 1, 2}},
        {"lerp", [](Inputs x) { return lerp(x[0], x[1], x[2]); }, {{kTile}, {kTile}, {kTile}}, {0, 1, 2}},
        {"lerp", [](Inputs x) { return lerp(x[0], x[1], 0.3F); }, {{kTile}, {kTile}}, {0, 1}},
        {"where",
         [](Inputs x) {
             return where(Where{.predicate = gtz(x[0]), .true_value = x[1], .false_value = x[2]});
         },
         {{kTile}, {kTile}, {kTile}},
         {1, 2}},
        {"bias_gelu", [](Inputs x) { return bias_gelu(x[0], x[1]); }, {{kTile}, {kTile}}, {0, 1}},
    };
}

}  // namespace tilemeter::trace::vjp_test
