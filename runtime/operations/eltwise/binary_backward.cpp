// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/binary_backward.hpp"

#include <numbers>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/eltwise/internal/fused_backward.hpp"
#include "runtime/operations/eltwise/internal/gradient_scope.hpp"

namespace tilemeter {

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

// Of a remainder: grad, and -grad times the whole quotient.
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

/// A call with two gradients of which each may be left out.
struct Pair {
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

template <typename Formula, typename... Arguments>
Gradients pair(const OperationName& name, const Tensor& grad, const Tensor& input, const Tensor& other,
               const RequiredOutputs& required, const OptionalMemoryConfig& memory_config,
               const OptionalTensor& input_grad, const OptionalTensor& other_grad, Formula formula,
               const Arguments&... own_arguments) {
    return in_operation(name, std::tie(grad, input, other, own_arguments..., memory_config), [&] {
        if (required.size() != 2) {
            throw RuntimeError("are_required_outputs: expected 2, got " + std::to_string(required.size()));
        }
        Pair call{{grad, memory_config},
                  {input, memory_config},
                  {other, memory_config},
                  required[0],
                  required[1],
                  input_grad,
                  other_grad};
        formula(call);
        return call.gradients();
    });
}

// A sum: grad, and alpha times grad.
void add_alpha(Pair& call, float alpha) {
    call.make_tensors();
    if (call.first) unscoped::copy(*call.grad, *call.input_grad);
    if (call.second) call.grad.with(BinaryKind::kMultiply, Scalar(alpha), call.other_grad);
}

void subtract_alpha(Pair& call, float alpha) {
    call.make_tensors();
    if (call.first) unscoped::copy(*call.grad, *call.input_grad);
    if (call.second) {
        const Term negative = call.grad(NEG, {}, call.other_grad);
        negative.with(BinaryKind::kMultiply, Scalar(alpha), call.other_grad);
    }
}

void subtract_reversed(Pair& call) {
    call.make_tensors();
    if (call.first) call.grad(NEG, {}, call.input_grad);
    if (call.second) unscoped::copy(*call.grad, *call.other_grad);
}

void assign_both(Pair& call) {
    call.make_tensors();
    if (call.first) unscoped::copy(*call.grad, *call.input_grad);
    if (call.second) unscoped::copy(*call.grad, *call.other_grad);
}

void multiply_both(Pair& call) {
    if (call.input->shape() != call.other->shape()) {
        throw RuntimeError("mul_bw: shapes " + call.input->shape().to_string() + " and " +
                           call.other->shape().to_string() + ": expected equal ones");
    }
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

void divide_both(Pair& call, bool rounded) {
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

template <typename Formula, typename... Arguments>
Gradients in_scope_of(const OperationName& name, const Tensor& grad, const Tensor& input,
                      const OptionalMemoryConfig& memory_config, Formula formula,
                      const Arguments&... own_arguments) {
    return in_operation(name, std::tie(grad, input, own_arguments..., memory_config), [&]() -> Gradients {
        return formula(Term(grad, memory_config), Term(input, memory_config));
    });
}

Gradients copied(const Term& grad, const Term& input, const OptionalTensor& input_grad) {
    Term into = gradient_or_new(input_grad, input, grad.place());
    unscoped::copy(*grad, *into);
    return listed(std::move(into));
}

}  // namespace

#define TILEMETER_DEFINE(name)                                                                          \
    Gradients name##_bw(const Tensor& grad, const Tensor& input_tensor_a, const Tensor& input_tensor_b, \
                        const OptionalMemoryConfig& memory_config) {                                    \
        static const OperationName kName(#name "_bw");                                                  \
        return in_operation(kName, std::tie(grad, input_tensor_a, input_tensor_b, memory_config), [&] { \
            return of::name({grad, memory_config}, {input_tensor_a, memory_config},                     \
                            {input_tensor_b, memory_config});                                           \
        });                                                                                             \
    }
TILEMETER_BINARY_GRADIENTS(TILEMETER_DEFINE)
#undef TILEMETER_DEFINE

#define TILEMETER_DEFINE(name, formula)                                                                     \
    Gradients name##_bw(const Tensor& grad, const Tensor& input, const Tensor& other,                       \
                        const RequiredOutputs& are_required_outputs,                                        \
                        const OptionalMemoryConfig& memory_config, const OptionalTensor& input_grad,        \
                        const OptionalTensor& other_grad) {                                                 \
        static const OperationName kName(#name "_bw");                                                      \
        return pair(kName, grad, input, other, are_required_outputs, memory_config, input_grad, other_grad, \
                    [](Pair& call) { formula; });                                                           \
    }
TILEMETER_DEFINE(add, add_alpha(call, 1.0F))
TILEMETER_DEFINE(assign, assign_both(call))
TILEMETER_DEFINE(mul, multiply_both(call))
TILEMETER_DEFINE(rsub, subtract_reversed(call))
TILEMETER_DEFINE(sub, subtract_alpha(call, 1.0F))
#undef TILEMETER_DEFINE

#define TILEMETER_DEFINE(name, formula)                                                              \
    Gradients name##_bw(const Tensor& grad, const Tensor& input, const Tensor& other, float alpha,   \
                        const RequiredOutputs& are_required_outputs,                                 \
                        const OptionalMemoryConfig& memory_config, const OptionalTensor& input_grad, \
                        const OptionalTensor& other_grad) {                                          \
        static const OperationName kName(#name "_bw");                                               \
        return pair(                                                                                 \
            kName, grad, input, other, are_required_outputs, memory_config, input_grad, other_grad,  \
            [&](Pair& call) { formula(call, alpha); }, alpha);                                       \
    }
TILEMETER_DEFINE(addalpha, add_alpha)
TILEMETER_DEFINE(subalpha, subtract_alpha)
#undef TILEMETER_DEFINE

Gradients div_bw(const Tensor& grad, const Tensor& input, const Tensor& other,
                 const std::optional<std::string>& rounding_mode, const RequiredOutputs& are_required_outputs,
                 const OptionalMemoryConfig& memory_config, const OptionalTensor& input_grad,
                 const OptionalTensor& other_grad) {
    static const OperationName kName("div_bw");
    const auto formula = [&](Pair& call) {
        require_rounding_mode(rounding_mode);
        divide_both(call, rounding_mode.has_value());
    };
    return pair(kName, grad, input, other, are_required_outputs, memory_config, input_grad, other_grad,
                formula, rounding_mode);
}

#define TILEMETER_DEFINE(name)                                                                       \
    Gradients name(const Tensor& grad, const Tensor& input, float scalar,                            \
                   const OptionalMemoryConfig& memory_config, const OptionalTensor& input_grad) {    \
        static const OperationName kName(#name);                                                     \
        const auto formula = [&](const Term& g, const Term& x) { return copied(g, x, input_grad); }; \
        return in_scope_of(kName, grad, input, memory_config, formula, scalar);                      \
    }
TILEMETER_DEFINE(add_bw)
TILEMETER_DEFINE(sub_bw)
#undef TILEMETER_DEFINE

Gradients mul_bw(const Tensor& grad, const Tensor& input, float scalar,
                 const OptionalMemoryConfig& memory_config, const OptionalTensor& input_grad) {
    static const OperationName kName("mul_bw");
    const auto formula = [&](const Term& g, const Term& x) {
        const Term into = gradient_or_new(input_grad, x, memory_config);
        return listed(g.with(BinaryKind::kMultiply, Scalar(scalar), *into));
    };
    return in_scope_of(kName, grad, input, memory_config, formula, scalar);
}

Gradients div_bw(const Tensor& grad, const Tensor& input, float scalar,
                 const std::optional<std::string>& rounding_mode, const OptionalMemoryConfig& memory_config,
                 const OptionalTensor& input_grad) {
    static const OperationName kName("div_bw");
    const auto formula = [&](const Term& g, const Term& x) {
        require_rounding_mode(rounding_mode);
        const Term into = gradient_or_new(input_grad, x, memory_config);
        if (rounding_mode) return listed(g.filled(0.0F, *into));
        if (scalar != 0.0F) return listed(g.with(BinaryKind::kMultiply, Scalar(1.0F / scalar), *into));
        const Term no_gradient = g(EQZ), sign = g(SIGN), edge = sign * kInfinity;
        return listed(no_gradient.where({kNan, edge}, *into));
    };
    return in_scope_of(kName, grad, input, memory_config, formula, scalar, rounding_mode);
}

#define TILEMETER_DEFINE(name)                                                     \
    Gradients name(const Tensor& grad, const Tensor& input, float scalar,          \
                   const OptionalMemoryConfig& memory_config) {                    \
        static const OperationName kName(#name);                                   \
        const auto formula = [](const Term& g, const Term&) { return listed(g); }; \
        return in_scope_of(kName, grad, input, memory_config, formula, scalar);    \
    }
TILEMETER_DEFINE(fmod_bw)
TILEMETER_DEFINE(remainder_bw)
#undef TILEMETER_DEFINE

Gradients assign_bw(const Tensor& grad, const Tensor& input, const OptionalMemoryConfig& memory_config,
                    const OptionalTensor& input_grad) {
    static const OperationName kName("assign_bw");
    const auto formula = [&](const Term& g, const Term& x) {
        return input_grad ? copied(g, x, input_grad) : listed(g);
    };
    return in_scope_of(kName, grad, input, memory_config, formula);
}

Gradients bias_gelu_bw(const Tensor& grad, const Tensor& input, const std::variant<Tensor, float>& bias,
                       GeluVariant variant, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("bias_gelu_bw");
    const Tensor* tensor = std::get_if<Tensor>(&bias);
    const OptionalTensor bias_tensor = tensor != nullptr ? OptionalTensor(*tensor) : std::nullopt;
    const auto formula = [&](const Term& g, const Term& x) {
        const Term sum = bias_tensor ? x.elsewhere() + Term(*bias_tensor, std::nullopt)
                                     : x.elsewhere() + std::get<float>(bias);
        Term result = fused_backward(fused_gelu(variant), g, sum);
        return bias_tensor ? listed(result, result) : listed(std::move(result));
    };
    return in_scope_of(kName, grad, input, memory_config, formula, bias_tensor);
}

Gradients addcmul_bw(const Tensor& grad, const Tensor& a, const Tensor& b, const Tensor& c, float alpha,
                     const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("addcmul_bw");
    const auto formula = [&](const Term& g, const Term&) {
        const Term second(b, memory_config), third(c, memory_config);
        Term of_second = g * third * alpha;
        Term of_third = g * second * alpha;
        return listed(g, std::move(of_second), std::move(of_third));
    };
    return in_scope_of(kName, grad, a, memory_config, formula, b, c, alpha);
}

Gradients addcdiv_bw(const Tensor& grad, const Tensor& a, const Tensor& b, const Tensor& c, float alpha,
                     const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("addcdiv_bw");
    const auto formula = [&](const Term& g, const Term&) {
        const Term second(b, memory_config), third(c, memory_config);
        Term inverse = third(RECIP);
        const Term slope = g * alpha * inverse;
        const auto pole = [&](const Term& value, UnaryOpType downwards) {
            return third(EQZ).where({g(downwards).where({-kInfinity, kInfinity}), value});
        };
        Term of_second = pole(slope, LTZ);
        const Term product = g(NEG) * alpha * second;
        const Term quotient = product * inverse * inverse;
        inverse.drop();
        Term of_third = pole(quotient, GTZ);
        return listed(g, std::move(of_second), std::move(of_third));
    };
    return in_scope_of(kName, grad, a, memory_config, formula, b, c, alpha);
}

Gradients lerp_bw(const Tensor& grad, const Tensor& input, const Tensor& end,
                  const std::variant<Tensor, float>& weight, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("lerp_bw");
    const Tensor* tensor = std::get_if<Tensor>(&weight);
    const OptionalTensor weights = tensor != nullptr ? OptionalTensor(*tensor) : std::nullopt;
    const auto formula = [&](const Term& g, const Term& x) {
        if (!weights) {
            Term of_input = g * (1.0F - std::get<float>(weight));
            Term of_end = g * std::get<float>(weight);
            return listed(std::move(of_input), std::move(of_end));
        }
        const Term last(end, memory_config), share(*weights, memory_config);
        Term of_input = g * share.subtracted_from(1.0F);
        Term of_end = g * share;
        Term of_weight = g * (last - x);
        return listed(std::move(of_input), std::move(of_end), std::move(of_weight));
    };
    return in_scope_of(kName, grad, input, memory_config, formula, end, weights);
}

Gradients where_bw(const Tensor& grad, const Tensor& condition, const Tensor& input, const Tensor& other,
                   const OptionalMemoryConfig& memory_config, const RequiredOutputs& are_required_outputs,
                   const OptionalTensor& input_grad, const OptionalTensor& other_grad) {
    static const OperationName kName("where_bw");
    const auto formula = [&](Pair& call) {
        const Term chosen(condition, memory_config);
        if (call.first) call.input_grad = chosen.where({call.grad, 0.0F}, input_grad).take();
        if (call.second) call.other_grad = chosen.where({0.0F, call.grad}, other_grad).take();
    };
    return pair(kName, grad, input, other, are_required_outputs, memory_config, input_grad, other_grad,
                formula, condition);
}

}  // namespace tilemeter
