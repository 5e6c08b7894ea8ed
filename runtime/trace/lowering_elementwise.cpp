// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <numbers>

#include "runtime/trace/call_operations.hpp"
#include "runtime/trace/internal/call.hpp"

namespace tilemeter::trace::internal {

namespace {

// The operands as the result: of its elements and its shape.
ValueId as_result(const CallUse& use, std::size_t i) {
    return use.to.broadcast(use.to.convert(use[i], use.type.element), use.type.shape);
}

// The operands of a comparison or a logical operation, of an element type that both share.
ValueId as_common(const CallUse& use, std::size_t i) {
    const ElementType element = promoted(use.to.element(use[0]), use.to.element(use[1]));
    return use.to.broadcast(use.to.convert(use[i], element), use.type.shape);
}

struct Name {
    char text[24] = {};
    constexpr Name(const char* from) {  // NOLINT: a template argument is written as a string
        for (std::size_t i = 0; from[i] != '\0'; ++i)
            text[i] = from[i];
    }
};

template <Name kPrimitive>
ValueId primitive1(const CallUse& use) {
    return use.to.op(kPrimitive.text, {as_result(use, 0)});
}

template <Name kPrimitive>
ValueId primitive2(const CallUse& use) {
    return use.to.op(kPrimitive.text, {as_result(use, 0), as_result(use, 1)});
}

// Where the primitive is for numbers, bool has the logical operation.
template <Name kPrimitive, Name kForBools>
ValueId arithmetic(const CallUse& use) {
    return use.to.op(use.type.element == ElementType::kBool ? kForBools.text : kPrimitive.text,
                     {as_result(use, 0), as_result(use, 1)});
}

// What changes fractions only.
template <Name kPrimitive>
ValueId rounding(const CallUse& use) {
    return ir::is_float(use.type.element) ? primitive1<kPrimitive>(use) : use[0];
}

// Of integers whose common type is a float: exact, by the sign and as unsigned numbers.
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

ValueId sign(const CallUse& use) {
    if (ir::is_float(use.type.element) || ir::is_signed_integer(use.type.element))
        return primitive1<"sign">(use);
    return use.to.convert(use.to.truth(use[0]), use.type.element);
}

ValueId square(const CallUse& use) {
    return use.to.op(use.type.element == ElementType::kBool ? "and" : "mul", {use[0], use[0]});
}

// Not the larger of both, whose derivative at 0 is 1/2.
ValueId relu(const CallUse& use) {
    if (use.type.element == ElementType::kBool) return use[0];
    const ValueId zero = use.to.full(use.type, 0);
    return use.to.select(use.to.compare("LE", use[0], zero), zero, use[0]);
}

ValueId silu(const CallUse& use) {
    const ValueId x = as_result(use, 0);
    return use.to.mul(x, use.to.op("logistic", {x}));
}

// log(1 + exp(x)), that overflows nowhere. The smaller of x and -x is -|x|, and has derivative 0 at 0.
ValueId softplus(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId x = as_result(use, 0);
    const ValueId small = to.op("log1p", {to.op("exp", {to.op("minimum", {x, to.op("neg", {x})})})});
    return to.add(to.op("maximum", {x, to.full_like(x, 0)}), small);
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

// NumPy's quotient and remainder: rounded down, so that the remainder has the sign of the divisor.
ValueId mod(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId b = as_result(use, 1);
    const ValueId rest = to.op("rem", {as_result(use, 0), b});
    const ValueId zero = to.full(use.type, 0);
    const ValueId differs = to.op("xor", {to.compare("LT", rest, zero), to.compare("LT", b, zero)});
    const ValueId is_wrong = to.op("and", {differs, to.compare("NE", rest, zero)});
    return to.select(is_wrong, to.add(rest, b), rest);
}

ValueId floor_divide(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId a = as_result(use, 0);
    const ValueId b = as_result(use, 1);
    if (ir::is_float(use.type.element)) return to.op("floor", {to.div(a, b)});
    const ValueId quotient = to.div(a, b);
    const ValueId rest = to.sub(a, to.mul(quotient, b));
    const ValueId zero = to.full(use.type, 0);
    const ValueId differs = to.op("xor", {to.compare("LT", rest, zero), to.compare("LT", b, zero)});
    const ValueId is_wrong = to.op("and", {differs, to.compare("NE", rest, zero)});
    return to.select(is_wrong, to.sub(quotient, 1), quotient);
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

void infer_no_bool(const Site& site, Types& types) {
    infer_numbers(site, types);
    site.require(types.back().element != ElementType::kBool, ErrorKind::kElementTypeMismatch,
                 [&] { return "found operands of bool, expected numbers"; });
}

// Powers, quotients, remainders and shifts of bool are of i8, as NumPy has them.
void infer_i8_of_bool(const Site& site, Types& types) {
    infer_numbers(site, types);
    if (types.back().element == ElementType::kBool) types.back().element = ElementType::kI8;
}

void infer_shift(const Site& site, Types& types) {
    infer_i8_of_bool(site, types);
    site.require(!ir::is_float(types.back().element), ErrorKind::kElementTypeMismatch, [&] {
        return "found operands of " + std::string(ir::name_of(types.back().element)) +
               ", expected integers or bool";
    });
}

void infer_bits(const Site& site, Types& types) {
    infer_numbers(site, types);
    site.require(!ir::is_float(types.back().element), ErrorKind::kElementTypeMismatch, [&] {
        return "found operands of " + std::string(ir::name_of(types.back().element)) +
               ", expected integers or bool";
    });
}

}  // namespace

std::vector<CallDefinition> elementwise_calls() {
    const ir::AttributeRule dtype{"dtype", AttributeKind::kElementType};
    const ir::AttributeRule approximate{"approximate", AttributeKind::kString, false};
    return {
        {"exp", {1, 1}, {}, infer_fractions, primitive1<"exp">},
        {"expm1", {1, 1}, {}, infer_fractions, primitive1<"expm1">},
        {"log", {1, 1}, {}, infer_fractions, primitive1<"log">},
        {"log1p", {1, 1}, {}, infer_fractions, primitive1<"log1p">},
        {"sqrt", {1, 1}, {}, infer_fractions, primitive1<"sqrt">},
        {"rsqrt", {1, 1}, {}, infer_fractions, primitive1<"rsqrt">},
        {"cbrt", {1, 1}, {}, infer_fractions, primitive1<"cbrt">},
        {"sin", {1, 1}, {}, infer_fractions, primitive1<"sin">},
        {"cos", {1, 1}, {}, infer_fractions, primitive1<"cos">},
        {"tan", {1, 1}, {}, infer_fractions, primitive1<"tan">},
        {"tanh", {1, 1}, {}, infer_fractions, primitive1<"tanh">},
        {"erf", {1, 1}, {}, infer_fractions, primitive1<"erf">},
        {"erf_inv", {1, 1}, {}, infer_fractions, primitive1<"erf_inv">},
        {"lgamma", {1, 1}, {}, infer_fractions, primitive1<"lgamma">},
        {"digamma", {1, 1}, {}, infer_fractions, primitive1<"digamma">},
        {"sigmoid", {1, 1}, {}, infer_fractions, primitive1<"logistic">},
        {"silu", {1, 1}, {}, infer_fractions, silu},
        {"softplus", {1, 1}, {}, infer_fractions, softplus},
        {"gelu", {1, 1}, {approximate}, infer_gelu, gelu},
        {"reciprocal", {1, 1}, {}, infer_fractions, reciprocal},
        {"neg", {1, 1}, {}, infer_no_bool, primitive1<"neg">},
        {"abs", {1, 1}, {}, infer_numbers, absolute},
        {"square", {1, 1}, {}, infer_numbers, square},
        {"sign", {1, 1}, {}, infer_numbers, sign},
        {"floor", {1, 1}, {}, infer_numbers, rounding<"floor">},
        {"ceil", {1, 1}, {}, infer_numbers, rounding<"ceil">},
        {"round", {1, 1}, {}, infer_numbers, rounding<"round_even">},
        {"relu", {1, 1}, {}, infer_numbers, relu},
        {"identity", {1, 1}, {}, infer_numbers, identity},
        {"stop_gradient", {1, 1}, {}, infer_numbers, stop_gradient},
        {"convert", {1, 1}, {dtype}, infer_convert_call, convert},
        {"add", {2, 2}, {}, infer_numbers, arithmetic<"add", "or">},
        {"sub", {2, 2}, {}, infer_no_bool, primitive2<"sub">},
        {"mul", {2, 2}, {}, infer_numbers, arithmetic<"mul", "and">},
        {"div", {2, 2}, {}, infer_fractions, primitive2<"div">},
        {"pow", {2, 2}, {}, infer_i8_of_bool, primitive2<"pow">},
        {"atan2", {2, 2}, {}, infer_fractions, primitive2<"atan2">},
        {"mod", {2, 2}, {}, infer_i8_of_bool, mod},
        {"floor_divide", {2, 2}, {}, infer_i8_of_bool, floor_divide},
        {"maximum", {2, 2}, {}, infer_numbers, primitive2<"maximum">},
        {"minimum", {2, 2}, {}, infer_numbers, primitive2<"minimum">},
        {"eq", {2, 2}, {}, infer_truths, comparison<"EQ">},
        {"ne", {2, 2}, {}, infer_truths, comparison<"NE">},
        {"lt", {2, 2}, {}, infer_truths, comparison<"LT">},
        {"le", {2, 2}, {}, infer_truths, comparison<"LE">},
        {"gt", {2, 2}, {}, infer_truths, comparison<"GT">},
        {"ge", {2, 2}, {}, infer_truths, comparison<"GE">},
        {"logical_and", {2, 2}, {}, infer_truths, logical2<"and">},
        {"logical_or", {2, 2}, {}, infer_truths, logical2<"or">},
        {"logical_xor", {2, 2}, {}, infer_truths, logical2<"xor">},
        {"logical_not", {1, 1}, {}, infer_truths, logical_not},
        {"bitwise_and", {2, 2}, {}, infer_bits, primitive2<"and">},
        {"bitwise_or", {2, 2}, {}, infer_bits, primitive2<"or">},
        {"bitwise_xor", {2, 2}, {}, infer_bits, primitive2<"xor">},
        {"left_shift", {2, 2}, {}, infer_shift, primitive2<"shift_left">},
        {"right_shift", {2, 2}, {}, infer_shift, right_shift},
        {"bitwise_not", {1, 1}, {}, infer_bits, primitive1<"not">},
        {"where", {3, 3}, {}, infer_where, where},
    };
}

}  // namespace tilemeter::trace::internal
