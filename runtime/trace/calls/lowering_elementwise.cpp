// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <numbers>

#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/internal/call.hpp"
#include "runtime/trace/calls/internal/lowering.hpp"

namespace tilemeter::trace::internal {

namespace {

// The operands of a comparison or a logical operation, of an element type that both share.
ValueId as_common(const CallUse& use, std::size_t i) {
    const ElementType element = promoted(use.to.element(use[0]), use.to.element(use[1]));
    return use.to.broadcast(use.to.convert(use[i], element), use.type.shape);
}

// A primitive for numbers, and the logical operation that bool has in its place.
template <Name kPrimitive, Name kForBools>
ValueId arithmetic(const CallUse& use) {
    return use.to.op(use.type.element == ElementType::kBool ? kForBools.text : kPrimitive.text,
                     {as_result(use, 0), as_result(use, 1)});
}

// A primitive that changes fractions only.
template <Name kPrimitive>
ValueId rounding(const CallUse& use) {
    return ir::is_float(use.type.element) ? primitive1<kPrimitive>(use) : use[0];
}

// Comparisons of integers whose common type is a float: exact, by the sign and as unsigned numbers.
ValueId mixed_comparison(const CallUse& use, std::string_view direction) {
    FlatBuilder& to = use.to;
    const bool is_left_signed = ir::is_signed_integer(to.element(use[0]));
    const ValueId signed_one = to.broadcast(use[is_left_signed ? 0 : 1], use.type.shape);
    const auto as_unsigned = [&](std::size_t i) {
        return to.broadcast(to.convert(use[i], ElementType::kU64), use.type.shape);
    };
    const ValueId negative = to.compare("LT", signed_one, to.full_like(signed_one, 0));
    const ValueId otherwise = to.compare(direction, as_unsigned(0), as_unsigned(1));
    const bool is_true = direction == "NE" || direction.starts_with(is_left_signed ? 'L' : 'G');
    return is_true ? to.op("or", {negative, otherwise}) : to.op("and", {to.op("not", {negative}), otherwise});
}

template <Name kDirection>
ValueId comparison(const CallUse& use) {
    const ElementType a = use.to.element(use[0]), b = use.to.element(use[1]);
    if (ir::is_integer(a) && ir::is_integer(b) && ir::is_float(promoted(a, b)))
        return mixed_comparison(use, kDirection.text);
    return use.to.compare(kDirection.text, as_common(use, 0), as_common(use, 1));
}

template <Name kPrimitive>
ValueId logical2(const CallUse& use) {
    return use.to.op(kPrimitive.text, {use.to.broadcast(use.to.truth(use[0]), use.type.shape),
                                       use.to.broadcast(use.to.truth(use[1]), use.type.shape)});
}

ValueId logical_not(const CallUse& use) {
    return use.to.op("not", {use.to.truth(use[0])});
}

ValueId identity(const CallUse& use) {
    return use[0];
}

// The copy tells derivatives where to stop.
ValueId stop_gradient(const CallUse& use) {
    return use.to.op("copy", {use[0]}, {{"stop_gradient", true}});
}

ValueId absolute(const CallUse& use) {
    return ir::is_float(use.type.element) || ir::is_signed_integer(use.type.element) ? primitive1<"abs">(use)
                                                                                     : use[0];
}

// NumPy's sign of both zeros is 0; nan stays.
ValueId sign(const CallUse& use) {
    if (ir::is_float(use.type.element)) {
        const Term x(use.to, use[0]);
        return x.is("EQ", 0).choose(0, apply("sign", x));
    }
    if (ir::is_signed_integer(use.type.element)) return primitive1<"sign">(use);
    return use.to.convert(use.to.truth(use[0]), use.type.element);
}

ValueId square(const CallUse& use) {
    return use.to.op(use.type.element == ElementType::kBool ? "and" : "mul", {use[0], use[0]});
}

// Not the larger of both, whose derivative at 0 is 1/2. A nan stays, but has derivative 0 as what is below 0.
ValueId relu(const CallUse& use) {
    if (use.type.element == ElementType::kBool) return use[0];
    const ValueId zero = use.to.full(use.type, 0);
    if (!ir::is_float(use.type.element))
        return use.to.select(use.to.compare("LE", use[0], zero), zero, use[0]);
    const ValueId other =
        use.to.op("copy", {use.to.op("maximum", {use[0], zero})}, {{"stop_gradient", true}});
    return use.to.select(use.to.compare("GT", use[0], zero), use[0], other);
}

ValueId silu(const CallUse& use) {
    const ValueId x = as_result(use, 0);
    return use.to.mul(x, use.to.op("logistic", {x}));
}

// log(1 + exp(x))
ValueId softplus(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId x = as_result(use, 0);
    return log_of_sum(to, x, to.full_like(x, 0), x);
}

ValueId reciprocal(const CallUse& use) {
    return use.to.div(use.to.full(use.type, 1), as_result(use, 0));
}

ValueId gelu(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId x = as_result(use, 0);
    ValueId step{};
    if (use.attributes.get_or<std::string>("approximate", "none") == "tanh") {
        const ValueId cube = to.mul(to.mul(x, x), x);
        const double scale = std::sqrt(2 / std::numbers::pi);
        step = to.op("tanh", {to.mul(to.add(x, to.mul(cube, 0.044715)), scale)});
    } else {
        step = to.op("erf", {to.mul(x, std::numbers::sqrt2 / 2)});
    }
    return to.mul(to.mul(x, 0.5), to.add(step, 1));
}

ValueId where(const CallUse& use) {
    const ValueId mask = use.to.broadcast(use.to.truth(use[0]), use.type.shape);
    return use.to.select(mask, as_result(use, 1), as_result(use, 2));
}

ValueId convert(const CallUse& use) {
    return use.to.convert(use[0], use.type.element);
}

// True if a remainder is to be moved by the divisor, whose sign it has to have.
ValueId has_other_sign(FlatBuilder& to, ValueId rest, ValueId divisor) {
    const ValueId zero = to.full_like(rest, 0);
    const ValueId differs = to.op("xor", {to.compare("LT", rest, zero), to.compare("LT", divisor, zero)});
    return to.op("and", {differs, to.compare("NE", rest, zero)});
}

// Integers divided by 0 are 0.
ValueId without_zeros_of(FlatBuilder& to, ValueId divisor, ValueId result) {
    const ValueId zero = to.full_like(result, 0);
    return to.select(to.compare("EQ", divisor, zero), zero, result);
}

// NumPy's quotient and remainder: rounded down, so that the remainder has the sign of the divisor.
ValueId mod(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId b = for_steps(use, 1);
    const ValueId rest = to.op("rem", {for_steps(use, 0), b});
    const ValueId result = to.select(has_other_sign(to, rest, b), to.add(rest, b), rest);
    if (ir::is_float(use.type.element)) return to.convert(result, use.type.element);
    return without_zeros_of(to, b, result);
}

// The quotient of floats: what is divided is a multiple of the divisor but for rounding, and so a whole number but for that.
ValueId floor_divide(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId a = for_steps(use, 0);
    const ValueId b = for_steps(use, 1);
    if (!ir::is_float(use.type.element)) {
        const ValueId quotient = to.div(a, b);
        const ValueId rest = to.sub(a, to.mul(quotient, b));
        const ValueId result = to.select(has_other_sign(to, rest, b), to.sub(quotient, 1), quotient);
        return without_zeros_of(to, b, result);
    }
    const ValueId zero = to.full_like(a, 0);
    const ValueId rest = to.op("rem", {a, b});
    const ValueId multiple = to.div(to.sub(a, rest), b);
    const ValueId quotient = to.select(has_other_sign(to, rest, b), to.sub(multiple, 1), multiple);
    const ValueId below = to.op("floor", {quotient});
    const ValueId is_above = to.compare("GT", to.sub(quotient, below), to.full_like(a, 0.5));
    const ValueId whole = to.select(is_above, to.add(below, 1), below);
    const ValueId ratio = to.div(a, b);
    // A zero has the sign of the ratio, and so is what division by 0 gives.
    const ValueId result = to.select(to.compare("EQ", quotient, zero), to.mul(ratio, 0), whole);
    const ValueId by_zero = to.compare("EQ", b, zero);
    return to.convert(constant(to, to.select(by_zero, ratio, result)), use.type.element);
}

ValueId right_shift(const CallUse& use) {
    return ir::is_signed_integer(use.type.element) ? primitive2<"shift_right_arithmetic">(use)
                                                   : primitive2<"shift_right_logical">(use);
}

void infer_convert_call(const Site& site, Types& types) {
    types.push_back({site.use.attributes.get<ElementType>("dtype"), site.shape(0), {}});
}

void infer_gelu(const Site& site, Types& types) {
    const auto approximate = site.use.attributes.get_or<std::string>("approximate", "none");
    site.require(approximate == "none" || approximate == "tanh", ErrorKind::kBadArgument,
                 [&] { return "found approximate '" + approximate + "', expected 'none' or 'tanh'"; });
    infer_fractions(site, types);
}

}  // namespace

std::vector<CallDefinition> elementwise_calls() {
    const ir::AttributeRule dtype{"dtype", AttributeKind::kElementType};
    const ir::AttributeRule approximate{"approximate", AttributeKind::kString, false};
    return {
        {"exp", {1, 1}, {}, infer_fractions, primitive1<"exp">, "exp", "exp"},
        {"expm1", {1, 1}, {}, infer_fractions, primitive1<"expm1">, "expm1", "expm1 special.expm1"},
        {"log", {1, 1}, {}, infer_fractions, primitive1<"log">, "log", "log"},
        {"log1p", {1, 1}, {}, infer_fractions, primitive1<"log1p">, "log1p", "log1p special.log1p"},
        {"sqrt", {1, 1}, {}, infer_fractions, primitive1<"sqrt">, "sqrt", "sqrt"},
        {"rsqrt", {1, 1}, {}, infer_fractions, primitive1<"rsqrt">, "", "rsqrt"},
        {"cbrt", {1, 1}, {}, infer_fractions, primitive1<"cbrt">, "cbrt"},
        {"sin", {1, 1}, {}, infer_fractions, primitive1<"sin">, "sin", "sin"},
        {"cos", {1, 1}, {}, infer_fractions, primitive1<"cos">, "cos", "cos"},
        {"tan", {1, 1}, {}, infer_fractions, primitive1<"tan">, "tan", "tan"},
        {"tanh", {1, 1}, {}, infer_fractions, primitive1<"tanh">, "tanh", "tanh"},
        {"erf", {1, 1}, {}, infer_fractions, primitive1<"erf">, "", "erf special.erf"},
        {"erf_inv", {1, 1}, {}, infer_fractions, primitive1<"erf_inv">, "", "erfinv special.erfinv"},
        {"lgamma", {1, 1}, {}, infer_fractions, primitive1<"lgamma">, "", "lgamma special.gammaln"},
        {"digamma",
         {1, 1},
         {},
         infer_fractions,
         primitive1<"digamma">,
         "",
         "digamma special.digamma special.psi"},
        {"sigmoid", {1, 1}, {}, infer_fractions, primitive1<"logistic">, "", "sigmoid special.expit"},
        {"silu", {1, 1}, {}, infer_fractions, silu},
        {"softplus", {1, 1}, {}, infer_fractions, softplus},
        {"gelu", {1, 1}, {approximate}, infer_gelu, gelu},
        {"reciprocal", {1, 1}, {}, infer_fractions, reciprocal, "", "reciprocal"},
        {"neg", {1, 1}, {}, infer_no_bool, primitive1<"neg">, "negative", "neg negative"},
        {"abs", {1, 1}, {}, infer_numbers, absolute, "absolute fabs", "abs absolute"},
        {"square", {1, 1}, {}, infer_numbers, square, "square", "square"},
        {"sign", {1, 1}, {}, infer_numbers, sign, "sign", "sign sgn"},
        {"floor", {1, 1}, {}, infer_numbers, rounding<"floor">, "floor", "floor"},
        {"ceil", {1, 1}, {}, infer_numbers, rounding<"ceil">, "ceil", "ceil"},
        {"round", {1, 1}, {}, infer_numbers, rounding<"round_even">, "rint"},
        {"relu", {1, 1}, {}, infer_numbers, relu, "", "relu"},
        {"identity", {1, 1}, {}, infer_numbers, identity, "positive", "positive"},
        {"stop_gradient", {1, 1}, {}, infer_numbers, stop_gradient},
        {"convert", {1, 1}, {dtype}, infer_convert_call, convert},
        {"add", {2, 2}, {}, infer_numbers, arithmetic<"add", "or">, "add"},
        {"sub", {2, 2}, {}, infer_no_bool, primitive2<"sub">, "subtract"},
        {"mul", {2, 2}, {}, infer_numbers, arithmetic<"mul", "and">, "multiply", "mul multiply"},
        {"div", {2, 2}, {}, infer_fractions, primitive2<"div">, "divide true_divide", "true_divide"},
        {"pow", {2, 2}, {}, infer_i8_of_bool, primitive2<"pow">, "float_power", "pow"},
        {"atan2", {2, 2}, {}, infer_fractions, primitive2<"atan2">, "arctan2 atan2", "atan2 arctan2"},
        {"mod", {2, 2}, {}, infer_i8_of_bool, mod, "remainder mod divmod/1", "remainder"},
        {"floor_divide", {2, 2}, {}, infer_i8_of_bool, floor_divide, "floor_divide divmod/0", "floor_divide"},
        {"maximum", {2, 2}, {}, infer_numbers, primitive2<"maximum">, "maximum", "maximum"},
        {"minimum", {2, 2}, {}, infer_numbers, primitive2<"minimum">, "minimum", "minimum"},
        {"eq", {2, 2}, {}, infer_truths, comparison<"EQ">, "equal", "eq"},
        {"ne", {2, 2}, {}, infer_truths, comparison<"NE">, "not_equal", "ne not_equal"},
        {"lt", {2, 2}, {}, infer_truths, comparison<"LT">, "less", "lt less"},
        {"le", {2, 2}, {}, infer_truths, comparison<"LE">, "less_equal", "le less_equal"},
        {"gt", {2, 2}, {}, infer_truths, comparison<"GT">, "greater", "gt greater"},
        {"ge", {2, 2}, {}, infer_truths, comparison<"GE">, "greater_equal", "ge greater_equal"},
        {"logical_and", {2, 2}, {}, infer_truths, logical2<"and">, "logical_and", "logical_and"},
        {"logical_or", {2, 2}, {}, infer_truths, logical2<"or">, "logical_or", "logical_or"},
        {"logical_xor", {2, 2}, {}, infer_truths, logical2<"xor">, "logical_xor", "logical_xor"},
        {"logical_not", {1, 1}, {}, infer_truths, logical_not, "logical_not", "logical_not"},
        {"bitwise_and", {2, 2}, {}, infer_bits, primitive2<"and">, "bitwise_and", "bitwise_and"},
        {"bitwise_or", {2, 2}, {}, infer_bits, primitive2<"or">, "bitwise_or", "bitwise_or"},
        {"bitwise_xor", {2, 2}, {}, infer_bits, primitive2<"xor">, "bitwise_xor", "bitwise_xor"},
        {"left_shift", {2, 2}, {}, infer_shift, primitive2<"shift_left">, "left_shift", "bitwise_left_shift"},
        {"right_shift", {2, 2}, {}, infer_shift, right_shift, "right_shift", "bitwise_right_shift"},
        {"bitwise_not", {1, 1}, {}, infer_bits, primitive1<"not">, "invert", "bitwise_not"},
        {"where", {3, 3}, {}, infer_where, where},
    };
}

}  // namespace tilemeter::trace::internal
