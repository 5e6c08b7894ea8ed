// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/stablehlo_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "capture/ir/error.hpp"

namespace tilemeter::trace::internal {

using ir::Constant;
using ir::ElementType;
using ir::Integers;
using ir::TensorType;

namespace {

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

}  // namespace

std::string stablehlo_type(const TensorType& type) {
    std::string text = "tensor<";
    for (const std::int64_t dim : type.shape)
        text += std::to_string(dim) + "x";
    return text + element_text(type.element) + ">";
}

std::string stablehlo_types(std::span<const TensorType> types) {
    std::string text;
    for (const TensorType& type : types)
        text += (text.empty() ? "" : ", ") + stablehlo_type(type);
    return text;
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

std::string stablehlo_names(std::span<const std::string> names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string stablehlo_list(std::span<const std::int64_t> numbers) {
    std::string text = "[";
    for (const std::int64_t number : numbers)
        text += (text.size() > 1 ? ", " : "") + std::to_string(number);
    return text + "]";
}

std::string stablehlo_array(std::span<const std::int64_t> numbers) {
    std::string text = stablehlo_list(numbers);
    text = text.substr(1, text.size() - 2);
    return "array<i64" + std::string(text.empty() ? "" : ": ") + text + ">";
}

std::string stablehlo_padding(const Integers& low, const Integers& high) {
    if (low.empty()) return "dense<> : tensor<0x2xi64>";
    std::string text = "dense<[";
    for (std::size_t i = 0; i < low.size(); ++i)
        text += (i != 0 ? ", " : "") + stablehlo_list(std::array{low[i], high[i]});
    return text + "]> : tensor<" + std::to_string(low.size()) + "x2xi64>";
}

std::string LineUse::signature(const std::vector<TensorType>& more_operands) const {
    std::vector<TensorType> all = operand_types;
    all.insert(all.end(), more_operands.begin(), more_operands.end());
    const std::string results = stablehlo_types(result_types);
    return "(" + stablehlo_types(all) + ") -> " + (result_types.size() == 1 ? results : "(" + results + ")");
}

std::string LineUse::line(const std::string& name, const std::string& attributes) const {
    return "stablehlo." + name + " " + names() + attributes + " : " + signature();
}

std::optional<std::string> stablehlo_line(const Text& text, const LineUse& use) {
    if (const auto* const name = std::get_if<const char*>(&text))
        return "stablehlo." + std::string(*name) + " " + use.names() + " : " +
               stablehlo_type(use.result_types[0]);
    if (const auto* const line = std::get_if<TextLine>(&text)) return (*line)(use);
    return std::nullopt;
}

ir::Error no_formula(const std::string& primitive) {
    return {ir::ErrorKind::kUnknownOperation,
            "StableHLO: found operation '" + primitive + "', expected one that StableHLO has a formula for"};
}

Constant least_of(ElementType element) {
    if (element == ElementType::kBool) return Constant::scalar(false);
    return Constant::scalar(element, -std::numeric_limits<double>::infinity());
}

Constant largest_of(ElementType element) {
    if (element == ElementType::kBool) return Constant::scalar(true);
    return Constant::scalar(element, std::numeric_limits<double>::infinity());
}

std::string comparison_kind(ElementType element) {
    if (ir::is_float(element)) return "FLOAT";
    return ir::is_signed_integer(element) ? "SIGNED" : "UNSIGNED";
}

std::string binary_region(std::string_view operation, ElementType element) {
    const std::string type = stablehlo_type(scalar_type(element));
    return "({ ^bb0(%lhs: " + type + ", %rhs: " + type + "): %joined = stablehlo." + std::string(operation) +
           " %lhs, %rhs : " + type + " stablehlo.return %joined : " + type + " }";
}

std::string window_reduction(const LineUse& use, const char* operation, const Constant& start,
                             const Windows& windows) {
    const ElementType element = use.result_types[0].element;
    return "\"stablehlo.reduce_window\"(" + use.operands[0] + ", " + use.scalar(start) +
           ") <{base_dilations = " + stablehlo_array(windows.base_dilation) +
           ", padding = " + stablehlo_padding(windows.low, windows.high) +
           ", window_dilations = " + stablehlo_array(windows.window_dilation) +
           ", window_dimensions = " + stablehlo_array(windows.window) +
           ", window_strides = " + stablehlo_array(windows.strides) + "}> " +
           binary_region(operation, element) + ") : " + use.signature({scalar_type(element)});
}

}  // namespace tilemeter::trace::internal
