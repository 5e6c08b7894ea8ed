// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/internal/text_format.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tilemeter::ir::internal {

namespace {

constexpr std::string_view kNan = "nan";
constexpr std::string_view kNanBits = "nan(0x";

template <class Number>
void append_number(std::string& to, Number value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    to += text;
    if constexpr (std::is_floating_point_v<Number>)
        if (text.find_first_of(".en") == std::string_view::npos) to += ".0";  // n: inf
}

template <class Number>
bool read_number(std::string_view text, Number& value, int base = 10) {
    std::from_chars_result result{};
    if constexpr (std::is_floating_point_v<Number>)
        result = std::from_chars(text.data(), text.data() + text.size(), value);
    else
        result = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return !text.empty() && result.ec == std::errc{} && result.ptr == text.data() + text.size();
}

std::uint64_t bits_of(ElementType type, const std::byte* bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes, element_bytes(type));
    return bits;
}

bool read_float(std::string_view text, ElementType type, std::byte* bytes) {
    if (text.starts_with(kNanBits) && text.ends_with(')')) {
        std::uint64_t bits = 0;
        text.remove_prefix(kNanBits.size());
        text.remove_suffix(1);
        if (text.size() != 2 * element_bytes(type) || !read_number(text, bits, 16)) return false;
        std::memcpy(bytes, &bits, element_bytes(type));
        return std::isnan(to_double(type, bytes));
    }
    // "infinity", "nan(...)" and the like are the library's, not ours.
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    if (digits.empty()) return false;
    if (!is_digit(digits.front()) && digits != "inf" && text != kNan) return false;
    if (type == ElementType::kF64) {
        double value = 0;
        if (!read_number(text, value)) return false;
        put_double(type, value, bytes);
        return true;
    }
    // Read as float, not as double: its digits would else be rounded twice.
    float value = 0;
    if (!read_number(text, value)) return false;
    put_double(type, value, bytes);
    return std::isfinite(value) == std::isfinite(to_double(type, bytes));
}

}  // namespace

void append_element(std::string& to, ElementType type, const std::byte* bytes) {
    if (type == ElementType::kBool) {
        to += to_integer(type, bytes) != 0 ? "true" : "false";
    } else if (type == ElementType::kU64) {
        append_number(to, bits_of(type, bytes));
    } else if (!is_float(type)) {
        append_number(to, to_integer(type, bytes));
    } else if (const double value = to_double(type, bytes); std::isnan(value)) {
        std::array<std::byte, 8> usual{};
        put_double(type, std::numeric_limits<double>::quiet_NaN(), usual.data());
        if (bits_of(type, bytes) == bits_of(type, usual.data())) {
            to += kNan;
            return;
        }
        to += kNanBits;
        append_hex(to, bits_of(type, bytes), 2 * element_bytes(type));
        to += ')';
    } else if (type == ElementType::kF64) {
        append_number(to, value);
    } else {
        append_number(to, static_cast<float>(value));
    }
}

bool read_element(std::string_view text, ElementType type, std::byte* bytes) {
    if (type == ElementType::kBool) {
        put_integer(type, text == "true" ? 1 : 0, bytes);
        return text == "true" || text == "false";
    }
    if (is_float(type)) return read_float(text, type, bytes);
    if (type == ElementType::kU64) {
        std::uint64_t value = 0;
        if (!read_number(text, value)) return false;
        put_integer(type, static_cast<std::int64_t>(value), bytes);
        return true;
    }
    std::int64_t value = 0;
    if (!read_number(text, value)) return false;
    put_integer(type, value, bytes);
    return to_integer(type, bytes) == value;
}

void append_hex(std::string& to, std::uint64_t value, std::size_t digits) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (std::size_t i = digits; i-- > 0;)
        to += kDigits[(value >> (4 * i)) & 15];
}

}  // namespace tilemeter::ir::internal
