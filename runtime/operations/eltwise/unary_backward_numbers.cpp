// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of functions of one element and numbers.

#include <cmath>
#include <limits>

#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/eltwise/internal/fused_backward.hpp"
#include "runtime/operations/eltwise/internal/gradient_scope.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"

namespace tilemeter {

namespace {

using enum compute::UnaryKind;

/// The formulas. They keep the order of TT-NN's steps, and with it that of allocations.
namespace of {

Term celu(const Term& grad, const Term& x, float alpha) {
    const Term scaled = x * (1.0F / alpha), slope = scaled(EXP);
    const Term positive = x.gt(0.0F), curved = grad * slope;
    return positive.where({grad, curved});
}

Term elu(const Term& grad, const Term& x, float alpha) {
    const Term positive = x(GTZ), power = x(EXP), slope = power * alpha, curved = grad * slope;
    return positive.where({grad, curved});
}

Term hardshrink(const Term& grad, const Term& x, float lambd) {
    return x(HARDSHRINK, {lambd})(EQZ).where({0.0F, grad});
}

Term leaky_relu(const Term& grad, const Term& x, float negative_slope) {
    return x(GTZ).where({grad, grad * negative_slope});
}

Term logiteps(const Term& grad, const Term& x, float eps) {
    Term result = grad * (x * x.subtracted_from(1.0F))(RECIP);
    const Term limit = x.filled(eps);
    const Term outside = x.lt(eps).either(x.gt(1.0F - eps));
    const Term is_outside = outside.eq(1.0F), no_limit = limit(LTZ), beyond = no_limit.where({kNan, 0.0F});
    const Term at_zero = x.eq(0.0F), at_one = x.eq(1.0F), at_edge = at_zero.either(at_one);
    const Term sign = grad(SIGN), edge = sign * kInfinity;
    result = is_outside.where({beyond, at_edge.where({edge, result})});
    return result;
}

Term softshrink(const Term& grad, const Term& x, float lambd) {
    return x.lt(-lambd).either(x.gt(lambd)).where({grad, 0.0F});
}

// One limit or two, numbers or tensors.
template <typename Limit>
Term clamp(const Term& grad, const Term& x, const Limit* min, const Limit* max) {
    if (max == nullptr) return x.ge(*min).where({grad, 0.0F});
    if (min == nullptr) return x.le(*max).where({grad, 0.0F});
    const Term above = x.ge(*min), below = x.le(*max);
    Term result = above.both(below);
    result = result.where({grad, 0.0F});
    return result;
}

Term softplus(const Term& grad, const Term& x, float beta, float limit) {
    Term scaled = x * beta;
    const Term curved = grad * scaled(SIGMOID);
    Term result = scaled.gt(limit).where({grad, curved});
    scaled.drop();
    return result;
}

Term polygamma(const Term& grad, const Term& x, int n) {
    const float sign = n % 2 == 0 ? -1.0F : 1.0F;
    Term result = grad * x(POLYGAMMA, {n + 1.0});
    result = x.le(0.0F).both(grad(EQZ)).where({kNan, result});
    result = x(EQZ).both(grad(GTZ)).where({-kInfinity * sign, result});
    result = x(EQZ).both(grad(LTZ)).where({kInfinity * sign, result});
    return result;
}

Term quotient_of(float scalar, const Term& grad, const Term& x) {
    const Term inverse = x(RECIP), not_zero = x.elsewhere()(NEZ), negative = grad(NEG);
    const Term once = inverse * scalar, twice = once * inverse, slope = negative * twice;
    return not_zero.where({slope, kNan});
}

Term rdiv(const Term& grad, const Term& x, float scalar) {
    Term result = quotient_of(scalar, grad, x);
    if (scalar == 0.0F) return result;
    const float infinity = scalar > 0.0F ? kInfinity : -kInfinity;
    result = x(EQZ).both(grad(LTZ)).where({infinity, result});
    result = x(EQZ).both(grad(GTZ)).where({-infinity, result});
    return result;
}

Term div_no_nan(const Term& grad, const Term& x, float scalar) {
    const Term divisor = x.filled(scalar), by_zero = divisor.eq(0.0F), quotient = grad * (1.0F / scalar);
    return by_zero.where({0.0F, quotient});
}

// The first power is a copy.
Term power(const Term& x, float exponent, const OptionalMemoryConfig& place) {
    if (exponent != 1.0F) return x(POWER, {exponent});
    return {unscoped::copy_to(*x, place.value_or(x->memory_config()), x->dtype()), place};
}

Term pow(const Term& grad, const Term& x, float exponent, const OptionalMemoryConfig& place,
         const Term& into) {
    constexpr float kAlmostNothing = std::numeric_limits<float>::epsilon() * 10.0F;
    if (exponent < kAlmostNothing) return x.filled(0.0F, *into);
    Term slope = power(x, std::abs(exponent - 1.0F), place);
    if (exponent < 1.0F) slope = slope(RECIP);
    Term scaled = slope * exponent;
    slope.drop();
    const Term result = scaled * grad;
    scaled.drop();
    x.elsewhere()(LEZ).where({kInfinity, result}, *into);
    return into;
}

Term rpow(const Term& grad, const Term& x, float exponent) {
    Term result = x.filled(0.0F);
    if (exponent == 0.0F) return result;
    result = grad * (power(x, exponent - 1.0F, grad.place()) * exponent);
    result = x(LTZ).where({kNan, result});
    return result;
}

Term hardtanh(const Term& grad, const Term& x, float min, float max) {
    const Term low = x.le(min), high = x.ge(max);
    return low.where({0.0F, high.elsewhere().where({0.0F, grad.elsewhere()})});
}

Term threshold(const Term& grad, const Term& x, float limit, float /*value*/) {
    return (x + -limit)(GTZ).where({grad, 0.0F});
}

}  // namespace of

std::optional<Term> as_term(const OptionalTensor& tensor, const OptionalMemoryConfig& place) {
    return tensor ? std::optional<Term>({*tensor, place}) : std::nullopt;
}
const std::optional<float>& as_term(const std::optional<float>& number, const OptionalMemoryConfig&) {
    return number;
}

}  // namespace

constinit const DefaultedGradientFunction celu_bw{"celu_bw", &of::celu, "alpha", 1.0F};
constinit const DefaultedGradientFunction elu_bw{"elu_bw", &of::elu, "alpha", 1.0F};
constinit const DefaultedGradientFunction hardshrink_bw{"hardshrink_bw", &of::hardshrink, "lambd", 0.5F};
constinit const DefaultedGradientFunction leaky_relu_bw{"leaky_relu_bw", &of::leaky_relu, "negative_slope",
                                                        0.01F};
constinit const DefaultedGradientFunction logiteps_bw{"logiteps_bw", &of::logiteps, "eps", 0.0F};
constinit const DefaultedGradientFunction softshrink_bw{"softshrink_bw", &of::softshrink, "lambd", 0.5F};

std::span<const DefaultedGradientFunction* const> defaulted_gradients() {
    static constexpr const DefaultedGradientFunction* kAll[] = {&celu_bw,       &elu_bw,      &hardshrink_bw,
                                                                &leaky_relu_bw, &logiteps_bw, &softshrink_bw};
    return kAll;
}

constinit const NumberedGradientFunction div_no_nan_bw{"div_no_nan_bw", &of::div_no_nan, "scalar"};
constinit const NumberedGradientFunction rpow_bw{"rpow_bw", &of::rpow, "exponent"};

std::span<const NumberedGradientFunction* const> numbered_gradients() {
    static constexpr const NumberedGradientFunction* kAll[] = {&div_no_nan_bw, &rpow_bw};
    return kAll;
}

constinit const OperationOf<UnaryGradientOfNumbers<true>> hardtanh_bw{"hardtanh_bw", &of::hardtanh, "min",
                                                                      -1.0F,         "max",         1.0F};
constinit const OperationOf<UnaryGradientOfNumbers<true>> softplus_bw{"softplus_bw", &of::softplus, "beta",
                                                                      1.0F,          "threshold",   20.0F};
constinit const OperationOf<UnaryGradientOfNumbers<false>> threshold_bw{"threshold_bw", &of::threshold, "min",
                                                                        0.0F,           "max",          0.0F};

template <bool kHasDefault>
Gradients UnaryGradientOfNumber<kHasDefault>::body() const {
    return gradient(*this, [&](const Term& grad, const Term& x) { return row->formula(grad, x, number); });
}
template struct UnaryGradientOfNumber<false>;
template struct UnaryGradientOfNumber<true>;

template <bool kHasDefaults>
Gradients UnaryGradientOfNumbers<kHasDefaults>::body() const {
    return gradient(*this,
                    [&](const Term& grad, const Term& x) { return row->formula(grad, x, first, second); });
}
template struct UnaryGradientOfNumbers<false>;
template struct UnaryGradientOfNumbers<true>;

template <typename Limit>
Gradients ClampGradient<Limit>::body() const {
    const auto low = as_term(min, memory_config), high = as_term(max, memory_config);
    return gradient(*this, [&](const Term& grad, const Term& x) {
        require(min || max, "Only one of 'min' or 'max' can be None. Please provide one value");
        return of::clamp(grad, x, low ? &*low : nullptr, high ? &*high : nullptr);
    });
}
template struct ClampGradient<float>;
template struct ClampGradient<Tensor>;

Gradients PolygammaGradient::body() const {
    return gradient(*this, [&](const Term& grad, const Term& x) { return of::polygamma(grad, x, n); });
}

Gradients ReverseDivideGradient::body() const {
    return gradient(*this, [&](const Term& grad, const Term& x) {
        require_rounding_mode(rounding_mode);
        return rounding_mode ? grad.filled(0.0F) : of::rdiv(grad, x, scalar);
    });
}

Gradients PowerGradient::body() const {
    return gradient(*this, [&](const Term& grad, const Term& x) {
        require(!(exponent < 0.0F),
                "negative exponents are not supported; use recip(pow(input,abs(exponent)))");
        const Term into = gradient_or_new(input_grad, x, memory_config);
        return of::pow(grad, x, exponent, memory_config, into);
    });
}

}  // namespace tilemeter
