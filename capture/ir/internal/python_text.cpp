// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/internal/python_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "capture/ir/internal/text_format.hpp"

namespace tilemeter::ir::internal {

namespace {

// The shortest digits that read back; with an exponent below 1e-4 and from 1e16 on.
template <class Float>
std::string float_text(Float value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 512> digits{};
    const auto magnitude = std::fabs(value);
    const bool is_fixed = value == 0 || (magnitude >= Float(1e-4) && magnitude < Float(1e16));
    const auto format = is_fixed ? std::chars_format::fixed : std::chars_format::scientific;
    std::string text(digits.data(),
                     std::to_chars(digits.data(), digits.data() + digits.size(), value, format).ptr);
    return is_fixed && text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string quoted_text(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\n')
            quoted += "\\n";
        else if (c == '\'' || c == '\\')
            (quoted += '\\') += c;
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string joined(std::span<const std::string> elements) {
    std::string text;
    for (const std::string& element : elements) {
        if (!text.empty()) text += ", ";
        text += element;
    }
    return text;
}

struct Repr {
    DtypeNames names;

    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return float_text(value); }
    std::string operator()(const std::string& value) const { return quoted_text(value); }
    std::string operator()(ElementType value) const {
        return names == DtypeNames::kOurs ? std::string(name_of(value)) : python_name_of(value);
    }
    template <class T>
    std::string operator()(const std::vector<T>& values) const {
        std::vector<std::string> elements;
        elements.reserve(values.size());
        for (const T& value : values)
            elements.push_back((*this)(value));
        return '[' + joined(elements) + ']';
    }
};

std::string element_text(const Constant& constant, std::size_t i) {
    const ElementType type = constant.type().element;
    if (type == ElementType::kBool) return constant.integer_at(i) != 0 ? "True" : "False";
    if (type == ElementType::kF64) return float_text(constant.double_at(i));
    if (is_float(type)) return float_text(static_cast<float>(constant.double_at(i)));
    std::string text;
    append_element(text, type, constant.bytes().data() + i * element_bytes(type));
    return text;
}

}  // namespace

std::string python_text(const Attribute& attribute, DtypeNames names) {
    return std::visit(Repr{names}, attribute);
}

std::string python_text(const Constant& constant, std::size_t most) {
    const auto count = static_cast<std::size_t>(constant.type().shape.elements());
    if (constant.type().shape.rank() == 0) return element_text(constant, 0);
    std::vector<std::string> elements;
    for (std::size_t i = 0; i < std::min(count, most); ++i)
        elements.push_back(element_text(constant, i));
    if (count > most) elements.emplace_back("...");
    return '[' + joined(elements) + ']';
}

std::string python_tuple(std::span<const std::string> elements) {
    return '(' + joined(elements) + (elements.size() == 1 ? ",)" : ")");
}

std::string python_name_of(ElementType type) {
    if (type == ElementType::kBool || is_block_float(type)) return std::string(name_of(type));
    if (type == ElementType::kBF16) return "bfloat16";
    const std::string bits(name_of(type).substr(1));
    return (is_float(type) ? "float" : is_signed_integer(type) ? "int" : "uint") + bits;
}

std::string PythonNames::next(std::string_view wanted) {
    std::string name(wanted);
    for (char& c : name)
        if (!is_name_part(c)) c = '_';
    if (name.empty() || is_digit(name.front())) name.insert(0, "_");
    std::string distinct = name;
    for (std::uint64_t& number = taken_[name]; number > 0;) {
        distinct = name + '_' + std::to_string(number);
        ++number;
        if (!taken_.contains(distinct)) break;
    }
    // The name itself, or the numbered one: from now on taken.
    taken_.try_emplace(distinct, 0).first->second = std::max<std::uint64_t>(taken_[distinct], 1);
    return distinct;
}

}  // namespace tilemeter::ir::internal
