// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/unary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/parallel.hpp"
#include "runtime/compute/remainder.hpp"
#include "runtime/compute/unary_loops.hpp"

namespace tilemeter::compute {

namespace {

using Function = double (*)(double x, const UnaryParameters& parameters);

double sigmoid(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

double softplus(double x, double beta, double threshold) {
    return x * beta > threshold ? x : std::log1p(std::exp(x * beta)) / beta;
}

// Winitzki's estimate, then Newton's steps on erf: two bring it to the last bits of a float.
double inverse_erf(double y) {
    if (std::abs(y) >= 1.0) return std::copysign(std::numeric_limits<double>::infinity(), y);
    constexpr double kA = 0.147;
    const double log_term = std::log1p(-y * y);
    const double half = 2.0 / (std::numbers::pi * kA) + log_term / 2.0;
    double x = std::copysign(std::sqrt(std::sqrt(half * half - log_term / kA) - half), y);
    for (int step = 0; step < 3; ++step) {
        x -= (std::erf(x) - y) * std::sqrt(std::numbers::pi) / 2.0 * std::exp(x * x);
    }
    return x;
}

double sign(double x) {
    return static_cast<double>(x > 0.0) - static_cast<double>(x < 0.0);
}

// For results beyond all floats, of which the library's function refuses the larger ones. REQUIRES: x >= 0.
double bessel_i(double order, double x) {
    constexpr double kBeyondFloats = 100;
    return x > kBeyondFloats ? std::numeric_limits<double>::infinity() : std::cyl_bessel_i(order, x);
}

// mode 0: as it is, 1: down, 2: towards zero.
double rounded(double x, double mode) {
    if (mode == 0.0) return x;
    return mode == 1.0 ? std::floor(x) : std::trunc(x);
}

// The series in 1/x of a large argument; smaller ones are stepped up to it, negative ones reflected.
double digamma(double x) {
    if (x <= 0.0 && x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();
    if (x < 0.0) return digamma(1.0 - x) - std::numbers::pi / std::tan(std::numbers::pi * x);
    double sum = 0.0;
    for (; x < 10.0; x += 1.0)
        sum -= 1.0 / x;
    const double square = 1.0 / (x * x);
    return sum + std::log(x) - 0.5 / x -
           square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square * (1.0 / 240))));
}

// The n-th derivative of digamma, n from 1: (-1)^(n+1) n! sum over k of (x + k)^-(n+1), the tail of the sum
// by Euler and Maclaurin.
double polygamma(double x, double n) {
    constexpr int kTerms = 30;
    double sum = 0.0;
    for (int k = 0; k < kTerms; ++k)
        sum += std::pow(x + k, -(n + 1.0));
    const double end = x + kTerms;
    sum += std::pow(end, -n) / n + 0.5 * std::pow(end, -(n + 1.0)) +
           (n + 1.0) / 12.0 * std::pow(end, -(n + 2.0)) -
           (n + 1.0) * (n + 2.0) * (n + 3.0) / 720.0 * std::pow(end, -(n + 4.0));
    return (std::fmod(n, 2.0) == 0.0 ? -1.0 : 1.0) * std::tgamma(n + 1.0) * sum;
}

// With beta 0.5 and eps -1e-6.
double xielu(double x, double alpha_p, double alpha_n) {
    if (x > 0.0) return alpha_p * x * x + 0.5 * x;
    return alpha_n * (std::expm1(std::min(x, -1e-6)) - x) + 0.5 * x;
}

// A negative eps stands for none.
double logit(double x, double eps) {
    const double kept = eps < 0.0 ? x : std::min(std::max(x, eps), 1.0 - eps);
    return std::log(kept / (1.0 - kept));
}

void rotate_pairs(const float* x, std::span<float> to) {
    for (std::size_t i = 0; i + 1 < to.size(); i += 2) {
        const float first = x[i];
        to[i] = -x[i + 1];
        to[i + 1] = first;
    }
}

struct UnaryRow {
    UnaryKind kind;
    std::string_view name;
    bool integers;
    Function function;
    void (*in_vectors)(const float*,
                       std::span<float>) = nullptr;  ///< where this folder has it for many elements
};

#define TILEMETER_OF_X [](double x, const UnaryParameters&) -> double
#define TILEMETER_OF_X_AND_P [](double x, const UnaryParameters& p) -> double

// In the order of UnaryKind.
// clang-format off
constexpr std::array<UnaryRow, kNumUnaryKinds> kUnaryRows = {{
    {UnaryKind::ABS, "ABS", true, TILEMETER_OF_X { return std::abs(x); }, abs_each},
    {UnaryKind::ACOS, "ACOS", false, TILEMETER_OF_X { return std::acos(x); }},
    {UnaryKind::ACOSH, "ACOSH", false, TILEMETER_OF_X { return std::acosh(x); }},
    {UnaryKind::ADD_UNARY_SFPU, "ADD_UNARY_SFPU", true, TILEMETER_OF_X_AND_P { return x + p[0]; }},
    {UnaryKind::ALT_COMPLEX_ROTATE90, "ALT_COMPLEX_ROTATE90", false, nullptr, rotate_pairs},
    {UnaryKind::ASIN, "ASIN", false, TILEMETER_OF_X { return std::asin(x); }},
    {UnaryKind::ASINH, "ASINH", false, TILEMETER_OF_X { return std::asinh(x); }},
    {UnaryKind::ATAN, "ATAN", false, TILEMETER_OF_X { return std::atan(x); }},
    {UnaryKind::ATANH, "ATANH", false, TILEMETER_OF_X { return std::atanh(x); }},
    {UnaryKind::BITWISE_AND, "BITWISE_AND", true, TILEMETER_OF_X_AND_P { return static_cast<double>(static_cast<std::int64_t>(x) & static_cast<std::int64_t>(p[0])); }},
    {UnaryKind::BITWISE_NOT, "BITWISE_NOT", true, TILEMETER_OF_X { return static_cast<double>(~static_cast<std::int64_t>(x)); }},
    {UnaryKind::BITWISE_OR, "BITWISE_OR", true, TILEMETER_OF_X_AND_P { return static_cast<double>(static_cast<std::int64_t>(x) | static_cast<std::int64_t>(p[0])); }},
    {UnaryKind::BITWISE_XOR, "BITWISE_XOR", true, TILEMETER_OF_X_AND_P { return static_cast<double>(static_cast<std::int64_t>(x) ^ static_cast<std::int64_t>(p[0])); }},
    {UnaryKind::CBRT, "CBRT", false, TILEMETER_OF_X { return std::cbrt(x); }},
    {UnaryKind::CEIL, "CEIL", false, TILEMETER_OF_X { return std::ceil(x); }},
    {UnaryKind::CELU, "CELU", false, TILEMETER_OF_X_AND_P { return x > 0.0 ? x : p[0] * std::expm1(x / p[0]); }},
    {UnaryKind::CLAMP_TSS, "CLAMP_TSS", true, TILEMETER_OF_X_AND_P { return std::min<double>(std::max<double>(x, p[0]), p[1]); }},
    {UnaryKind::COS, "COS", false, TILEMETER_OF_X { return std::cos(x); }},
    {UnaryKind::COSH, "COSH", false, TILEMETER_OF_X { return std::cosh(x); }},
    {UnaryKind::DEG2RAD, "DEG2RAD", false, TILEMETER_OF_X { return x * std::numbers::pi / 180.0; }},
    {UnaryKind::DIGAMMA, "DIGAMMA", false, TILEMETER_OF_X { return digamma(x); }},
    {UnaryKind::DIV_UNARY_SFPU, "DIV_UNARY_SFPU", false, TILEMETER_OF_X_AND_P { return x / p[0]; }},
    {UnaryKind::ELU, "ELU", false, TILEMETER_OF_X_AND_P { return x > 0.0 ? x : p[0] * std::expm1(x); }},
    {UnaryKind::EQZ, "EQZ", true, TILEMETER_OF_X { return x == 0.0; }},
    {UnaryKind::ERF, "ERF", false, TILEMETER_OF_X { return std::erf(x); }},
    {UnaryKind::ERFC, "ERFC", false, TILEMETER_OF_X { return std::erfc(x); }},
    {UnaryKind::ERFINV, "ERFINV", false, TILEMETER_OF_X { return inverse_erf(x); }},
    {UnaryKind::EXP, "EXP", false, TILEMETER_OF_X { return std::exp(x); }, exp_each},
    {UnaryKind::EXP2, "EXP2", false, TILEMETER_OF_X { return std::exp2(x); }},
    {UnaryKind::EXPM1, "EXPM1", false, TILEMETER_OF_X { return std::expm1(x); }},
    {UnaryKind::FILL, "FILL", true, TILEMETER_OF_X_AND_P { return static_cast<void>(x), p[0]; }},
    {UnaryKind::FLOOR, "FLOOR", false, TILEMETER_OF_X { return std::floor(x); }},
    {UnaryKind::FMOD, "FMOD", false, TILEMETER_OF_X_AND_P { return std::fmod(x, p[0]); }},
    {UnaryKind::FRAC, "FRAC", false, TILEMETER_OF_X { return x - std::trunc(x); }},
    {UnaryKind::GELU, "GELU", false, TILEMETER_OF_X { return x * 0.5 * std::erfc(-x / std::numbers::sqrt2); }, gelu_each},
    {UnaryKind::GELU_TANH, "GELU_TANH", false, TILEMETER_OF_X { return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x))); }, gelu_tanh_each},
    {UnaryKind::GEZ, "GEZ", true, TILEMETER_OF_X { return x >= 0.0; }},
    {UnaryKind::GTZ, "GTZ", true, TILEMETER_OF_X { return x > 0.0; }},
    {UnaryKind::HARDMISH, "HARDMISH", false, TILEMETER_OF_X { return x * std::clamp(x + 2.8, 0.0, 5.0) * 0.2; }},
    {UnaryKind::HARDSHRINK, "HARDSHRINK", false, TILEMETER_OF_X_AND_P { return std::abs(x) > p[0] ? x : 0.0; }},
    {UnaryKind::HARDSIGMOID, "HARDSIGMOID", false, TILEMETER_OF_X { return std::clamp(x / 6.0 + 0.5, 0.0, 1.0); }},
    {UnaryKind::HARDSWISH, "HARDSWISH", false, TILEMETER_OF_X { return x * std::clamp(x / 6.0 + 0.5, 0.0, 1.0); }},
    {UnaryKind::HARDTANH, "HARDTANH", false, TILEMETER_OF_X_AND_P { return std::min<double>(std::max<double>(x, p[0]), p[1]); }},
    {UnaryKind::HEAVISIDE, "HEAVISIDE", false, TILEMETER_OF_X_AND_P { return x == 0.0 ? p[0] : static_cast<double>(x > 0.0); }},
    {UnaryKind::I0, "I0", false, TILEMETER_OF_X { return bessel_i(0.0, std::abs(x)); }},
    {UnaryKind::I1, "I1", false, TILEMETER_OF_X { return std::copysign(bessel_i(1.0, std::abs(x)), x); }},
    {UnaryKind::IDENTITY, "IDENTITY", true, TILEMETER_OF_X { return x; }},
    {UnaryKind::ISFINITE, "ISFINITE", false, TILEMETER_OF_X { return std::isfinite(x); }},
    {UnaryKind::ISINF, "ISINF", false, TILEMETER_OF_X { return std::isinf(x); }},
    {UnaryKind::ISNAN, "ISNAN", false, TILEMETER_OF_X { return std::isnan(x); }},
    {UnaryKind::ISNEGINF, "ISNEGINF", false, TILEMETER_OF_X { return std::isinf(x) && x < 0.0; }},
    {UnaryKind::ISPOSINF, "ISPOSINF", false, TILEMETER_OF_X { return std::isinf(x) && x > 0.0; }},
    {UnaryKind::LEAKY_RELU, "LEAKY_RELU", true, TILEMETER_OF_X_AND_P { return x > 0.0 ? x : p[0] * x; }},
    {UnaryKind::LEFT_SHIFT, "LEFT_SHIFT", true, TILEMETER_OF_X_AND_P { return p[0] > 31.0 ? 0.0 : x * std::exp2(p[0]); }},
    {UnaryKind::LEZ, "LEZ", true, TILEMETER_OF_X { return x <= 0.0; }},
    {UnaryKind::LGAMMA, "LGAMMA", false, TILEMETER_OF_X { return std::lgamma(x); }},
    {UnaryKind::LOG, "LOG", false, TILEMETER_OF_X { return std::log(x); }},
    {UnaryKind::LOG10, "LOG10", false, TILEMETER_OF_X { return std::log10(x); }},
    {UnaryKind::LOG1P, "LOG1P", false, TILEMETER_OF_X { return std::log1p(x); }},
    {UnaryKind::LOG2, "LOG2", false, TILEMETER_OF_X { return std::log2(x); }},
    {UnaryKind::LOGICAL_NOT_UNARY, "LOGICAL_NOT_UNARY", true, TILEMETER_OF_X { return x == 0.0; }},
    {UnaryKind::LOGIT, "LOGIT", false, TILEMETER_OF_X_AND_P { return logit(x, p[0]); }},
    {UnaryKind::LOGSIGMOID, "LOGSIGMOID", false, TILEMETER_OF_X { return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x))); }},
    {UnaryKind::LTZ, "LTZ", true, TILEMETER_OF_X { return x < 0.0; }},
    {UnaryKind::MAC_TSS, "MAC_TSS", false, TILEMETER_OF_X_AND_P { return x * p[0] + p[1]; }},
    {UnaryKind::MAXIMUM, "MAXIMUM", true, TILEMETER_OF_X_AND_P { return std::max(x, p[0]); }},
    {UnaryKind::MINIMUM, "MINIMUM", true, TILEMETER_OF_X_AND_P { return std::min(x, p[0]); }},
    {UnaryKind::MISH, "MISH", false, TILEMETER_OF_X { return x * std::tanh(softplus(x, 1.0, 40.0)); }},
    {UnaryKind::MUL_UNARY_SFPU, "MUL_UNARY_SFPU", true, TILEMETER_OF_X_AND_P { return x * p[0]; }},
    {UnaryKind::NEG, "NEG", true, TILEMETER_OF_X { return -x; }, negative_each},
    {UnaryKind::NEZ, "NEZ", true, TILEMETER_OF_X { return x != 0.0; }},
    {UnaryKind::POLYGAMMA, "POLYGAMMA", false, TILEMETER_OF_X_AND_P { return polygamma(x, p[0]); }},
    {UnaryKind::POWER, "POWER", false, TILEMETER_OF_X_AND_P { return std::pow(x, p[0]); }},
    // The power by the whole part of an exponent that is not negative: TT-NN's kernel counts with it.
    {UnaryKind::POWER_ITERATIVE, "POWER_ITERATIVE", false, TILEMETER_OF_X_AND_P { return p[0] < 0 ? std::nan("") : std::pow(x, std::trunc(p[0])); }},
    {UnaryKind::PRELU_SFPU, "PRELU_SFPU", false, TILEMETER_OF_X_AND_P { return x > 0.0 ? x : p[0] * x; }},
    {UnaryKind::RAD2DEG, "RAD2DEG", false, TILEMETER_OF_X { return x * 180.0 / std::numbers::pi; }},
    {UnaryKind::RDIV, "RDIV", false, TILEMETER_OF_X_AND_P { return rounded(p[0] / x, p[1]); }},
    {UnaryKind::RECIP, "RECIP", false, TILEMETER_OF_X { return 1.0 / x; }, reciprocal_each},
    {UnaryKind::RELU, "RELU", true, TILEMETER_OF_X { return x > 0.0 ? x : 0.0; }, relu_each},
    {UnaryKind::RELU6, "RELU6", true, TILEMETER_OF_X { return std::clamp(x, 0.0, 6.0); }},
    {UnaryKind::RELU_MAX, "RELU_MAX", true, TILEMETER_OF_X_AND_P { return std::max(std::min<double>(x, p[0]), 0.0); }},
    {UnaryKind::RELU_MIN, "RELU_MIN", true, TILEMETER_OF_X_AND_P { return std::max<double>(x, p[0]); }},
    {UnaryKind::REMAINDER, "REMAINDER", true, TILEMETER_OF_X_AND_P { return remainder(x, p[0]); }},
    {UnaryKind::RIGHT_SHIFT, "RIGHT_SHIFT", true, TILEMETER_OF_X_AND_P { return std::floor(x * std::exp2(-p[0])); }},
    {UnaryKind::ROUND, "ROUND", false, TILEMETER_OF_X_AND_P { const double scale = std::pow(10.0, p[0]); return std::nearbyint(x * scale) / scale; }},
    {UnaryKind::RPOW, "RPOW", false, TILEMETER_OF_X_AND_P { return std::pow(p[0], x); }},
    {UnaryKind::RSQRT, "RSQRT", false, TILEMETER_OF_X { return 1.0 / std::sqrt(x); }, rsqrt_each},
    {UnaryKind::RSUB, "RSUB", true, TILEMETER_OF_X_AND_P { return p[0] - x; }},
    {UnaryKind::SELU, "SELU", false, TILEMETER_OF_X_AND_P { return p[0] * (x > 0.0 ? x : p[1] * std::expm1(x)); }},
    {UnaryKind::SIGMOID, "SIGMOID", false, TILEMETER_OF_X { return sigmoid(x); }, sigmoid_each},
    {UnaryKind::SIGN, "SIGN", true, TILEMETER_OF_X { return sign(x); }},
    {UnaryKind::SIGNBIT, "SIGNBIT", true, TILEMETER_OF_X { return std::signbit(x); }},
    {UnaryKind::SILU, "SILU", false, TILEMETER_OF_X { return x * sigmoid(x); }, silu_each},
    {UnaryKind::SIN, "SIN", false, TILEMETER_OF_X { return std::sin(x); }},
    {UnaryKind::SINH, "SINH", false, TILEMETER_OF_X { return std::sinh(x); }},
    {UnaryKind::SOFTCAP, "SOFTCAP", false, TILEMETER_OF_X_AND_P { return p[0] * std::tanh(x / p[0]); }},
    {UnaryKind::SOFTPLUS, "SOFTPLUS", false, TILEMETER_OF_X_AND_P { return softplus(x, p[0], p[1]); }},
    {UnaryKind::SOFTSHRINK, "SOFTSHRINK", false, TILEMETER_OF_X_AND_P { return sign(x) * std::max(std::abs(x) - p[0], 0.0); }},
    {UnaryKind::SOFTSIGN, "SOFTSIGN", false, TILEMETER_OF_X { return x / (1.0 + std::abs(x)); }},
    {UnaryKind::SQRT, "SQRT", false, TILEMETER_OF_X { return std::sqrt(x); }, sqrt_each},
    {UnaryKind::SQUARE, "SQUARE", true, TILEMETER_OF_X { return x * x; }, square_each},
    {UnaryKind::SUB_UNARY_SFPU, "SUB_UNARY_SFPU", true, TILEMETER_OF_X_AND_P { return x - p[0]; }},
    {UnaryKind::TAN, "TAN", false, TILEMETER_OF_X { return std::tan(x); }},
    {UnaryKind::TANH, "TANH", false, TILEMETER_OF_X { return std::tanh(x); }, tanh_each},
    {UnaryKind::TANHSHRINK, "TANHSHRINK", false, TILEMETER_OF_X { return x - std::tanh(x); }},
    {UnaryKind::THRESHOLD, "THRESHOLD", false, TILEMETER_OF_X_AND_P { return x > p[0] ? x : p[1]; }},
    {UnaryKind::TRUNC, "TRUNC", false, TILEMETER_OF_X { return std::trunc(x); }},
    {UnaryKind::UNARY_EQ, "UNARY_EQ", true, TILEMETER_OF_X_AND_P { return x == p[0]; }},
    {UnaryKind::UNARY_GE, "UNARY_GE", true, TILEMETER_OF_X_AND_P { return x >= p[0]; }},
    {UnaryKind::UNARY_GT, "UNARY_GT", true, TILEMETER_OF_X_AND_P { return x > p[0]; }},
    {UnaryKind::UNARY_LE, "UNARY_LE", true, TILEMETER_OF_X_AND_P { return x <= p[0]; }},
    {UnaryKind::UNARY_LT, "UNARY_LT", true, TILEMETER_OF_X_AND_P { return x < p[0]; }},
    {UnaryKind::UNARY_NE, "UNARY_NE", true, TILEMETER_OF_X_AND_P { return x != p[0]; }},
    {UnaryKind::XIELU, "XIELU", false, TILEMETER_OF_X_AND_P { return xielu(x, p[0], p[1]); }},
}};
// clang-format on
#undef TILEMETER_OF_X
#undef TILEMETER_OF_X_AND_P

constexpr bool unary_rows_in_order() {
    for (std::size_t i = 0; i < kUnaryRows.size(); ++i) {
        if (kUnaryRows[i].kind != static_cast<UnaryKind>(i)) return false;
    }
    return true;
}
static_assert(unary_rows_in_order());

const UnaryRow& row(UnaryKind kind) {
    return kUnaryRows[static_cast<std::size_t>(kind)];
}

// In additions, for each element.
constexpr std::uint64_t kStepsOfInstruction = 1;
constexpr std::uint64_t kStepsInVectors = 5;
constexpr std::uint64_t kStepsOfFunction = 32;

}  // namespace

std::string_view name_of(UnaryKind kind) {
    return row(kind).name;
}

bool takes_integers(UnaryKind kind) {
    return row(kind).integers;
}

std::uint64_t steps_of(UnaryKind kind) {
    switch (kind) {
        case UnaryKind::ABS:
        case UnaryKind::ALT_COMPLEX_ROTATE90:
        case UnaryKind::NEG:
        case UnaryKind::RECIP:
        case UnaryKind::RELU:
        case UnaryKind::SQUARE:
        case UnaryKind::SQRT:
            return kStepsOfInstruction;
        default:
            return row(kind).in_vectors != nullptr ? kStepsInVectors : kStepsOfFunction;
    }
}

void unary_each(UnaryKind kind, const UnaryParameters& parameters, const float* x, std::span<float> to) {
    if (to.empty()) return;
    const UnaryRow& found = row(kind);
    if (found.in_vectors != nullptr) return found.in_vectors(x, to);
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = static_cast<float>(found.function(x[i], parameters));
}

void unary_in_place(UnaryKind kind, const UnaryParameters& parameters, std::span<float> values) {
    unary_each(kind, parameters, values.data(), values);
}

std::vector<float> unary(UnaryKind kind, UnaryParameters parameters, std::span<const float> values) {
    std::vector<float> result(values.size());
    parallel_blocks(result.size(), 1, steps_of(kind), [&](std::uint64_t first, std::size_t count) {
        unary_each(kind, parameters, values.data() + first, std::span(result).subspan(first, count));
    });
    return result;
}

std::vector<std::int64_t> unary(UnaryKind kind, UnaryParameters parameters,
                                std::span<const std::int64_t> values) {
    std::vector<std::int64_t> result(values.size());
    // Double holds 32-bit integers exactly, not their squares.
    if (kind == UnaryKind::SQUARE) {
        std::transform(values.begin(), values.end(), result.begin(), [](std::int64_t x) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(x));
        });
        return result;
    }
    const UnaryRow& found = row(kind);
    std::transform(values.begin(), values.end(), result.begin(), [&](std::int64_t x) {
        return static_cast<std::int64_t>(found.function(static_cast<double>(x), parameters));
    });
    return result;
}

}  // namespace tilemeter::compute
