// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values of operations' attributes as text, in TT-NN's notation.

#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/types/core_range.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

std::string attribute_text(std::string_view text);
std::string attribute_text(const std::string& text);
std::string attribute_text(const char* text);
std::string attribute_text(bool value);
std::string attribute_text(double value);  ///< shortest of 6 significant digits: "1e-12", "0.0104167"
std::string attribute_text(float value);
std::string attribute_text(DataType dtype);
std::string attribute_text(Layout layout);
std::string attribute_text(const Shape& shape);
std::string attribute_text(const MemoryConfig& config);
std::string attribute_text(CoreCoord core);
std::string attribute_text(const CoreRangeSet& cores);
template <std::integral T>
std::string attribute_text(T value) {
    return std::to_string(value);
}
template <typename T>
std::string attribute_text(const std::optional<T>& value);

namespace internal {
/// `before`, the texts with ", " between them, `after`.
std::string joined_texts(std::string_view before, std::span<const std::string> texts, std::string_view after);
}  // namespace internal

template <typename T>
std::string attribute_text(const std::vector<T>& values) {
    std::vector<std::string> texts;
    for (const T& value : values)
        texts.push_back(attribute_text(value));
    return internal::joined_texts("SmallVector([", texts, "])");
}
template <typename T>
std::string attribute_text(const std::optional<T>& value) {
    return value ? attribute_text(*value) : "std::nullopt";
}

/// An operation's attributes, as its text has them: "operation_attributes_t(1, DataType::BFLOAT16)".
template <typename... Values>
std::string attributes_text(std::string_view name, const std::tuple<Values...>& attributes) {
    return std::apply(
        [name](const auto&... each) {
            const std::array<std::string, sizeof...(each)> texts{attribute_text(each)...};
            return internal::joined_texts(std::string(name) + "(", texts, ")");
        },
        attributes);
}

}  // namespace tilemeter
