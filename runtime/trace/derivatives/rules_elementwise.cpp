// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise primitives. Where a derivative has a kink: maximum and minimum share it, abs has 1 at 0.

#include <cmath>
#include <numbers>

#include "runtime/trace/derivatives/internal/rules.hpp"

namespace tilemeter::trace::internal {

namespace {

// ---- factors: what a tangent of one operand is multiplied with

using Factor = ValueId (*)(const JvpUse& use);

// The same factor for the only operand.
template <Factor kFactor>
void chain(const JvpUse& use, std::span<Tangent> tangents) {
    tangents[0] = use.to.mul(*use.tangents[0], kFactor(use));
}

template <Factor kFirst, Factor kSecond>
void chain2(const JvpUse& use, std::span<Tangent> tangents) {
    Tangent first;
    Tangent second;
    if (use.tangents[0]) first = use.to.mul(*use.tangents[0], kFirst(use));
    if (use.tangents[1]) second = use.to.mul(*use.tangents[1], kSecond(use));
    tangents[0] = sum_of(use.to, first, second);
}

ValueId square(FlatBuilder& to, ValueId x) {
    return to.mul(x, x);
}
ValueId quotient(FlatBuilder& to, double number, ValueId by) {
    return to.div(to.full_like(by, number), by);
}
ValueId negative(FlatBuilder& to, ValueId x) {
    return to.op("neg", {x});
}
// 1 - x
ValueId one_less(FlatBuilder& to, ValueId x) {
    return to.sub(to.full_like(x, 1), x);
}

ValueId d_exp(const JvpUse& use) {
    return use.result();
}
ValueId d_expm1(const JvpUse& use) {
    return use.to.add(use.result(), 1);
}
ValueId d_log(const JvpUse& use) {
    return quotient(use.to, 1, use[0]);
}
ValueId d_log1p(const JvpUse& use) {
    return quotient(use.to, 1, use.to.add(use[0], 1));
}
ValueId d_sqrt(const JvpUse& use) {
    return quotient(use.to, 0.5, use.result());
}
ValueId d_rsqrt(const JvpUse& use) {
    return use.to.mul(use.to.div(use.result(), use[0]), -0.5);
}
ValueId d_cbrt(const JvpUse& use) {
    // The square of the quotient: at 0 the second derivative has a sign.
    return use.to.mul(square(use.to, quotient(use.to, 1, use.result())), 1.0 / 3);
}
ValueId d_sin(const JvpUse& use) {
    return use.to.op("cos", {use[0]});
}
ValueId d_cos(const JvpUse& use) {
    return negative(use.to, use.to.op("sin", {use[0]}));
}
ValueId d_tan(const JvpUse& use) {
    return use.to.add(square(use.to, use.result()), 1);
}
ValueId d_tanh(const JvpUse& use) {
    return one_less(use.to, square(use.to, use.result()));
}
ValueId d_logistic(const JvpUse& use) {
    return use.to.mul(use.result(), one_less(use.to, use.result()));
}
// 2 / sqrt(pi) exp(-x^2). Beyond the bound, where that is 0 in every type, x counts as the bound, so that the next
// derivative is 0 at infinity, too, and not infinity times 0.
ValueId d_erf(const JvpUse& use) {
    constexpr double kBound = 32;
    FlatBuilder& to = use.to;
    const ValueId x = to.op("clamp", {to.full_like(use[0], -kBound), use[0], to.full_like(use[0], kBound)});
    return to.mul(to.op("exp", {negative(to, square(to, x))}), 2 / std::sqrt(std::numbers::pi));
}
ValueId d_erf_inv(const JvpUse& use) {
    return use.to.mul(use.to.op("exp", {square(use.to, use.result())}), std::sqrt(std::numbers::pi) / 2);
}
ValueId d_lgamma(const JvpUse& use) {
    return use.to.op("digamma", {use[0]});
}
// 1 at 0.
ValueId d_abs(const JvpUse& use) {
    FlatBuilder& to = use.to;
    const ValueId is_positive = to.compare("GE", use[0], to.full_like(use[0], 0));
    return to.select(is_positive, to.full_like(use[0], 1), to.full_like(use[0], -1));
}

// The trigamma function: for positive numbers moved by 10 upwards, where its asymptotic series is exact to 1e-14,
// and reflected for the others.
ValueId d_digamma(const JvpUse& use) {
    constexpr int kSteps = 10;
    // 1 / z + 1 / (2 z^2) + sum of B(2k) / z^(2k + 1), k from 1
    constexpr double kBernoulli[] = {1.0 / 6,  -1.0 / 30,       1.0 / 42, -1.0 / 30,
                                     5.0 / 66, -691.0 / 2730.0, 7.0 / 6};
    FlatBuilder& to = use.to;
    const ValueId x = use[0];
    const ValueId is_reflected = to.compare("LT", x, to.full_like(x, 0.5));
    const ValueId z = to.select(is_reflected, one_less(to, x), x);
    ValueId sum = quotient(to, 1, square(to, z));
    for (int i = 1; i < kSteps; ++i)
        sum = to.add(sum, quotient(to, 1, square(to, to.add(z, i))));
    const ValueId inverse = quotient(to, 1, to.add(z, kSteps));
    const ValueId inverse2 = square(to, inverse);
    ValueId series = to.full_like(x, 0);
    for (std::size_t i = std::size(kBernoulli); i-- > 0;)
        series = to.mul(to.add(series, kBernoulli[i]), inverse2);
    sum = to.add(sum, to.mul(inverse, to.add(to.add(series, 1), to.mul(inverse, 0.5))));
    // sin(pi x) by the distance from a whole number: 0 at one, however large.
    const ValueId is_whole = to.compare("EQ", x, to.op("floor", {x}));
    const ValueId distance = to.select(is_whole, to.full_like(x, 0), to.sub(x, to.op("round_even", {x})));
    const ValueId sine =
        to.op("sin", {to.mul(to.select(is_reflected, distance, to.full_like(x, 0.5)), std::numbers::pi)});
    const ValueId reflected =
        to.sub(quotient(to, std::numbers::pi * std::numbers::pi, square(to, sine)), sum);
    return to.select(is_reflected, reflected, sum);
}

// atan2(y, x): x / (x^2 + y^2), -y / (x^2 + y^2)
ValueId d_atan2_y(const JvpUse& use) {
    return use.to.div(use[1], use.to.add(square(use.to, use[0]), square(use.to, use[1])));
}
ValueId d_atan2_x(const JvpUse& use) {
    return negative(use.to, use.to.div(use[0], use.to.add(square(use.to, use[0]), square(use.to, use[1]))));
}

ValueId d_div_by(const JvpUse& use) {
    return negative(use.to, use.to.div(use.result(), use[1]));
}

// The number from which on x^-3 is finite: x^-1 and its next two derivatives times 0 are 0 then.
double least_base(ir::ElementType element) {
    if (element == ir::ElementType::kF64) return 1e-100;
    return element == ir::ElementType::kF16 ? 0.04 : 1e-12;
}
// y x^(y - 1), and 0 where y is 0, whatever x is. The factor y stays at 0: its derivative there is x^-1.
ValueId d_pow_base(const JvpUse& use) {
    FlatBuilder& to = use.to;
    const ValueId x = use[0];
    const ValueId y = use[1];
    const ValueId least = to.full_like(x, least_base(to.element(x)));
    const ValueId is_zero = to.compare("EQ", y, to.full_like(y, 0));
    const ValueId is_regular = to.compare("GE", to.op("abs", {x}), least);
    const ValueId base = to.select(to.op("and", {is_zero, to.op("not", {is_regular})}), least, x);
    return to.mul(y, to.op("pow", {base, to.sub(y, 1)}));
}
// log(x) x^y, and 0 at x = 0.
ValueId d_pow_exponent(const JvpUse& use) {
    FlatBuilder& to = use.to;
    const ValueId is_zero = to.compare("EQ", use[0], to.full_like(use[0], 0));
    const ValueId base = to.select(is_zero, to.full_like(use[0], 1), use[0]);
    return to.mul(to.op("log", {base}), use.result());
}

// 1 where the operand is the result, 1/2 where both are.
ValueId share(const JvpUse& use, std::size_t operand, const char* direction) {
    FlatBuilder& to = use.to;
    const ValueId a = use[operand];
    const ValueId b = use[1 - operand];
    const ValueId half_or_none = to.select(to.compare("EQ", a, b), to.full_like(a, 0.5), to.full_like(a, 0));
    return to.select(to.compare(direction, a, b), to.full_like(a, 1), half_or_none);
}
ValueId d_maximum_a(const JvpUse& use) {
    return share(use, 0, "GT");
}
ValueId d_maximum_b(const JvpUse& use) {
    return share(use, 1, "GT");
}
ValueId d_minimum_a(const JvpUse& use) {
    return share(use, 0, "LT");
}
ValueId d_minimum_b(const JvpUse& use) {
    return share(use, 1, "LT");
}

// x - y trunc(x / y)
ValueId d_rem_by(const JvpUse& use) {
    FlatBuilder& to = use.to;
    const ValueId ratio = to.div(use[0], use[1]);
    return negative(to, to.mul(to.op("sign", {ratio}), to.op("floor", {to.op("abs", {ratio})})));
}

// ---- rules of their own

void neg_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.op("neg", {use.cotangent()});
}

void add_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    tangents[0] = sum_of(use.to, use.tangents[0], use.tangents[1]);
}
void add_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = cotangents[1] = use.cotangent();
}

void sub_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    if (use.tangents[0] && use.tangents[1])
        tangents[0] = use.to.sub(*use.tangents[0], *use.tangents[1]);
    else
        tangents[0] = use.tangents[0] ? *use.tangents[0] : negative(use.to, *use.tangents[1]);
}
void sub_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.cotangent();
    if (use.is_linear[1]) cotangents[1] = negative(use.to, use.cotangent());
}

void mul_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const std::size_t linear = use.is_linear[0] ? 0 : 1;
    cotangents[linear] = use.to.mul(use.cotangent(), use[1 - linear]);
}

void div_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    Tangent first;
    Tangent second;
    if (use.tangents[0]) first = use.to.div(*use.tangents[0], use[1]);
    if (use.tangents[1]) second = use.to.mul(*use.tangents[1], d_div_by(use));
    tangents[0] = sum_of(use.to, first, second);
}
void div_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.div(use.cotangent(), use[1]);
}

void rem_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    Tangent second;
    if (use.tangents[1]) second = use.to.mul(*use.tangents[1], d_rem_by(use));
    tangents[0] = sum_of(use.to, use.tangents[0], second);
}

void convert_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    if (ir::is_float(use.to.element(use.result())))
        tangents[0] = use.to.convert(*use.tangents[0], use.to.element(use.result()));
}
void convert_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.convert(use.cotangent(), use.to.element(use[0]));
}

// What is said to stop gradients does.
void copy_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    if (!use.attributes.get_or("stop_gradient", false)) tangents[0] = *use.tangents[0];
}
void copy_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.cotangent();
}

void select_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const ValueId zero = use.to.full_like(use.cotangent(), 0);
    if (use.is_linear[1]) cotangents[1] = use.to.select(use[0], use.cotangent(), zero);
    if (use.is_linear[2]) cotangents[2] = use.to.select(use[0], zero, use.cotangent());
}

// A scalar predicate of each lane chooses among all its elements.
void batch_select(const BatchUse& use, std::vector<ValueId>& results) {
    ValueId predicate = use[0];
    const Shape lane = use.lane_shape(1);
    if (use.is_mapped[0] && use.lane_shape(0).rank() != lane.rank()) {
        Shape shape{use.size};
        for (const std::int64_t dim : lane)
            shape.push_back(dim);
        predicate = use.to.op("broadcast_in_dim", {predicate},
                              {{"shape", integers_of(shape)}, {"dims", Integers{0}}});
    } else if (!use.is_mapped[0] && lane.rank() != 0 && use.lane_shape(0).rank() != 0) {
        predicate = use.mapped(0);
    }
    results.push_back(use.to.select(predicate, use.mapped(1), use.mapped(2)));
}

// The limits as tensors like the operand.
void clamp_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const ValueId x = use[1];
    const ValueId zero = to.full_like(x, 0);
    const ValueId low = spread_like(to, use[0], x);
    const ValueId high = spread_like(to, use[2], x);
    const auto add = [&](std::size_t i, ValueId mask) {
        const ValueId tangent = spread_like(to, *use.tangents[i], x);
        tangents[0] = sum_of(to, tangents[0], to.select(mask, tangent, zero));
    };
    if (use.tangents[1]) add(1, to.op("and", {to.compare("GT", x, low), to.compare("LT", x, high)}));
    if (use.tangents[0]) add(0, to.compare("GT", low, x));
    if (use.tangents[2]) add(2, to.compare("LT", high, x));
}

void batch_clamp(const BatchUse& use, std::vector<ValueId>& results) {
    const ValueId x = use.mapped(1);
    const Shape shape = use.to.shape(x);
    const auto limit = [&](std::size_t i) {
        if (!use.is_mapped[i] && use.to.shape(use[i]).rank() == 0) return use[i];
        const ValueId mapped = use.mapped(i);
        if (use.to.shape(mapped).rank() == shape.rank()) return mapped;
        return ValueId(
            use.to.op("broadcast_in_dim", {mapped}, {{"shape", integers_of(shape)}, {"dims", Integers{0}}}));
    };
    results.push_back(use.to.op("clamp", {limit(0), x, limit(2)}));
}

constexpr DerivativeRules unary(std::string_view primitive, JvpRule jvp) {
    return {primitive, jvp, nullptr, batch_elementwise};
}
constexpr DerivativeRules zero(std::string_view primitive) {
    return {primitive, zero_jvp, nullptr, batch_elementwise};
}

constexpr DerivativeRules kElementwiseRules[] = {
    unary("exp", chain<d_exp>),
    unary("expm1", chain<d_expm1>),
    unary("log", chain<d_log>),
    unary("log1p", chain<d_log1p>),
    unary("sqrt", chain<d_sqrt>),
    unary("rsqrt", chain<d_rsqrt>),
    unary("cbrt", chain<d_cbrt>),
    unary("sin", chain<d_sin>),
    unary("cos", chain<d_cos>),
    unary("tan", chain<d_tan>),
    unary("tanh", chain<d_tanh>),
    unary("logistic", chain<d_logistic>),
    unary("erf", chain<d_erf>),
    unary("erf_inv", chain<d_erf_inv>),
    unary("lgamma", chain<d_lgamma>),
    unary("digamma", chain<d_digamma>),
    unary("abs", chain<d_abs>),
    unary("atan2", chain2<d_atan2_y, d_atan2_x>),
    unary("pow", chain2<d_pow_base, d_pow_exponent>),
    unary("maximum", chain2<d_maximum_a, d_maximum_b>),
    unary("minimum", chain2<d_minimum_a, d_minimum_b>),
    unary("rem", rem_jvp),

    zero("sign"),
    zero("floor"),
    zero("ceil"),
    zero("round_even"),
    zero("round_away"),
    zero("is_finite"),
    zero("popcnt"),
    zero("not"),
    zero("compare"),
    zero("and"),
    zero("or"),
    zero("xor"),
    zero("shift_left"),
    zero("shift_right_logical"),
    zero("shift_right_arithmetic"),
    zero("bitcast_convert"),
    zero("threefry2x32"),

    {"neg", linear_jvp, neg_transpose, batch_elementwise, kAllOperands},
    {"add", add_jvp, add_transpose, batch_elementwise, kAllOperands},
    {"sub", sub_jvp, sub_transpose, batch_elementwise, kAllOperands},
    {"mul", product_jvp, mul_transpose, batch_elementwise},
    {"div", div_jvp, div_transpose, batch_elementwise},
    {"convert", convert_jvp, convert_transpose, batch_elementwise, kAllOperands},
    {"copy", copy_jvp, copy_transpose, batch_elementwise, kAllOperands},
    {"select", linear_jvp, select_transpose, batch_select, 0b110},
    {"clamp", clamp_jvp, nullptr, batch_clamp},
};

}  // namespace

std::span<const DerivativeRules> elementwise_rules() {
    return kElementwiseRules;
}

}  // namespace tilemeter::trace::internal
