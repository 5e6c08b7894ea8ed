// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise functions of one operand on the host.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tilemeter::compute {

/// Named as TT-NN's UnaryOpType.
enum class UnaryKind : std::uint8_t {
    ABS,
    ACOS,
    ACOSH,
    ADD_UNARY_SFPU,
    ALT_COMPLEX_ROTATE90,  ///< of pairs of neighbours: (a, b) becomes (-b, a)
    ASIN,
    ASINH,
    ATAN,
    ATANH,
    BITWISE_AND,
    BITWISE_NOT,
    BITWISE_OR,
    BITWISE_XOR,
    CBRT,
    CEIL,
    CELU,
    CLAMP_TSS,
    COS,
    COSH,
    DEG2RAD,
    DIGAMMA,
    DIV_UNARY_SFPU,
    ELU,
    EQZ,
    ERF,
    ERFC,
    ERFINV,
    EXP,
    EXP2,
    EXPM1,
    FILL,
    FLOOR,
    FMOD,
    FRAC,
    GELU,
    GELU_TANH,
    GEZ,
    GTZ,
    HARDMISH,
    HARDSHRINK,
    HARDSIGMOID,
    HARDSWISH,
    HARDTANH,
    HEAVISIDE,
    I0,
    I1,
    IDENTITY,
    ISFINITE,
    ISINF,
    ISNAN,
    ISNEGINF,
    ISPOSINF,
    LEAKY_RELU,
    LEFT_SHIFT,
    LEZ,
    LGAMMA,
    LOG,
    LOG10,
    LOG1P,
    LOG2,
    LOGICAL_NOT_UNARY,
    LOGIT,
    LOGSIGMOID,
    LTZ,
    MAC_TSS,
    MAXIMUM,
    MINIMUM,
    MISH,
    MUL_UNARY_SFPU,
    NEG,
    NEZ,
    POLYGAMMA,
    POWER,
    POWER_ITERATIVE,
    PRELU_SFPU,
    RAD2DEG,
    RDIV,
    RECIP,
    RELU,
    RELU6,
    RELU_MAX,
    RELU_MIN,
    REMAINDER,
    RIGHT_SHIFT,
    ROUND,
    RPOW,
    RSQRT,
    RSUB,
    SELU,
    SIGMOID,
    SIGN,
    SIGNBIT,
    SILU,
    SIN,
    SINH,
    SOFTCAP,
    SOFTPLUS,
    SOFTSHRINK,
    SOFTSIGN,
    SQRT,
    SQUARE,
    SUB_UNARY_SFPU,
    TAN,
    TANH,
    TANHSHRINK,
    THRESHOLD,
    TRUNC,
    UNARY_EQ,
    UNARY_GE,
    UNARY_GT,
    UNARY_LE,
    UNARY_LT,
    UNARY_NE,
    XIELU
};
inline constexpr std::size_t kNumUnaryKinds = static_cast<std::size_t>(UnaryKind::XIELU) + 1;

/// The numbers that some kinds take beside the element: limits, slopes, an exponent; unused ones are 0.
using UnaryParameters = std::array<double, 2>;

std::string_view name_of(UnaryKind kind);  ///< "RELU"

/// True for kinds that are defined on integers; the others need floating point.
bool takes_integers(UnaryKind kind);

/// The cost for an element, in additions.
std::uint64_t steps_of(UnaryKind kind);

/// to[i] becomes the function of x[i], in the calling thread. `x` may be `to.data()`, and shares nothing with `to` else.
void unary_each(UnaryKind kind, const UnaryParameters& parameters, const float* x, std::span<float> to);

/// unary_each() of what `values` hold.
void unary_in_place(UnaryKind kind, const UnaryParameters& parameters, std::span<float> values);

std::vector<float> unary(UnaryKind kind, UnaryParameters parameters, std::span<const float> values);

/// Exact; the caller's integer type wraps. REQUIRES: takes_integers(kind).
std::vector<std::int64_t> unary(UnaryKind kind, UnaryParameters parameters,
                                std::span<const std::int64_t> values);

}  // namespace tilemeter::compute
