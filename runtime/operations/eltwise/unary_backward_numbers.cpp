// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of functions of one element and numbers.

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
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

Term softplus(const Term& grad, const Term& x, float beta, float threshold) {
    Term scaled = x * beta;
    const Term curved = grad * scaled(SIGMOID);
    Term result = scaled.gt(threshold).where({grad, curved});
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

Term rpow(const Term& grad, const Term& x, float exponent, const OptionalMemoryConfig& place) {
    Term result = x.filled(0.0F);
    if (exponent == 0.0F) return result;
    result = grad * (power(x, exponent - 1.0F, place) * exponent);
    result = x(LTZ).where({kNan, result});
    return result;
}

}  // namespace of

template <typename Limit>
Gradients clamped(const OperationName& name, const Tensor& grad, const Tensor& input,
                  const OptionalMemoryConfig& memory_config, const std::optional<Limit>& min,
                  const std::optional<Limit>& max) {
    const auto formula = [&](const Term& g, const Term& x) {
        if (!min && !max)
            throw RuntimeError("Only one of 'min' or 'max' can be None. Please provide one value");
        return of::clamp(g, x, min ? &*min : nullptr, max ? &*max : nullptr);
    };
    return gradient(name, grad, input, memory_config, formula);
}

std::optional<Term> as_term(const OptionalTensor& tensor, const OptionalMemoryConfig& place) {
    return tensor ? std::optional<Term>({*tensor, place}) : std::nullopt;
}

}  // namespace

#define TILEMETER_DEFINE(name, parameter, value)                                                      \
    Gradients name##_bw(const Tensor& grad, const Tensor& input, float parameter,                     \
                        const OptionalMemoryConfig& memory_config) {                                  \
        static const OperationName kName(#name "_bw");                                                \
        const auto formula = [=](const Term& g, const Term& x) { return of::name(g, x, parameter); }; \
        return gradient(kName, grad, input, memory_config, formula, parameter);                       \
    }
TILEMETER_UNARY_GRADIENTS_OF_NUMBER(TILEMETER_DEFINE)
#undef TILEMETER_DEFINE

Gradients hardtanh_bw(const Tensor& grad, const Tensor& input, float min, float max,
                      const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("hardtanh_bw");
    const auto formula = [&](const Term& g, const Term& x) {
        const Term low = x.le(min), high = x.ge(max);
        return low.where({0.0F, high.elsewhere().where({0.0F, g.elsewhere()})});
    };
    return gradient(kName, grad, input, memory_config, formula, min, max);
}

Gradients softplus_bw(const Tensor& grad, const Tensor& input, float beta, float threshold,
                      const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("softplus_bw");
    const auto formula = [&](const Term& g, const Term& x) { return of::softplus(g, x, beta, threshold); };
    return gradient(kName, grad, input, memory_config, formula, beta, threshold);
}

Gradients threshold_bw(const Tensor& grad, const Tensor& input, float threshold, float value,
                       const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("threshold_bw");
    const auto formula = [&](const Term& g, const Term& x) { return (x + -threshold)(GTZ).where({g, 0.0F}); };
    return gradient(kName, grad, input, memory_config, formula, threshold, value);
}

#define TILEMETER_DEFINE(name)                                                             \
    Gradients name(const Tensor& grad, const Tensor& input, std::optional<float> min,      \
                   std::optional<float> max, const OptionalMemoryConfig& memory_config) {  \
        static const OperationName kName(#name);                                           \
        return clamped(kName, grad, input, memory_config, min, max);                       \
    }                                                                                      \
    Gradients name(const Tensor& grad, const Tensor& input, const OptionalTensor& min,     \
                   const OptionalTensor& max, const OptionalMemoryConfig& memory_config) { \
        static const OperationName kName(#name);                                           \
        return clamped(kName, grad, input, memory_config, as_term(min, memory_config),     \
                       as_term(max, memory_config));                                       \
    }
TILEMETER_DEFINE(clamp_bw)
TILEMETER_DEFINE(clip_bw)
#undef TILEMETER_DEFINE

Gradients polygamma_bw(const Tensor& grad, const Tensor& input, int n,
                       const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("polygamma_bw");
    const auto formula = [&](const Term& g, const Term& x) { return of::polygamma(g, x, n); };
    return gradient(kName, grad, input, memory_config, formula, n);
}

Gradients rdiv_bw(const Tensor& grad, const Tensor& input, float scalar,
                  const std::optional<std::string>& rounding_mode,
                  const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("rdiv_bw");
    const auto formula = [&](const Term& g, const Term& x) {
        require_rounding_mode(rounding_mode);
        return rounding_mode ? g.filled(0.0F) : of::rdiv(g, x, scalar);
    };
    return gradient(kName, grad, input, memory_config, formula, scalar, rounding_mode);
}

Gradients div_no_nan_bw(const Tensor& grad, const Tensor& input, float scalar,
                        const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("div_no_nan_bw");
    const auto formula = [&](const Term& g, const Term& x) { return of::div_no_nan(g, x, scalar); };
    return gradient(kName, grad, input, memory_config, formula, scalar);
}

Gradients pow_bw(const Tensor& grad, const Tensor& input, float exponent,
                 const OptionalMemoryConfig& memory_config, const OptionalTensor& input_grad) {
    static const OperationName kName("pow_bw");
    const auto formula = [&](const Term& g, const Term& x) {
        if (exponent < 0.0F) {
            throw RuntimeError("negative exponents are not supported; use recip(pow(input,abs(exponent)))");
        }
        const Term into = gradient_or_new(input_grad, x, memory_config);
        return of::pow(g, x, exponent, memory_config, into);
    };
    return gradient(kName, grad, input, memory_config, formula, exponent, input_grad);
}

Gradients rpow_bw(const Tensor& grad, const Tensor& input, float exponent,
                  const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("rpow_bw");
    const auto formula = [&](const Term& g, const Term& x) {
        return of::rpow(g, x, exponent, memory_config);
    };
    return gradient(kName, grad, input, memory_config, formula, exponent);
}

}  // namespace tilemeter
