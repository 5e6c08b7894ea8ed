// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// How the programs that are one command each take their arguments: --help is status 0, wrong usage one line
// on standard error and status 2. The table of exit statuses stands in tools/README.md.

#pragma once

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace tilemeter::command {

enum Exit : int { kDone = 0, kBadInput = 1, kWrongUsage = 2 };

/// CLI11's texts have several lines; ours have one, whatever names they repeat.
inline std::string one_line(std::string text) {
    text.erase(text.find_last_not_of("\n ") + 1);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// Nothing: go on; else what the program exits with, and what had to be said is said. `on_wrong_usage` is
/// called with the line before it goes to standard error.
template <class OnWrongUsage>
std::optional<int> parse(CLI::App& app, const std::string& program, int argument_count, char** arguments,
                         const OnWrongUsage& on_wrong_usage) {
    try {
        app.parse(argument_count, arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        const std::string line = one_line(error.what()) + " (see --help)";
        on_wrong_usage(line);
        std::cerr << program << ": " << line << '\n';
        return kWrongUsage;
    }
    return std::nullopt;
}
inline std::optional<int> parse(CLI::App& app, const std::string& program, int argument_count,
                                char** arguments) {
    return parse(app, program, argument_count, arguments, [](const std::string&) {});
}

}  // namespace tilemeter::command
