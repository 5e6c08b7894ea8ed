// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/internal/quoted.hpp"

#include <algorithm>

namespace tilemeter::ir::internal {

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

bool is_identifier(std::string_view text) {
    return !text.empty() && is_letter(text.front()) &&
           std::ranges::all_of(text, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_dimension_name(std::string_view text) {
    return is_identifier(text) && text != "floordiv" && text != "mod" && text != "min" && text != "max";
}

void append_quoted(std::string& to, std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    to += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            to += '\\';
            to += c;
        } else if (c == '\n') {
            to += "\\n";
        } else if (c == '\t') {
            to += "\\t";
        } else if (byte < 0x20 || byte == 0x7f) {
            to += "\\x";
            to += kDigits[byte >> 4];
            to += kDigits[byte & 15];
        } else {
            to += c;
        }
    }
    to += '"';
}

void append_name(std::string& to, std::string_view text) {
    if (is_identifier(text))
        to += text;
    else
        append_quoted(to, text);
}

}  // namespace tilemeter::ir::internal
