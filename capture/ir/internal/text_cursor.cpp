// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/internal/text_cursor.hpp"

#include <algorithm>
#include <charconv>

#include "capture/ir/internal/quoted.hpp"
#include "capture/ir/internal/text_format.hpp"

namespace tilemeter::ir::internal {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int digit_of(char c) {
    if (is_digit(c)) return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::string TextCursor::position(std::size_t offset) const {
    const std::string_view before = text_.substr(0, offset);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(offset - start + 1) + ": ";
}

void TextCursor::refuse_at(std::size_t offset, std::string_view expected) const {
    constexpr std::size_t kShown = 24;
    const std::string_view rest = text_.substr(offset);
    std::string_view shown = rest.substr(0, std::min(kShown, rest.find('\n')));
    if (!shown.empty() && is_name_part(shown.front()))
        shown = shown.substr(
            0, static_cast<std::size_t>(std::ranges::find_if_not(shown, is_name_part) - shown.begin()));
    std::string found = "the end";
    if (!rest.empty()) {
        found.clear();
        append_quoted(found, shown.empty() ? rest.substr(0, 1) : shown);
        // Bytes that a cut may have left of a letter would make the line invalid.
        for (char& c : found)
            if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    }
    throw Error(ErrorKind::kSyntax,
                position(offset) + "found " + found + ", expected " + std::string(expected));
}

void TextCursor::skip_space() {
    while (at_ < text_.size()) {
        if (is_space(text_[at_]))
            ++at_;
        else if (text_.substr(at_).starts_with("//"))
            at_ = std::min(text_.find('\n', at_), text_.size());
        else
            return;
    }
}

template <class Condition>
std::string_view TextCursor::run_of(const Condition& condition) {
    skip_space();
    const std::size_t start = at_;
    while (at_ < text_.size() && condition(text_[at_]))
        ++at_;
    return text_.substr(start, at_ - start);
}

char TextCursor::next() {
    skip_space();
    return peek();
}

bool TextCursor::accept(char c) {
    if (next() != c || at_end()) return false;
    ++at_;
    return true;
}

void TextCursor::expect(char c, std::string_view expected) {
    if (!accept(c)) refuse(expected);
}

bool TextCursor::accept(std::string_view word) {
    skip_space();
    const std::size_t start = at_;
    if (run_of(is_name_part) == word) return true;
    at_ = start;
    return false;
}

std::string_view TextCursor::word() {
    return run_of(is_name_part);
}

std::string_view TextCursor::number() {
    skip_space();
    const std::size_t start = at_;
    run_of([](char c) { return is_name_part(c) || c == '.' || c == '-' || c == '+'; });
    // A nan may have its bits behind it.
    if (text_.substr(start, at_ - start) == "nan" && peek() == '(') {
        const std::size_t end = text_.find(')', at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 1;
    }
    return text_.substr(start, at_ - start);
}

std::uint64_t TextCursor::count(std::string_view expected) {
    skip_space();
    const std::size_t start = at_;
    const std::string_view digits = run_of(is_digit);
    std::uint64_t value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || result.ec != std::errc{}) refuse_at(start, expected);
    return value;
}

std::string TextCursor::name(std::string_view expected) {
    if (next() == '"') return quoted(expected);
    if (!is_name_start(peek())) refuse(expected);
    return std::string(word());
}

std::string TextCursor::operation(std::string_view expected) {
    if (next() == '"') return quoted(expected);
    if (!is_name_start(peek())) refuse(expected);
    return std::string(run_of(is_operation_part));
}

std::string TextCursor::quoted(std::string_view expected) {
    expect('"', expected);
    std::string text;
    for (;; ++at_) {
        const char c = peek();
        if (at_end() || c == '\n') refuse("'\"' at the end of the text");
        if (c == '"') break;
        if (c != '\\') {
            text += c;
            continue;
        }
        ++at_;
        switch (peek()) {
            case '"':
                text += '"';
                break;
            case '\\':
                text += '\\';
                break;
            case 'n':
                text += '\n';
                break;
            case 't':
                text += '\t';
                break;
            case 'x': {
                const int high = at_ + 2 < text_.size() ? digit_of(text_[at_ + 1]) : -1;
                const int low = at_ + 2 < text_.size() ? digit_of(text_[at_ + 2]) : -1;
                if (high < 0 || low < 0) refuse("two hexadecimal digits after '\\x'");
                text += static_cast<char>(high * 16 + low);
                at_ += 2;
                break;
            }
            default:
                refuse("one of \", \\, n, t, x after '\\'");
        }
    }
    ++at_;
    return text;
}

}  // namespace tilemeter::ir::internal
