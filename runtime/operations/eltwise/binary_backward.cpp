// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/binary_backward.hpp"

#include <numbers>
#include <tuple>
#include <utility>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/eltwise/internal/fused_backward.hpp"
#include "runtime/operations/eltwise/internal/gradient_scope.hpp"

namespace tilemeter {

/// A call with two gradients of which each may be left out.
struct GradientPair {
    Term grad, input, other;
    bool first, second;
    OptionalTensor input_grad, other_grad;

    // New tensors for what is needed and was not given, before anything is computed.
    void make_tensors() {
        if (first) input_grad = *gradient_or_new(input_grad, input, grad.place());
        if (second) other_grad = *gradient_or_new(other_grad, other, grad.place());
    }
    Gradients gradients() {
        Gradients made;
        made.push_back(first ? std::move(input_grad) : std::nullopt);
        made.push_back(second ? std::move(other_grad) : std::nullopt);
        return made;
    }
};

namespace {

using enum compute::UnaryKind;
using compute::BinaryKind;

Gradients listed(Term first) {
    Gradients gradients;
    gradients.emplace_back(std::move(first).take());
    return gradients;
}

Gradients listed(Term first, Term second) {
    Gradients gradients = listed(std::move(first));
    gradients.emplace_back(std::move(second).take());
    return gradients;
}

Gradients listed(Term first, Term second, Term third) {
    Gradients gradients = listed(std::move(first), std::move(second));
    gradients.emplace_back(std::move(third).take());
    return gradients;
}

/// The formulas. They keep the order of TT-NN's steps, and with it that of allocations.
namespace of {

Gradients atan2(const Term& grad, const Term& a, const Term& b) {
    Term scaled = grad * a.with(BinaryKind::kHypot, b).chain({{SQUARE, {}}, {RECIP, {}}});
    Term first = b * scaled;
    Term at_origin = a(EQZ).both(b(EQZ));
    first = at_origin.where({kNan, first});
    Term second = a.elsewhere()(NEG) * scaled;
    second = at_origin.where({kNan, second});
    scaled.drop();
    at_origin.drop();
    return listed(std::move(first), std::move(second));
}

// The gradients of a remainder: grad, and -grad times the whole quotient.
Gradients of_remainder(const Term& grad, const Term& a, const Term& b, UnaryOpType rounded) {
    const Term quotient = a.with(BinaryKind::kDivide, b)(rounded);
    Term second = grad.elsewhere()(NEG) * quotient;
    return listed(grad, std::move(second));
}

Gradients fmod(const Term& grad, const Term& a, const Term& b) {
    return of_remainder(grad, a, b, TRUNC);
}

Gradients remainder(const Term& grad, const Term& a, const Term& b) {
    return of_remainder(grad, a, b, FLOOR);
}

Gradients hypot(const Term& grad, const Term& a, const Term& b) {
    const Term inverse = a.with(BinaryKind::kHypot, b)(RECIP);
    Term first = grad * (a * inverse);
    Term second = grad * (b * inverse);
    return listed(std::move(first), std::move(second));
}

Gradients ldexp(const Term& grad, const Term& a, const Term& b) {
    Term first = grad * b(EXP2);
    Term second = a * (first * std::numbers::ln2_v<float>);
    return listed(std::move(first), std::move(second));
}

Gradients of_sum_of_powers(const Term& grad, const Term& a, const Term& b, UnaryOpType power) {
    Term sum = (b - a)(power) + 1.0F;
    Term first = grad * sum(RECIP);
    sum = (a - b)(power) + 1.0F;
    Term second = grad * sum(RECIP);
    return listed(std::move(first), std::move(second));
}

Gradients logaddexp(const Term& grad, const Term& a, const Term& b) {
    return of_sum_of_powers(grad, a, b, EXP);
}

Gradients logaddexp2(const Term& grad, const Term& a, const Term& b) {
    return of_sum_of_powers(grad, a, b, EXP2);
}

// Gradients of the larger one, where that is a and where it is b.
std::pair<Term, Term> of_larger(const Term& grad, const Term& a, const Term& b) {
    const Term half = grad * 0.5F, difference = b - a;
    const Term b_larger = difference(GTZ), equal = difference(EQZ), a_larger = difference(LTZ);
    const Term shared = equal.where({half, 0.0F});
    Term where_a = a_larger.where({grad, shared});
    Term where_b = b_larger.where({grad, shared});
    return {std::move(where_a), std::move(where_b)};
}

Gradients max(const Term& grad, const Term& a, const Term& b) {
    auto [where_a, where_b] = of_larger(grad, a, b);
    return listed(std::move(where_a), std::move(where_b));
}

Gradients min(const Term& grad, const Term& a, const Term& b) {
    auto [where_a, where_b] = of_larger(grad, a, b);
    return listed(std::move(where_b), std::move(where_a));
}

Gradients squared_difference(const Term& grad, const Term& a, const Term& b) {
    const Term difference = a.elsewhere() - b.elsewhere();
    Term first = grad * difference * 2.0F;
    Term second = first * -1.0F;
    return listed(std::move(first), std::move(second));
}

Term xlogy_first(const Term& grad, const Term& a, const Term& b) {
    Term result = b(LOG);
    {
        const Term a_is_zero = a(EQZ), no_gradient = grad(EQZ), nothing = a_is_zero.either(no_gradient);
        const Term no_logarithm = b.le(0.0F), defined = nothing.both(no_logarithm), below = b(LTZ);
        result = defined.where({0.0F, below.where({kNan, result})});
    }
    result = grad * result;
    return result;
}

Gradients xlogy(const Term& grad, const Term& a, const Term& b) {
    Term first = xlogy_first(grad, a, b);
    Term second = grad * a.with(BinaryKind::kMultiply, b, std::nullopt, {}, {{RECIP, {}}});
    return listed(std::move(first), std::move(second));
}

}  // namespace of

// By the formula of a definition with two gradients.
template <typename Definition, typename Formula>
Gradients pair(const Definition& call, Formula formula) {
    const RequiredOutputs& wanted = call.are_required_outputs;
    require(wanted.size() == 2, "are_required_outputs: expected 2, got ", wanted.size());
    const auto gradients_of = [&](const Tensor& input, const Tensor& other) {
        GradientPair gradients{{call.grad_tensor, call.memory_config},
                               {input, call.memory_config},
                               {other, call.memory_config},
                               wanted[0],
                               wanted[1],
                               call.input_grad,
                               call.other_grad};
        formula(gradients);
        return gradients.gradients();
    };
    if constexpr (requires { call.input_tensor_a; }) {
        return gradients_of(call.input_tensor_a, call.input_tensor_b);
    } else {
        return gradients_of(call.input_tensor, call.other_tensor);
    }
}

// A sum: grad, and alpha times grad.
void add_alpha(GradientPair& call, float alpha) {
    call.make_tensors();
    if (call.first) unscoped::copy(*call.grad, *call.input_grad);
    if (call.second) call.grad.with(BinaryKind::kMultiply, Scalar(alpha), call.other_grad);
}

void subtract_alpha(GradientPair& call, float alpha) {
    call.make_tensors();
    if (call.first) unscoped::copy(*call.grad, *call.input_grad);
    if (call.second) {
        const Term negative = call.grad(NEG, {}, call.other_grad);
        negative.with(BinaryKind::kMultiply, Scalar(alpha), call.other_grad);
    }
}

void subtract_reversed(GradientPair& call) {
    call.make_tensors();
    if (call.first) call.grad(NEG, {}, call.input_grad);
    if (call.second) unscoped::copy(*call.grad, *call.other_grad);
}

void assign_both(GradientPair& call) {
    call.make_tensors();
    if (call.first) unscoped::copy(*call.grad, *call.input_grad);
    if (call.second) unscoped::copy(*call.grad, *call.other_grad);
}

void multiply_both(GradientPair& call) {
    require(call.input->shape() == call.other->shape(), "mul_bw: shapes ", call.input->shape(), " and ",
            call.other->shape(), ": expected equal ones");
    if (call.first && call.second && is_fused_product(call.grad, call.input, call.other)) {
        auto [first, second] =
            fused_product(call.grad, call.input, call.other, call.input_grad, call.other_grad);
        call.input_grad = std::move(first).take();
        call.other_grad = std::move(second).take();
        return;
    }
    if (call.first) {
        call.input_grad = call.grad.with(BinaryKind::kMultiply, call.other, call.input_grad).take();
    }
    if (call.second) {
        call.other_grad = call.grad.with(BinaryKind::kMultiply, call.input, call.other_grad).take();
    }
}

void divide_both(GradientPair& call, bool rounded) {
    call.make_tensors();
    if (rounded) {
        if (call.first) call.grad.filled(0.0F, call.input_grad);
        if (call.second) call.grad.filled(0.0F, call.other_grad);
        return;
    }
    if (call.first) call.grad.with(BinaryKind::kMultiply, call.other(RECIP), call.input_grad);
    if (call.second) {
        const Term inverse = call.other(RECIP), negative = call.grad(NEG);
        const Term once = call.input * inverse, twice = once * inverse;
        negative.with(BinaryKind::kMultiply, twice, call.other_grad);
    }
}

void add_once(GradientPair& call) {
    add_alpha(call, 1.0F);
}

void subtract_once(GradientPair& call) {
    subtract_alpha(call, 1.0F);
}

Gradients copied(const Term& grad, const Term& input, const OptionalTensor& input_grad) {
    Term into = gradient_or_new(input_grad, input, grad.place());
    unscoped::copy(*grad, *into);
    return listed(std::move(into));
}

Gradients copied_beside(const Term& grad, const Term& input, float /*scalar*/,
                        const OptionalTensor& input_grad) {
    return copied(grad, input, input_grad);
}

Gradients multiplied(const Term& grad, const Term& input, float scalar, const OptionalTensor& input_grad) {
    const Term into = gradient_or_new(input_grad, input, grad.place());
    return listed(grad.with(BinaryKind::kMultiply, Scalar(scalar), *into));
}

namespace of {

Gradients addcmul(const Term& grad, const Term& b, const Term& c, float alpha) {
    Term of_second = grad * c * alpha;
    Term of_third = grad * b * alpha;
    return listed(grad, std::move(of_second), std::move(of_third));
}

Gradients addcdiv(const Term& grad, const Term& b, const Term& c, float alpha) {
    Term inverse = c(RECIP);
    const Term slope = grad * alpha * inverse;
    const auto pole = [&](const Term& value, UnaryOpType downwards) {
        return c(EQZ).where({grad(downwards).where({-kInfinity, kInfinity}), value});
    };
    Term of_second = pole(slope, LTZ);
    const Term product = grad(NEG) * alpha * b;
    const Term quotient = product * inverse * inverse;
    inverse.drop();
    Term of_third = pole(quotient, GTZ);
    return listed(grad, std::move(of_second), std::move(of_third));
}

// The gradients of gelu(input + bias).
Gradients bias_gelu(const Term& grad, const Term& input, const std::variant<Tensor, float>& bias,
                    GeluVariant variant) {
    const Tensor* tensor = std::get_if<Tensor>(&bias);
    const Term sum = tensor != nullptr ? input.elsewhere() + Term(*tensor, std::nullopt)
                                       : input.elsewhere() + std::get<float>(bias);
    Term result = fused_backward(fused_gelu(variant), grad, sum);
    return tensor != nullptr ? listed(result, result) : listed(std::move(result));
}

}  // namespace of

// By the formula of a definition's gradients.
template <typename Definition, typename Formula>
Gradients gradients_of_terms(const Definition& call, Formula formula) {
    return formula(Term(call.grad_tensor, call.memory_config), Term(call.input_tensor, call.memory_config));
}

GeluVariant gelu_variant(GeluVariant variant) {
    return variant;
}
GeluVariant gelu_variant(const std::string& approximate) {
    require(approximate == "none" || approximate == "tanh",
            "Incorrect approximation type (expected 'none', 'tanh')");
    return approximate == "tanh" ? GeluVariant::Tanh : GeluVariant::Accurate;
}

}  // namespace

Gradients BinaryGradient::body() const {
    return row->formula({grad_tensor, memory_config}, {input_tensor_a, memory_config},
                        {input_tensor_b, memory_config});
}

Gradients GradientBesideNumber::body() const {
    return gradients_of_terms(*this, [](const Term& grad, const Term&) { return listed(grad); });
}

constinit const BinaryGradientFunction atan2_bw{"atan2_bw", &of::atan2};
constinit const BinaryGradientFunction hypot_bw{"hypot_bw", &of::hypot};
constinit const BinaryGradientFunction ldexp_bw{"ldexp_bw", &of::ldexp};
constinit const BinaryGradientFunction logaddexp_bw{"logaddexp_bw", &of::logaddexp};
constinit const BinaryGradientFunction logaddexp2_bw{"logaddexp2_bw", &of::logaddexp2};
constinit const BinaryGradientFunction max_bw{"max_bw", &of::max};
constinit const BinaryGradientFunction min_bw{"min_bw", &of::min};
constinit const BinaryGradientFunction squared_difference_bw{"squared_difference_bw",
                                                             &of::squared_difference};
constinit const BinaryGradientFunction xlogy_bw{"xlogy_bw", &of::xlogy};
constinit const Overloaded<BinaryGradientFunction, GradientBesideNumberFunction> fmod_bw{
    {"fmod_bw", &of::fmod}, {"fmod_bw"}};
constinit const Overloaded<BinaryGradientFunction, GradientBesideNumberFunction> remainder_bw{
    {"remainder_bw", &of::remainder}, {"remainder_bw"}};

std::span<const BinaryGradientFunction* const> binary_gradients() {
    static constexpr const BinaryGradientFunction* kAll[] = {
        &atan2_bw,      &fmod_bw, &hypot_bw, &ldexp_bw,     &logaddexp_bw,
        &logaddexp2_bw, &max_bw,  &min_bw,   &remainder_bw, &squared_difference_bw,
        &xlogy_bw};
    return kAll;
}

std::span<const GradientBesideNumberFunction* const> gradients_beside_numbers() {
    static constexpr const GradientBesideNumberFunction* kAll[] = {&fmod_bw, &remainder_bw};
    return kAll;
}

constinit const Overloaded<PairGradientFunction, GradientBesideNumberIntoFunction> add_bw{
    {"add_bw", &add_once}, {"add_bw", &copied_beside}};
constinit const Overloaded<PairGradientFunction, GradientBesideNumberIntoFunction> mul_bw{
    {"mul_bw", &multiply_both}, {"mul_bw", &multiplied}};
constinit const Overloaded<PairGradientFunction, GradientBesideNumberIntoFunction> sub_bw{
    {"sub_bw", &subtract_once}, {"sub_bw", &copied_beside}};
constinit const PairGradientFunction rsub_bw{"rsub_bw", &subtract_reversed, "input_tensor_a",
                                             "input_tensor_b"};
constinit const Overloaded<PairGradientFunction, Operation<AssignGradient>> assign_bw{
    {"assign_bw", &assign_both, "input_tensor_a", "input_tensor_b", "input_a_grad", "input_b_grad"}, {}};

std::span<const PairGradientFunction* const> pair_gradients() {
    static constexpr const PairGradientFunction* kAll[] = {&add_bw, &assign_bw, &mul_bw, &rsub_bw, &sub_bw};
    return kAll;
}

std::span<const GradientBesideNumberIntoFunction* const> gradients_beside_numbers_into() {
    static constexpr const GradientBesideNumberIntoFunction* kAll[] = {&add_bw, &sub_bw, &mul_bw};
    return kAll;
}

Gradients PairGradient::body() const {
    return pair(*this, row->formula);
}

Gradients GradientBesideNumberInto::body() const {
    return gradients_of_terms(*this, [&](const Term& grad, const Term& input) {
        return row->formula(grad, input, scalar, input_grad);
    });
}

Gradients AssignGradient::body() const {
    return gradients_of_terms(*this, [&](const Term& grad, const Term& input) {
        return input_grad ? copied(grad, input, input_grad) : listed(grad);
    });
}

constinit const OperationOf<AlphaGradient> addalpha_bw{"addalpha_bw", &add_alpha, "input_a_grad",
                                                       "input_b_grad"};
constinit const OperationOf<AlphaGradient> subalpha_bw{"subalpha_bw", &subtract_alpha, "input_grad",
                                                       "other_grad"};

Gradients AlphaGradient::body() const {
    return pair(*this, [&](GradientPair& gradients) { row->formula(gradients, alpha); });
}

Gradients DivideGradient::body() const {
    return pair(*this, [&](GradientPair& gradients) {
        require_rounding_mode(rounding_mode);
        divide_both(gradients, rounding_mode.has_value());
    });
}

Gradients DivideByNumberGradient::body() const {
    return gradients_of_terms(*this, [&](const Term& grad, const Term& input) {
        require_rounding_mode(rounding_mode);
        const Term into = gradient_or_new(input_grad, input, memory_config);
        if (rounding_mode) return listed(grad.filled(0.0F, *into));
        if (scalar != 0.0F) return listed(grad.with(BinaryKind::kMultiply, Scalar(1.0F / scalar), *into));
        const Term no_gradient = grad(EQZ), direction = grad(SIGN), edge = direction * kInfinity;
        return listed(no_gradient.where({kNan, edge}, *into));
    });
}

template <typename Bias, typename Mode>
Gradients BiasGeluGradient<Bias, Mode>::body() const {
    const GeluVariant variant = gelu_variant(mode);
    return gradients_of_terms(*this, [&](const Term& grad, const Term& input) {
        return of::bias_gelu(grad, input, bias, variant);
    });
}
template struct BiasGeluGradient<Tensor, GeluVariant>;
template struct BiasGeluGradient<Tensor, std::string>;
template struct BiasGeluGradient<float, GeluVariant>;
template struct BiasGeluGradient<float, std::string>;

constinit const OperationOf<TernaryGradient> addcmul_bw{"addcmul_bw", &of::addcmul};
constinit const OperationOf<TernaryGradient> addcdiv_bw{"addcdiv_bw", &of::addcdiv};

Gradients TernaryGradient::body() const {
    return row->formula({grad_tensor, memory_config}, {input_tensor_b, memory_config},
                        {input_tensor_c, memory_config}, alpha);
}

template <typename Weight>
Gradients LerpGradient<Weight>::body() const {
    return gradients_of_terms(*this, [&](const Term& grad, const Term& input) {
        if constexpr (std::is_same_v<Weight, float>) {
            Term of_input = grad * (1.0F - weight);
            Term of_end = grad * weight;
            return listed(std::move(of_input), std::move(of_end));
        } else {
            const Term last(end, memory_config), share(weight, memory_config);
            Term of_input = grad * share.subtracted_from(1.0F);
            Term of_end = grad * share;
            Term of_weight = grad * (last - input);
            return listed(std::move(of_input), std::move(of_end), std::move(of_weight));
        }
    });
}
template struct LerpGradient<Tensor>;
template struct LerpGradient<float>;

Gradients WhereGradient::body() const {
    return pair(*this, [&](GradientPair& gradients) {
        const Term chosen(condition, memory_config);
        if (gradients.first) gradients.input_grad = chosen.where({gradients.grad, 0.0F}, input_grad).take();
        if (gradients.second) gradients.other_grad = chosen.where({0.0F, gradients.grad}, other_grad).take();
    });
}

}  // namespace tilemeter
