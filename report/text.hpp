// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilemeter::report {

// One code point read from UTF-8. Malformed bytes (also encoded surrogates) read as U+FFFD, one byte at a
// time.
struct CodePoint {
    char32_t value;
    std::size_t size_bytes;
    bool valid;
};
// REQUIRES: !text.empty()
CodePoint first_code_point(std::string_view text);
void append_utf8(std::string& out, char32_t code_point);

bool is_valid_utf8(std::string_view text);
// The text itself where it is valid, else with U+FFFD in place of each malformed byte.
std::string to_valid_utf8(std::string_view text);

std::string in_quotes(std::string_view text);

}  // namespace tilemeter::report
