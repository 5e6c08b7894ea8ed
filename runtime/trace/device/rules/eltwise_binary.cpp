// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of two and three elements: their lowerings are formulas; TT-NN's gradients of them want operands of one shape, and
// operands that are repeated have gradients of their own here, or are lowered.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/binary_backward.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/trace/device/rules/formula.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

// Numbers alone make no tensor.
ValueId tensor_of(const Call& call, const Operand& value) {
    if (const double* const number = std::get_if<double>(&value)) return call.to.full(call.type(), *number);
    return std::get<ValueId>(value);
}

// A formula for each element: x, y and z are the operands, other names the call's arguments.
struct Formula {
    const char* operands;  ///< parameters that are tensors or numbers; alternatives with a bar
    const char* text;
    const char* of_integers = nullptr;  ///< the formula for integers if it differs
};
constexpr const char* kTwo = "input_tensor_a|input_a|input_tensor input_tensor_b|input_b|scalar|value";
constexpr const char* kRemainder =
    "select(rem(x, y) != 0 && (rem(x, y) < 0) != (y < 0), rem(x, y) + y, rem(x, y))";
constexpr const char* kRemainderOfIntegers =
    "select(y == 0, 0, select(rem(x, y) != 0 && (rem(x, y) < 0) != (y < 0), rem(x, y) + y, rem(x, y)))";

// A tensor, spread to the result's shape, or a number.
Operand operand(const Call& call, std::string_view names) {
    if (const auto found = call.find(names)) return *found;
    if (const auto number = call.find_number(names)) return *number;
    call.refuse("no operand " + std::string(names));
}

Values formula(const Call& call, const Formula& row) {
    FlatBuilder& to = call.to;
    std::vector<Operand> operands;
    std::size_t tensors = 0;
    rules::for_each_name(row.operands, ' ', [&](std::string_view names) {
        // By number, unless the call says to which parameters its tensors belong.
        if (call.has("operands") || call.find_number(names)) {
            operands.push_back(operand(call, names));
        } else {
            operands.emplace_back(call[tensors++]);
        }
    });
    bool integers = is_integer(call.type().element);
    for (Operand& each : operands) {
        if (ValueId* const value = std::get_if<ValueId>(&each)) {
            integers = integers && is_integer(to.element(*value));
        } else {
            integers = integers && std::get<double>(each) == std::floor(std::get<double>(each));
        }
    }
    // The choice of where is no operand of a sum.
    const bool chooses = call.name() == "ttnn.where";
    const char* const text = integers && row.of_integers != nullptr ? row.of_integers : row.text;
    integers = integers && takes_integers(text);
    const char* const activations[] = {"input_tensor_a_activations", "input_tensor_b_activations"};
    for (std::size_t i = 0; i < operands.size(); ++i) {
        ValueId* const value = std::get_if<ValueId>(&operands[i]);
        if (value == nullptr) continue;
        if (i < 2) *value = call.activations(*value, activations[i]);
        if (chooses) {
            if (i > 0) *value = call.as_result(*value);
        } else if (!integers) {
            *value = call.as_float(*value);
        } else {
            *value = call.as_result(*value);
        }
        *value = to.broadcast(*value, call.shape());
    }
    const Lookup lookup = [&](std::string_view name) -> Operand {
        if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z')
            return operands.at(static_cast<std::size_t>(name[0] - 'x'));
        return call.number(name);
    };
    const ValueId value = tensor_of(call, write_formula(to, text, lookup));
    return {call.activations(value, "activations")};
}

Values power(const Call& call) {
    if (call.size() > 1 && !call.has("exponent")) {
        return formula(call, {kTwo, "pow(x, y)"});
    }
    if (call.has("input_tensor")) {
        const double base = call.number("input_tensor");
        call.require(base > 0, "a power of a number that is not positive");
        return {call.activation(call[0], "RPOW", {base})};
    }
    return {call.activation(call[0], "POWER", {call.number("exponent")})};
}

Values divide(const Call& call) {
    const std::string mode = call.text("rounding_mode");
    if (mode.empty()) return formula(call, {kTwo, "x / y"});
    if (mode == "floor") return formula(call, {kTwo, "floor(x / y)", kRemainderOfIntegers});
    return formula(call, {kTwo, "trunc(x / y)", "select(y == 0, 0, x / y)"});
}

// 0 by 0 is 0 of integers.
Values floor_divide(const Call& call) {
    bool integers = true;
    for (std::size_t i = 0; i < call.size(); ++i)
        integers = integers && ir::is_integer(call.element_on_device(i));
    const bool of_tensors = integers && call.size() > 1;
    return formula(call, {kTwo, of_tensors ? "select(x == 0 && y == 0, 0, floor(x / y))" : "floor(x / y)"});
}

Values reverse_divide(const Call& call) {
    const std::string mode = call.text("rounding_mode");
    return {call.activation(call[0], "RDIV",
                            {call.number("value"), mode.empty()      ? 0.0
                                                   : mode == "floor" ? 1.0
                                                                     : 2.0})};
}

Values bitwise(const Call& call, const char* primitive) {
    FlatBuilder& to = call.to;
    const ValueId a = to.broadcast(call[0], call.shape());
    std::optional<ValueId> b;
    for (const char* const name : {"input_tensor_b", "input_b", "scalar"})
        if (const auto number = call.find_number(name)) b = to.full_like(a, *number);
    if (!b) b = to.broadcast(to.convert(call[1], to.element(a)), call.shape());
    return {to.op(primitive, {a, *b})};
}

Values bcast(const Call& call) {
    const std::int64_t math = call.integer("math_op", 0);
    const char* const text = math == 0 ? "x + y" : math == 1 ? "x - y" : "x * y";
    enum : std::int64_t { kH, kW };
    const std::int64_t dim = call.integer("dim", kH);
    const ir::Shape repeated = call.to.shape(call[1]);
    const std::size_t rank = repeated.rank();
    call.require((dim == kW || rank < 2 || repeated[rank - 2] == 1) &&
                     (dim == kH || rank < 1 || repeated[rank - 1] == 1),
                 "input_b has more than what is repeated");
    return formula(call, {"input_a input_b", text});
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

namespace {

using lowering::kTwo;

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
    return call.size() == 2 && are_alike(call) && !has_activations(call) && call.position(kFirst) &&
           call.position(kSecond);
}

struct Pair {
    explicit Pair(const Call& call) : a(call.position(kFirst)), b(call.position(kSecond)) {}

    std::optional<std::size_t> a, b;
};

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
            give_all(call, mul_bw(gradient, call.operand(*pair.a), call.operand(*pair.b)));
            return;
        }
        if (call.wants(*pair.a)) call.give(*pair.a, multiply(gradient, call.operand(*pair.b)));
        if (call.wants(*pair.b)) call.give(*pair.b, multiply(gradient, call.operand(*pair.a)));
        return;
    }
    const auto number = static_cast<float>(call.number(pair.a ? kSecond : kFirst));
    give_all(call, mul_bw(gradient, gradient, number));
}

void quotient(Call& call) {
    const Pair pair(call);
    const Tensor gradient = call.gradient();
    if (pair.a && pair.b) {
        if (are_alike(call) && call.wants(*pair.b)) {
            give_all(call, div_bw(DivideGradient{.grad_tensor = gradient,
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
        const auto number = static_cast<float>(call.number(kSecond));
        give_all(call, div_bw(DivideByNumberGradient{
                           .grad_tensor = gradient, .input_tensor = gradient, .scalar = number}));
        return;
    }
    const auto number = static_cast<float>(call.number(kFirst));
    give_all(call, rdiv_bw(ReverseDivideGradient{
                       .grad_tensor = gradient, .input_tensor = call.operand(0), .scalar = number}));
}

// Written over its first operand, so that of the second there is the result times itself.
void quotient_in_place(Call& call) {
    const Pair pair(call);
    if (!pair.b) {
        const auto number = static_cast<float>(call.number(kSecond));
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
    const std::optional<std::size_t> b = call.position("input_tensor_b");
    if (call.wants(0)) {
        call.give(0, b ? multiply(gradient, call.operand(*b))
                       : multiply(gradient, Scalar(call.number("input_tensor_b"))));
    }
    if (b && call.wants(*b)) call.give(*b, multiply(gradient, call.operand(0)));
    if (const auto c = call.position("input_tensor_c")) call.give(*c, gradient);
}

void lerp(Call& call) {
    const Tensor gradient = call.gradient();
    if (call.size() == 3) {
        give_all(call, lerp_bw(LerpGradient<Tensor>{.grad_tensor = gradient,
                                                    .input_tensor = call.operand(0),
                                                    .end = call.operand(1),
                                                    .weight = call.operand(2)}));
        return;
    }
    give_all(call, lerp_bw(LerpGradient<float>{.grad_tensor = gradient,
                                               .input_tensor = call.operand(0),
                                               .end = call.operand(1),
                                               .weight = call.single("weight", 0)}));
}

void choice(Call& call) {
    give_all(call,
             where_bw(WhereGradient{.grad_tensor = call.gradient(),
                                    .condition = call.operand(0),
                                    .input_tensor = call.operand(1),
                                    .other_tensor = call.operand(2),
                                    .are_required_outputs = {call.wants(1), call.wants(2)}}),
             1);
}

void bias_gelu(Call& call) {
    give_all(call, bias_gelu_bw(BiasGeluGradient<Tensor, GeluVariant>{.grad_tensor = call.gradient(),
                                                                      .input_tensor = call.operand(0),
                                                                      .bias = call.operand(1),
                                                                      .mode = GeluVariant::Accurate}));
}

// TT-NN's pow_bw is infinite where the base is not positive.
void power(Call& call) {
    const float exponent = call.single("exponent", 1);
    const Tensor x = call.operand(0);
    if (exponent == 2.0F) {
        give_all(call, square_bw(call.gradient(), x));
        return;
    }
    const Tensor less = pow(PowerOfTensor{.input_tensor = x, .exponent = exponent - 1});
    call.give(0, multiply(multiply(less, Scalar(exponent)), call.gradient()));
}

bool takes_power(const Call& call) {
    return are_alike(call) && call.size() == 1 && call.find_number("exponent");
}

void reverse_divide(Call& call) {
    give_all(call, rdiv_bw(ReverseDivideGradient{.grad_tensor = call.gradient(),
                                                 .input_tensor = call.operand(0),
                                                 .scalar = call.single("value", 1)}));
}

bool takes_reverse_divide(const Call& call) {
    return are_alike(call) && call.text("rounding_mode").empty();
}

// Factors are read for each other's gradients.
bool reads_factor_of_two(const Call& call, std::size_t factor) {
    return call.size() == 2 && call.wants(1 - factor);
}

bool reads_of_quotient(const Call& call, std::size_t operand) {
    const Pair pair(call);
    return pair.a != operand || (pair.b && call.wants(*pair.b));
}

bool takes_quotient_in_place(const Call& call) {
    return is_plain_pair(call) && call.position(kFirst) && (call.size() == 2 || call.find_number(kSecond));
}

bool takes_product_and_sum(const Call& call) {
    return is_plain_pair(call) && call.position("input_tensor_a") &&
           (call.position("input_tensor_b") || call.find_number("input_tensor_b"));
}

bool reads_of_product_and_sum(const Call& call, std::size_t operand) {
    const std::optional<std::size_t> b = call.position("input_tensor_b");
    return b && call.wants(operand == 0 ? *b : 0);
}

template <std::size_t kCount>
bool are_alike_and(const Call& call) {
    return call.size() == kCount && are_alike(call);
}

bool takes_lerp(const Call& call) {
    return are_alike(call) && (call.size() == 3 || call.find_number("weight"));
}

bool takes_bias_gelu(const Call& call) {
    return is_pair_of_one_shape(call) && !call.flag("fast_and_approximate_mode");
}

// By TT-NN's gradients.
Gradient of_pair(const BinaryGradientFunction& gradient) {
    return {kBoth,
            [&gradient](Call& call) {
                give_all(call, gradient(call.gradient(), call.operand(0), call.operand(1)));
            },
            is_pair_of_one_shape};
}

Gradient with_alpha(const OperationOf<AlphaGradient>& gradient) {
    return {kBoth,
            [&gradient](Call& call) {
                give_all(call, gradient(call.gradient(), call.operand(0), call.operand(1),
                                        call.single("alpha", 1), wanted(call)));
            },
            are_alike_and<2>};
}

Gradient of_three(const OperationOf<TernaryGradient>& gradient) {
    return {"input_a input_b input_c",
            [&gradient](Call& call) {
                give_all(call, gradient(call.gradient(), call.operand(0), call.operand(1), call.operand(2),
                                        call.single("value", 1)));
            },
            are_alike_and<3>};
}

struct FormulaRow {
    const char* name;
    lowering::Formula formula;
    Gradient gradient{};
    std::optional<Gradient>
        in_place{};  ///< of the form that writes over its first operand, where there is one
};

std::vector<FormulaRow> formula_rows(const Gradient& of_quotient) {
    const Gradient of_sum{"", sum_of_two, is_plain_pair};
    const Gradient of_difference{"", with(difference, false), is_plain_pair};
    const Gradient of_product{kBoth, product, is_plain_pair, reads_factor_of_two};
    return {
        {"add", {kTwo, "x + y"}, of_sum, of_sum},
        {"subtract", {kTwo, "x - y"}, of_difference, of_difference},
        {"multiply", {kTwo, "x * y"}, of_product, of_product},
        {"divide",
         {kTwo, "x / y", "select(y == 0, 0, x / y)"},
         of_quotient,
         Gradient{"input_tensor_b input_b result", quotient_in_place, takes_quotient_in_place}},
        {"eq", {kTwo, "x == y"}, no_slope(), Gradient()},
        {"ne", {kTwo, "x != y"}, no_slope(), Gradient()},
        {"gt", {kTwo, "x > y"}, no_slope(), Gradient()},
        {"ge", {kTwo, "x >= y"}, no_slope(), Gradient()},
        {"lt", {kTwo, "x < y"}, no_slope(), Gradient()},
        {"le", {kTwo, "x <= y"}, no_slope(), Gradient()},
        {"rsub", {kTwo, "y - x"}, {"", with(difference, true), is_plain_pair}, Gradient()},
        {"squared_difference", {kTwo, "(x - y) * (x - y)"}, of_pair(squared_difference_bw), Gradient()},
        {"logical_and", {kTwo, "x != 0 && y != 0"}, no_slope(), Gradient()},
        {"logical_or", {kTwo, "x != 0 || y != 0"}, no_slope(), Gradient()},
        {"logical_xor", {kTwo, "(x != 0) != (y != 0)"}, no_slope(), Gradient()},
        {"logaddexp", {kTwo, "max(x, y) + log1p(exp(min(x - y, y - x)))"}, of_pair(logaddexp_bw), Gradient()},
        {"logaddexp2",
         {kTwo, "max(x, y) + log1p(exp(min(x - y, y - x) * 0.6931471805599453)) * 1.4426950408889634"},
         of_pair(logaddexp2_bw),
         Gradient()},
        {"ldexp", {kTwo, "x * exp(y * 0.6931471805599453)"}, of_pair(ldexp_bw), Gradient()},
        {"bias_gelu",
         {kTwo, "(x + y) * 0.5 * (1 + erf((x + y) * 0.7071067811865476))"},
         {kBoth, bias_gelu, takes_bias_gelu},
         Gradient()},
        {"xlogy", {kTwo, "select(x == 0, select(y != y, y, 0), x * log(y))"}, of_pair(xlogy_bw)},
        {"remainder", {kTwo, lowering::kRemainder, lowering::kRemainderOfIntegers}},
        {"fmod", {kTwo, "rem(x, y)", "select(y == 0, 0, rem(x, y))"}},
        {"maximum", {kTwo, "max(x, y)"}, of_pair(max_bw)},
        {"minimum", {kTwo, "min(x, y)"}, of_pair(min_bw)},
        {"atan2", {kTwo, "atan2(x, y)"}, of_pair(atan2_bw)},
        {"hypot", {kTwo, "sqrt(x * x + y * y)"}, of_pair(hypot_bw)},
        {"div_no_nan", {kTwo, "select(y == 0, 0, x / y)"}},
        {"isclose",
         {kTwo, "abs(x - y) <= atol + rtol * abs(y) || x == y || x != x && y != y && equal_nan != 0"},
         no_slope()},
        {"addalpha", {"input_tensor_a input_tensor_b", "x + alpha * y"}, with_alpha(addalpha_bw)},
        {"subalpha", {"input_tensor_a input_tensor_b", "x - alpha * y"}, with_alpha(subalpha_bw)},
        {"lerp", {"input end weight", "x + z * (y - x)"}, {"input end weight", lerp, takes_lerp}},
        {"mac",
         {"input_tensor_a input_tensor_b input_tensor_c", "x * y + z"},
         {"input_tensor_a input_tensor_b", product_and_sum, takes_product_and_sum, reads_of_product_and_sum}},
        {"addcmul", {"input_a input_b input_c", "x + value * y * z"}, of_three(addcmul_bw)},
        {"addcdiv", {"input_a input_b input_c", "x + value * y / z"}, of_three(addcdiv_bw)},
        {"clamped_silu_glu",
         {"gate up", "min(x, limit) * logistic(min(x, limit)) * min(max(y, -limit), limit)"}},
        {"where",
         {"predicate true_value false_value", "select(x != 0, y, z)"},
         {"predicate true_value false_value", choice, are_alike_and<3>}},
        {"multigammaln",
         {"input_tensor", "lgamma(x) + lgamma(x - 0.5) + lgamma(x - 1) + lgamma(x - 1.5) + 3.434189657547"},
         by(multigammaln_bw)},
    };
}

}  // namespace

std::vector<Rule> eltwise_binary_rules() {
    const Gradient of_quotient{kBoth, quotient, is_plain_pair, reads_of_quotient};
    std::vector<Rule> rules = {
        {"pow", {"", lowering::power}, {"input_tensor", power, takes_power}},
        {"div", {"", lowering::divide}, of_quotient},
        {"floor_div", {"", lowering::floor_divide}, no_slope()},
        {"rdiv",
         {"input_tensor", lowering::reverse_divide},
         {"input_tensor", reverse_divide, takes_reverse_divide}},
        {"bitwise_and", {"", with(lowering::bitwise, "and")}},
        {"bitwise_or", {"", with(lowering::bitwise, "or")}},
        {"bitwise_xor", {"", with(lowering::bitwise, "xor")}},
        {"bitwise_left_shift", {"", with(lowering::bitwise, "shift_left")}},
        {"logical_left_shift", {"", with(lowering::bitwise, "shift_left")}},
        {"bitwise_right_shift", {"", with(lowering::bitwise, "shift_right_arithmetic")}},
        {"logical_right_shift", {"", with(lowering::bitwise, "shift_right_logical")}},
        {"bcast", {"input_a input_b", lowering::bcast}},
    };
    for (FormulaRow& row : formula_rows(of_quotient)) {
        const Lowering lowering{"", with(lowering::formula, row.formula)};
        if (row.in_place) rules.push_back({std::string(row.name) + "_", lowering, *std::move(row.in_place)});
        rules.push_back({row.name, lowering, std::move(row.gradient)});
    }
    return rules;
}

}  // namespace tilemeter::trace::rules
