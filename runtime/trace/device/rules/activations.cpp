// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of one element, as formulas by the names of TT-NN's UnaryOpType.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "runtime/trace/device/rules/formula.hpp"
#include "runtime/trace/device/rules/lowering_call.hpp"

namespace tilemeter::trace::lowering {

namespace {

struct Function {
    const char* name;  ///< as TT-NN's UnaryOpType
    const char* formula;
};

// p and q: the parameters.
constexpr Function kFunctions[] = {
    {"ABS", "abs(x)"},
    {"ACOS", "atan2(sqrt((1 - x) * (1 + x)), x)"},
    {"ACOSH", "log(x + sqrt((x - 1) * (x + 1)))"},
    {"ADD_UNARY_SFPU", "x + p"},
    {"ASIN", "atan2(x, sqrt((1 - x) * (1 + x)))"},
    {"ASINH", "sign(x) * log1p(abs(x) + x * x / (1 + sqrt(x * x + 1)))"},
    {"ATAN", "atan2(x, 1)"},
    {"ATANH", "(log1p(x) - log1p(-x)) * 0.5"},
    {"CBRT", "cbrt(x)"},
    {"CEIL", "ceil(x)"},
    {"CELU", "select(x > 0, x, p * expm1(min(x, 0) / p))"},
    {"CLAMP_TSS", "min(max(x, p), q)"},
    {"COS", "cos(x)"},
    {"COSH", "(exp(x) + exp(-x)) * 0.5"},
    {"DEG2RAD", "x * 0.017453292519943295"},
    {"DIGAMMA", "digamma(x)"},
    {"DIV_UNARY_SFPU", "x / p"},
    {"ELU", "select(x > 0, x, p * expm1(min(x, 0)))"},
    {"EQZ", "x == 0"},
    {"ERF", "erf(x)"},
    {"ERFC", "1 - erf(x)"},
    {"ERFINV", "erf_inv(x)"},
    {"EXP", "exp(x)"},
    {"EXP2", "exp(x * 0.6931471805599453)"},
    {"EXPM1", "expm1(x)"},
    {"FILL", "select(x == x, p, p)"},
    {"FLOOR", "floor(x)"},
    {"FMOD", "rem(x, p)"},
    {"FRAC", "x - trunc(x)"},
    {"GELU", "x * 0.5 * (1 + erf(x * 0.7071067811865476))"},
    {"GELU_TANH", "0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))"},
    {"GEZ", "x >= 0"},
    {"GTZ", "x > 0"},
    {"HARDMISH", "x * min(max(x + 2.8, 0), 5) * 0.2"},
    {"HARDSHRINK", "select(abs(x) > p, x, 0)"},
    {"HARDSIGMOID", "min(max(x / 6 + 0.5, 0), 1)"},
    {"HARDSWISH", "x * min(max(x / 6 + 0.5, 0), 1)"},
    {"HARDTANH", "min(max(x, p), q)"},
    {"HEAVISIDE", "select(x == 0, p, number(x > 0))"},
    {"IDENTITY", "x"},
    {"ISFINITE", "is_finite(x)"},
    {"ISINF", "abs(x) == inf"},
    {"ISNAN", "x != x"},
    {"ISNEGINF", "x == -inf"},
    {"ISPOSINF", "x == inf"},
    {"LEAKY_RELU", "select(x > 0, x, p * x)"},
    {"LEZ", "x <= 0"},
    {"LGAMMA", "lgamma(x)"},
    {"LOG", "log(x)"},
    {"LOG10", "log(x) * 0.4342944819032518"},
    {"LOG1P", "log1p(x)"},
    {"LOG2", "log(x) * 1.4426950408889634"},
    {"LOGICAL_NOT_UNARY", "x == 0"},
    {"LOGSIGMOID", "min(x, 0) - log1p(exp(-abs(x)))"},
    {"LTZ", "x < 0"},
    {"MAC_TSS", "x * p + q"},
    {"MAXIMUM", "max(x, p)"},
    {"MINIMUM", "min(x, p)"},
    {"MISH", "x * tanh(select(x > 40, x, log1p(exp(min(x, 40)))))"},
    {"MUL_UNARY_SFPU", "x * p"},
    {"NEG", "-x"},
    {"NEZ", "x != 0"},
    {"POWER", "pow(x, p)"},
    {"POWER_ITERATIVE", "pow(x, trunc(p))"},
    {"PRELU_SFPU", "select(x > 0, x, p * x)"},
    {"RAD2DEG", "x * 57.29577951308232"},
    {"RECIP", "1 / x"},
    {"RELU", "select(x > 0, x, 0)"},
    {"RELU6", "min(max(x, 0), 6)"},
    {"RELU_MAX", "max(min(x, p), 0)"},
    {"RELU_MIN", "max(x, p)"},
    {"REMAINDER", "select(rem(x, p) != 0 && (rem(x, p) < 0) != (p < 0), rem(x, p) + p, rem(x, p))"},
    {"RPOW", "exp(x * log_p)"},
    {"RSQRT", "rsqrt(x)"},
    {"RSUB", "p - x"},
    {"SELU", "p * select(x > 0, x, q * expm1(min(x, 0)))"},
    {"SIGMOID", "logistic(x)"},
    {"SIGN", "sign(x)"},
    {"SIGNBIT", "1 / x < 0 || x < 0"},
    {"SILU", "x * logistic(x)"},
    {"SIN", "sin(x)"},
    {"SINH", "(expm1(x) - expm1(-x)) * 0.5"},
    {"SOFTCAP", "p * tanh(x / p)"},
    {"SOFTPLUS", "select(x * p > q, x, log1p(exp(min(x * p, q))) / p)"},
    {"SOFTSHRINK", "sign(x) * max(abs(x) - p, 0)"},
    {"SOFTSIGN", "x / (1 + abs(x))"},
    {"SQRT", "sqrt(x)"},
    {"SQUARE", "x * x"},
    {"SUB_UNARY_SFPU", "x - p"},
    {"TAN", "tan(x)"},
    {"TANH", "tanh(x)"},
    {"TANHSHRINK", "x - tanh(x)"},
    {"THRESHOLD", "select(x > p, x, q)"},
    {"TRUNC", "trunc(x)"},
    {"UNARY_EQ", "x == p"},
    {"UNARY_GE", "x >= p"},
    {"UNARY_GT", "x > p"},
    {"UNARY_LE", "x <= p"},
    {"UNARY_LT", "x < p"},
    {"UNARY_NE", "x != p"},
    {"XIELU", "select(x > 0, p * x * x + 0.5 * x, q * (expm1(min(x, -0.000001)) - x) + 0.5 * x)"},
};

// The names of activations that are not those of the function in small letters.
constexpr Function kNames[] = {{"gelu_approx", "GELU_TANH"}, {"sigmoid_approx", "SIGMOID"}};

const char* formula_of(std::string_view function) {
    const auto* const found =
        std::ranges::find(kFunctions, function, [](const Function& each) { return each.name; });
    return found == std::end(kFunctions) ? nullptr : found->formula;
}

ValueId written(const Call& call, std::string_view formula, ValueId x,
                const std::vector<double>& parameters) {
    FlatBuilder& to = call.to;
    const bool whole = std::ranges::all_of(parameters, [](double each) { return each == std::floor(each); });
    if (!takes_integers(formula) || !whole || to.element(x) == ElementType::kBool) x = call.as_float(x);
    const auto parameter = [&](std::size_t i) { return i < parameters.size() ? parameters[i] : 0.0; };
    const Lookup lookup = [&](std::string_view name) -> Operand {
        if (name == "x") return x;
        if (name == "p") return parameter(0);
        if (name == "q") return parameter(1);
        if (name == "log_p") return std::log(parameter(0));
        if (name == "inf") return std::numeric_limits<double>::infinity();
        call.refuse("no argument " + std::string(name));
    };
    const Operand value = write_formula(to, formula, lookup);
    if (const double* const number = std::get_if<double>(&value)) return to.full(to.type(x), *number);
    return std::get<ValueId>(value);
}

}  // namespace

ValueId Call::activation(ValueId value, std::string_view function) const {
    std::vector<double> parameters;
    const std::size_t bracket = function.find('(');
    if (bracket != std::string_view::npos) {
        std::string_view left = function.substr(bracket + 1);
        double number = 0;
        while (!left.empty() && left.front() != ')') {
            const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), number);
            if (error != std::errc()) break;
            parameters.push_back(number);
            left.remove_prefix(static_cast<std::size_t>(end - left.data()));
            if (!left.empty() && left.front() == ',') left.remove_prefix(1);
        }
    }
    return activation(value, function.substr(0, bracket), std::move(parameters));
}

ValueId Call::activations(ValueId value, std::string_view argument) const {
    for (const std::string& each : texts(argument))
        value = activation(value, each);
    return value;
}

ValueId Call::activation(ValueId value, std::string_view function, std::vector<double> parameters) const {
    std::string name(function);
    const auto* const known = std::ranges::find(kNames, name, [](const Function& each) { return each.name; });
    if (known != std::end(kNames)) name = known->formula;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    if (name == "SOFTPLUS" && parameters.empty()) parameters = {1, 20};
    const char* formula = formula_of(name);
    if (name == "ROUND") {
        const double scale = std::pow(10.0, parameters.empty() ? 0.0 : parameters[0]);
        parameters = {scale};
        formula = "round_even(x * p) / p";
    }
    if (name == "LOGIT")
        formula = parameters.empty() || parameters[0] < 0
                      ? "log(x / (1 - x))"
                      : "log(min(max(x, p), 1 - p) / (1 - min(max(x, p), 1 - p)))";
    if (name == "RDIV") {
        const double mode = parameters.size() > 1 ? parameters[1] : 0.0;
        formula = mode == 0.0 ? "p / x" : mode == 1.0 ? "floor(p / x)" : "trunc(p / x)";
    }
    if (name == "POWER" && !parameters.empty()) {
        // Whole powers are products: they have derivatives at 0 and values of negative numbers.
        if (parameters[0] == 0) formula = "select(x == x, 1, 1)";
        if (parameters[0] == 1) formula = "x";
        if (parameters[0] == 2) formula = "x * x";
        if (parameters[0] == 3) formula = "x * x * x";
    }
    if (formula == nullptr) refuse("no lower rule for the activation " + name);
    return written(*this, formula, value, parameters);
}

}  // namespace tilemeter::trace::lowering
