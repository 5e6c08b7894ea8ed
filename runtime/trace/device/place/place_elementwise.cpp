// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives of one element of each operand, and random bits, which are made of them.

#include <array>

#include "runtime/trace/device/place/place_rule.hpp"

namespace tilemeter::trace::placement {

namespace {

// Bools are 1 or 0 in the dtype of what was compared: beside each other they take one dtype.
void make_alike(Calls& to, const Value& like, Value& other) {
    other = to.typecast(other, like.tensor.dtype());
}

// Both operands, at least one of them with its whole shape.
std::array<Value, 2> operands(Use& use) {
    Value a = use.spread(0);
    Value b = use.spread(1);
    const Shape whole = Calls::shape_of(use.shape(0));
    if (a.shape() != whole && b.shape() != whole) a = use[0];
    make_alike(use.to, a, b);
    return {a, b};
}

template <const auto* kFunction>
void unary(Use& use, Values& results) {
    results.push_back(use.to.unary(*kFunction, use[0]));
}

template <const auto* kFunction>
void binary(Use& use, Values& results) {
    if constexpr (!std::is_same_v<decltype(kFunction), const BinaryOfTensors*>) {
        if (const auto b = use.number(1)) {
            results.push_back(use.to.binary(*kFunction, use[0], *b));
            return;
        }
    }
    if constexpr (std::is_same_v<decltype(kFunction), const NumberFirstBinaryFunction*>) {
        if (const auto a = use.number(0)) {
            results.push_back(use.to.binary(*kFunction, *a, use[1]));
            return;
        }
    }
    const auto [a, b] = operands(use);
    results.push_back(use.to.binary(*kFunction, a, b));
}

// Bools have another call than numbers.
template <const auto* kFunction, const auto* kOfBools>
void binary_or_logical(Use& use, Values& results) {
    if (use.type(0).element == ElementType::kBool)
        binary<kOfBools>(use, results);
    else
        binary<kFunction>(use, results);
}

void power(Use& use, Values& results) {
    if (const auto exponent = use.number(1)) {
        results.push_back(use.to.power(use[0], *exponent));
        return;
    }
    const auto [a, b] = operands(use);
    results.push_back(use.to.binary(tilemeter::pow, a, b));
}

// TT-NN's quotients by 0 are 0, StableHLO's have all bits set.
void divide(Use& use, Values& results) {
    if (ir::is_float(use.type(0).element)) return binary<&tilemeter::divide>(use, results);
    const Value a = use[0];
    const Value b = use[1];
    const Value quotient = use.to.truncated_quotient(a, b);
    results.push_back(use.to.subtract(quotient, use.to.binary(tilemeter::eq, b, 0.0)));
}

// TT-NN's remainders of division by 0 are 0, StableHLO's the dividend.
void rem(Use& use, Values& results) {
    if (ir::is_float(use.type(0).element)) return binary<&tilemeter::fmod>(use, results);
    const Value a = use[0];
    const Value b = use[1];
    const Value rest = use.type(0).element == ElementType::kU32 ? use.to.binary(tilemeter::remainder, a, b)
                                                                : use.to.binary(tilemeter::fmod, a, b);
    results.push_back(use.to.add(rest, use.to.multiply(a, use.to.binary(tilemeter::eq, b, 0.0))));
}

void neg(Use& use, Values& results) {
    results.push_back(use.type(0).element == ElementType::kU32
                          ? use.to.binary(tilemeter::subtract, 0.0, use[0])
                          : use.to.unary(tilemeter::neg, use[0]));
}

void sign(Use& use, Values& results) {
    const Value x = use[0];
    results.push_back(ir::is_float(use.type(0).element) ? use.to.unary(tilemeter::sign, x)
                                                        : use.to.subtract(use.to.unary(tilemeter::gtz, x),
                                                                          use.to.unary(tilemeter::ltz, x)));
}

void bitwise_not(Use& use, Values& results) {
    results.push_back(use.type(0).element == ElementType::kBool
                          ? use.to.unary(tilemeter::logical_not, use[0])
                          : use.to.unary(tilemeter::bitwise_not, use[0]));
}

void round_even(Use& use, Values& results) {
    results.push_back(use.to.round(use[0]));
}

// The whole part, and one more where at least a half is left: both exact.
void round_away(Use& use, Values& results) {
    Calls& to = use.to;
    const Value x = use[0];
    const Value whole = to.unary(tilemeter::trunc, x);
    const Value rest = to.unary(tilemeter::abs, to.subtract(x, whole));
    const Value step = to.binary(tilemeter::ge, rest, 0.5);
    results.push_back(to.add(whole, to.multiply(to.unary(tilemeter::sign, x), step)));
}

// StableHLO shifts the sign in, of unsigned numbers too.
void shift_right_arithmetic(Use& use, Values& results) {
    if (use.type(0).element != ElementType::kU32)
        return binary<&tilemeter::bitwise_right_shift>(use, results);
    Calls& to = use.to;
    const Value shifted = to.binary(tilemeter::bitwise_right_shift, to.bitcast(use[0], DataType::INT32),
                                    to.bitcast(use[1], DataType::INT32));
    results.push_back(to.bitcast(shifted, DataType::UINT32));
}

// The relation, and the one that says the same of exchanged operands.
template <const auto* kRelation, const auto* kMirrored>
void relation(Use& use, Values& results) {
    if (const auto a = use.number(0); a && !use.number(1))
        results.push_back(use.to.binary(*kMirrored, use[1], *a));
    else
        binary<kRelation>(use, results);
}

void compare(Use& use, Values& results) {
    const auto& direction = use.attributes().get<std::string>("direction");
    if (direction == "EQ") return relation<&tilemeter::eq, &tilemeter::eq>(use, results);
    if (direction == "NE") return relation<&tilemeter::ne, &tilemeter::ne>(use, results);
    if (direction == "LT") return relation<&tilemeter::lt, &tilemeter::gt>(use, results);
    if (direction == "LE") return relation<&tilemeter::le, &tilemeter::ge>(use, results);
    if (direction == "GT") return relation<&tilemeter::gt, &tilemeter::lt>(use, results);
    relation<&tilemeter::ge, &tilemeter::le>(use, results);
}

void select(Use& use, Values& results) {
    Calls& to = use.to;
    Value predicate = use.spread(0);
    const bool is_float = ir::is_float(use.type(1).element);
    const auto a = is_float ? use.number(1) : std::nullopt;
    const auto b = is_float ? use.number(2) : std::nullopt;
    if (a || b) {
        // Beside numbers the condition has the dtype and the shape of what is chosen.
        predicate = to.typecast(predicate, to.dtype_of(use.result().element));
        if (a && b)
            results.push_back(to.where(use.shape(0) == use.result().shape ? use[0] : predicate, *a, *b));
        else
            results.push_back(a ? to.where(predicate, *a, use[2]) : to.where(predicate, use[1], *b));
        return;
    }
    const Value first = use.spread(1);
    Value second = use.spread(2);
    make_alike(to, first, second);
    const Shape whole = Calls::shape_of(use.result().shape);
    const bool is_covered = predicate.shape() == whole || first.shape() == whole || second.shape() == whole;
    results.push_back(to.where(predicate, is_covered ? first : use[1], second));
}

void clamp(Use& use, Values& results) {
    const auto low = use.number(0);
    const auto high = use.number(2);
    Value x = use[1];
    x = low ? use.to.binary(tilemeter::maximum, x, *low)
            : use.to.binary(tilemeter::maximum, x, use.spread(0));
    x = high ? use.to.binary(tilemeter::minimum, x, *high)
             : use.to.binary(tilemeter::minimum, x, use.spread(2));
    results.push_back(x);
}

void convert(Use& use, Values& results) {
    const bool to_bool = use.result().element == ElementType::kBool;
    if (to_bool && use.type(0).element != ElementType::kBool)
        results.push_back(use.to.binary(tilemeter::ne, use[0], 0.0));
    else
        results.push_back(to_bool ? use[0] : use.to.typecast(use[0], use.to.dtype_of(use.result().element)));
}

void copy(Use& use, Values& results) {
    results.push_back(use[0]);
}

void bitcast(Use& use, Values& results) {
    results.push_back(use.to.bitcast(use[0], use.to.dtype_of(use.result().element)));
}

// Twenty rounds of additions, rotations and exclusive ors.
void threefry2x32(Use& use, Values& results) {
    static constexpr std::array<std::array<int, 4>, 2> kRotations = {{{13, 15, 26, 6}, {17, 29, 16, 24}}};
    constexpr std::int64_t kParity = 0x1BD11BDA;
    Calls& to = use.to;
    const auto exclusive_or = [&](const Value& a, const Value& b) {
        return to.binary(tilemeter::bitwise_xor, a, b);
    };
    const Value parity = to.integers({kParity}, {1}, DataType::UINT32);
    const Value first = use[0];
    const Value second = use[1];
    const std::array<Value, 3> keys = {first, second, exclusive_or(exclusive_or(first, second), parity)};
    Value x = to.add(use[2], first);
    Value y = to.add(use[3], second);
    for (std::size_t round = 0; round < 5; ++round) {
        for (const int rotation : kRotations[round % 2]) {
            x = to.add(x, y);
            const Value left = to.binary(tilemeter::bitwise_left_shift, y, static_cast<double>(rotation));
            const Value right =
                to.binary(tilemeter::bitwise_right_shift, y, static_cast<double>(32 - rotation));
            y = exclusive_or(to.binary(tilemeter::bitwise_or, left, right), x);
        }
        x = to.add(x, keys[(round + 1) % 3]);
        y = to.binary(tilemeter::add, to.add(y, keys[(round + 2) % 3]), static_cast<double>(round + 1));
    }
    results = {x, y};
}

constexpr NamedRule kElementwiseRules[] = {
    {"exp", kFloats, unary<&tilemeter::exp>},
    {"expm1", kFloats, unary<&tilemeter::expm1>},
    {"log", kFloats, unary<&tilemeter::log>},
    {"log1p", kFloats, unary<&tilemeter::log1p>},
    {"sqrt", kFloats, unary<&tilemeter::sqrt>},
    {"rsqrt", kFloats, unary<&tilemeter::rsqrt>},
    {"cbrt", kFloats, unary<&tilemeter::cbrt>},
    {"sin", kFloats, unary<&tilemeter::sin>},
    {"cos", kFloats, unary<&tilemeter::cos>},
    {"tan", kFloats, unary<&tilemeter::tan>},
    {"tanh", kFloats, unary<&tilemeter::tanh>},
    {"logistic", kFloats, unary<&tilemeter::sigmoid>},
    {"erf", kFloats, unary<&tilemeter::erf>},
    {"erf_inv", kFloats, unary<&tilemeter::erfinv>},
    {"lgamma", kFloats, unary<&tilemeter::lgamma>},
    {"digamma", kFloats, unary<&tilemeter::digamma>},
    {"atan2", kFloats, binary<&tilemeter::atan2>},
    {"pow", kFloats, power},
    {"sign", kFloats | kSigned, sign},
    {"floor", kFloats, unary<&tilemeter::floor>},
    {"ceil", kFloats, unary<&tilemeter::ceil>},
    {"round_even", kFloats, round_even},
    {"round_away", kFloats, round_away},
    {"is_finite", kFloats, unary<&tilemeter::isfinite>},
    {"not", kIntegers | kBools, bitwise_not},
    {"neg", kNumbers, neg},
    {"add", kNumbers, binary<&tilemeter::add>},
    {"sub", kNumbers, binary<&tilemeter::subtract>},
    {"mul", kNumbers, binary<&tilemeter::multiply>},
    {"div", kFloats | kSigned, divide},
    {"rem", kNumbers, rem},
    {"maximum", kAll, binary_or_logical<&tilemeter::maximum, &tilemeter::logical_or>},
    {"minimum", kAll, binary_or_logical<&tilemeter::minimum, &tilemeter::logical_and>},
    {"abs", kFloats | kSigned, unary<&tilemeter::abs>},
    {"and", kIntegers | kBools, binary_or_logical<&tilemeter::bitwise_and, &tilemeter::logical_and>},
    {"or", kIntegers | kBools, binary_or_logical<&tilemeter::bitwise_or, &tilemeter::logical_or>},
    {"xor", kIntegers | kBools, binary_or_logical<&tilemeter::bitwise_xor, &tilemeter::logical_xor>},
    {"shift_left", kIntegers, binary<&tilemeter::bitwise_left_shift>},
    {"shift_right_logical", kIntegers, binary<&tilemeter::logical_right_shift>},
    {"shift_right_arithmetic", kIntegers, shift_right_arithmetic},
    {"compare", kAll, compare},
    {"select", kBools, select},
    {"clamp", kNumbers, clamp},
    {"convert", kAll, convert},
    {"bitcast_convert", kNumbers, bitcast},
    {"copy", kAll, copy},
    {"threefry2x32", kUnsigned, threefry2x32},
};

}  // namespace

std::span<const NamedRule> elementwise_rules() {
    return kElementwiseRules;
}

}  // namespace tilemeter::trace::placement
