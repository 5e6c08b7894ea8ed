// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of one element, or of two: operands and result have one type. Where a derivative has a kink: maximum and minimum
// share it, abs has 1 at 0.

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>

#include "runtime/trace/primitives/internal/elementwise_kernels.hpp"
#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

// ---- values

template <class T>
T inverse_erf(T x) {
    if (std::isnan(x) || std::fabs(x) > 1) return std::numeric_limits<T>::quiet_NaN();
    if (std::fabs(x) == 1) return std::copysign(std::numeric_limits<T>::infinity(), x);
    return boost::math::erf_inv(x);
}

template <class T>
T digamma(T x) {
    if (std::isnan(x) || x == -std::numeric_limits<T>::infinity()) return std::numeric_limits<T>::quiet_NaN();
    if (x == std::numeric_limits<T>::infinity()) return x;
    if (x == 0) return -std::numeric_limits<T>::infinity();
    if (x < 0 && x == std::floor(x)) return std::numeric_limits<T>::quiet_NaN();
    return boost::math::digamma(x);
}

template <class T>
T sign(T x) {
    if constexpr (kIsFloat<T>)
        return std::isnan(x) || x == 0 ? x : std::copysign(T{1}, x);
    else
        return x == 0 ? T{0} : (x < 0 ? static_cast<T>(-1) : T{1});
}

// Integers as XLA divides them: by zero all bits are set, and the lowest number by -1 wraps around.
template <class T>
T quotient(T a, T b) {
    if constexpr (kIsFloat<T>) {
        return a / b;
    } else {
        if (b == 0) return static_cast<T>(-1);
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return static_cast<T>(0 - static_cast<std::uint64_t>(a));
        return a / b;
    }
}

template <class T>
T remainder_of(T a, T b) {
    if constexpr (kIsFloat<T>) {
        return std::fmod(a, b);
    } else {
        if (b == 0) return a;
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return 0;
        return a % b;
    }
}

template <class T>
T power(T a, T b) {
    if constexpr (kIsFloat<T>) {
        return std::pow(a, b);
    } else {
        if constexpr (std::is_signed_v<T>)
            if (b < 0) return a == 1 ? 1 : (a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
        std::uint64_t result = 1;
        auto base = static_cast<std::uint64_t>(a);
        for (auto exponent = static_cast<std::uint64_t>(b); exponent != 0; exponent >>= 1, base *= base)
            if ((exponent & 1) != 0) result *= base;
        return static_cast<T>(result);
    }
}

template <class T>
auto opposite(T x) {
    if constexpr (kIsFloat<T>)
        return -x;
    else
        return 0 - wrapping(x);
}

template <class T>
auto magnitude(T x) {
    if constexpr (kIsFloat<T>)
        return std::fabs(x);
    else
        return x < 0 ? 0 - wrapping(x) : wrapping(x);
}

// ---- factors: what a tangent of one operand is multiplied with

// The same factor for the only operand.
template <auto kFactor>
void chain(const JvpUse& use, std::span<Tangent> tangents) {
    tangents[0] = use.to.mul(*use.tangents[0], kFactor(use));
}

template <auto kFirst, auto kSecond>
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

ValueId d_cbrt(const JvpUse& use) {
    // The square of the quotient: at 0 the second derivative has a sign.
    return use.to.mul(square(use.to, quotient(use.to, 1, use.result())), 1.0 / 3);
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
template <std::size_t kOperand, bool kLargest>
ValueId share(const JvpUse& use) {
    FlatBuilder& to = use.to;
    const ValueId a = use[kOperand];
    const ValueId b = use[1 - kOperand];
    const ValueId half_or_none = to.select(to.compare("EQ", a, b), to.full_like(a, 0.5), to.full_like(a, 0));
    return to.select(to.compare(kLargest ? "GT" : "LT", a, b), to.full_like(a, 1), half_or_none);
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

// ---- formulas for StableHLO

ValueId polynomial(FlatBuilder& to, ValueId x, std::span<const double> coefficients) {
    ValueId value = to.full_like(x, coefficients[0]);
    for (const double coefficient : coefficients.subspan(1))
        value = to.add(to.mul(value, x), coefficient);
    return value;
}

// Moshier, Cephes Mathematical Library: ndtr.c. Below 1 a quotient of polynomials of x * x, above from erfc.
ValueId erf_formula(FlatBuilder& to, ValueId x) {
    static constexpr std::array kAbove = {9.60497373987051638749e0, 9.00260197203842689217e1,
                                          2.23200534594684319226e3, 7.00332514112805075473e3,
                                          5.55923013010394962768e4};
    static constexpr std::array kBelow = {1.0,
                                          3.35617141647503099647e1,
                                          5.21357949780152679795e2,
                                          4.59432382970980127987e3,
                                          2.26290000613890934246e4,
                                          4.92673942608635921086e4};
    static constexpr std::array kFarAbove = {
        2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687e0,
        4.86371970985681366614e1,   1.96520832956077098242e2,  5.26445194995477358631e2,
        9.34528527171957607540e2,   1.02755188689515710272e3,  5.57535335369399327526e2};
    static constexpr std::array kFarBelow = {1.0,
                                             1.32281951154744992508e1,
                                             8.67072140885989742329e1,
                                             3.54937778887819891062e2,
                                             9.75708501743205489753e2,
                                             1.82390916687909736289e3,
                                             2.24633760818710981792e3,
                                             1.65666309194161350182e3,
                                             5.57535340817727675546e2};
    const ValueId square = to.mul(x, x);
    const ValueId near = to.mul(x, to.div(polynomial(to, square, kAbove), polynomial(to, square, kBelow)));
    // Beyond 8 it is 1 in every type; the polynomials stay finite.
    const ValueId distance = to.op("minimum", {to.op("abs", {x}), to.full_like(x, 8)});
    const ValueId power = to.op("exp", {to.op("neg", {to.mul(distance, distance)})});
    const ValueId rest =
        to.mul(power, to.div(polynomial(to, distance, kFarAbove), polynomial(to, distance, kFarBelow)));
    const ValueId far = to.mul(to.op("sign", {x}), to.sub(to.full_like(x, 1), rest));
    return to.select(to.compare("LT", distance, to.full_like(x, 1)), near, far);
}

// Giles: Approximating the erfinv function (2010), for single precision.
ValueId inverse_erf_formula(FlatBuilder& to, ValueId x) {
    static constexpr std::array kNear = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                         -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                         -0.00417768164,  0.246640727,    1.50140941};
    static constexpr std::array kFar = {-0.000200214257, 0.000100950558, 0.00134934322,
                                        -0.00367342844,  0.00573950773,  -0.0076224613,
                                        0.00943887047,   1.00167406,     2.83297682};
    const ValueId w = to.op("neg", {to.op("log1p", {to.op("neg", {to.mul(x, x)})})});
    const ValueId near = polynomial(to, to.sub(w, 2.5), kNear);
    const ValueId far = polynomial(to, to.sub(to.op("sqrt", {w}), 3), kFar);
    const ValueId inside = to.mul(to.select(to.compare("LT", w, to.full_like(w, 5)), near, far), x);
    const ValueId is_end = to.compare("EQ", to.op("abs", {x}), to.full_like(x, 1));
    return to.select(is_end, to.mul(x, std::numeric_limits<double>::infinity()), inside);
}

// Polynomials of floats of 16 bits overflow, and have no more digits than the result.
template <class Formula>
ValueId in_f32(FlatBuilder& to, ValueId x, const Formula& formula) {
    const ElementType element = to.element(x);
    if (element == ElementType::kF64 || element == ElementType::kF32) return formula(to, x);
    return to.convert(formula(to, to.convert(x, ElementType::kF32)), element);
}

std::vector<ValueId> erf_text(FlatBuilder& to, std::span<const ValueId> operands, const Attributes&) {
    return {in_f32(to, operands[0], erf_formula)};
}

std::vector<ValueId> erf_inv_text(FlatBuilder& to, std::span<const ValueId> operands, const Attributes&) {
    if (to.element(operands[0]) == ElementType::kF64) throw no_formula("erf_inv");
    return {in_f32(to, operands[0], inverse_erf_formula)};
}

// ---- rows

Primitive map(std::string_view name, std::uint32_t operands, Infer infer, Kernel compute,
              Derivative derivative, Text text) {
    return {.name = name,
            .operands = {operands, operands},
            .is_of_one_type = true,
            .takes_one_element = operands == 2,
            .infer = infer,
            .compute = compute,
            .derivative = derivative,
            .batch = batch_elementwise,
            .text = text};
}

template <unsigned kDomain>
Primitive unary(std::string_view name, Kernel compute, Derivative derivative, Text text) {
    return map(name, 1, infer_same<kDomain>, compute, derivative, text);
}

template <unsigned kDomain>
Primitive binary(std::string_view name, Kernel compute, Derivative derivative, Text text) {
    return map(name, 2, infer_same<kDomain>, compute, derivative, text);
}

}  // namespace

std::span<const Primitive> elementwise_primitives() {
    static const Primitive kRows[] = {
        // name, compute, derivative, text
        unary<kFloats>("exp", float1<[](auto x) { return std::exp(x); }>,
                       chain<[](const JvpUse& use) { return use.result(); }>, "exponential"),
        unary<kFloats>("expm1", float1<[](auto x) { return std::expm1(x); }>,
                       chain<[](const JvpUse& use) { return use.to.add(use.result(), 1); }>,
                       "exponential_minus_one"),
        unary<kFloats>("log", float1<[](auto x) { return std::log(x); }>,
                       chain<[](const JvpUse& use) { return quotient(use.to, 1, use[0]); }>, "log"),
        unary<kFloats>("log1p", float1<[](auto x) { return std::log1p(x); }>,
                       chain<[](const JvpUse& use) { return quotient(use.to, 1, use.to.add(use[0], 1)); }>,
                       "log_plus_one"),
        unary<kFloats>("sqrt", float1<[](auto x) { return std::sqrt(x); }>,
                       chain<[](const JvpUse& use) { return quotient(use.to, 0.5, use.result()); }>, "sqrt"),
        unary<kFloats>(
            "rsqrt", float1<[](auto x) { return 1 / std::sqrt(x); }>,
            chain<[](const JvpUse& use) { return use.to.mul(use.to.div(use.result(), use[0]), -0.5); }>,
            "rsqrt"),
        unary<kFloats>("cbrt", float1<[](auto x) { return std::cbrt(x); }>, chain<d_cbrt>, "cbrt"),
        unary<kFloats>("sin", float1<[](auto x) { return std::sin(x); }>,
                       chain<[](const JvpUse& use) { return use.to.op("cos", {use[0]}); }>, "sine"),
        unary<kFloats>("cos", float1<[](auto x) { return std::cos(x); }>,
                       chain<[](const JvpUse& use) { return negative(use.to, use.to.op("sin", {use[0]})); }>,
                       "cosine"),
        unary<kFloats>("tan", float1<[](auto x) { return std::tan(x); }>,
                       chain<[](const JvpUse& use) { return use.to.add(square(use.to, use.result()), 1); }>,
                       "tan"),
        unary<kFloats>(
            "tanh", float1<[](auto x) { return std::tanh(x); }>,
            chain<[](const JvpUse& use) { return one_less(use.to, square(use.to, use.result())); }>, "tanh"),
        unary<kFloats>(
            "logistic", float1<[](auto x) { return 1 / (1 + std::exp(-x)); }>,
            chain<[](const JvpUse& use) { return use.to.mul(use.result(), one_less(use.to, use.result())); }>,
            "logistic"),
        unary<kFloats>("erf", float1<[](auto x) { return std::erf(x); }>, chain<d_erf>, erf_text),
        unary<kFloats>("erf_inv", float1<[](auto x) { return inverse_erf(x); }>, chain<d_erf_inv>,
                       erf_inv_text),
        unary<kFloats>("lgamma", float1<[](auto x) { return std::lgamma(x); }>,
                       chain<[](const JvpUse& use) { return use.to.op("digamma", {use[0]}); }>, kNoFormula),
        unary<kFloats>("digamma", float1<[](auto x) { return digamma(x); }>, chain<d_digamma>, kNoFormula),
        unary<kFloats>("floor", float1<[](auto x) { return std::floor(x); }>, zero_jvp, "floor"),
        unary<kFloats>("ceil", float1<[](auto x) { return std::ceil(x); }>, zero_jvp, "ceil"),
        unary<kFloats>("round_even", float1<[](auto x) { return std::nearbyint(x); }>, zero_jvp,
                       "round_nearest_even"),
        unary<kFloats>("round_away", float1<[](auto x) { return std::round(x); }>, zero_jvp,
                       "round_nearest_afz"),
        unary<kFloats | kSigned>("sign", number1<[](auto x) { return sign(x); }>, zero_jvp, "sign"),
        unary<kFloats | kSigned>("abs", number1<[](auto x) { return magnitude(x); }>, chain<d_abs>, "abs"),
        unary<kNumbers>("neg", number1<[](auto x) { return opposite(x); }>,
                        {linear_jvp, neg_transpose, kAllOperands}, "negate"),
        binary<kNumbers>("add", number2<[](auto a, auto b) { return wrapping(a) + wrapping(b); }>,
                         {add_jvp, add_transpose, kAllOperands}, "add"),
        binary<kNumbers>("sub", number2<[](auto a, auto b) { return wrapping(a) - wrapping(b); }>,
                         {sub_jvp, sub_transpose, kAllOperands}, "subtract"),
        binary<kNumbers>("mul", number2<[](auto a, auto b) { return wrapping(a) * wrapping(b); }>,
                         {product_jvp, mul_transpose}, "multiply"),
        binary<kNumbers>("div", number2<[](auto a, auto b) { return quotient(a, b); }>,
                         {div_jvp, div_transpose}, "divide"),
        binary<kNumbers>("rem", number2<[](auto a, auto b) { return remainder_of(a, b); }>, rem_jvp,
                         "remainder"),
        binary<kNumbers>("pow", number2<[](auto a, auto b) { return power(a, b); }>,
                         chain2<d_pow_base, d_pow_exponent>, "power"),
        binary<kFloats>("atan2", float2<[](auto y, auto x) { return std::atan2(y, x); }>,
                        chain2<d_atan2_y, d_atan2_x>, "atan2"),
        binary<kAll>("maximum", number2<[](auto a, auto b) { return extreme<true>(a, b); }>,
                     chain2<share<0, true>, share<1, true>>, "maximum"),
        binary<kAll>("minimum", number2<[](auto a, auto b) { return extreme<false>(a, b); }>,
                     chain2<share<0, false>, share<1, false>>, "minimum"),
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
