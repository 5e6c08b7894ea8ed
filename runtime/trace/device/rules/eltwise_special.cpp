// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of one element that are sums over many terms, and the gradients that are made of them.

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/trace/device/rules/formula.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

ValueId in_front(FlatBuilder& to, ValueId x, std::int64_t extent) {
    Shape wide{extent};
    for (const std::int64_t each : to.shape(x))
        wide.push_back(each);
    return to.broadcast(x, wide);
}

/// Numbers along a new axis in front of x's.
ValueId terms(FlatBuilder& to, ValueId x, const std::vector<float>& numbers) {
    Shape column{static_cast<std::int64_t>(numbers.size())};
    for (std::size_t i = 0; i < to.shape(x).rank(); ++i)
        column.push_back(1);
    const ValueId each =
        to.graph().add_const(ir::Constant::of(ElementType::kF32, column, std::span<const float>(numbers)));
    Shape wide = to.shape(x);
    Shape all{column[0]};
    for (const std::int64_t extent : wide)
        all.push_back(extent);
    return to.broadcast(each, all);
}

/// I0 or I1: the mean of cosh(x cos t), or of cos t sinh(x cos t), over t. Equal steps give it exactly where there are
/// more of them than the sum has frequencies. 40 are enough up to where I0 leaves float32.
ValueId bessel(FlatBuilder& to, ValueId x, int order) {
    constexpr int kSteps = 40;
    std::vector<float> cosines;
    for (int i = 0; i < kSteps / 2; ++i)
        cosines.push_back(static_cast<float>(std::cos(std::numbers::pi * (i + 0.5) / kSteps)));
    const ValueId share = terms(to, x, cosines);
    const ValueId at = to.mul(in_front(to, x, kSteps / 2), share);
    const ValueId opposite = to.op("neg", {at});
    const char* const power = order == 0 ? "exp" : "expm1";
    const ValueId up = to.op(power, {at});
    const ValueId down = to.op(power, {opposite});
    const ValueId each = order == 0 ? to.add(up, down) : to.mul(to.sub(up, down), share);
    return to.mul(to.reduce("reduce_sum", each, {0}, false), 1.0 / kSteps);
}

/// The n-th derivative of digamma, n from 1: (-1)^(n+1) n! times the sum over k of (x + k)^-(n+1), its tail by Euler and
/// Maclaurin.
ValueId polygamma(FlatBuilder& to, ValueId x, int n) {
    constexpr int kTerms = 30;
    const auto power = [&](ValueId base, int exponent) {
        const ValueId inverse = to.div(to.full_like(base, 1), base);
        ValueId product = inverse;
        for (int i = 1; i < exponent; ++i)
            product = to.mul(product, inverse);
        return product;
    };
    std::vector<float> steps;
    for (int k = 0; k < kTerms; ++k)
        steps.push_back(static_cast<float>(k));
    const ValueId each = power(to.add(in_front(to, x, kTerms), terms(to, x, steps)), n + 1);
    const ValueId end = to.add(x, kTerms);
    const double m = n;
    ValueId sum = to.reduce("reduce_sum", each, {0}, false);
    sum = to.add(sum, to.mul(power(end, n), 1 / m));
    sum = to.add(sum, to.mul(power(end, n + 1), 0.5));
    sum = to.add(sum, to.mul(power(end, n + 2), (m + 1) / 12));
    sum = to.sub(sum, to.mul(power(end, n + 4), (m + 1) * (m + 2) * (m + 3) / 720));
    return to.mul(sum, (n % 2 == 0 ? -1 : 1) * std::tgamma(m + 1));
}

Values polygamma_call(const Call& call) {
    return {polygamma(call.to, call.as_float(call[0]), static_cast<int>(call.integer("k", 1)))};
}

/// `formula` of the gradient g, the operand x and the derivative d.
Values gradient_by(const Call& call, ValueId derivative, const char* formula, double sign = 1) {
    const ValueId g = call.as_float(call[0]);
    const ValueId x = call.as_float(call[1]);
    const Lookup lookup = [&](std::string_view name) -> Operand {
        if (name == "g") return g;
        if (name == "x") return x;
        if (name == "d") return derivative;
        if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
        return sign * std::numeric_limits<double>::infinity();
    };
    return {std::get<ValueId>(write_formula(call.to, formula, lookup))};
}

Values digamma_bw(const Call& call) {
    return gradient_by(call, polygamma(call.to, call.as_float(call[1]), 1),
                       "select(x == 0, select(g == 0, nan, select(g < 0, -inf, inf)), g * d)");
}

Values polygamma_bw(const Call& call) {
    const int n = static_cast<int>(call.integer("n", 1));
    return gradient_by(
        call, polygamma(call.to, call.as_float(call[1]), n + 1),
        "select(x == 0 && g != 0, select(g < 0, inf, -inf), select(x <= 0 && g == 0, nan, g * d))",
        n % 2 == 0 ? -1 : 1);
}

Values bessel_of(const Call& call, int order) {
    return {bessel(call.to, call.as_float(call[0]), order)};
}

Values i0_bw(const Call& call) {
    return gradient_by(call, bessel(call.to, call.as_float(call[1]), 1), "g * d");
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> eltwise_special_rules() {
    return {
        {"i0", {"input_tensor", with(lowering::bessel_of, 0)}, by(i0_bw)},
        {"i1", {"input_tensor", with(lowering::bessel_of, 1)}},
        {"i0_bw", {"", lowering::i0_bw}},
        {"polygamma", {"input_tensor", lowering::polygamma_call}},
        {"digamma_bw", {"", lowering::digamma_bw}},
        {"polygamma_bw", {"", lowering::polygamma_bw}},
    };
}

}  // namespace tilemeter::trace::rules
