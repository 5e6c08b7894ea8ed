// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/python_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "report/internal/dom_access.hpp"
#include "report/internal/inline_text.hpp"
#include "report/text.hpp"

namespace tilemeter::report {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kHexDigits = "0123456789abcdef";

// Characters that stand for themselves in an ASCII JSON text.
constexpr std::array<bool, 256> kPlain = [] {
    std::array<bool, 256> plain{};
    for (int c = 0x20; c < 0x80; ++c)
        plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
    return plain;
}();

template <class Number>
void append_number(std::string& out, Number number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

void append_hex(std::string& out, std::string_view prefix, char32_t value, int digits) {
    out += prefix;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += kHexDigits[(value >> shift) & 0xFU];
}

void append_escape(std::string& out, char32_t point) {
    switch (point) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        case '\f':
            out += "\\f";
            return;
        case '\b':
            out += "\\b";
            return;
        default:
            break;
    }
    if (point > 0xFFFF) {
        append_hex(out, "\\u", 0xD800 + ((point - 0x10000) >> 10U), 4);
        point = 0xDC00 + ((point - 0x10000) & 0x3FFU);
    }
    append_hex(out, "\\u", point, 4);
}

struct Range {
    char32_t first, last;
};
// Code points that Python's repr() writes as escapes, apart from unassigned and private code points beyond these.
constexpr std::array<Range, 20> kUnprintable{{
    {0x00, 0x1F},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x600, 0x605},   {0x61C, 0x61C},
    {0x6DD, 0x6DD},   {0x70F, 0x70F},   {0x890, 0x891},   {0x8E2, 0x8E2},   {0x1680, 0x1680},
    {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},
    {0xD800, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF},
}};

bool is_printable(char32_t point) {
    for (const Range& range : kUnprintable)
        if (point >= range.first && point <= range.last) return false;
    return true;
}

// repr() of a text: in single quotes unless that needs escapes and double quotes don't.
void append_text_repr(std::string& out, std::string_view text) {
    const bool single = text.find('\'') == std::string_view::npos || text.find('"') != std::string_view::npos;
    const char quote = single ? '\'' : '"';
    out += quote;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        text.remove_prefix(point.size_bytes);
        if (point.value == static_cast<char32_t>(quote) || point.value == '\\') {
            out += '\\';
            out += static_cast<char>(point.value);
        } else if (point.value == '\n' || point.value == '\r' || point.value == '\t') {
            append_escape(out, point.value);
        } else if (is_printable(point.value)) {
            append_utf8(out, point.value);
        } else if (point.value < 0x100) {
            append_hex(out, "\\x", point.value, 2);
        } else if (point.value < 0x10000) {
            append_hex(out, "\\u", point.value, 4);
        } else {
            append_hex(out, "\\U", point.value, 8);
        }
    }
    out += quote;
}

void append_value_repr(std::string& out, const JsonValue& value);

void append_container(std::string& out, const JsonValue& value) {
    const bool object = value.is_object();
    out += object ? '{' : '[';
    bool first = true;
    for (auto child = value.children(); child.valid(); child.next()) {
        if (!first) out += ", ";
        first = false;
        if (object) {
            append_text_repr(out, child.key());
            out += ": ";
        }
        append_value_repr(out, child.value());
    }
    out += object ? '}' : ']';
}

void append_value_repr(std::string& out, const JsonValue& value) {
    if (auto text = value.text()) {
        append_text_repr(out, *text);
    } else {
        append_python_str(out, value);
    }
}

bool append_scalar(std::string& out, const JsonValue& value) {
    switch (value.kind()) {
        case JsonKind::kInteger:
            append_number(out, *value.integer());
            return true;
        case JsonKind::kBigInteger:
            append_number(out, *value.big_integer());
            return true;
        case JsonKind::kReal:
            append_python_repr(out, *value.real());
            return true;
        default:
            return false;
    }
}

Status append_dumps(std::string& out, const dom::element& value);

Status append_object_dumps(std::string& out, const dom::object& object) {
    out += '{';
    std::string_view previous;
    bool first = true;
    bool sorted = true;  // as nlohmann_json writes: then duplicates are neighbours
    for (const auto [key, value] : object) {
        sorted = sorted && (first || internal::sorts_before(previous, key));
        if (!sorted) {
            for (auto earlier = object.begin(); earlier.key().data() != key.data(); ++earlier)
                if (earlier.key() == key) return Error{"", "", "each key once", in_quotes(key) + " twice"};
        }
        previous = key;
        if (!first) out.append(", ", 2);
        first = false;
        append_json_dumps(out, key);
        out.append(": ", 2);
        if (Status appended = append_dumps(out, value); !appended) return appended;
    }
    out += '}';
    return {};
}

Status append_dumps(std::string& out, const dom::element& value) {
    switch (value.type()) {
        case dom::element_type::STRING:
            append_json_dumps(out, internal::DomAccess::as<std::string_view>(value));
            return {};
        case dom::element_type::INT64:
            append_number(out, internal::DomAccess::as<std::int64_t>(value));
            return {};
        case dom::element_type::OBJECT:
            return append_object_dumps(out, internal::DomAccess::as<dom::object>(value));
        case dom::element_type::ARRAY:
            break;
        case dom::element_type::NULL_VALUE:
            out += "null";
            return {};
        case dom::element_type::BOOL:
            out += internal::DomAccess::as<bool>(value) ? "true" : "false";
            return {};
        case dom::element_type::UINT64:
            append_number(out, internal::DomAccess::as<std::uint64_t>(value));
            return {};
        case dom::element_type::DOUBLE:
            append_python_repr(out, internal::DomAccess::as<double>(value));
            return {};
    }
    out += '[';
    bool first = true;
    const auto elements = internal::DomAccess::as<dom::array>(value);
    for (const dom::element element : elements) {
        if (!first) out.append(", ", 2);
        first = false;
        if (Status appended = append_dumps(out, element); !appended) return appended;
    }
    out += ']';
    return {};
}

// Bytes that are looked at together.
using Bytes8 [[gnu::vector_size(8)]] = signed char;
using Bytes16 [[gnu::vector_size(16)]] = signed char;

// Copies them. Whether each stands for itself: none is below a blank (as signed numbers, those beyond ASCII
// are), a quote or a backslash.
template <class Bytes>
bool copy_if_plain(char* to, const char* from) {
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    std::memcpy(to, &bytes, sizeof bytes);
    const auto odd = std::bit_cast<std::array<std::uint64_t, sizeof(Bytes) / sizeof(std::uint64_t)>>(
        (bytes < ' ') | (bytes == '"') | (bytes == '\\'));
    return (odd.front() | odd.back()) == 0;
}

template <class Bytes>
bool copy_text_if_plain(char* to, std::string_view text) {
    for (std::size_t i = 0; i + sizeof(Bytes) < text.size(); i += sizeof(Bytes))
        if (!copy_if_plain<Bytes>(to + i, text.data() + i)) return false;
    // The last ones once more with some in front of them.
    const std::size_t last = text.size() - sizeof(Bytes);
    return copy_if_plain<Bytes>(to + last, text.data() + last);
}

std::size_t plain_prefix(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size() && kPlain[static_cast<unsigned char>(text[i])])
        ++i;
    return i;
}

// Copies the text if all of it stands for itself; else anything may have been written to its place.
bool copy_text_if_plain(char* to, std::string_view text) {
    if (text.size() >= sizeof(Bytes16)) return copy_text_if_plain<Bytes16>(to, text);
    if (text.size() >= sizeof(Bytes8)) return copy_text_if_plain<Bytes8>(to, text);
    text.copy(to, text.size());
    return plain_prefix(text) == text.size();
}

}  // namespace

void append_json_dumps(std::string& out, std::string_view text) {
    // Mostly it is plain, and complete with the quotes around it.
    const std::size_t begin = out.size();
    out.append(text.size() + 2, '"');
    if (copy_text_if_plain(out.data() + begin + 1, text)) return;
    out.resize(begin + 1);
    while (true) {
        const std::size_t plain = plain_prefix(text);
        out.append(text, 0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        const CodePoint point = first_code_point(text);
        append_escape(out, point.value);
        text.remove_prefix(point.size_bytes);
    }
    out += '"';
}

Status append_json_dumps(std::string& out, const JsonValue& value) {
    if (!internal::DomAccess::in_document(value)) {
        out += "null";
        return {};
    }
    return append_dumps(out, internal::DomAccess::element(value));
}

void append_python_str(std::string& out, const JsonValue& value) {
    switch (value.kind()) {
        case JsonKind::kNull:
            out += "None";
            return;
        case JsonKind::kBoolean:
            out += *value.boolean() ? "True" : "False";
            return;
        case JsonKind::kText:
            out += to_valid_utf8(*value.text());
            return;
        case JsonKind::kArray:
        case JsonKind::kObject:
            append_container(out, value);
            return;
        default:
            append_scalar(out, value);
            return;
    }
}

void append_python_repr(std::string& out, double number) {
    if (!std::isfinite(number)) {
        out += std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
        return;
    }
    std::array<char, 40> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific)
            .ptr;
    std::string_view shortest(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    if (shortest[0] == '-') {
        out += '-';
        shortest.remove_prefix(1);
    }
    const std::size_t e = shortest.find('e');
    const int exponent = std::atoi(shortest.data() + e + 1);
    std::string digits(1, shortest[0]);
    if (e > 2) digits.append(shortest.substr(2, e - 2));
    const int count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        out += digits[0];
        if (count > 1) out.append(".").append(digits, 1);
        out += exponent < 0 ? "e-" : "e+";
        if (std::abs(exponent) < 10) out += '0';
        append_number(out, std::abs(exponent));
    } else if (exponent < 0) {
        out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    } else if (exponent + 1 >= count) {
        out.append(digits).append(static_cast<std::size_t>(exponent + 1 - count), '0').append(".0");
    } else {
        out.append(digits, 0, static_cast<std::size_t>(exponent + 1)).append(".");
        out.append(digits, static_cast<std::size_t>(exponent + 1));
    }
}

}  // namespace tilemeter::report
