// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's gradients of functions of each element, as rows of formulas: g is the gradient of the result, x, y, z the operands.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "runtime/trace/device/rules/formula.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

struct BackwardRow {
    const char* name;
    std::array<const char*, 3> formulas;  ///< one for each gradient
};

constexpr BackwardRow kBackwardRows[] = {
    {"abs_bw", {"g * sign(x)"}},
    {"acos_bw", {"-g * rsqrt(1 - x * x)"}},
    {"acosh_bw", {"g * rsqrt(x * x - 1)"}},
    {"asin_bw", {"g * rsqrt(1 - x * x)"}},
    {"asinh_bw", {"g * rsqrt(x * x + 1)"}},
    {"assign_bw", {"g", "g"}},
    {"atan_bw", {"g / (x * x + 1)"}},
    {"atanh_bw", {"g / (1 - x * x)"}},
    {"ceil_bw", {"g * 0"}},
    {"cos_bw", {"g * -sin(x)"}},
    {"cosh_bw", {"g * (expm1(x) - expm1(-x)) * 0.5"}},
    {"deg2rad_bw", {"g * 0.017453292519943295"}},
    {"erf_bw", {"g * exp(-x * x) * 1.1283791670955126"}},
    {"erfc_bw", {"g * exp(-x * x) * -1.1283791670955126"}},
    {"erfinv_bw", {"g * exp(erf_inv(x) * erf_inv(x)) * 0.8862269254527579"}},
    {"exp_bw", {"g * exp(x)"}},
    {"exp2_bw", {"g * exp(x * 0.6931471805599453) * 0.6931471805599453"}},
    {"expm1_bw", {"g * exp(x)"}},
    {"fill_bw", {"g * 0"}},
    {"fill_zero_bw", {"g * 0"}},
    {"floor_bw", {"g * 0"}},
    {"frac_bw", {"g"}},
    {"hardsigmoid_bw", {"select(x <= -3 || x >= 3, 0, g / 6)"}},
    {"hardswish_bw", {"select(x < -3, 0, select(x <= 3, g * (x / 3 + 0.5), g))"}},
    {"lgamma_bw", {"g * digamma(x)"}},
    {"log_bw", {"g / x"}},
    {"log10_bw", {"g / (x * 2.302585092994046)"}},
    {"log1p_bw", {"g / (x + 1)"}},
    {"log2_bw", {"g / (x * 0.6931471805599453)"}},
    {"log_sigmoid_bw", {"g * logistic(-x)"}},
    {"logit_bw", {"select(x >= 0 && x <= 1, g / (x * (1 - x)), nan)"}},
    {"multigammaln_bw", {"g * (digamma(x) + digamma(x - 0.5) + digamma(x - 1) + digamma(x - 1.5))"}},
    {"neg_bw", {"-g"}},
    {"rad2deg_bw", {"g * 57.29577951308232"}},
    {"reciprocal_bw", {"-g / (x * x)"}},
    {"relu_bw", {"select(x > 0, g, 0)"}},
    {"relu6_bw", {"select(x > 0 && x < 6, g, 0)"}},
    {"round_bw", {"g * 0"}},
    {"rsqrt_bw", {"select(x < 0 || x == 0 && g == 0, nan, g * rsqrt(x) * rsqrt(x) * rsqrt(x) * -0.5)"}},
    {"selu_bw", {"select(x > 0, g * 1.0507, g * 1.0507 * 1.67326 * exp(x))"}},
    {"sigmoid_bw", {"g * logistic(x) * (1 - logistic(x))"}},
    {"sign_bw", {"g * 0"}},
    {"silu_bw", {"g * logistic(x) * ((1 - logistic(x)) * x + 1)"}},
    {"sin_bw", {"g * cos(x)"}},
    {"sinh_bw", {"g * (exp(x) + exp(-x)) * 0.5"}},
    {"softsign_bw", {"g / ((abs(x) + 1) * (abs(x) + 1))"}},
    {"sqrt_bw", {"select(x <= 0, nan, g / (sqrt(x) * 2))"}},
    {"square_bw", {"g * 2 * x"}},
    {"tan_bw", {"g * (tan(x) * tan(x) + 1)"}},
    {"tanh_bw", {"g * (1 - tanh(x) * tanh(x))"}},
    {"tanhshrink_bw", {"g * tanh(x) * tanh(x)"}},
    {"trunc_bw", {"g * 0"}},
    {"celu_bw", {"select(x > 0, g, g * exp(x / alpha))"}},
    {"elu_bw", {"select(x > 0, g, g * exp(x) * alpha)"}},
    {"hardshrink_bw", {"select(abs(x) > lambd, g, 0)"}},
    {"leaky_relu_bw", {"select(x > 0, g, g * negative_slope)"}},
    {"softshrink_bw", {"select(x < -lambd || x > lambd, g, 0)"}},
    {"div_no_nan_bw", {"select(scalar == 0, g * 0, g / scalar)"}},
    {"hardtanh_bw", {"select(x <= min, 0, select(x >= max, 0, g))"}},
    {"softplus_bw", {"select(x * beta > threshold, g, g * logistic(x * beta))"}},
    {"threshold_bw", {"select(x > min, g, 0)"}},
    {"atan2_bw", {"g * y / (x * x + y * y)", "-g * x / (x * x + y * y)"}},
    {"hypot_bw", {"g * x / sqrt(x * x + y * y)", "g * y / sqrt(x * x + y * y)"}},
    {"ldexp_bw",
     {"g * exp(y * 0.6931471805599453)", "g * exp(y * 0.6931471805599453) * x * 0.6931471805599453"}},
    {"logaddexp_bw", {"g / (exp(y - x) + 1)", "g / (exp(x - y) + 1)"}},
    {"logaddexp2_bw",
     {"g / (exp((y - x) * 0.6931471805599453) + 1)", "g / (exp((x - y) * 0.6931471805599453) + 1)"}},
    {"max_bw",
     {"select(x > y, g, select(x == y, g * 0.5, 0))", "select(y > x, g, select(x == y, g * 0.5, 0))"}},
    {"min_bw",
     {"select(x < y, g, select(x == y, g * 0.5, 0))", "select(y < x, g, select(x == y, g * 0.5, 0))"}},
    {"squared_difference_bw", {"g * (x - y) * 2", "g * (y - x) * 2"}},
    {"fmod_bw", {"g", "-g * trunc(x / y)"}},
    {"remainder_bw", {"g", "-g * floor(x / y)"}},
    {"logiteps_bw", {"select(x < eps || x > 1 - eps, 0, g / (x * (1 - x)))"}},
    {"rpow_bw", {"select(x < 0, nan, g * pow(x, exponent - 1) * exponent)"}},
    {"xlogy_bw", {"g * select((x == 0 || g == 0) && y <= 0, 0, select(y < 0, nan, log(y)))", "g * x / y"}},
    {"add_bw", {"g", "g"}},
    {"sub_bw", {"g", "-g"}},
    {"rsub_bw", {"-g", "g"}},
    {"addalpha_bw", {"g", "g * alpha"}},
    {"subalpha_bw", {"g", "-g * alpha"}},
    {"addcmul_bw", {"g", "g * z * alpha", "g * y * alpha"}},
    {"addcdiv_bw", {"g", "g * alpha / z", "-g * alpha * y / (z * z)"}},
};

ValueId written(const Call& call, const char* formula, std::size_t result, std::size_t first = 1) {
    FlatBuilder& to = call.to;
    const Lookup lookup = [&](std::string_view name) -> Operand {
        const auto spread = [&](std::size_t i) {
            return to.broadcast(call.as_float(call[i]), call.shape(result));
        };
        if (name == "g") return spread(0);
        if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z')
            return spread(first + static_cast<std::size_t>(name[0] - 'x'));
        if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
        return call.number(name);
    };
    return std::get<ValueId>(write_formula(to, formula, lookup));
}

// Those of the gradients that the caller wants.
Values gradients(const Call& call, std::vector<const char*> formulas) {
    if (const auto wanted = call.booleans("are_required_outputs")) {
        std::vector<const char*> kept;
        for (std::size_t i = 0; i < formulas.size() && i < wanted->size(); ++i)
            if ((*wanted)[i]) kept.push_back(formulas[i]);
        formulas = std::move(kept);
    }
    // A gradient that is the result's own may be that very tensor, which the graph has for no result of the call.
    const auto is_own = [](const char* formula) { return std::string_view(formula) == "g"; };
    while (formulas.size() > call.result_count()) {
        const auto own = std::ranges::find_if(formulas, is_own);
        call.require(own != formulas.end(), "it has more gradients than results");
        formulas.erase(own);
    }
    Values values;
    for (std::size_t i = 0; i < formulas.size(); ++i)
        values.push_back(written(call, formulas[i], i));
    return values;
}

Values of_row(const Call& call, std::array<const char*, 3> row) {
    std::vector<const char*> formulas;
    for (const char* const each : row)
        if (each != nullptr) formulas.push_back(each);
    if (call.has("scalar")) formulas.resize(1);  // beside a number there is one tensor
    return gradients(call, formulas);
}

Values gelu_bw(const Call& call) {
    const bool is_tanh = call.integer("variant", 0) == 2 || call.text("variant") == "Tanh" ||
                         call.text("approximate") == "tanh";
    FlatBuilder& to = call.to;
    const bool has_bias = call.name() == "ttnn.bias_gelu_bw";
    ValueId x = call.as_float(call[1]);
    if (has_bias)
        x = call.find_number("bias") ? to.add(x, call.number("bias"))
                                     : to.add(x, to.broadcast(call.as_float(call[2]), to.shape(x)));
    const ValueId g = call.as_float(call[0]);
    const Lookup lookup = [&](std::string_view name) -> Operand { return name == "g" ? g : x; };
    const ValueId gradient = std::get<ValueId>(write_formula(
        to,
        is_tanh
            ? "g * (0.5 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) + 0.5 * x * (1 - "
              "tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)) * tanh(0.7978845608028654 * (x + "
              "0.044715 * x * x * x))) * 0.7978845608028654 * (1 + 0.134145 * x * x))"
            : "g * (0.5 * (1 + erf(x * 0.7071067811865476)) + x * exp(-0.5 * x * x) * 0.3989422804014327)",
        lookup));
    return {gradient, gradient};
}

Values mul_bw(const Call& call) {
    return call.has("scalar") ? gradients(call, {"g * scalar"}) : gradients(call, {"g * y", "g * x"});
}

Values div_bw(const Call& call) {
    const bool is_rounded = call.has("rounding_mode") && call.text("rounding_mode") != "None";
    if (call.has("scalar")) return gradients(call, {is_rounded ? "g * 0" : "g / scalar"});
    if (is_rounded) return gradients(call, {"g * 0", "g * 0"});
    return gradients(call, {"g / y", "-g * x / (y * y)"});
}

Values rdiv_bw(const Call& call) {
    return gradients(call, {call.has("rounding_mode") ? "g * 0" : "-g * scalar / (x * x)"});
}

Values clamp_bw(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call[1]);
    ValueId g = call.as_float(call[0]);
    const auto limit = [&](const char* name) -> std::optional<ValueId> {
        if (const auto number = call.find_number(name)) return to.full_like(x, *number);
        const auto tensor = call.find(name);
        if (!tensor) return std::nullopt;
        return to.broadcast(call.as_float(*tensor), to.shape(x));
    };
    const auto keep = [&](const char* direction, ValueId edge) {
        g = to.select(to.compare(direction, x, edge), g, to.full_like(g, 0));
    };
    if (const auto low = limit("min")) keep("GE", *low);
    if (const auto high = limit("max")) keep("LE", *high);
    return {g};
}

Values pow_bw(const Call& call) {
    const double exponent = call.number("exponent");
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call[1]);
    if (exponent < 1.2e-6) return {to.full_like(x, 0)};
    const ValueId slope = to.mul(to.op("pow", {x, to.full_like(x, exponent - 1)}), exponent);
    const ValueId gradient = to.mul(slope, call.as_float(call[0]));
    // TT-NN's are infinite there.
    const ValueId is_low = to.compare("LE", x, to.full_like(x, 0));
    return {to.select(is_low, to.full_like(x, std::numeric_limits<double>::infinity()), gradient)};
}

Values where_bw(const Call& call) {
    return gradients(call, {"select(x != 0, g, 0)", "select(x != 0, 0, g)"});
}

Values lerp_bw(const Call& call) {
    if (call.has("scalar")) return gradients(call, {"g * (1 - scalar)", "g * scalar"});
    return gradients(call, {"g * (1 - z)", "g * z", "g * (y - x)"});
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> eltwise_backward_rules() {
    std::vector<Rule> rules = {
        {"gelu_bw", {"", lowering::gelu_bw}},
        {"bias_gelu_bw", {"", lowering::gelu_bw}},
        {"mul_bw", {"", lowering::mul_bw}},
        {"div_bw", {"", lowering::div_bw}},
        {"rdiv_bw", {"", lowering::rdiv_bw}},
        {"clamp_bw", {"grad_tensor input_tensor min max", lowering::clamp_bw}},
        {"clip_bw", {"grad_tensor input_tensor min max", lowering::clamp_bw}},
        {"pow_bw", {"", lowering::pow_bw}},
        {"where_bw", {"", lowering::where_bw}},
        {"lerp_bw", {"", lowering::lerp_bw}},
        {"concat_bw", {"", [](const lowering::Call& call) { return call.parts(call[0]); }}},
    };
    for (const lowering::BackwardRow& row : lowering::kBackwardRows)
        rules.push_back({row.name, {"", with(lowering::of_row, row.formulas)}});
    return rules;
}

}  // namespace tilemeter::trace::rules
