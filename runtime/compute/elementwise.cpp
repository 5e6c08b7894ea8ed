// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/elementwise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/remainder.hpp"
#include "runtime/types/vectorized.hpp"

namespace tilemeter::compute {

namespace {

using Real = double (*)(double a, double b);
using Integer = std::int64_t (*)(std::int64_t a, std::int64_t b);

std::int64_t wrapped(std::uint64_t bits) {
    return static_cast<std::int64_t>(bits);
}
std::uint64_t bits(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

double log_add_exp(double a, double b) {
    const double larger = std::max(a, b);
    if (std::isinf(larger)) return larger;
    return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

double gelu(double x) {
    return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double xlogy(double a, double b) {
    if (std::isnan(b)) return b;
    return a == 0.0 ? 0.0 : a * std::log(b);
}

std::int64_t remainder_of_integers(std::int64_t a, std::int64_t b) {
    if (b == 0) return 0;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::int64_t floor_of_quotient(std::int64_t a, std::int64_t b) {
    return b == 0 ? 0 : (a - remainder_of_integers(a, b)) / b;
}

// Shifts by as many bits as there are, or more, leave nothing of a 32-bit number but its sign.
std::int64_t shifted_right(std::int64_t a, std::int64_t b) {
    return b < 0 || b > 31 ? (a < 0 ? -1 : 0) : a >> b;
}
std::int64_t shifted_left(std::int64_t a, std::int64_t b) {
    return b < 0 || b > 31 ? 0 : wrapped(bits(a) << bits(b));
}
std::int64_t filled_with_zeros(std::int64_t a, std::int64_t b) {
    return b < 0 || b > 31 ? 0 : std::int64_t{static_cast<std::uint32_t>(bits(a)) >> bits(b)};
}

struct BinaryRow {
    BinaryKind kind;
    std::string_view name;
    Real of_reals;
    Integer of_integers = nullptr;  ///< null: as of reals
};

// clang-format off
#define TILEMETER_REALS(expression) [](double a, double b) -> double { return expression; }
#define TILEMETER_INTEGERS(expression) [](std::int64_t a, std::int64_t b) -> std::int64_t { return expression; }
// Integers have at most 32 bits: products fit as unsigned, the caller keeps their lower bits.
constexpr std::array<BinaryRow, kNumBinaryKinds> kBinaryRows = {{
    {BinaryKind::kAdd, "ADD", TILEMETER_REALS(a + b), TILEMETER_INTEGERS(a + b)},
    {BinaryKind::kSubtract, "SUB", TILEMETER_REALS(a - b), TILEMETER_INTEGERS(a - b)},
    {BinaryKind::kMultiply, "MUL", TILEMETER_REALS(a * b), TILEMETER_INTEGERS(wrapped(bits(a) * bits(b)))},
    {BinaryKind::kDivide, "DIV", TILEMETER_REALS(a / b), TILEMETER_INTEGERS(b == 0 ? 0 : a / b)},
    {BinaryKind::kEqual, "EQ", TILEMETER_REALS(a == b), TILEMETER_INTEGERS(a == b)},
    {BinaryKind::kNotEqual, "NE", TILEMETER_REALS(a != b), TILEMETER_INTEGERS(a != b)},
    {BinaryKind::kGreater, "GT", TILEMETER_REALS(a > b), TILEMETER_INTEGERS(a > b)},
    {BinaryKind::kGreaterOrEqual, "GE", TILEMETER_REALS(a >= b), TILEMETER_INTEGERS(a >= b)},
    {BinaryKind::kLess, "LT", TILEMETER_REALS(a < b), TILEMETER_INTEGERS(a < b)},
    {BinaryKind::kLessOrEqual, "LE", TILEMETER_REALS(a <= b), TILEMETER_INTEGERS(a <= b)},
    {BinaryKind::kMaximum, "MAXIMUM", TILEMETER_REALS(std::max(a, b)), TILEMETER_INTEGERS(std::max(a, b))},
    {BinaryKind::kMinimum, "MINIMUM", TILEMETER_REALS(std::min(a, b)), TILEMETER_INTEGERS(std::min(a, b))},
    {BinaryKind::kReverseSubtract, "RSUB", TILEMETER_REALS(b - a), TILEMETER_INTEGERS(b - a)},
    {BinaryKind::kSquaredDifference, "SQUARED_DIFFERENCE", TILEMETER_REALS((a - b) * (a - b)),
     TILEMETER_INTEGERS(wrapped(bits(a - b) * bits(a - b)))},
    {BinaryKind::kLogicalAnd, "LOGICAL_AND", TILEMETER_REALS(a != 0.0 && b != 0.0), TILEMETER_INTEGERS(a != 0 && b != 0)},
    {BinaryKind::kLogicalOr, "LOGICAL_OR", TILEMETER_REALS(a != 0.0 || b != 0.0), TILEMETER_INTEGERS(a != 0 || b != 0)},
    {BinaryKind::kLogicalXor, "LOGICAL_XOR", TILEMETER_REALS((a != 0.0) != (b != 0.0)),
     TILEMETER_INTEGERS((a != 0) != (b != 0))},
    {BinaryKind::kLogAddExp, "LOGADDEXP", log_add_exp},
    {BinaryKind::kLogAddExp2, "LOGADDEXP2",
     TILEMETER_REALS(log_add_exp(a * std::numbers::ln2, b * std::numbers::ln2) / std::numbers::ln2)},
    {BinaryKind::kLdexp, "LDEXP", TILEMETER_REALS(a * std::exp2(b))},
    {BinaryKind::kBiasGelu, "BIAS_GELU", TILEMETER_REALS(gelu(a + b))},
    {BinaryKind::kHypot, "HYPOT", TILEMETER_REALS(std::hypot(a, b))},
    {BinaryKind::kXlogy, "XLOGY", xlogy},
    {BinaryKind::kAtan2, "ATAN2", TILEMETER_REALS(std::atan2(a, b))},
    {BinaryKind::kFmod, "FMOD", TILEMETER_REALS(std::fmod(a, b)), TILEMETER_INTEGERS(b == 0 ? 0 : a % b)},
    {BinaryKind::kRemainder, "REMAINDER", remainder, remainder_of_integers},
    {BinaryKind::kPower, "POWER", TILEMETER_REALS(std::pow(a, b))},
    {BinaryKind::kNextAfter, "NEXTAFTER",
     TILEMETER_REALS(static_cast<double>(std::nextafter(static_cast<float>(a), static_cast<float>(b))))},
    {BinaryKind::kIsClose, "ISCLOSE", nullptr},  // by its parameters
    {BinaryKind::kDivideFloor, "DIV_FLOOR", TILEMETER_REALS(std::floor(a / b)), floor_of_quotient},
    {BinaryKind::kDivideTrunc, "DIV_TRUNC", TILEMETER_REALS(std::trunc(a / b)), TILEMETER_INTEGERS(b == 0 ? 0 : a / b)},
    {BinaryKind::kGcd, "GCD", nullptr, TILEMETER_INTEGERS(std::gcd(a, b))},
    {BinaryKind::kLcm, "LCM", nullptr, TILEMETER_INTEGERS(std::lcm(a, b))},
    {BinaryKind::kBitwiseAnd, "BITWISE_AND", nullptr, TILEMETER_INTEGERS(wrapped(bits(a) & bits(b)))},
    {BinaryKind::kBitwiseOr, "BITWISE_OR", nullptr, TILEMETER_INTEGERS(wrapped(bits(a) | bits(b)))},
    {BinaryKind::kBitwiseXor, "BITWISE_XOR", nullptr, TILEMETER_INTEGERS(wrapped(bits(a) ^ bits(b)))},
    {BinaryKind::kLeftShift, "LEFT_SHIFT", nullptr, shifted_left},
    {BinaryKind::kRightShift, "RIGHT_SHIFT", nullptr, shifted_right},
    {BinaryKind::kLogicalRightShift, "LOGICAL_RIGHT_SHIFT", nullptr, filled_with_zeros},
}};
#undef TILEMETER_REALS
#undef TILEMETER_INTEGERS
// clang-format on

constexpr bool binary_rows_in_order() {
    for (std::size_t i = 0; i < kBinaryRows.size(); ++i) {
        if (kBinaryRows[i].kind != static_cast<BinaryKind>(i)) return false;
    }
    return true;
}
static_assert(binary_rows_in_order());

const BinaryRow& row(BinaryKind kind) {
    return kBinaryRows[static_cast<std::size_t>(kind)];
}

bool is_close(double a, double b, const BinaryParameters& parameters) {
    if (std::isnan(a) || std::isnan(b)) return parameters.equal_nan && std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <=
           static_cast<double>(parameters.atol) + static_cast<double>(parameters.rtol) * std::abs(b);
}

double of_reals(const BinaryRow& kind, double a, double b, const BinaryParameters& parameters) {
    if (kind.kind == BinaryKind::kIsClose) return is_close(a, b, parameters) ? 1.0 : 0.0;
    if (kind.of_reals != nullptr) return kind.of_reals(a, b);
    return static_cast<double>(kind.of_integers(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
}

// Functions that are one instruction of the processor, for as many elements as a vector has.
// clang-format off
#define TILEMETER_LOOP(name, expression)                                                                       \
    TILEMETER_VECTORIZED void name(const float* left, const float* right, float* to, std::size_t count) {      \
        for (std::size_t i = 0; i < count; ++i) {                                                              \
            const float a = left[i];                                                                           \
            const float b = right[i];                                                                          \
            to[i] = expression;                                                                                \
        }                                                                                                      \
    }
TILEMETER_LOOP(add_each, a + b)
TILEMETER_LOOP(subtract_each, a - b)
TILEMETER_LOOP(subtract_from_each, b - a)
TILEMETER_LOOP(multiply_each, a* b)
TILEMETER_LOOP(divide_each, a / b)
TILEMETER_LOOP(equal_each, a == b ? 1.0F : 0.0F)
TILEMETER_LOOP(not_equal_each, a != b ? 1.0F : 0.0F)
TILEMETER_LOOP(greater_each, a > b ? 1.0F : 0.0F)
TILEMETER_LOOP(greater_or_equal_each, a >= b ? 1.0F : 0.0F)
TILEMETER_LOOP(less_each, a < b ? 1.0F : 0.0F)
TILEMETER_LOOP(less_or_equal_each, a <= b ? 1.0F : 0.0F)
TILEMETER_LOOP(maximum_each, a > b ? a : b)
TILEMETER_LOOP(minimum_each, a < b ? a : b)
#undef TILEMETER_LOOP
// clang-format on

using Loop = void (*)(const float*, const float*, float*, std::size_t);

// Null: element by element, in double precision.
Loop loop_of(BinaryKind kind) {
    switch (kind) {
        case BinaryKind::kAdd:
            return add_each;
        case BinaryKind::kSubtract:
            return subtract_each;
        case BinaryKind::kReverseSubtract:
            return subtract_from_each;
        case BinaryKind::kMultiply:
            return multiply_each;
        case BinaryKind::kDivide:
            return divide_each;
        case BinaryKind::kEqual:
            return equal_each;
        case BinaryKind::kNotEqual:
            return not_equal_each;
        case BinaryKind::kGreater:
            return greater_each;
        case BinaryKind::kGreaterOrEqual:
            return greater_or_equal_each;
        case BinaryKind::kLess:
            return less_each;
        case BinaryKind::kLessOrEqual:
            return less_or_equal_each;
        case BinaryKind::kMaximum:
            return maximum_each;
        case BinaryKind::kMinimum:
            return minimum_each;
        default:
            return nullptr;
    }
}

}  // namespace

std::string_view name_of(BinaryKind kind) {
    return row(kind).name;
}

std::uint64_t steps_of(BinaryKind kind) {
    constexpr std::uint64_t kStepsOfFunction = 32;
    return loop_of(kind) != nullptr ? 1 : kStepsOfFunction;
}

void binary_each(BinaryKind kind, const float* a, const float* b, std::span<float> to,
                 const BinaryParameters& parameters) {
    if (const Loop loop = loop_of(kind)) return loop(a, b, to.data(), to.size());
    const BinaryRow& found = row(kind);
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = static_cast<float>(of_reals(found, a[i], b[i], parameters));
}

TILEMETER_VECTORIZED void choose_each(const float* condition, const float* when_true, const float* when_false,
                                      std::span<float> to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        const float one = when_true[i], other = when_false[i];
        to[i] = condition[i] == 0.0F ? other : one;
    }
}

std::vector<float> binary(BinaryKind kind, std::span<const float> a, const Shape& a_shape,
                          std::span<const float> b, const Shape& b_shape, const Shape& out,
                          const BinaryParameters& parameters) {
    std::vector<float> result(out.volume());
    if (result.empty()) return result;
    std::vector<float> repeated_a, repeated_b;
    const auto whole = [&](std::span<const float> values, const Shape& shape, std::vector<float>& repeated) {
        if (values.size() == result.size()) return values.data();
        repeated = broadcast_to(values, shape, out);
        return static_cast<const float*>(repeated.data());
    };
    const float* const left = whole(a, a_shape, repeated_a);
    const float* const right = whole(b, b_shape, repeated_b);
    parallel_blocks(result.size(), 1, steps_of(kind), [&](std::uint64_t first, std::size_t count) {
        binary_each(kind, left + first, right + first, std::span(result).subspan(first, count), parameters);
    });
    return result;
}

std::vector<std::int64_t> binary(BinaryKind kind, std::span<const std::int64_t> a, const Shape& a_shape,
                                 std::span<const std::int64_t> b, const Shape& b_shape, const Shape& out,
                                 const BinaryParameters& parameters) {
    const BinaryRow& found = row(kind);
    std::vector<std::int64_t> result(out.volume());
    const std::vector<std::uint64_t> left = broadcast_sources(a_shape, out);
    const std::vector<std::uint64_t> right = broadcast_sources(b_shape, out);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t x = a[left[i]];
        const std::int64_t y = b[right[i]];
        result[i] = found.of_integers != nullptr
                        ? found.of_integers(x, y)
                        : static_cast<std::int64_t>(
                              of_reals(found, static_cast<double>(x), static_cast<double>(y), parameters));
    }
    return result;
}

}  // namespace tilemeter::compute
