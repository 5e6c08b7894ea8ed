// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values of operations' attributes as text, in TT-NN's notation.

#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/types/core_range.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

inline std::string attribute_text(std::string_view text) {
    return std::string(text);
}
inline std::string attribute_text(const std::string& text) {
    return text;
}
inline std::string attribute_text(const char* text) {
    return text;
}
inline std::string attribute_text(bool value) {
    return value ? "1" : "0";
}
std::string attribute_text(double value);  ///< shortest of 6 significant digits: "1e-12", "0.0104167"
template <std::integral T>
std::string attribute_text(T value) {
    return std::to_string(value);
}
inline std::string attribute_text(float value) {
    return attribute_text(static_cast<double>(value));
}
inline std::string attribute_text(DataType dtype) {
    return "DataType::" + std::string(name_of(dtype));
}
inline std::string attribute_text(Layout layout) {
    return "Layout::" + std::string(name_of(layout));
}
inline std::string attribute_text(const Shape& shape) {
    return shape.to_string();
}
inline std::string attribute_text(const MemoryConfig& config) {
    return config.to_string();
}
inline std::string attribute_text(CoreCoord core) {
    return "(x=" + std::to_string(core.x) + ",y=" + std::to_string(core.y) + ")";
}
inline std::string attribute_text(const CoreRangeSet& cores) {
    return cores.to_string();
}
template <typename T>
std::string attribute_text(const std::optional<T>& value);

template <typename T>
std::string attribute_text(const std::vector<T>& values) {
    std::string text = "SmallVector([";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i != 0) text += ", ";
        text += attribute_text(values[i]);
    }
    return text + "])";
}
template <typename T>
std::string attribute_text(const std::optional<T>& value) {
    return value ? attribute_text(*value) : "std::nullopt";
}

}  // namespace tilemeter
