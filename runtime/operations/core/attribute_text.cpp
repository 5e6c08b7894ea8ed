// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/attribute_text.hpp"

#include <array>
#include <cstdio>

namespace tilemeter {

std::string attribute_text(std::string_view text) {
    return std::string(text);
}

std::string attribute_text(const std::string& text) {
    return text;
}

std::string attribute_text(const char* text) {
    return text;
}

std::string attribute_text(bool value) {
    return value ? "1" : "0";
}

std::string attribute_text(double value) {
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%g", value);
    return {text.data(), static_cast<std::size_t>(length)};
}

std::string attribute_text(float value) {
    return attribute_text(static_cast<double>(value));
}

std::string attribute_text(DataType dtype) {
    return "DataType::" + std::string(name_of(dtype));
}

std::string attribute_text(Layout layout) {
    return "Layout::" + std::string(name_of(layout));
}

std::string attribute_text(const Shape& shape) {
    return shape.to_string();
}

std::string attribute_text(const MemoryConfig& config) {
    return config.to_string();
}

std::string attribute_text(CoreCoord core) {
    return "(x=" + std::to_string(core.x) + ",y=" + std::to_string(core.y) + ")";
}

std::string attribute_text(const CoreRangeSet& cores) {
    return cores.to_string();
}

std::string internal::joined_texts(std::string_view before, std::span<const std::string> texts,
                                   std::string_view after) {
    std::string joined(before);
    bool is_first = true;
    for (const std::string& text : texts) {
        if (!is_first) joined += ", ";
        is_first = false;
        joined += text;
    }
    joined += after;
    return joined;
}

}  // namespace tilemeter
