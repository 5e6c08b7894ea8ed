// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tilemeter::report::internal {

// White space of JSON.
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// The ends of the elements of a JSON array (or of one value), found without reading them: only strings and brackets are
// followed, 64 bytes at a time. What it says about malformed text is unspecified but bounded by the text: the parser
// sees every byte afterwards.
struct ElementScan {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    // Past the last element that is followed by a ',' in the text, or past the last one of the array when
    // `closed`.
    std::size_t elements_end = kNone;
    bool closed = false;  // the ']' or '}' after the last element was seen, at closing_bracket
    std::size_t closing_bracket = 0;
};

// REQUIRES: text begins inside an array, at or before an element. Stops at the array's end, or at the first
// element end at or past target_bytes, or where the text ends. Element i begins after element_ends[i - 1] (a
// comma), the first at the start of the text.
ElementScan scan_elements(std::string_view text, std::size_t target_bytes,
                          std::vector<std::size_t>& element_ends);

// The size of the array, object or string at the start of the text; kNone where it does not end in the text.
std::size_t scan_value(std::string_view text);

}  // namespace tilemeter::report::internal
