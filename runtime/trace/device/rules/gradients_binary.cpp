// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of two and three elements. TT-NN's gradients of them want operands of one shape; operands that are repeated have
// formulas of their own here, or are lowered.

#include <array>

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/binary_backward.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

constexpr const char* kFirst = "input_tensor_a|input_a|input_tensor|input";
constexpr const char* kSecond = "input_tensor_b|input_b|scalar|value";
constexpr const char* kBoth = "input_tensor_a input_a input_tensor input_tensor_b input_b";

bool has_activations(const Call& call) {
    return call.has("activations") || call.has("input_tensor_a_activations") ||
           call.has("input_tensor_b_activations");
}

// Two tensors or a tensor and a number, floats of one dtype; shapes may be repeated.
bool is_plain_pair(const Call& call) {
    const TensorSpec& result = call.result_spec();
    for (std::size_t i = 0; i < call.size(); ++i)
        if (call.spec(i).dtype != result.dtype || call.spec(i).layout != Layout::TILE) return false;
    return !has_activations(call) && result.layout == Layout::TILE && call.text("rounding_mode").empty();
}

bool is_pair_of_one_shape(const Call& call) {
    return call.size() == 2 && are_alike(call) && !has_activations(call) && call.find(kFirst) &&
           call.find(kSecond);
}

struct Pair {
    explicit Pair(const Call& call) : a(call.find(kFirst)), b(call.find(kSecond)) {}

    std::optional<std::size_t> a, b;
};

void give_pair(Call& call, const Gradients& gradients) {
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i]) call.give(i, *gradients[i]);
}

RequiredOutputs wanted(const Call& call) {
    return {call.wants(0), call.wants(1)};
}

void sum_of_two(Call& call) {
    for (std::size_t i = 0; i < call.size(); ++i)
        call.give(i, call.gradient());
}

void difference(Call& call, bool is_reversed) {
    const Pair pair(call);
    const auto& plus = is_reversed ? pair.b : pair.a;
    const auto& minus = is_reversed ? pair.a : pair.b;
    if (plus) call.give(*plus, call.gradient());
    if (minus && call.wants(*minus)) call.give(*minus, neg(sum_to(call.gradient(), call.shape(*minus))));
}

void product(Call& call) {
    const Pair pair(call);
    const Tensor gradient = call.gradient();
    if (pair.a && pair.b) {
        if (are_alike(call) && call.wants(*pair.a) && call.wants(*pair.b)) {
            give_pair(call, mul_bw(gradient, call.operand(*pair.a), call.operand(*pair.b)));
            return;
        }
        if (call.wants(*pair.a)) call.give(*pair.a, multiply(gradient, call.operand(*pair.b)));
        if (call.wants(*pair.b)) call.give(*pair.b, multiply(gradient, call.operand(*pair.a)));
        return;
    }
    const float number = static_cast<float>(call.find_number(pair.a ? kSecond : kFirst).value());
    call.give(0, mul_bw(gradient, gradient, number).at(0).value());
}

void quotient(Call& call) {
    const Pair pair(call);
    const Tensor gradient = call.gradient();
    if (pair.a && pair.b) {
        if (are_alike(call) && call.wants(*pair.b)) {
            give_pair(call, div_bw(DivideGradient{.grad_tensor = gradient,
                                                  .input_tensor = call.operand(*pair.a),
                                                  .other_tensor = call.operand(*pair.b),
                                                  .are_required_outputs = wanted(call)}));
            return;
        }
        const Tensor of_a = divide(gradient, call.operand(*pair.b));
        call.give(*pair.a, of_a);
        if (!call.wants(*pair.b)) return;
        const Tensor share = divide(call.operand(*pair.a), call.operand(*pair.b));
        call.give(*pair.b, neg(sum_to(multiply(of_a, share), call.shape(*pair.b))));
        return;
    }
    if (pair.a) {
        const float number = static_cast<float>(call.find_number(kSecond).value());
        call.give(0, div_bw(DivideByNumberGradient{
                                .grad_tensor = gradient, .input_tensor = gradient, .scalar = number})
                         .at(0)
                         .value());
        return;
    }
    const float number = static_cast<float>(call.find_number(kFirst).value());
    call.give(0, rdiv_bw(ReverseDivideGradient{
                             .grad_tensor = gradient, .input_tensor = call.operand(0), .scalar = number})
                     .at(0)
                     .value());
}

// Written over its first operand, so that of the second there is the result times itself.
void quotient_in_place(Call& call) {
    const Pair pair(call);
    if (!pair.b) {
        const float number = static_cast<float>(call.find_number(kSecond).value());
        call.give(0, multiply(call.gradient(), Scalar(1 / static_cast<double>(number))));
        return;
    }
    const Tensor of_a = divide(call.gradient(), call.operand(*pair.b));
    call.give(*pair.a, of_a);
    if (call.wants(*pair.b))
        call.give(*pair.b, neg(sum_to(multiply(of_a, call.result()), call.shape(*pair.b))));
}

// a * b + c
void product_and_sum(Call& call) {
    const Tensor gradient = call.gradient();
    const std::optional<std::size_t> b = call.find("input_tensor_b");
    if (call.wants(0)) {
        call.give(0, b ? multiply(gradient, call.operand(*b))
                       : multiply(gradient, Scalar(call.find_number("input_tensor_b").value())));
    }
    if (b && call.wants(*b)) call.give(*b, multiply(gradient, call.operand(0)));
    if (const auto c = call.find("input_tensor_c")) call.give(*c, gradient);
}

struct PairRow {
    const char* name;
    const BinaryGradientFunction* gradient;
};
const std::array kPairs = {
    PairRow{"atan2", &atan2_bw},           PairRow{"hypot", &hypot_bw},
    PairRow{"ldexp", &ldexp_bw},           PairRow{"logaddexp", &logaddexp_bw},
    PairRow{"logaddexp2", &logaddexp2_bw}, PairRow{"maximum", &max_bw},
    PairRow{"minimum", &min_bw},           PairRow{"squared_difference", &squared_difference_bw},
    PairRow{"xlogy", &xlogy_bw},
};

struct AlphaRow {
    const char* name;
    const OperationOf<AlphaGradient>* gradient;
};
const std::array kAlphas = {AlphaRow{"addalpha", &addalpha_bw}, AlphaRow{"subalpha", &subalpha_bw}};

struct TernaryRow {
    const char* name;
    const OperationOf<TernaryGradient>* gradient;
};
const std::array kTernaries = {TernaryRow{"addcmul", &addcmul_bw}, TernaryRow{"addcdiv", &addcdiv_bw}};

void lerp(Call& call) {
    const Tensor gradient = call.gradient();
    if (call.size() == 3) {
        give_pair(call, lerp_bw(LerpGradient<Tensor>{.grad_tensor = gradient,
                                                     .input_tensor = call.operand(0),
                                                     .end = call.operand(1),
                                                     .weight = call.operand(2)}));
        return;
    }
    give_pair(call, lerp_bw(LerpGradient<float>{.grad_tensor = gradient,
                                                .input_tensor = call.operand(0),
                                                .end = call.operand(1),
                                                .weight = call.number("weight", 0)}));
}

void choice(Call& call) {
    const Gradients gradients =
        where_bw(WhereGradient{.grad_tensor = call.gradient(),
                               .condition = call.operand(0),
                               .input_tensor = call.operand(1),
                               .other_tensor = call.operand(2),
                               .are_required_outputs = {call.wants(1), call.wants(2)}});
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i]) call.give(i + 1, *gradients[i]);
}

void bias_gelu(Call& call) {
    give_pair(call, bias_gelu_bw(BiasGeluGradient<Tensor, GeluVariant>{.grad_tensor = call.gradient(),
                                                                       .input_tensor = call.operand(0),
                                                                       .bias = call.operand(1),
                                                                       .mode = GeluVariant::Accurate}));
}

}  // namespace

std::vector<Rule> binary_rules() {
    std::vector<Rule> rules;
    for (const char* const name : {"add", "add_"})
        rules.push_back({name, "", sum_of_two, is_plain_pair});
    for (const char* const name : {"subtract", "subtract_"})
        rules.push_back({name, "", [](Call& call) { difference(call, false); }, is_plain_pair});
    rules.push_back({"rsub", "", [](Call& call) { difference(call, true); }, is_plain_pair});
    rules.push_back({"multiply", kBoth, product, is_plain_pair, [](const Call& call, std::size_t factor) {
                         return call.size() == 2 && call.wants(1 - factor);
                     }});
    for (const char* const name : {"divide", "div"})
        rules.push_back({name, kBoth, quotient, is_plain_pair, [](const Call& call, std::size_t operand) {
                             const Pair pair(call);
                             if (pair.a == operand) return pair.b && call.wants(*pair.b);
                             return true;
                         }});
    rules.push_back({"multiply_", kBoth, product, is_plain_pair, [](const Call& call, std::size_t factor) {
                         return call.size() == 2 && call.wants(1 - factor);
                     }});
    rules.push_back({"divide_", "input_tensor_b input_b result", quotient_in_place, [](const Call& call) {
                         return is_plain_pair(call) && call.find(kFirst) &&
                                (call.size() == 2 || call.find_number(kSecond));
                     }});
    rules.push_back({"mac", "input_tensor_a input_tensor_b", product_and_sum,
                     [](const Call& call) {
                         return is_plain_pair(call) && call.find("input_tensor_a") &&
                                (call.find("input_tensor_b") || call.find_number("input_tensor_b"));
                     },
                     [](const Call& call, std::size_t operand) {
                         const std::optional<std::size_t> b = call.find("input_tensor_b");
                         return b && call.wants(operand == 0 ? *b : 0);
                     }});
    for (const PairRow& row : kPairs)
        rules.push_back({row.name, kBoth,
                         [&row](Call& call) {
                             give_pair(call,
                                       (*row.gradient)(call.gradient(), call.operand(0), call.operand(1)));
                         },
                         is_pair_of_one_shape});
    const auto of_one_shape = [](std::size_t count) {
        return [count](const Call& call) { return call.size() == count && are_alike(call); };
    };
    for (const AlphaRow& row : kAlphas)
        rules.push_back({row.name, kBoth,
                         [&row](Call& call) {
                             give_pair(call,
                                       (*row.gradient)(call.gradient(), call.operand(0), call.operand(1),
                                                       call.number("alpha", 1), wanted(call)));
                         },
                         of_one_shape(2)});
    for (const TernaryRow& row : kTernaries)
        rules.push_back({row.name, "input_a input_b input_c",
                         [&row](Call& call) {
                             give_pair(call,
                                       (*row.gradient)(call.gradient(), call.operand(0), call.operand(1),
                                                       call.operand(2), call.number("value", 1)));
                         },
                         of_one_shape(3)});
    rules.push_back({"lerp", "input end weight", lerp, [](const Call& call) {
                         return are_alike(call) && (call.size() == 3 || call.find_number("weight"));
                     }});
    rules.push_back({"where", "predicate true_value false_value", choice, of_one_shape(3)});
    rules.push_back({"bias_gelu", kBoth, bias_gelu, [](const Call& call) {
                         return is_pair_of_one_shape(call) && !call.flag("fast_and_approximate_mode");
                     }});
    return rules;
}

}  // namespace tilemeter::trace::backward
