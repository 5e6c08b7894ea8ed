// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The rules that printer and parser of the text form share.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "capture/ir/element_type.hpp"

namespace tilemeter::ir::internal {

inline constexpr std::string_view kMagic = "tilemeter graph ";
inline constexpr std::string_view kVersion = "1";
/// The beginnings of a line of data and of the line of the checksum, and of no other line.
inline constexpr std::string_view kDataLine = "data #";
inline constexpr std::string_view kChecksumLine = "checksum ";

/// Constants up to this size stand in the graph, element by element.
inline constexpr std::size_t kListedElements = 8;

constexpr bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}
/// Names of operations also have dots and colons: ttnn::add, random.split.
constexpr bool is_operation_part(char c) {
    return is_name_part(c) || c == '.' || c == ':';
}

constexpr std::uint64_t checksum_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

/// The digits that read back to the same bits: "2.0", "1e-05", "-3", "true", "nan(0x7fc00001)".
void append_element(std::string& to, ElementType type, const std::byte* bytes);

/// Reads what append_element() writes, and decimal numbers in general. False where `text` is no element of this
/// type or out of its range.
bool read_element(std::string_view text, ElementType type, std::byte* bytes);

/// 16 hexadecimal digits.
void append_hex(std::string& to, std::uint64_t value, std::size_t digits = 16);

}  // namespace tilemeter::ir::internal
