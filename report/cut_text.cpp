// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/cut_text.hpp"

#include <algorithm>
#include <array>

#include "report/text.hpp"

namespace tilemeter::report {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kColour = "\x1b[";

struct Range {
    char32_t first, last;
};
// Marks that stand on the character before them, and what is not drawn.
constexpr std::array<Range, 8> kNarrow{{{0x300, 0x36f},
                                        {0x591, 0x5bd},
                                        {0x610, 0x61a},
                                        {0x64b, 0x65f},
                                        {0x200b, 0x200f},
                                        {0x20d0, 0x20ff},
                                        {0xfe00, 0xfe0f},
                                        {0xe0100, 0xe01ef}}};
// East Asian letters and emoji.
constexpr std::array<Range, 9> kWide{{{0x1100, 0x115f},
                                      {0x2e80, 0x303e},
                                      {0x3041, 0xa4cf},
                                      {0xac00, 0xd7a3},
                                      {0xf900, 0xfaff},
                                      {0xfe30, 0xfe6f},
                                      {0xff00, 0xff60},
                                      {0x1f300, 0x1faff},
                                      {0x20000, 0x3fffd}}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t value) {
    return std::ranges::any_of(ranges,
                               [&](const Range& it) { return it.first <= value && value <= it.last; });
}

/// A character, or the code of a colour, and its columns.
struct Step {
    std::size_t size_bytes = 0;
    std::size_t columns = 0;
};

Step step_at(std::string_view text, std::size_t at) {
    if (text.substr(at).starts_with(kColour)) {
        const std::size_t end = text.find_first_not_of("0123456789;", at + kColour.size());
        if (end != std::string_view::npos) return {end + 1 - at, 0};
    }
    if (static_cast<unsigned char>(text[at]) < 0x80) return {1, 1};
    const CodePoint it = first_code_point(text.substr(at));
    return {it.size_bytes, is_in(kNarrow, it.value) ? 0U : is_in(kWide, it.value) ? 2U : 1U};
}

bool is_digit(char it) {
    return it >= '0' && it <= '9';
}
bool is_capital(char it) {
    return it >= 'A' && it <= 'Z';
}
bool is_small(char it) {
    return it >= 'a' && it <= 'z';
}
bool is_part_of_word(char it) {
    return is_digit(it) || is_capital(it) || is_small(it) || static_cast<unsigned char>(it) >= 0x80;
}

/// True if a word ends before `at`. REQUIRES: 0 < at < text.size()
bool is_word_end(std::string_view text, std::size_t at) {
    const char left = text[at - 1], right = text[at];
    if (is_part_of_word(left) && is_part_of_word(right)) return is_small(left) && is_capital(right);
    const bool joins_digits =
        is_digit(left) && (right == ',' || right == '.') && at + 1 < text.size() && is_digit(text[at + 1]);
    const bool in_number =
        (left == ',' || left == '.') && at > 1 && is_digit(text[at - 2]) && is_digit(right);
    return !joins_digits && !in_number;
}

std::string_view without_end(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == ','))
        text.remove_suffix(1);
    return text;
}

/// The longest begin of the text that ends with a word and has at most `columns`; in bytes.
std::size_t words_within(std::string_view text, std::size_t columns) {
    std::size_t end = 0, used = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (at > 0 && is_word_end(text, at)) end = at;
        const Step step = step_at(text, at);
        used += step.columns;
        if (used > columns) return end;
        at += step.size_bytes;
    }
    return text.size();
}

std::size_t characters_within(std::string_view text, std::size_t columns) {
    std::size_t at = 0, used = 0;
    while (at < text.size()) {
        const Step step = step_at(text, at);
        used += step.columns;
        if (used > columns && at > 0) break;
        at += step.size_bytes;
    }
    return at;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Step step = step_at(text, at);
        columns += step.columns;
        at += step.size_bytes;
    }
    return columns;
}

std::string with_end_cut(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string(text);
    const std::size_t end = words_within(text, std::max<std::size_t>(columns, 1) - 1);
    return std::string(without_end(text.substr(0, end))).append(kEllipsis);
}

std::string with_begin_cut(std::string_view text, std::size_t columns) {
    const std::size_t all = columns_of(text);
    if (all <= columns) return std::string(text);
    const std::size_t too_many = all - std::max<std::size_t>(columns, 1) + 1;
    std::size_t at = 0;
    for (std::size_t passed = 0; at < text.size();) {
        if (passed >= too_many && is_word_end(text, at) && text[at] != ' ') break;
        const Step step = step_at(text, at);
        passed += step.columns;
        at += step.size_bytes;
    }
    return std::string(kEllipsis).append(text.substr(at));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    while (columns_of(text) > columns) {
        // The last blank that leaves a whole line before it.
        std::size_t end = characters_within(text, columns);
        const std::size_t blank = text.rfind(' ', end);
        const std::size_t first_letter = text.find_first_not_of(' ');
        if (blank != std::string_view::npos && first_letter < blank) {
            end = blank;
        } else if (const std::size_t words = words_within(text, columns); words > 0) {
            end = words;
        }
        const std::string_view line = text.substr(0, end);
        lines.emplace_back(line.substr(0, line.find_last_not_of(' ') + 1));
        text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
    }
    if (!text.empty() || lines.empty()) lines.emplace_back(text);
    return lines;
}

}  // namespace tilemeter::report
