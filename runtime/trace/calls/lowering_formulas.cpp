// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// NumPy's functions that are formulas of several primitives. They keep to the ends of the floats: infinities, nan, both
// zeros, numbers whose exponential or square has no float.

#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/trace/calls/internal/call.hpp"
#include "runtime/trace/calls/internal/lowering.hpp"

namespace tilemeter::trace::internal {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Term steps(const CallUse& use, std::size_t i = 0) {
    return {use.to, for_steps(use, i)};
}

Term operand(const CallUse& use, std::size_t i = 0) {
    return {use.to, as_result(use, i)};
}

ValueId result(const CallUse& use, const Term& made) {
    return made.to(use.type.element);
}

Term trunc(const Term& x) {
    return x.is("LT", 0).choose(apply("ceil", x), apply("floor", x));
}

ValueId trunc(const CallUse& use) {
    return ir::is_float(use.type.element) ? ValueId(trunc(Term(use.to, use[0]))) : use[0];
}

// ---- tests of floats; the answer for other numbers is one and the same

template <bool kOfIntegers, Term (*kTest)(const Term& x)>
ValueId test_of_floats(const CallUse& use) {
    if (!ir::is_float(use.to.element(use[0]))) return use.to.full(use.type, kOfIntegers ? 1 : 0);
    return kTest({use.to, use[0]});
}

Term is_finite(const Term& x) {
    return apply("is_finite", x);
}

Term is_nan(const Term& x) {
    return x.is("NE", x);
}

Term is_inf(const Term& x) {
    return apply("abs", x).is("EQ", kInfinity);
}

// ---- bits of floats

/// A float's layout: the integer of its width, the bits behind the point, the exponent of the largest power below 2 x 1.
struct Layout {
    ElementType integer;
    int digits, offset;
};

Layout layout_of(ElementType element) {
    if (element == ElementType::kF64) return {ElementType::kI64, 52, 1023};
    if (element == ElementType::kF32) return {ElementType::kI32, 23, 127};
    if (element == ElementType::kF16) return {ElementType::kI16, 10, 15};
    return {ElementType::kI16, 7, 127};
}

Term bits_of(const Term& x) {
    return x.bits_as(layout_of(x.element()).integer);
}

Term has_sign(const Term& x) {
    return bits_of(x).is("LT", 0);
}

ValueId signbit(const CallUse& use) {
    const Term x(use.to, use[0]);
    if (ir::is_float(x.element())) return has_sign(x);
    return ir::is_signed_integer(x.element()) ? ValueId(x.is("LT", 0)) : use.to.full(use.type, 0);
}

Term with_sign_of(const Term& y, const Term& x) {
    const Term size = apply("abs", x);
    return has_sign(y).choose(-size, size);
}

ValueId copysign(const CallUse& use) {
    return with_sign_of(operand(use, 1), operand(use));
}

// The part behind the point, with the sign of x; 0 of an infinity.
ValueId modf_fraction(const CallUse& use) {
    const Term x = operand(use);
    const Term is_infinite = is_inf(x);
    return with_sign_of(x, is_infinite.choose(0, x - is_infinite.choose(0, trunc(x))));
}

// x times 2 to the exponent, in four steps, none of which leaves the floats before the product does: those of f16 end at 2**15.
Term scaled_by_power(Term x, Term exponent) {
    const auto [integer, digits, offset] = layout_of(x.element());
    const int most = 2 * (offset + digits) + 3;
    exponent = exponent.is("LT", -most).choose(-most, exponent.is("GT", most).choose(most, exponent));
    const Term fourth = apply("shift_right_arithmetic", exponent, exponent.like(2));
    for (const Term& step : {fourth, fourth, fourth, exponent - fourth * 3}) {
        const Term power = step.to(type_of_steps(x.element()));
        x = x * apply("pow", power.like(2), power).to(x.element());
    }
    return x;
}

void infer_ldexp(const Site& site, Types& types) {
    const std::size_t both[] = {0, 1};
    site.require(ir::is_integer(site.type(1).element), ErrorKind::kElementTypeMismatch,
                 [&] { return "found exponents of type " + text_of(site.type(1)) + ", expected integers"; });
    types.push_back({fractional(site.type(0).element), broadcast_shape(site, both), {}});
}

ValueId ldexp(const CallUse& use) {
    const ElementType exponents =
        use.to.element(use[1]) == ElementType::kI64 ? ElementType::kI64 : ElementType::kI32;
    return scaled_by_power(operand(use),
                           Term(use.to, use.to.broadcast(use.to.convert(use[1], exponents), use.type.shape)));
}

/// A float in parts: the number that has all its digits, the power of two of x over it, and whether x has digits at all.
struct Parts {
    Term normal, field, shift, is_whole;
};

Parts parts_of(const Term& x) {
    const auto [integer, digits, offset] = layout_of(x.element());
    const Term is_small = apply("abs", x).is("LT", std::ldexp(1.0, 1 - offset));  // has fewer digits
    const Term normal = is_small.choose(x * std::ldexp(1.0, digits + 2), x);
    const Term bits = bits_of(normal);
    const Term field = apply("shift_right_logical", bits, bits.like(digits)) & bits.like(2 * offset + 1);
    return {normal, field, is_small.choose(field.like(digits + 2), 0), is_finite(x) & x.is("NE", 0)};
}

ValueId frexp_fraction(const CallUse& use) {
    const Term x = operand(use);
    const Parts parts = parts_of(x);
    const int offset = layout_of(x.element()).offset;
    const Term power = parts.is_whole.choose(static_cast<double>(offset - 1) - parts.field, 0);
    return parts.is_whole.choose(scaled_by_power(parts.normal, power.to(ElementType::kI32)), x);
}

void infer_frexp_exponent(const Site& site, Types& types) {
    infer_fractions(site, types);
    types.back().element = ElementType::kI32;
}

ValueId frexp_exponent(const CallUse& use) {
    const Term x(use.to, use.to.convert(use[0], fractional(use.to.element(use[0]))));
    const Parts parts = parts_of(x);
    const int offset = layout_of(x.element()).offset;
    return result(use, parts.is_whole.choose(parts.field - (offset - 1) - parts.shift, 0));
}

Term next_after(const Term& x, const Term& y) {
    const Term bits = bits_of(x);
    const Term is_away_from_zero = y.is("GT", x).is("EQ", x.is("GT", 0));
    const Term moved = (bits + is_away_from_zero.choose(bits.like(1), -1)).bits_as(x.element());
    const Term least = bits.like(1).bits_as(x.element());
    const Term from_zero = y.is("GT", 0).choose(least, -least);
    const Term known = x.is("EQ", y).choose(y, x.is("EQ", 0).choose(from_zero, moved));
    return (is_nan(x) | is_nan(y)).choose(x + y, known);
}

ValueId nextafter(const CallUse& use) {
    return next_after(operand(use), operand(use, 1));
}

// The distance to the next float away from 0. NumPy's of f16 is the one upwards.
ValueId spacing(const CallUse& use) {
    const Term x = operand(use);
    const Term up = x.like(kInfinity);
    const Term away = x.element() == ElementType::kF16 ? up : has_sign(x).choose(-kInfinity, up);
    return is_finite(x).choose(next_after(x, away) - x, std::numeric_limits<double>::quiet_NaN());
}

void infer_bitwise_count(const Site& site, Types& types) {
    infer_bits(site, types);
    types.back().element = ElementType::kU8;
}

ValueId bitwise_count(const CallUse& use) {
    Term x(use.to, use[0]);
    if (x.element() == ElementType::kBool) x = x.to(ElementType::kU8);
    if (ir::is_signed_integer(x.element())) x = apply("abs", x);
    return result(use, apply("popcnt", x));
}

// ---- remainders and quotients cut towards 0; of integers 0 where the divisor is 0

template <Name kPrimitive>
ValueId cut(const CallUse& use) {
    const Term x = operand(use), y = operand(use, 1);
    if (ir::is_float(use.type.element)) return apply(kPrimitive.text, x, y);
    const Term is_zero = y.is("EQ", 0);
    return is_zero.choose(0, apply(kPrimitive.text, x, is_zero.choose(1, y)));
}

// ---- angles, hyperbolic functions

ValueId degrees(const CallUse& use) {
    return result(use, steps(use) * (180 / std::numbers::pi));
}

ValueId radians(const CallUse& use) {
    return result(use, steps(use) * (std::numbers::pi / 180));
}

Term across(const Term& x) {
    return apply("sqrt", (1 - x) * (x + 1));
}

ValueId arcsin(const CallUse& use) {
    const Term x = steps(use);
    return result(use, apply("atan2", x, across(x)));
}

ValueId arccos(const CallUse& use) {
    const Term x = steps(use);
    return result(use, apply("atan2", across(x), x));
}

ValueId arctan(const CallUse& use) {
    const Term x = steps(use);
    return result(use, apply("atan2", x, x.like(1)));
}

// True where the square of x is all of 1 + the square.
Term is_far(const Term& x) {
    return x.is("GT", std::ldexp(1.0, layout_of(x.element()).digits / 2 + 2));
}

// The logarithm of 2 x where x is far, else a formula of what is near.
Term log_of_far(const Term& far, const Term& x, const Term& formula) {
    return far.choose(apply("log", far.choose(x, 1)) + std::numbers::ln2, formula);
}

// An odd function whose derivative at 0 is 1, from its values above 0. 0 keeps its sign.
template <Term (*kFunction)(const Term& size)>
ValueId odd(const CallUse& use) {
    const Term x = steps(use);
    const Term sign = x.is("LT", 0).choose(x.like(-1), 1);
    return result(use, x.is("EQ", 0).choose(x, sign * kFunction(x * sign)));
}

Term arcsinh(const Term& size) {
    const Term far = is_far(size);
    const Term near = far.choose(1, size);
    const Term square = near * near;
    return log_of_far(far, size, apply("log1p", near + square / (apply("sqrt", square + 1) + 1)));
}

Term arctanh(const Term& size) {
    return apply("log1p", size * 2 / (1 - size)) * 0.5;
}

ValueId arccosh(const CallUse& use) {
    const Term x = steps(use);
    const Term far = is_far(x);
    const Term above = far.choose(2, x) - 1;
    return result(
        use, log_of_far(far, x, apply("log1p", above + apply("sqrt", above) * apply("sqrt", above + 2))));
}

ValueId hypot(const CallUse& use) {
    const Term x = steps(use), y = steps(use, 1);
    const Term largest = apply("maximum", apply("abs", x), apply("abs", y)).without_derivative();
    const Term scale = (largest.is("GT", 0) & is_finite(largest)).choose(largest, 1);
    const Term a = x / scale, b = y / scale;
    const Term length = scale * apply("sqrt", a * a + b * b);
    return result(use, (is_inf(x) | is_inf(y)).choose(kInfinity, length));
}

ValueId heaviside(const CallUse& use) {
    const Term x = operand(use);
    const Term sides = x.is("LT", 0).choose(x.like(0), 1);
    return is_nan(x).choose(x, x.is("EQ", 0).choose(operand(use, 1), sides));
}

// ---- exponentials and logarithms

// The difference of two that are equal and infinite is 0, and has no derivative.
Term difference_of(const Term& a, const Term& b) {
    const Term is_known = a.is("NE", b) | is_finite(a);
    return is_known.choose(a, 0) - is_known.choose(b, 0);
}

ValueId logaddexp(const CallUse& use) {
    const Term a = steps(use), b = steps(use, 1);
    return use.to.convert(log_of_sum(use.to, a, b, difference_of(a, b)), use.type.element);
}

ValueId logaddexp2(const CallUse& use) {
    const Term a = steps(use), b = steps(use, 1);
    const Term difference = difference_of(a, b);
    const Term is_first = a.is("GT", b);
    const Term below = is_first.choose(-difference, difference);
    const Term rest = apply("log1p", apply("pow", below.like(2), below)) / std::numbers::ln2;
    return result(use, is_first.choose(a, b) + rest);
}

// The other one where one is nan.
template <Name kDirection>
ValueId extreme_number(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId a = as_result(use, 0);
    const ValueId b = as_result(use, 1);
    const ValueId is_first = to.compare(kDirection.text, a, b);
    if (!ir::is_float(use.type.element)) return to.select(is_first, a, b);
    return to.select(to.op("or", {is_first, to.compare("NE", b, b)}), a, b);
}

ValueId exp2(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId x = for_steps(use, 0);
    return to.convert(to.op("pow", {to.full_like(x, 2), x}), use.type.element);
}

// A whole number where x is a power of the base, which a quotient of rounded logarithms often misses.
template <int kBase>
ValueId logarithm(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId x = for_steps(use, 0);
    const ValueId quotient = to.div(to.op("log", {x}), std::log(static_cast<double>(kBase)));
    const ValueId whole = to.op("round_even", {quotient});
    const ValueId is_power = to.op(
        "and",
        {to.op("is_finite", {quotient}), to.compare("EQ", to.op("pow", {to.full_like(x, kBase), whole}), x)});
    const ValueId rest = to.select(is_power, to.sub(whole, quotient), to.full_like(x, 0));
    return to.convert(to.add(quotient, constant(to, rest)), use.type.element);
}

// Half of exp(x) and of exp(-x) as products of two, which overflow no earlier than their sum does.
struct HalfPowers {
    ValueId up, down;
};
HalfPowers half_powers(FlatBuilder& to, ValueId x) {
    const auto half = [&](ValueId power) {
        const ValueId root = to.op("exp", {power});
        return to.mul(to.mul(root, 0.5), root);
    };
    return {half(to.mul(x, 0.5)), half(to.mul(x, -0.5))};
}

// By expm1 up to here, where exp(-x) still counts.
struct BySize {
    ValueId is_small, small, large;
};
BySize parts_by_size(FlatBuilder& to, ValueId x) {
    const ValueId zero = to.full_like(x, 0);
    const ValueId is_small = to.compare("LE", to.op("abs", {x}), to.full_like(x, 1));
    return {is_small, to.op("expm1", {to.select(is_small, x, zero)}), to.select(is_small, zero, x)};
}

ValueId sinh(const CallUse& use) {
    FlatBuilder& to = use.to;
    const auto [is_small, power, large] = parts_by_size(to, for_steps(use, 0));
    const ValueId small = to.mul(to.add(power, to.div(power, to.add(power, 1))), 0.5);
    const HalfPowers half = half_powers(to, large);
    return to.convert(to.select(is_small, small, to.sub(half.up, half.down)), use.type.element);
}

ValueId cosh(const CallUse& use) {
    FlatBuilder& to = use.to;
    const auto [is_small, power, large] = parts_by_size(to, for_steps(use, 0));
    const ValueId small = to.add(to.div(to.mul(power, power), to.mul(to.add(power, 1), 2)), 1);
    const HalfPowers half = half_powers(to, large);
    return to.convert(to.select(is_small, small, to.add(half.up, half.down)), use.type.element);
}

}  // namespace

std::vector<CallDefinition> formula_calls() {
    return {
        {"exp2", {1, 1}, {}, infer_fractions, exp2, "exp2", "exp2"},
        {"log2", {1, 1}, {}, infer_fractions, logarithm<2>, "log2", "log2"},
        {"log10", {1, 1}, {}, infer_fractions, logarithm<10>, "log10", "log10"},
        {"logaddexp", {2, 2}, {}, infer_fractions, logaddexp, "logaddexp", "logaddexp"},
        {"logaddexp2", {2, 2}, {}, infer_fractions, logaddexp2, "logaddexp2", "logaddexp2"},
        {"sinh", {1, 1}, {}, infer_fractions, sinh, "sinh", "sinh"},
        {"cosh", {1, 1}, {}, infer_fractions, cosh, "cosh", "cosh"},
        {"arcsin", {1, 1}, {}, infer_fractions, arcsin, "arcsin asin", "arcsin asin"},
        {"arccos", {1, 1}, {}, infer_fractions, arccos, "arccos acos", "arccos acos"},
        {"arctan", {1, 1}, {}, infer_fractions, arctan, "arctan atan", "arctan atan"},
        {"arcsinh", {1, 1}, {}, infer_fractions, odd<arcsinh>, "arcsinh asinh", "arcsinh asinh"},
        {"arccosh", {1, 1}, {}, infer_fractions, arccosh, "arccosh acosh", "arccosh acosh"},
        {"arctanh", {1, 1}, {}, infer_fractions, odd<arctanh>, "arctanh atanh", "arctanh atanh"},
        {"hypot", {2, 2}, {}, infer_fractions, hypot, "hypot", "hypot"},
        {"degrees", {1, 1}, {}, infer_fractions, degrees, "degrees rad2deg", "rad2deg"},
        {"radians", {1, 1}, {}, infer_fractions, radians, "radians deg2rad", "deg2rad"},
        {"heaviside", {2, 2}, {}, infer_numbers, heaviside, "heaviside", "heaviside"},
        {"fmax", {2, 2}, {}, infer_numbers, extreme_number<"GT">, "fmax", "fmax"},
        {"fmin", {2, 2}, {}, infer_numbers, extreme_number<"LT">, "fmin", "fmin"},
        {"fmod", {2, 2}, {}, infer_i8_of_bool, cut<"rem">, "fmod", "fmod"},
        {"trunc_divide", {2, 2}, {}, infer_i8_of_bool, cut<"div">},
        {"trunc", {1, 1}, {}, infer_numbers, trunc, "trunc modf/1", "trunc fix"},
        {"modf_fraction", {1, 1}, {}, infer_fractions, modf_fraction, "modf/0"},
        {"isfinite", {1, 1}, {}, infer_truths, test_of_floats<true, is_finite>, "isfinite", "isfinite"},
        {"isnan", {1, 1}, {}, infer_truths, test_of_floats<false, is_nan>, "isnan", "isnan"},
        {"isinf", {1, 1}, {}, infer_truths, test_of_floats<false, is_inf>, "isinf", "isinf"},
        {"signbit", {1, 1}, {}, infer_truths, signbit, "signbit", "signbit"},
        {"copysign", {2, 2}, {}, infer_fractions, copysign, "copysign", "copysign"},
        {"ldexp", {2, 2}, {}, infer_ldexp, ldexp, "ldexp"},
        {"frexp_fraction", {1, 1}, {}, infer_fractions, frexp_fraction, "frexp/0"},
        {"frexp_exponent", {1, 1}, {}, infer_frexp_exponent, frexp_exponent, "frexp/1"},
        {"nextafter", {2, 2}, {}, infer_fractions, nextafter, "nextafter", "nextafter"},
        {"spacing", {1, 1}, {}, infer_fractions, spacing, "spacing"},
        {"bitwise_count", {1, 1}, {}, infer_bitwise_count, bitwise_count, "bitwise_count"},
    };
}

}  // namespace tilemeter::trace::internal
