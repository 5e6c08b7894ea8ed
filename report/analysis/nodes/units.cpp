// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/units.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "report/text.hpp"

namespace tilemeter::analysis {
namespace {

constexpr std::string_view kExpected = "bytes (1048576), a size (1MiB, 1.2 MB) or a share (80%)";

struct Unit {
    std::string_view name;  // in lower case
    double bytes;
};
constexpr std::array<Unit, 13> kUnits{{{"", 1},
                                       {"b", 1},
                                       {"byte", 1},
                                       {"bytes", 1},
                                       {"kb", 1e3},
                                       {"mb", 1e6},
                                       {"gb", 1e9},
                                       {"tb", 1e12},
                                       {"kib", 1024.0},
                                       {"mib", 1048576.0},
                                       {"gib", 1073741824.0},
                                       {"tib", 1099511627776.0},
                                       {"%", 0}}};

bool is_digit(char it) {
    return it >= '0' && it <= '9';
}

std::string with_decimals(double value, int decimals, const char* unit) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f %s", decimals, value, unit);
    return text;
}

}  // namespace

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, 1, ',');
    return text;
}

std::string bytes_text(std::uint64_t bytes) {
    return grouped(bytes) + " B";
}

std::string short_bytes_text(std::uint64_t bytes) {
    constexpr std::array<const char*, 4> kNames{"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kNames.size()) {
        value /= 1024;
        ++unit;
    }
    return with_decimals(value, unit == 0 ? 1 : 2, kNames[unit]);
}

std::string both_sizes_text(std::uint64_t bytes) {
    return bytes < 1024 ? bytes_text(bytes) : bytes_text(bytes) + " (" + short_bytes_text(bytes) + ")";
}

std::string duration_text(std::uint64_t nanoseconds) {
    char text[32];
    const auto value = static_cast<double>(nanoseconds);
    if (nanoseconds < 1000)
        std::snprintf(text, sizeof text, "%.0f ns", value);
    else if (nanoseconds < 1'000'000)
        std::snprintf(text, sizeof text, "%.1f us", value / 1e3);
    else if (nanoseconds < 1'000'000'000)
        std::snprintf(text, sizeof text, "%.2f ms", value / 1e6);
    else
        std::snprintf(text, sizeof text, "%.3f s", value / 1e9);
    return text;
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "?";
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    // A share below the whole is not shown as the whole.
    if (part < whole && percent > 99.5) return "99 %";
    return with_decimals(percent, percent < 10 && part != 0 ? 1 : 0, "%");
}

std::optional<std::uint64_t> SizeLimit::of(std::optional<std::uint64_t> whole) const {
    if (bytes) return bytes;
    if (!percent || !whole) return {};
    return static_cast<std::uint64_t>(*percent / 100.0 * static_cast<double>(*whole));
}

report::Result<SizeLimit> parse_size_limit(std::string_view text) {
    const auto problem = [&](std::string_view found) {
        return report::Error{"", "", std::string(kExpected), std::string(found)};
    };
    std::string number;
    std::size_t at = 0;
    while (at < text.size() && text[at] == ' ')
        ++at;
    if (at < text.size() && text[at] == '-') return problem("a negative one: " + report::in_quotes(text));
    for (; at < text.size(); ++at) {
        const char it = text[at];
        const bool between_digits =
            !number.empty() && is_digit(number.back()) && at + 1 < text.size() && is_digit(text[at + 1]);
        if (is_digit(it) || (it == '.' && !number.empty() && number.find('.') == std::string::npos))
            number += it;
        else if (!((it == ',' || it == '_') && between_digits && number.find('.') == std::string::npos))
            break;
    }
    while (at < text.size() && text[at] == ' ')
        ++at;
    std::string name;
    for (; at < text.size(); ++at)
        name += static_cast<char>(text[at] >= 'A' && text[at] <= 'Z' ? text[at] - 'A' + 'a' : text[at]);
    while (!name.empty() && name.back() == ' ')
        name.pop_back();
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (number.empty() || number.back() == '.' || error != std::errc{} ||
        end != number.data() + number.size())
        return problem(text.empty() ? "nothing" : report::in_quotes(text));
    for (const Unit& unit : kUnits) {
        if (unit.name != name) continue;
        SizeLimit limit;
        if (unit.bytes == 0) {
            if (!(value > 0 && value <= 100))
                return report::Error{"", "", "a share above 0% and up to 100%", report::in_quotes(text)};
            limit.percent = value;
            return limit;
        }
        std::uint64_t whole = 0;
        const bool plain = unit.bytes == 1 && number.find('.') == std::string::npos;
        if (plain && std::from_chars(number.data(), number.data() + number.size(), whole).ec == std::errc{}) {
            limit.bytes = whole;
        } else {
            const double bytes = value * unit.bytes;
            if (!(bytes < 9.2e18))
                return report::Error{"", "", "a size below 2^63 bytes", report::in_quotes(text)};
            if (unit.bytes == 1 && bytes != std::floor(bytes))
                return report::Error{"", "", "a whole number of bytes", report::in_quotes(text)};
            limit.bytes = static_cast<std::uint64_t>(bytes);
        }
        if (*limit.bytes == 0) return report::Error{"", "", "a size above 0", report::in_quotes(text)};
        if (*limit.bytes > (std::uint64_t{1} << 63U) - 1)
            return report::Error{"", "", "a size below 2^63 bytes", report::in_quotes(text)};
        return limit;
    }
    return problem(report::in_quotes(text));
}

}  // namespace tilemeter::analysis
