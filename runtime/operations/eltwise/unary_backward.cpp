// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/unary_backward.hpp"

#include <numbers>
#include <utility>

#include "runtime/operations/eltwise/internal/fused_backward.hpp"
#include "runtime/operations/eltwise/internal/gradient_scope.hpp"

namespace tilemeter {

namespace {

using enum compute::UnaryKind;
using compute::BinaryKind;

constexpr float kSqrtPi = 1.7724538509055159F;

/// The formulas. They keep the order of TT-NN's steps, and with it that of allocations.
namespace of {

Term zeros(const Term& like) {
    return like.filled(0.0F);
}

Term abs(const Term& grad, const Term& x) {
    return grad * x(SIGN);
}

Term acos(const Term& grad, const Term& x) {
    const Term negative = x(NEG);
    Term slope = (negative * x + 1.0F)(RSQRT);
    slope = slope(NEG);
    Term result = grad * slope;
    const Term edge = grad(SIGN) * -kInfinity;
    result = x.lt(-1.0F).either(x.gt(1.0F)).where({kNan, result});
    result = x.eq(-1.0F).where({edge, x.eq(1.0F).where({edge, result})});
    return result;
}

Term acosh(const Term& grad, const Term& x) {
    const Term square = x(SQUARE);
    const Term slope = (square - 1.0F)(RSQRT);
    Term result = grad * slope;
    const Term below = grad(SIGNBIT) * -1.0F;
    const Term outside = square.lt(1.0F);
    const Term at_one = x.eq(1.0F), no_gradient = grad(EQZ), indefinite = at_one.both(no_gradient);
    const Term without = outside.either(indefinite);
    const Term low = x.le(1.0F), high = x.ge(-1.0F), within = low.both(high);
    const Term not_below = below(EQZ), sign = below + not_below, edge = sign * kInfinity;
    result = without.where({kNan, within.where({edge, result})});
    return result;
}

Term asin(const Term& grad, const Term& x) {
    const Term result = grad * x.chain({{SQUARE, {}}, {NEG, {}}, {ADD_UNARY_SFPU, {1.0}}, {RSQRT, {}}});
    const Term from_one = x + -1.0F, from_minus_one = x + 1.0F;
    const Term below = from_minus_one(LTZ), above = from_one(GTZ);
    const Term at_minus_one = from_minus_one(EQZ), sign = grad(SIGN), edge = sign * kInfinity;
    const Term at_one = from_one(EQZ), other_sign = grad(SIGN), other_edge = other_sign * kInfinity;
    return below.where(
        {kNan, above.where({kNan, at_minus_one.where({edge, at_one.where({other_edge, result})})})});
}

Term asinh(const Term& grad, const Term& x) {
    return grad * x.chain({{SQUARE, {}}, {ADD_UNARY_SFPU, {1.0}}, {RSQRT, {}}});
}

Term atan(const Term& grad, const Term& x) {
    return grad * x.chain({{SQUARE, {}}, {ADD_UNARY_SFPU, {1.0}}, {RECIP, {}}});
}

Term atanh(const Term& grad, const Term& x) {
    Term result = grad * x.chain({{SQUARE, {}}, {SUB_UNARY_SFPU, {1.0}}, {NEG, {}}, {RECIP, {}}});
    const Term singular = x.eq(1.0F).either(x.eq(-1.0F));
    result = singular.both(grad(EQZ)).where({kNan, result});
    result = singular.both(grad(NEZ)).where({kInfinity, result});
    result = result.eq(kInfinity).both(grad(LTZ)).where({-kInfinity, result});
    return result;
}

Term ceil(const Term& grad, const Term& /*x*/) {
    return zeros(grad);
}

Term cos(const Term& grad, const Term& x) {
    return grad * x(SIN)(NEG);
}

// A value that has grown too large for a number is infinite.
Term saturated(Term result) {
    constexpr float kLargest = 3.4e+38F;
    const Term above = result.ge(kLargest), below = result.le(-kLargest);
    result = above.where({kInfinity, below.where({-kInfinity, result})});
    return result;
}

Term cosh(const Term& grad, const Term& x) {
    Term result = grad * x(SINH);
    return saturated(std::move(result));
}

Term deg2rad(const Term& grad, const Term& /*x*/) {
    return grad * (std::numbers::pi_v<float> / 180.0F);
}

Term digamma(const Term& grad, const Term& x) {
    Term result = grad * x(POLYGAMMA, {1.0});
    result = x(EQZ).both(grad(EQZ)).where({kNan, result});
    result = x(EQZ).both(grad(LTZ)).where({-kInfinity, result});
    result = x(EQZ).both(grad(GTZ)).where({kInfinity, result});
    return result;
}

Term erf(const Term& grad, const Term& x) {
    return x.with(BinaryKind::kMultiply, grad, std::nullopt, {{SQUARE, {}}, {NEG, {}}, {EXP, {}}}) *
           (2.0F / kSqrtPi);
}

Term erfc(const Term& grad, const Term& x) {
    return x(SQUARE)(NEG)(EXP)*grad * (-2.0F / kSqrtPi);
}

Term erfinv(const Term& grad, const Term& x) {
    Term result = x.with(BinaryKind::kMultiply, grad, std::nullopt, {{ERFINV, {}}, {SQUARE, {}}, {EXP, {}}}) *
                  (kSqrtPi / 2.0F);
    const Term edge = grad.with(BinaryKind::kMultiply, Scalar(kInfinity), std::nullopt, {{SIGN, {}}});
    result = x.with(BinaryKind::kLogicalOr, x, std::nullopt, {{UNARY_LT, {-1.0}}}, {{UNARY_GT, {1.0}}})
                 .where({kNan, result});
    result = x.with(BinaryKind::kEqual, Scalar(1.0F), std::nullopt, {{ABS, {}}, {UNARY_EQ, {1.0}}})
                 .where({edge, result});
    return result;
}

Term exp2(const Term& grad, const Term& x) {
    Term power = x(EXP2);
    power = power * std::numbers::ln2_v<float>;
    return grad * power;
}

Term expm1(const Term& grad, const Term& x) {
    return grad * x(EXP);
}

Term fill_zero(const Term& grad, const Term& /*x*/) {
    return zeros(grad);
}

Term floor(const Term& grad, const Term& /*x*/) {
    return zeros(grad);
}

Term frac(const Term& grad, const Term& /*x*/) {
    return grad;
}

Term hardsigmoid(const Term& grad, const Term& x) {
    const Term low = x.le(-3.0F), high = x.ge(3.0F), flat = low.either(high);
    return flat.where({0.0F, grad.elsewhere() * (1.0F / 6.0F)});
}

Term hardswish(const Term& grad, const Term& x) {
    const Term below = x.lt(-3.0F), within = x.le(3.0F);
    const Term third = x * (1.0F / 3.0F), slope = third + 0.5F, curved = grad * slope;
    return below.where({0.0F, within.where({curved, grad})});
}

Term i0(const Term& grad, const Term& x) {
    return grad * x(I1);
}

Term lgamma(const Term& grad, const Term& x) {
    return grad * x(DIGAMMA);
}

Term log(const Term& grad, const Term& x) {
    const Term result = grad * x(RECIP);
    const Term at_zero = x(EQZ), no_gradient = grad(EQZ), sign = grad(SIGN), edge = sign * kInfinity;
    return at_zero.where({no_gradient.where({kNan, edge}), result});
}

Term log_to(const Term& grad, const Term& x, float ln_base) {
    const Term edge = grad(LTZ).where({-kInfinity, kInfinity});
    Term result = grad * (x * ln_base)(RECIP);
    const Term at_zero = x(EQZ), no_gradient = grad(EQZ), indefinite = at_zero.both(no_gradient);
    const Term at_pole = x(EQZ);
    result = indefinite.where({kNan, at_pole.where({edge, result})});
    return result;
}

Term log10(const Term& grad, const Term& x) {
    return log_to(grad, x, std::numbers::ln10_v<float>);
}

Term log1p(const Term& grad, const Term& x) {
    const Term edge = grad(LTZ).where({-kInfinity, kInfinity});
    const Term next = x + 1.0F;
    Term result = grad * next(RECIP);
    result = x.eq(-1.0F).where({edge, result});
    result = next(EQZ).both(grad(EQZ)).where({kNan, result});
    return result;
}

Term log2(const Term& grad, const Term& x) {
    return log_to(grad, x, std::numbers::ln2_v<float>);
}

Term log_sigmoid(const Term& grad, const Term& x) {
    const Term one_below = x(LTZ).where({1.0F, 0.0F});
    const Term sign = x(LTZ).where({1.0F, -1.0F});
    const Term magnitude = x(ABS);
    const Term power = magnitude(NEG)(EXP);
    const Term share = power * (power + 1.0F)(RECIP);
    const Term signed_share = sign * share, slope = one_below - signed_share;
    return grad * slope;
}

Term logit(const Term& grad, const Term& x) {
    Term result = grad * (x * x.subtracted_from(1.0F))(RECIP);
    const Term inside = x.ge(0.0F).both(x.le(1.0F));
    result = inside.where({result, kNan});
    const Term at_zero = x.eq(0.0F), at_one = x.eq(1.0F), edge = at_zero.either(at_one);
    const Term sign = grad(SIGN), infinity = sign * kInfinity;
    result = edge.where({infinity, result});
    return result;
}

Term multigammaln(const Term& grad, const Term& x) {
    Term next = grad * x(DIGAMMA);
    const Term half = grad * (x + -0.5F)(DIGAMMA);
    Term result = next + half;
    next = grad * (x + -1.0F)(DIGAMMA);
    result = result + next;
    next = grad * (x + -1.5F)(DIGAMMA);
    result = result + next;
    return result;
}

Term rad2deg(const Term& grad, const Term& /*x*/) {
    return grad * (180.0F / std::numbers::pi_v<float>);
}

Term reciprocal(const Term& grad, const Term& x) {
    const Term at_zero = x(EQZ), no_gradient = grad(EQZ);
    const Term edge = grad.with(BinaryKind::kMultiply, Scalar(-kInfinity), std::nullopt, {{SIGN, {}}});
    const Term pole = no_gradient.where({kNan, edge});
    const Term slope =
        grad.with(BinaryKind::kMultiply, x, std::nullopt, {{NEG, {}}}, {{SQUARE, {}}, {RECIP, {}}});
    return at_zero.where({pole, slope});
}

Term relu(const Term& grad, const Term& x) {
    return x(GTZ).where({grad, 0.0F});
}

Term relu6(const Term& grad, const Term& x) {
    return x(GTZ).both(x.lt(6.0F)).where({grad, 0.0F});
}

Term round(const Term& grad, const Term& /*x*/) {
    return zeros(grad);
}

Term selu(const Term& grad, const Term& x) {
    constexpr float kScale = 1.0507F, kAlpha = 1.67326F;
    const Term scaled = grad * kScale;
    const Term positive = x(GTZ), steep = scaled * kAlpha, power = x(EXP), curved = steep * power;
    return positive.where({scaled, curved});
}

Term sigmoid(const Term& grad, const Term& x) {
    return fused_backward(FusedBackward::kSigmoid, grad, x);
}

Term sign(const Term& grad, const Term& /*x*/) {
    return zeros(grad);
}

Term sin(const Term& grad, const Term& x) {
    return grad * x(COS);
}

Term sinh(const Term& grad, const Term& x) {
    Term result = grad * x(COSH);
    return saturated(std::move(result));
}

Term softsign(const Term& grad, const Term& x) {
    return grad * x.chain({{ABS, {}}, {ADD_UNARY_SFPU, {1.0}}, {SQUARE, {}}, {RECIP, {}}});
}

Term square(const Term& grad, const Term& x) {
    return grad * 2.0F * x;
}

Term tan(const Term& grad, const Term& x) {
    return grad * (x(TAN)(SQUARE) + 1.0F);
}

Term tanhshrink(const Term& grad, const Term& x) {
    const Term slope = x(TANH)(SQUARE);
    return grad * slope;
}

Term trunc(const Term& grad, const Term& /*x*/) {
    return zeros(grad);
}

Term exp(const Term& grad, const Term& x, const Term& into) {
    const Term power = x(EXP);
    return grad.with(BinaryKind::kMultiply, power, *into);
}

Term neg(const Term& grad, const Term& /*x*/, const Term& into) {
    return grad(NEG, {}, *into);
}

Term rsqrt(const Term& grad, const Term& x, const Term& into) {
    x(RSQRT, {}, *into);
    into(POWER, {3.0}, *into);
    (grad * into).with(BinaryKind::kMultiply, Scalar(-0.5F), *into);
    x(LTZ).where({kNan, into}, *into);
    x(EQZ).both(grad(EQZ)).where({kNan, into}, *into);
    return into;
}

Term silu(const Term& grad, const Term& x, const Term& into) {
    const Term sigmoid = x(SIGMOID);
    const Term outer = grad * sigmoid;
    const Term slope = sigmoid.subtracted_from(1.0F) * x + 1.0F;
    return outer.with(BinaryKind::kMultiply, slope, *into);
}

Term sqrt(const Term& grad, const Term& x, const Term& into) {
    x(SQRT, {}, *into);
    grad.with(BinaryKind::kMultiply, (into * 2.0F)(RECIP), *into);
    x(LEZ).where({kNan, into}, *into);
    x(EQZ).both(grad(LTZ)).where({-kInfinity, into}, *into);
    x(EQZ).both(grad(GTZ)).where({kInfinity, into}, *into);
    return into;
}

Term tanh(const Term& grad, const Term& x, const OptionalTensor& input_grad) {
    return fused_backward(FusedBackward::kTanh, grad, x, input_grad);
}

Term fill(const Term& grad, const Term& /*x*/, const OptionalTensor& input_grad) {
    return grad.filled(0.0F, input_grad);
}

}  // namespace of

using MakeGradient = Term (*)(const OptionalTensor&, const Term&, const OptionalMemoryConfig&);
using FormulaInto = Term (*)(const Term&, const Term&, const Term&);

// The formula with the tensor that the gradient is written to, made first unless it is given.
template <MakeGradient kMake, FormulaInto kFormula>
Term made(const Term& grad, const Term& x, const OptionalTensor& input_grad) {
    const Term into = kMake(input_grad, x, grad.place());
    return kFormula(grad, x, into);
}

}  // namespace

constinit const UnaryGradientFunction abs_bw{"abs_bw", &of::abs};
constinit const UnaryGradientFunction acos_bw{"acos_bw", &of::acos};
constinit const UnaryGradientFunction acosh_bw{"acosh_bw", &of::acosh};
constinit const UnaryGradientFunction asin_bw{"asin_bw", &of::asin};
constinit const UnaryGradientFunction asinh_bw{"asinh_bw", &of::asinh};
constinit const UnaryGradientFunction atan_bw{"atan_bw", &of::atan};
constinit const UnaryGradientFunction atanh_bw{"atanh_bw", &of::atanh};
constinit const UnaryGradientFunction ceil_bw{"ceil_bw", &of::ceil};
constinit const UnaryGradientFunction cos_bw{"cos_bw", &of::cos};
constinit const UnaryGradientFunction cosh_bw{"cosh_bw", &of::cosh};
constinit const UnaryGradientFunction deg2rad_bw{"deg2rad_bw", &of::deg2rad};
constinit const UnaryGradientFunction digamma_bw{"digamma_bw", &of::digamma};
constinit const UnaryGradientFunction erf_bw{"erf_bw", &of::erf};
constinit const UnaryGradientFunction erfc_bw{"erfc_bw", &of::erfc};
constinit const UnaryGradientFunction erfinv_bw{"erfinv_bw", &of::erfinv};
constinit const UnaryGradientFunction exp2_bw{"exp2_bw", &of::exp2};
constinit const UnaryGradientFunction expm1_bw{"expm1_bw", &of::expm1};
constinit const UnaryGradientFunction fill_zero_bw{"fill_zero_bw", &of::fill_zero};
constinit const UnaryGradientFunction floor_bw{"floor_bw", &of::floor};
constinit const UnaryGradientFunction frac_bw{"frac_bw", &of::frac};
constinit const UnaryGradientFunction hardsigmoid_bw{"hardsigmoid_bw", &of::hardsigmoid};
constinit const UnaryGradientFunction hardswish_bw{"hardswish_bw", &of::hardswish};
constinit const UnaryGradientFunction i0_bw{"i0_bw", &of::i0};
constinit const UnaryGradientFunction lgamma_bw{"lgamma_bw", &of::lgamma};
constinit const UnaryGradientFunction log_bw{"log_bw", &of::log};
constinit const UnaryGradientFunction log10_bw{"log10_bw", &of::log10};
constinit const UnaryGradientFunction log1p_bw{"log1p_bw", &of::log1p};
constinit const UnaryGradientFunction log2_bw{"log2_bw", &of::log2};
constinit const UnaryGradientFunction log_sigmoid_bw{"log_sigmoid_bw", &of::log_sigmoid};
constinit const UnaryGradientFunction logit_bw{"logit_bw", &of::logit};
constinit const UnaryGradientFunction multigammaln_bw{"multigammaln_bw", &of::multigammaln};
constinit const UnaryGradientFunction rad2deg_bw{"rad2deg_bw", &of::rad2deg};
constinit const UnaryGradientFunction reciprocal_bw{"reciprocal_bw", &of::reciprocal};
constinit const UnaryGradientFunction relu_bw{"relu_bw", &of::relu};
constinit const UnaryGradientFunction relu6_bw{"relu6_bw", &of::relu6};
constinit const UnaryGradientFunction round_bw{"round_bw", &of::round};
constinit const UnaryGradientFunction selu_bw{"selu_bw", &of::selu};
constinit const UnaryGradientFunction sigmoid_bw{"sigmoid_bw", &of::sigmoid};
constinit const UnaryGradientFunction sign_bw{"sign_bw", &of::sign};
constinit const UnaryGradientFunction sin_bw{"sin_bw", &of::sin};
constinit const UnaryGradientFunction sinh_bw{"sinh_bw", &of::sinh};
constinit const UnaryGradientFunction softsign_bw{"softsign_bw", &of::softsign};
constinit const UnaryGradientFunction square_bw{"square_bw", &of::square};
constinit const UnaryGradientFunction tan_bw{"tan_bw", &of::tan};
constinit const UnaryGradientFunction tanhshrink_bw{"tanhshrink_bw", &of::tanhshrink};
constinit const UnaryGradientFunction trunc_bw{"trunc_bw", &of::trunc};

std::span<const UnaryGradientFunction* const> unary_gradients() {
    static constexpr const UnaryGradientFunction* kAll[] = {
        &abs_bw,          &acos_bw,    &acosh_bw,       &asin_bw,      &asinh_bw,       &atan_bw,
        &atanh_bw,        &ceil_bw,    &cos_bw,         &cosh_bw,      &deg2rad_bw,     &digamma_bw,
        &erf_bw,          &erfc_bw,    &erfinv_bw,      &exp2_bw,      &expm1_bw,       &fill_zero_bw,
        &floor_bw,        &frac_bw,    &hardsigmoid_bw, &hardswish_bw, &i0_bw,          &lgamma_bw,
        &log_bw,          &log10_bw,   &log1p_bw,       &log2_bw,      &log_sigmoid_bw, &logit_bw,
        &multigammaln_bw, &rad2deg_bw, &reciprocal_bw,  &relu_bw,      &relu6_bw,       &round_bw,
        &selu_bw,         &sigmoid_bw, &sign_bw,        &sin_bw,       &sinh_bw,        &softsign_bw,
        &square_bw,       &tan_bw,     &tanhshrink_bw,  &trunc_bw};
    return kAll;
}

constinit const UnaryGradientIntoFunction exp_bw{"exp_bw", &made<gradient_after_new, of::exp>};
constinit const UnaryGradientIntoFunction fill_bw{"fill_bw", &of::fill};
constinit const UnaryGradientIntoFunction neg_bw{"neg_bw", &made<gradient_after_new, of::neg>};
constinit const UnaryGradientIntoFunction rsqrt_bw{"rsqrt_bw", &made<gradient_or_new, of::rsqrt>};
constinit const UnaryGradientIntoFunction silu_bw{"silu_bw", &made<gradient_after_new, of::silu>};
constinit const UnaryGradientIntoFunction sqrt_bw{"sqrt_bw", &made<gradient_after_new, of::sqrt>};
constinit const UnaryGradientIntoFunction tanh_bw{"tanh_bw", &of::tanh};

std::span<const UnaryGradientIntoFunction* const> unary_gradients_into() {
    static constexpr const UnaryGradientIntoFunction* kAll[] = {&exp_bw,  &fill_bw, &neg_bw, &rsqrt_bw,
                                                                &silu_bw, &sqrt_bw, &tanh_bw};
    return kAll;
}

Gradients UnaryGradient::body() const {
    return gradient(*this, row->formula);
}

Gradients UnaryGradientInto::body() const {
    return gradient(*this,
                    [&](const Term& grad, const Term& x) { return row->formula(grad, x, input_grad); });
}

Gradients GeluGradient::body() const {
    return gradient(*this, [&](const Term& grad, const Term& x) {
        return fused_backward(fused_gelu(variant), grad, x, input_grad);
    });
}

}  // namespace tilemeter
