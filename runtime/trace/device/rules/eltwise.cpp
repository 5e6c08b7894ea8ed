// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of each element, as rows of formulas. Operands are x, y, z in the order of the parameters that are tensors or
// numbers; other names are the call's arguments.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "runtime/trace/device/rules/formula.hpp"
#include "runtime/trace/device/rules/lowering_call.hpp"

namespace tilemeter::trace::lowering {

namespace {

// Of numbers alone no tensor comes out.
ValueId tensor_of(const Call& call, const Operand& value) {
    if (const double* const number = std::get_if<double>(&value)) return call.to.full(call.type(), *number);
    return std::get<ValueId>(value);
}

struct UnaryRow {
    const char* name;
    const char* function;
    const char* parameters = "";  ///< the arguments that are its parameters
};
constexpr UnaryRow kUnaries[] = {
    {"abs", "ABS"},
    {"acos", "ACOS"},
    {"acosh", "ACOSH"},
    {"asin", "ASIN"},
    {"asinh", "ASINH"},
    {"atan", "ATAN"},
    {"atanh", "ATANH"},
    {"cbrt", "CBRT"},
    {"ceil", "CEIL"},
    {"celu", "CELU", "alpha"},
    {"cos", "COS"},
    {"cosh", "COSH"},
    {"deg2rad", "DEG2RAD"},
    {"digamma", "DIGAMMA"},
    {"elu", "ELU", "alpha"},
    {"eqz", "EQZ"},
    {"erf", "ERF"},
    {"erfc", "ERFC"},
    {"erfinv", "ERFINV"},
    {"exp", "EXP"},
    {"exp2", "EXP2"},
    {"expm1", "EXPM1"},
    {"fill", "FILL", "fill_value"},
    {"floor", "FLOOR"},
    {"frac", "FRAC"},
    {"gez", "GEZ"},
    {"gtz", "GTZ"},
    {"hardmish", "HARDMISH"},
    {"hardshrink", "HARDSHRINK", "lambd"},
    {"hardsigmoid", "HARDSIGMOID"},
    {"hardswish", "HARDSWISH"},
    {"hardtanh", "HARDTANH", "min_val max_val"},
    {"heaviside", "HEAVISIDE", "value"},
    {"identity", "IDENTITY"},
    {"isfinite", "ISFINITE"},
    {"isinf", "ISINF"},
    {"isnan", "ISNAN"},
    {"isneginf", "ISNEGINF"},
    {"isposinf", "ISPOSINF"},
    {"leaky_relu", "LEAKY_RELU", "negative_slope"},
    {"lez", "LEZ"},
    {"lgamma", "LGAMMA"},
    {"log", "LOG"},
    {"log10", "LOG10"},
    {"log1p", "LOG1P"},
    {"log2", "LOG2"},
    {"log_sigmoid", "LOGSIGMOID"},
    {"logical_not", "LOGICAL_NOT_UNARY"},
    {"logical_not_", "LOGICAL_NOT_UNARY"},
    {"logit", "LOGIT", "eps:-1"},
    {"ltz", "LTZ"},
    {"mish", "MISH"},
    {"neg", "NEG"},
    {"nez", "NEZ"},
    {"prelu", "PRELU_SFPU", "weight"},
    {"rad2deg", "RAD2DEG"},
    {"reciprocal", "RECIP"},
    {"relu", "RELU"},
    {"relu6", "RELU6"},
    {"relu_max", "RELU_MAX", "upper_limit"},
    {"relu_min", "RELU_MIN", "lower_limit"},
    {"round", "ROUND", "decimals:0"},
    {"rpow", "RPOW", "exponent"},
    {"rsqrt", "RSQRT"},
    {"selu", "SELU", "scale alpha"},
    {"sigmoid", "SIGMOID"},
    {"sigmoid_accurate", "SIGMOID"},
    {"sign", "SIGN"},
    {"signbit", "SIGNBIT"},
    {"silu", "SILU"},
    {"sin", "SIN"},
    {"sinh", "SINH"},
    {"softcap", "SOFTCAP", "beta"},
    {"softplus", "SOFTPLUS", "beta threshold"},
    {"softshrink", "SOFTSHRINK", "lambd"},
    {"softsign", "SOFTSIGN"},
    {"sqrt", "SQRT"},
    {"square", "SQUARE"},
    {"swish", "SILU"},
    {"tan", "TAN"},
    {"tanh", "TANH"},
    {"tanhshrink", "TANHSHRINK"},
    {"threshold", "THRESHOLD", "threshold value"},
    {"trunc", "TRUNC"},
    {"xielu", "XIELU", "alpha_p alpha_n"},
};

std::string digits(double value) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end};
}

// "eps:-1": the argument, and what it is where it is not given.
double argument_of(const Call& call, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return call.number(text);
    double otherwise = 0;
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), otherwise);
    return call.number(text.substr(0, colon), otherwise);
}

Values unary(const Call& call, const UnaryRow& row) {
    std::string function = std::string(row.function) + "(";
    std::string_view left = row.parameters;
    while (!left.empty()) {
        const std::string_view name = left.substr(0, left.find(' '));
        function += digits(argument_of(call, name)) + ",";
        left.remove_prefix(std::min(left.size(), name.size() + 1));
    }
    if (function.back() == ',') function.pop_back();
    return {call.activation(call[0], function + ")")};
}

struct FormulaRow {
    const char* name;
    const char* operands;  ///< parameters that are tensors or numbers; alternatives with a bar
    const char* formula;
    const char* of_integers = nullptr;  ///< where it differs
};
constexpr const char* kTwo = "input_tensor_a|input_a|input_tensor input_tensor_b|input_b|scalar|value";
constexpr const char* kRemainder =
    "select(rem(x, y) != 0 && (rem(x, y) < 0) != (y < 0), rem(x, y) + y, rem(x, y))";
constexpr const char* kRemainderOfIntegers =
    "select(y == 0, 0, select(rem(x, y) != 0 && (rem(x, y) < 0) != (y < 0), rem(x, y) + y, rem(x, y)))";
constexpr FormulaRow kFormulas[] = {
    {"add", kTwo, "x + y"},
    {"subtract", kTwo, "x - y"},
    {"multiply", kTwo, "x * y"},
    {"divide", kTwo, "x / y", "select(y == 0, 0, x / y)"},
    {"eq", kTwo, "x == y"},
    {"ne", kTwo, "x != y"},
    {"gt", kTwo, "x > y"},
    {"ge", kTwo, "x >= y"},
    {"lt", kTwo, "x < y"},
    {"le", kTwo, "x <= y"},
    {"rsub", kTwo, "y - x"},
    {"squared_difference", kTwo, "(x - y) * (x - y)"},
    {"logical_and", kTwo, "x != 0 && y != 0"},
    {"logical_or", kTwo, "x != 0 || y != 0"},
    {"logical_xor", kTwo, "(x != 0) != (y != 0)"},
    {"logaddexp", kTwo, "max(x, y) + log1p(exp(min(x - y, y - x)))"},
    {"logaddexp2", kTwo,
     "max(x, y) + log1p(exp(min(x - y, y - x) * 0.6931471805599453)) * 1.4426950408889634"},
    {"ldexp", kTwo, "x * exp(y * 0.6931471805599453)"},
    {"bias_gelu", kTwo, "(x + y) * 0.5 * (1 + erf((x + y) * 0.7071067811865476))"},
    {"xlogy", kTwo, "select(x == 0, select(y != y, y, 0), x * log(y))"},
    {"remainder", kTwo, kRemainder, kRemainderOfIntegers},
    {"fmod", kTwo, "rem(x, y)", "select(y == 0, 0, rem(x, y))"},
    {"maximum", kTwo, "max(x, y)"},
    {"minimum", kTwo, "min(x, y)"},
    {"atan2", kTwo, "atan2(x, y)"},
    {"hypot", kTwo, "sqrt(x * x + y * y)"},
    {"div_no_nan", kTwo, "select(y == 0, 0, x / y)"},
    {"isclose", kTwo, "abs(x - y) <= atol + rtol * abs(y) || x == y || x != x && y != y && equal_nan != 0"},
    {"addalpha", "input_tensor_a input_tensor_b", "x + alpha * y"},
    {"subalpha", "input_tensor_a input_tensor_b", "x - alpha * y"},
    {"lerp", "input end weight", "x + z * (y - x)"},
    {"mac", "input_tensor_a input_tensor_b input_tensor_c", "x * y + z"},
    {"addcmul", "input_a input_b input_c", "x + value * y * z"},
    {"addcdiv", "input_a input_b input_c", "x + value * y / z"},
    {"clamped_silu_glu", "gate up", "min(x, limit) * logistic(min(x, limit)) * min(max(y, -limit), limit)"},
    {"where", "predicate true_value false_value", "select(x != 0, y, z)"},
    {"multigammaln", "input_tensor",
     "lgamma(x) + lgamma(x - 0.5) + lgamma(x - 1) + lgamma(x - 1.5) + 3.434189657547"},
};
constexpr const char* kInPlace[] = {"add",         "subtract",   "multiply",    "divide",
                                    "eq",          "ne",         "gt",          "ge",
                                    "lt",          "le",         "rsub",        "squared_difference",
                                    "logical_and", "logical_or", "logical_xor", "logaddexp",
                                    "logaddexp2",  "ldexp",      "bias_gelu"};

// A tensor, spread to the result's shape, or a number.
Operand operand(const Call& call, std::string_view names) {
    for (std::string_view left = names; !left.empty();) {
        const std::string_view name = left.substr(0, left.find('|'));
        left.remove_prefix(std::min(left.size(), name.size() + 1));
        if (call.has("operands")) {
            if (const auto found = call.find(name)) return *found;
        }
        if (const auto number = call.find_number(name)) return *number;
    }
    call.refuse("no operand " + std::string(names));
}

ValueId with_activations(const Call& call, ValueId value, std::string_view argument) {
    for (const std::string& each : call.texts(argument))
        value = call.activation(value, each);
    return value;
}

Values formula(const Call& call, const FormulaRow& row) {
    FlatBuilder& to = call.to;
    std::vector<Operand> operands;
    std::size_t tensors = 0;
    for (std::string_view left = row.operands; !left.empty();) {
        const std::string_view names = left.substr(0, left.find(' '));
        left.remove_prefix(std::min(left.size(), names.size() + 1));
        // By number, unless the call says to which parameters its tensors belong.
        bool is_number = false;
        if (!call.has("operands")) {
            for (std::string_view rest = names; !rest.empty();) {
                const std::string_view name = rest.substr(0, rest.find('|'));
                rest.remove_prefix(std::min(rest.size(), name.size() + 1));
                is_number = is_number || call.find_number(name).has_value();
            }
        }
        if (!call.has("operands") && !is_number) {
            operands.emplace_back(call[tensors++]);
        } else {
            operands.push_back(operand(call, names));
        }
    }
    bool integers = is_integer(call.type().element);
    for (Operand& each : operands) {
        if (ValueId* const value = std::get_if<ValueId>(&each)) {
            integers = integers && is_integer(to.element(*value));
        } else {
            integers = integers && std::get<double>(each) == std::floor(std::get<double>(each));
        }
    }
    // The choice of where is no operand of a sum.
    const bool chooses = std::string_view(row.name) == "where";
    const char* const text = integers && row.of_integers != nullptr ? row.of_integers : row.formula;
    integers = integers && takes_integers(text);
    const char* const activations[] = {"input_tensor_a_activations", "input_tensor_b_activations"};
    for (std::size_t i = 0; i < operands.size(); ++i) {
        ValueId* const value = std::get_if<ValueId>(&operands[i]);
        if (value == nullptr) continue;
        if (i < 2) *value = with_activations(call, *value, activations[i]);
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
    return {with_activations(call, value, "activations")};
}

Values power(const Call& call) {
    if (call.size() > 1 && !call.has("exponent")) {
        return formula(call, {"pow", kTwo, "pow(x, y)"});
    }
    if (call.has("input_tensor")) {
        const double base = call.number("input_tensor");
        call.require(base > 0, "a power of a number that is not positive");
        return {call.activation(call[0], "RPOW(" + digits(base) + ")")};
    }
    return {call.activation(call[0], "POWER(" + digits(call.number("exponent")) + ")")};
}

Values divide(const Call& call) {
    const std::string mode = call.text("rounding_mode");
    if (mode.empty()) return formula(call, {"div", kTwo, "x / y"});
    if (mode == "floor") return formula(call, {"div", kTwo, "floor(x / y)", kRemainderOfIntegers});
    return formula(call, {"div", kTwo, "trunc(x / y)", "select(y == 0, 0, x / y)"});
}

// 0 by 0 is 0 of integers.
Values floor_divide(const Call& call) {
    bool integers = true;
    for (std::size_t i = 0; i < call.size(); ++i)
        integers = integers && ir::is_integer(call.element_on_device(i));
    const bool of_tensors = integers && call.size() > 1;
    return formula(
        call, {"floor_div", kTwo, of_tensors ? "select(x == 0 && y == 0, 0, floor(x / y))" : "floor(x / y)"});
}

Values gelu(const Call& call) {
    const bool is_fast = call.flag("fast_and_approximate_mode");
    const std::string variant = call.text("variant");
    const bool is_tanh = call.integer("variant", 0) != 0 || (!variant.empty() && variant != "Accurate");
    return {call.activation(call[0], is_fast || is_tanh ? "GELU_TANH" : "GELU")};
}

Values clamp(const Call& call) {
    FlatBuilder& to = call.to;
    ValueId x = to.broadcast(call[0], call.shape());
    if (call.result_on_device() == ElementType::kF32) x = call.as_float(x);
    const auto limit = [&](const char* name) -> std::optional<ValueId> {
        if (const auto number = call.find_number(name)) {
            if (*number != std::floor(*number)) x = call.as_float(x);
            return to.full_like(x, *number);
        }
        const auto tensor = call.find(name);
        if (!tensor) return std::nullopt;
        return to.broadcast(to.convert(*tensor, to.element(x)), to.shape(x));
    };
    if (const auto low = limit("min")) x = to.op("maximum", {x, to.convert(*low, to.element(x))});
    if (const auto high = limit("max")) x = to.op("minimum", {to.convert(x, to.element(*high)), *high});
    return {x};
}

Values polyval(const Call& call) {
    const std::vector<double> factors = call.numbers("coeffs");
    ValueId value = call.to.full_like(call[0], factors.at(0));
    for (std::size_t i = 1; i < factors.size(); ++i)
        value = call.to.add(call.to.mul(value, call[0]), factors[i]);
    return {value};
}

Values chain(const Call& call) {
    return {with_activations(call, call[0], "ops_chain")};
}

// The half times a function of the other half.
Values gated(const Call& call, const char* function) {
    FlatBuilder& to = call.to;
    const Shape from = to.shape(call[0]);
    const std::int64_t axis = call.axis("dim", -1, from.rank());
    const std::int64_t half = from[static_cast<std::size_t>(axis)] / 2;
    const ValueId first = call.slice(call[0], axis, 0, half);
    const ValueId second = call.slice(call[0], axis, half, 2 * half);
    return {to.mul(first, call.activation(second, function))};
}

Values geglu(const Call& call) {
    return gated(call, call.integer("variant", 0) == 0 ? "GELU" : "GELU_TANH");
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

Values bitwise_not(const Call& call) {
    return {call.to.op("not", {call[0]})};
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
    return formula(call, {"bcast", "input_a input_b", text});
}

Values quantized(const Call& call, double minus, double factor, double plus) {
    FlatBuilder& to = call.to;
    const bool is_rounded = !ir::is_float(call.result_on_device());
    // A float32 product would meet halves that the product of the numbers is beside.
    ValueId x = to.convert(call[0], is_rounded ? ElementType::kF64 : ElementType::kF32);
    x = to.add(to.mul(to.sub(x, minus), factor), plus);
    if (!is_rounded) return {x};
    x = to.op("round_even", {x});
    const bool is_u8 = call.result_on_device() == ElementType::kU8;
    const double low = is_u8 ? 0.0 : -2147483648.0;
    const double high = is_u8 ? 255.0 : 2147483647.0;
    x = to.op("minimum", {to.op("maximum", {x, to.full_like(x, low)}), to.full_like(x, high)});
    return {x};
}

void require_numbers(const Call& call) {
    call.require(call.size() == 1, "scale or zero point is a tensor");
}

Values quantize(const Call& call) {
    require_numbers(call);
    return quantized(call, 0, 1.0 / call.number("scale"), call.number("zero_point"));
}
Values dequantize(const Call& call) {
    require_numbers(call);
    return quantized(call, call.number("zero_point"), call.number("scale"), 0);
}
Values requantize(const Call& call) {
    require_numbers(call);
    return quantized(call, call.number("in_zero_point"), call.number("in_scale") / call.number("out_scale"),
                     call.number("out_zero_point"));
}

}  // namespace

std::vector<Rule> elementwise_rules() {
    std::vector<Rule> rules;
    for (const UnaryRow& row : kUnaries)
        rules.push_back({row.name, "input_tensor", [&row](const Call& call) { return unary(call, row); }});
    for (const FormulaRow& row : kFormulas)
        rules.push_back({row.name, "", [&row](const Call& call) { return formula(call, row); }});
    static const std::vector<std::string> kInPlaceNames = [] {
        std::vector<std::string> names;
        for (const char* const each : kInPlace)
            names.push_back(std::string(each) + "_");
        return names;
    }();
    for (const std::string& name : kInPlaceNames) {
        const auto* const row = std::ranges::find(kFormulas, name.substr(0, name.size() - 1),
                                                  [](const FormulaRow& each) { return each.name; });
        rules.push_back({name.c_str(), "", [row](const Call& call) { return formula(call, *row); }});
    }
    const std::vector<Rule> others = {
        {"pow", "", power},
        {"div", "", divide},
        {"floor_div", "", floor_divide},
        {"rdiv", "input_tensor",
         [](const Call& call) -> Values {
             const std::string mode = call.text("rounding_mode");
             return {call.activation(call[0], "RDIV(" + digits(call.number("value")) + "," +
                                                  (mode.empty()      ? "0"
                                                   : mode == "floor" ? "1"
                                                                     : "2") +
                                                  ")")};
         }},
        {"gelu", "input_tensor", gelu},
        {"clamp", "input_tensor min max", clamp},
        {"clip", "input_tensor min max", clamp},
        {"polyval", "input_tensor_a", polyval},
        {"unary_chain", "input_tensor", chain},
        {"glu", "input_tensor", [](const Call& call) { return gated(call, "SIGMOID"); }},
        {"reglu", "input_tensor", [](const Call& call) { return gated(call, "RELU"); }},
        {"swiglu", "input_tensor", [](const Call& call) { return gated(call, "SILU"); }},
        {"geglu", "input_tensor", geglu},
        {"bitwise_and", "", [](const Call& call) { return bitwise(call, "and"); }},
        {"bitwise_or", "", [](const Call& call) { return bitwise(call, "or"); }},
        {"bitwise_xor", "", [](const Call& call) { return bitwise(call, "xor"); }},
        {"bitwise_left_shift", "", [](const Call& call) { return bitwise(call, "shift_left"); }},
        {"logical_left_shift", "", [](const Call& call) { return bitwise(call, "shift_left"); }},
        {"bitwise_right_shift", "", [](const Call& call) { return bitwise(call, "shift_right_arithmetic"); }},
        {"logical_right_shift", "", [](const Call& call) { return bitwise(call, "shift_right_logical"); }},
        {"bitwise_not", "input_tensor", bitwise_not},
        {"bcast", "input_a input_b", bcast},
        {"quantize", "input_tensor", quantize},
        {"dequantize", "input_tensor", dequantize},
        {"requantize", "input_tensor", requantize},
    };
    rules.insert(rules.end(), others.begin(), others.end());
    return rules;
}

}  // namespace tilemeter::trace::lowering
