// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/export/internal/stablehlo_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <unordered_map>

#include "capture/ir/error.hpp"

namespace tilemeter::trace::internal {

namespace {

using ir::Constant;
using ir::ElementType;
using ir::Integers;
using ir::TensorType;

std::string element_text(ElementType element) {
    if (ir::is_block_float(element))
        throw ir::Error(ir::ErrorKind::kElementTypeMismatch, "StableHLO: found elements of " +
                                                                 std::string(name_of(element)) +
                                                                 ", expected a type that StableHLO has");
    if (element == ElementType::kBool) return "i1";
    if (ir::is_unsigned_integer(element))
        return "u" + std::string("i") + std::string(name_of(element)).substr(1);
    return std::string(name_of(element));
}

// Finite floats as decimals that read back to the same bits, others as their bits.
std::string number_text(const Constant& constant, std::size_t i) {
    const ElementType element = constant.type().element;
    if (element == ElementType::kBool) return constant.integer_at(i) != 0 ? "true" : "false";
    std::array<char, 64> text{};
    if (ir::is_integer(element)) {
        if (element == ElementType::kU64) {
            std::uint64_t bits = 0;
            std::copy_n(constant.bytes().data() + i * sizeof bits, sizeof bits,
                        reinterpret_cast<std::byte*>(&bits));
            return std::to_string(bits);
        }
        return std::to_string(constant.integer_at(i));
    }
    const double value = constant.double_at(i);
    if (std::isfinite(value)) {
        // A decimal point is required. Six digits after it, as MLIR prints, where they are enough.
        std::snprintf(text.data(), text.size(), "%.6e", value);
        std::array<std::byte, 8> read{};
        ir::put_double(element, std::strtod(text.data(), nullptr), read.data());
        if (ir::to_double(element, read.data()) != value)
            std::snprintf(text.data(), text.size(), element == ElementType::kF64 ? "%.16e" : "%.8e", value);
        return text.data();
    }
    std::string bits = "0x";
    const std::size_t width = ir::element_bytes(element);
    for (std::size_t k = width; k-- > 0;) {
        std::snprintf(text.data(), text.size(), "%02X",
                      std::to_integer<unsigned>(constant.bytes()[i * width + k]));
        bits += text.data();
    }
    return bits;
}

std::string nested(const Constant& constant, std::size_t dim, std::size_t& next) {
    const ir::Shape& shape = constant.type().shape;
    if (dim == shape.rank()) return number_text(constant, next++);
    std::string text = "[";
    for (std::int64_t i = 0; i < shape[dim]; ++i)
        text += (i != 0 ? ", " : "") + nested(constant, dim + 1, next);
    return text + "]";
}

std::string types_text(const std::vector<TensorType>& types) {
    std::string text;
    for (const TensorType& type : types)
        text += (text.empty() ? "" : ", ") + stablehlo_type(type);
    return text;
}

// "(T, T) -> T"
std::string signature(const LineUse& use, const std::vector<TensorType>& more_operands = {}) {
    std::vector<TensorType> operands = use.operand_types;
    operands.insert(operands.end(), more_operands.begin(), more_operands.end());
    const std::string results = types_text(use.result_types);
    return "(" + types_text(operands) + ") -> " +
           (use.result_types.size() == 1 ? results : "(" + results + ")");
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

Integers integers(const LineUse& use, std::string_view name, std::size_t count = 0,
                  std::int64_t otherwise = 0) {
    return use.equation.attributes().get_or<Integers>(name, Integers(count, otherwise));
}

std::string list(const LineUse& use, std::string_view name, std::size_t count = 0,
                 std::int64_t otherwise = 0) {
    return stablehlo_list(integers(use, name, count, otherwise));
}

std::string array(const Integers& numbers) {
    std::string text = stablehlo_list(numbers);
    text = text.substr(1, text.size() - 2);
    return "array<i64" + std::string(text.empty() ? "" : ": ") + text + ">";
}

std::string padding(const Integers& low, const Integers& high) {
    if (low.empty()) return "dense<> : tensor<0x2xi64>";
    std::string text = "dense<[";
    for (std::size_t i = 0; i < low.size(); ++i)
        text += (i != 0 ? ", " : "") + stablehlo_list(std::array{low[i], high[i]});
    return text + "]> : tensor<" + std::to_string(low.size()) + "x2xi64>";
}

TensorType scalar_type(ElementType element) {
    return {element, {}, {}};
}

// The number that a sum or a maximum begins with.
Constant start_of(std::string_view reduction, ElementType element) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (reduction == "reduce_prod" || (reduction == "reduce_and" && element == ElementType::kBool))
        return Constant::scalar(element, 1);
    if (reduction == "reduce_and") return Constant::scalar(element, -1);
    // Integers saturate; of bool the least is false and the largest true.
    if (reduction == "reduce_max" || reduction == "reduce_window_max")
        return element == ElementType::kBool ? Constant::scalar(false) : Constant::scalar(element, -infinity);
    if (reduction == "reduce_min")
        return element == ElementType::kBool ? Constant::scalar(true) : Constant::scalar(element, infinity);
    return Constant::scalar(element, 0);
}

// "({ ^bb0(a, b): c = OP a, b; return c })"
std::string binary_region(std::string_view operation, ElementType element, std::string_view line_end = "") {
    const std::string type = stablehlo_type(scalar_type(element));
    return "({ ^bb0(%lhs: " + type + ", %rhs: " + type + "): %joined = stablehlo." + std::string(operation) +
           " %lhs, %rhs : " + type + " stablehlo.return %joined : " + type + " }" + std::string(line_end);
}

std::string comparison_kind(ElementType element) {
    if (ir::is_float(element)) return "FLOAT";
    return ir::is_signed_integer(element) ? "SIGNED" : "UNSIGNED";
}

std::string elementwise(const LineUse& use, const char* name) {
    return "stablehlo." + std::string(name) + " " + joined(use.operands) + " : " +
           stablehlo_type(use.result_types[0]);
}

// "stablehlo.NAME operands, ATTRIBUTES : (T) -> T"
std::string with_attributes(const LineUse& use, const char* name, const std::string& attributes) {
    return "stablehlo." + std::string(name) + " " + joined(use.operands) + attributes + " : " +
           signature(use);
}

std::string compare(const LineUse& use) {
    return "stablehlo.compare " + use.equation.attributes().get<std::string>("direction") + ", " +
           joined(use.operands) + ", " + comparison_kind(use.operand_types[0].element) + " : " +
           signature(use);
}

std::string dot_general(const LineUse& use) {
    std::string dims;
    if (!integers(use, "lhs_batch").empty())
        dims = ", batching_dims = " + list(use, "lhs_batch") + " x " + list(use, "rhs_batch");
    return with_attributes(
        use, "dot_general",
        dims + ", contracting_dims = " + list(use, "lhs_contract") + " x " + list(use, "rhs_contract"));
}

std::string convolution(const LineUse& use) {
    const std::size_t spatial = use.result_types[0].shape.rank() - 2;
    std::string dims;
    for (std::size_t i = 0; i < spatial; ++i)
        dims += ", " + std::to_string(i);
    const Integers low = integers(use, "low", spatial);
    const Integers high = integers(use, "high", spatial);
    std::string pad;
    for (std::size_t i = 0; i < spatial; ++i)
        pad += (i != 0 ? ", " : "") + stablehlo_list(std::array{low[i], high[i]});
    const auto groups = use.equation.attributes().get_or<std::int64_t>("groups", 1);
    return "stablehlo.convolution(" + joined(use.operands) + ") dim_numbers = [b, f" + dims + "]x[o, i" +
           dims + "]->[b, f" + dims + "], window = {stride = " + list(use, "strides", spatial, 1) +
           ", pad = [" + pad + "], lhs_dilate = " + list(use, "lhs_dilation", spatial, 1) +
           ", rhs_dilate = " + list(use, "rhs_dilation", spatial, 1) +
           "} {batch_group_count = 1 : i64, feature_group_count = " + std::to_string(groups) +
           " : i64} : " + signature(use);
}

std::string slice(const LineUse& use) {
    const std::size_t rank = use.operand_types[0].shape.rank();
    const Integers starts = integers(use, "starts");
    const Integers limits = integers(use, "limits");
    const Integers strides = integers(use, "strides", rank, 1);
    std::string ranges;
    for (std::size_t i = 0; i < rank; ++i)
        ranges += (i != 0 ? ", " : "") + std::to_string(starts[i]) + ":" + std::to_string(limits[i]) + ":" +
                  std::to_string(strides[i]);
    return with_attributes(use, "slice", " [" + ranges + "]");
}

std::string gather(const LineUse& use) {
    const std::string dims = "offset_dims = " + list(use, "offset_dims") +
                             ", collapsed_slice_dims = " + list(use, "collapsed_slice_dims") +
                             ", start_index_map = " + list(use, "start_index_map") + ", index_vector_dim = " +
                             std::to_string(use.equation.attributes().get<std::int64_t>("index_vector_dim"));
    return "\"stablehlo.gather\"(" + joined(use.operands) + ") <{dimension_numbers = #stablehlo.gather<" +
           dims + ">, indices_are_sorted = false, slice_sizes = " + array(integers(use, "slice_sizes")) +
           "}> : " + signature(use);
}

std::string scatter(const LineUse& use) {
    const ElementType element = use.result_types[0].element;
    const std::string type = stablehlo_type(scalar_type(element));
    const std::string dims = "update_window_dims = " + list(use, "update_window_dims") +
                             ", inserted_window_dims = " + list(use, "inserted_window_dims") +
                             ", scatter_dims_to_operand_dims = " + list(use, "scatter_dims_to_operand_dims") +
                             ", index_vector_dim = " +
                             std::to_string(use.equation.attributes().get<std::int64_t>("index_vector_dim"));
    const std::string region =
        use.equation.operation() == "scatter_add"
            ? binary_region("add", element)
            : "({ ^bb0(%lhs: " + type + ", %rhs: " + type + "): stablehlo.return %rhs : " + type + " }";
    return "\"stablehlo.scatter\"(" + joined(use.operands) +
           ") <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<" + dims +
           ">, unique_indices = false}> " + region + ") : " + signature(use);
}

std::string reduce(const LineUse& use, const char* operation) {
    const ElementType element = use.result_types[0].element;
    const std::string start = use.scalar(start_of(use.equation.operation(), element));
    return "stablehlo.reduce(" + use.operands[0] + " init: " + start + ") applies stablehlo." + operation +
           " across dimensions = " + list(use, "axes") + " : " + signature(use, {scalar_type(element)});
}

std::string window_reduction(const LineUse& use, const char* operation, const Integers& window,
                             const Integers& strides, const Integers& low, const Integers& high,
                             const Integers& base, const Integers& dilation) {
    const ElementType element = use.result_types[0].element;
    const std::string start = use.scalar(start_of(use.equation.operation(), element));
    return "\"stablehlo.reduce_window\"(" + use.operands[0] + ", " + start +
           ") <{base_dilations = " + array(base) + ", padding = " + padding(low, high) +
           ", window_dilations = " + array(dilation) + ", window_dimensions = " + array(window) +
           ", window_strides = " + array(strides) + "}> " + binary_region(operation, element) +
           ") : " + signature(use, {scalar_type(element)});
}

std::string reduce_window(const LineUse& use, const char* operation) {
    const std::size_t rank = use.operand_types[0].shape.rank();
    return window_reduction(use, operation, integers(use, "window"), integers(use, "strides", rank, 1),
                            integers(use, "low", rank), integers(use, "high", rank),
                            integers(use, "base_dilation", rank, 1),
                            integers(use, "window_dilation", rank, 1));
}

// A window over all elements before, the place itself included.
std::string cumsum(const LineUse& use) {
    const ir::Shape& shape = use.operand_types[0].shape;
    const auto axis = static_cast<std::size_t>(use.equation.attributes().get<std::int64_t>("axis"));
    if (shape[axis] == 0) return with_attributes(use, "convert", "");
    const Integers ones(shape.rank(), 1);
    Integers window = ones;
    window[axis] = shape[axis];
    Integers low(shape.rank(), 0);
    Integers high = low;
    (use.equation.attributes().get_or("reverse", false) ? high : low)[axis] = shape[axis] - 1;
    return window_reduction(use, "add", window, ones, low, high, ones, ones);
}

std::string select_and_scatter(const LineUse& use) {
    const std::size_t rank = use.operand_types[0].shape.rank();
    for (const char* const name : {"base_dilation", "window_dilation"})
        for (const std::int64_t dilation : integers(use, name, rank, 1))
            if (dilation != 1)
                throw ir::Error(ir::ErrorKind::kBadArgument,
                                "StableHLO: select_and_scatter_add: found dilated windows, "
                                "expected none");
    const ElementType element = use.result_types[0].element;
    const std::string type = stablehlo_type(scalar_type(element));
    const std::string start = use.scalar(Constant::scalar(element, 0));
    return "\"stablehlo.select_and_scatter\"(" + joined(use.operands) + ", " + start +
           ") <{padding = " + padding(integers(use, "low", rank), integers(use, "high", rank)) +
           ", window_dimensions = " + array(integers(use, "window")) +
           ", window_strides = " + array(integers(use, "strides", rank, 1)) + "}> ({ ^bb0(%a: " + type +
           ", %b: " + type + "): %ge = stablehlo.compare GE, %a, %b, " + comparison_kind(element) + " : (" +
           type + ", " + type + ") -> tensor<i1> stablehlo.return %ge : tensor<i1> }, " +
           binary_region("add", element).substr(1) + ") : " + signature(use, {scalar_type(element)});
}

std::string sort(const LineUse& use) {
    const ElementType element = use.operand_types[0].element;
    std::string arguments;
    for (std::size_t i = 0; i < use.operands.size(); ++i)
        for (const char* const side : {"a", "b"})
            arguments += (arguments.empty() ? "%" : ", %") + std::string(side) + std::to_string(i) + ": " +
                         stablehlo_type(scalar_type(use.operand_types[i].element));
    const std::string type = stablehlo_type(scalar_type(element));
    const bool descending = use.equation.attributes().get_or("descending", false);
    return "\"stablehlo.sort\"(" + joined(use.operands) +
           ") <{dimension = " + std::to_string(use.equation.attributes().get<std::int64_t>("axis")) +
           " : i64, is_stable = true}> ({ ^bb0(" + arguments + "): %before = stablehlo.compare " +
           (descending ? "GT" : "LT") + ", %a0, %b0, " +
           (ir::is_float(element) ? "TOTALORDER" : comparison_kind(element)) + " : (" + type + ", " + type +
           ") -> tensor<i1> stablehlo.return %before : tensor<i1> }) : " + signature(use);
}

struct Elementwise {
    const char* primitive;
    const char* name;
};
const std::unordered_map<std::string_view, const char*> kElementwise = {
    {"exp", "exponential"},
    {"expm1", "exponential_minus_one"},
    {"log", "log"},
    {"log1p", "log_plus_one"},
    {"sqrt", "sqrt"},
    {"rsqrt", "rsqrt"},
    {"cbrt", "cbrt"},
    {"sin", "sine"},
    {"cos", "cosine"},
    {"tan", "tan"},
    {"tanh", "tanh"},
    {"logistic", "logistic"},
    {"atan2", "atan2"},
    {"pow", "power"},
    {"sign", "sign"},
    {"floor", "floor"},
    {"ceil", "ceil"},
    {"round_even", "round_nearest_even"},
    {"round_away", "round_nearest_afz"},
    {"popcnt", "popcnt"},
    {"not", "not"},
    {"neg", "negate"},
    {"add", "add"},
    {"sub", "subtract"},
    {"mul", "multiply"},
    {"div", "divide"},
    {"maximum", "maximum"},
    {"minimum", "minimum"},
    {"abs", "abs"},
    {"rem", "remainder"},
    {"and", "and"},
    {"or", "or"},
    {"xor", "xor"},
    {"shift_left", "shift_left"},
    {"shift_right_logical", "shift_right_logical"},
    {"shift_right_arithmetic", "shift_right_arithmetic"},
};

using Line = std::string (*)(const LineUse& use);
const std::unordered_map<std::string_view, Line> kLines = {
    {"is_finite", [](const LineUse& use) { return with_attributes(use, "is_finite", ""); }},
    {"convert", [](const LineUse& use) { return with_attributes(use, "convert", ""); }},
    {"copy", [](const LineUse& use) { return with_attributes(use, "convert", ""); }},
    {"bitcast_convert", [](const LineUse& use) { return with_attributes(use, "bitcast_convert", ""); }},
    {"reshape", [](const LineUse& use) { return with_attributes(use, "reshape", ""); }},
    {"clamp", [](const LineUse& use) { return with_attributes(use, "clamp", ""); }},
    {"compare", compare},
    {"select",
     [](const LineUse& use) {
         return "stablehlo.select " + joined(use.operands) + " : " + stablehlo_type(use.operand_types[0]) +
                ", " + stablehlo_type(use.result_types[0]);
     }},
    {"dot_general", dot_general},
    {"convolution", convolution},
    {"transpose",
     [](const LineUse& use) { return with_attributes(use, "transpose", ", dims = " + list(use, "perm")); }},
    {"broadcast_in_dim",
     [](const LineUse& use) {
         return with_attributes(use, "broadcast_in_dim", ", dims = " + list(use, "dims"));
     }},
    {"slice", slice},
    {"pad",
     [](const LineUse& use) {
         const std::size_t rank = use.operand_types[0].shape.rank();
         return with_attributes(use, "pad",
                                ", low = " + list(use, "low") + ", high = " + list(use, "high") +
                                    ", interior = " + list(use, "interior", rank));
     }},
    {"concatenate",
     [](const LineUse& use) {
         return with_attributes(
             use, "concatenate",
             ", dim = " + std::to_string(use.equation.attributes().get<std::int64_t>("axis")));
     }},
    {"reverse",
     [](const LineUse& use) {
         return "stablehlo.reverse " + use.operands[0] + ", dims = " + list(use, "dims") + " : " +
                stablehlo_type(use.result_types[0]);
     }},
    {"dynamic_slice",
     [](const LineUse& use) {
         return with_attributes(use, "dynamic_slice", ", sizes = " + list(use, "sizes"));
     }},
    {"dynamic_update_slice",
     [](const LineUse& use) { return with_attributes(use, "dynamic_update_slice", ""); }},
    {"gather", gather},
    {"scatter", scatter},
    {"scatter_add", scatter},
    {"iota",
     [](const LineUse& use) {
         return "stablehlo.iota dim = " + std::to_string(use.equation.attributes().get<std::int64_t>("dim")) +
                " : " + stablehlo_type(use.result_types[0]);
     }},
    {"full",
     [](const LineUse& use) {
         const TensorType& type = use.result_types[0];
         return "stablehlo.constant " +
                stablehlo_splat(
                    type, Constant::scalar(type.element, use.equation.attributes().get<double>("value")));
     }},
    {"dimension",
     [](const LineUse& use) {
         const TensorType& type = use.result_types[0];
         const auto number = ir::Dim(use.equation.attributes().get<std::int64_t>("of")).number();
         return "stablehlo.constant " +
                stablehlo_splat(type, Constant::scalar(type.element, static_cast<double>(number)));
     }},
    {"reduce_sum", [](const LineUse& use) { return reduce(use, "add"); }},
    {"reduce_prod", [](const LineUse& use) { return reduce(use, "multiply"); }},
    {"reduce_max", [](const LineUse& use) { return reduce(use, "maximum"); }},
    {"reduce_min", [](const LineUse& use) { return reduce(use, "minimum"); }},
    {"reduce_and", [](const LineUse& use) { return reduce(use, "and"); }},
    {"reduce_or", [](const LineUse& use) { return reduce(use, "or"); }},
    {"reduce_window_sum", [](const LineUse& use) { return reduce_window(use, "add"); }},
    {"reduce_window_max", [](const LineUse& use) { return reduce_window(use, "maximum"); }},
    {"select_and_scatter_add", select_and_scatter},
    {"cumsum", cumsum},
    {"sort", sort},
    {"custom_call",
     [](const LineUse& use) {
         return "stablehlo.custom_call @" + use.equation.attributes().get<std::string>("target") + "(" +
                joined(use.operands) + ") : " + signature(use);
     }},
};

}  // namespace

std::string stablehlo_list(std::span<const std::int64_t> numbers) {
    std::string text = "[";
    for (const std::int64_t number : numbers)
        text += (text.size() > 1 ? ", " : "") + std::to_string(number);
    return text + "]";
}

std::string stablehlo_type(const TensorType& type) {
    std::string text = "tensor<";
    for (const std::int64_t dim : type.shape)
        text += std::to_string(dim) + "x";
    return text + element_text(type.element) + ">";
}

std::string stablehlo_splat(const TensorType& type, const Constant& scalar) {
    const std::string number = type.shape.elements() == 0 ? "" : number_text(scalar, 0);
    return "dense<" + number + "> : " + stablehlo_type(type);
}

std::string stablehlo_literal(const Constant& constant) {
    if (constant.type().shape.rank() == 0 || constant.type().shape.elements() == 0)
        return stablehlo_splat(constant.type(), constant);
    std::size_t next = 0;
    return "dense<" + nested(constant, 0, next) + "> : " + stablehlo_type(constant.type());
}

std::optional<std::string> stablehlo_line(const LineUse& use) {
    const std::string& primitive = use.equation.operation();
    if (const auto found = kElementwise.find(primitive); found != kElementwise.end())
        return elementwise(use, found->second);
    if (const auto found = kLines.find(primitive); found != kLines.end()) return found->second(use);
    return std::nullopt;
}

// Pairs of a number and its place, reduced: the larger number wins, the first of equal ones, and a nan before all.
std::string stablehlo_arg_extreme(const ir::Equation& equation) {
    const TensorType from = equation.graph().type(equation.operands()[0]);
    const TensorType to = equation.graph().type(equation.results()[0]);
    const bool largest = equation.operation() == "arg_max";
    const auto axis = equation.attributes().get<std::int64_t>("axis");
    const std::string axis_text = std::to_string(axis);
    const std::string x = stablehlo_type(from);
    const std::string places = stablehlo_type({to.element, from.shape, {}});
    const std::string x1 = stablehlo_type(scalar_type(from.element));
    const std::string i1 = stablehlo_type(scalar_type(to.element));
    const std::string values = stablehlo_type({from.element, to.shape, {}});
    const std::string kind = comparison_kind(from.element);
    const std::string index_kind = comparison_kind(to.element);
    const auto compare_line = [](const std::string& name, const char* direction, const std::string& a,
                                 const std::string& b, const std::string& how, const std::string& type) {
        return "  " + name + " = stablehlo.compare " + direction + ", " + a + ", " + b + ", " + how + " : (" +
               type + ", " + type + ") -> tensor<i1>\n";
    };
    return "%start = stablehlo.constant " +
           stablehlo_splat(scalar_type(from.element),
                           start_of(largest ? "reduce_max" : "reduce_min", from.element)) +
           "\n%zero = stablehlo.constant " +
           stablehlo_splat(scalar_type(to.element), Constant::scalar(to.element, 0)) +
           "\n%places = stablehlo.iota dim = " + axis_text + " : " + places +
           "\n%best:2 = stablehlo.reduce(%arg0 init: %start), (%places init: %zero) across dimensions = [" +
           axis_text + "] : (" + x + ", " + places + ", " + x1 + ", " + i1 + ") -> (" + values + ", " +
           stablehlo_type(to) + ")\n reducer(%a: " + x1 + ", %b: " + x1 + ") (%i: " + i1 + ", %k: " + i1 +
           ") {\n" + compare_line("%more", largest ? "GT" : "LT", "%a", "%b", kind, x1) +
           compare_line("%nan", "NE", "%a", "%a", kind, x1) +
           "  %first = stablehlo.or %more, %nan : tensor<i1>\n" +
           compare_line("%same", "EQ", "%a", "%b", kind, x1) +
           compare_line("%before", "LT", "%i", "%k", index_kind, i1) +
           "  %tie = stablehlo.and %same, %before : tensor<i1>\n  %which = stablehlo.or %first, %tie : tensor<i1>\n" +
           "  %value = stablehlo.select %first, %a, %b : tensor<i1>, " + x1 +
           "\n  %place = stablehlo.select %which, %i, %k : tensor<i1>, " + i1 +
           "\n  stablehlo.return %value, %place : " + x1 + ", " + i1 +
           "\n}\nreturn %best#1 : " + stablehlo_type(to) + "\n";
}

}  // namespace tilemeter::trace::internal
