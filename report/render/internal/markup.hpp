// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "report/text.hpp"

namespace tilemeter::analysis::internal {

/// A text as content, or as a value in quotes, of SVG and HTML; control characters are blanks.
inline std::string markup_text(std::string_view text) {
    std::string result;
    for (const char c : report::to_valid_utf8(text)) {
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

}  // namespace tilemeter::analysis::internal
