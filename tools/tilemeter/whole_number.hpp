// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <charconv>
#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace tilemeter::cli {

/// The check of an option that is a whole number from `least` to `most`: "expected 0 to 1000, found -3".
inline CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
    const std::string range = std::to_string(least) + " to " + std::to_string(most);
    return CLI::Validator(
        [=](const std::string& text) -> std::string {
            std::int64_t number = 0;
            const char* end = text.data() + text.size();
            const auto [read, problem] = std::from_chars(text.data(), end, number);
            if (problem == std::errc{} && read == end && number >= least && number <= most) return {};
            return "expected a whole number from " + range + ", found '" + text + "'";
        },
        "", "");
}

/// Beyond every level, line and node of a report that can be read.
inline constexpr std::int64_t kMostOfAnything = 1'000'000'000;

}  // namespace tilemeter::cli
