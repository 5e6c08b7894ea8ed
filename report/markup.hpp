// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "report/text.hpp"

namespace tilemeter::report {

/// A text as content, or as a value in quotes, of SVG and HTML; control characters are blanks, and the two characters of
/// UTF-8 that XML forbids (U+FFFE and U+FFFF) become U+FFFD.
inline std::string markup_text(std::string_view text) {
    std::string valid = to_valid_utf8(text);
    for (std::size_t at = 0; (at = valid.find("\xEF\xBF", at)) != std::string::npos; at += 2)
        if (at + 2 < valid.size() && (valid[at + 2] == '\xBE' || valid[at + 2] == '\xBF'))
            valid[at + 2] = '\xBD';
    std::string result;
    for (const char c : valid) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return result;
}

/// The same as a value in quotes that is read back whole: line ends and tabs are kept.
inline std::string attribute_text(std::string_view text) {
    std::string result;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of("\t\n\r", begin), text.size());
        result += markup_text(text.substr(begin, end - begin));
        if (end < text.size()) result += "&#" + std::to_string(static_cast<int>(text[end])) + ';';
        begin = end + 1;
    }
    return result;
}

}  // namespace tilemeter::report
