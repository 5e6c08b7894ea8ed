// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The parameters of a program, described as data: name, variable, documentation, rules. arguments.hpp parses
// command lines by such descriptions; only arguments.cpp knows the parser's library.
//
//     std::string report;
//     std::int64_t top = 12;
//     const std::vector<Parameter> parameters = {
//         {"report", &report, "a report, or a node list", {.required = true}},
//         {"--top", &top, "contributors to show", {.shows_default = true, .range = Range{0, 100}}}};

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilemeter::command {

/// The variable that a parameter is read into; it keeps its value where the parameter is not given. A bool is
/// a flag, a vector takes one value or more.
using Target = std::variant<bool*, std::string*, std::filesystem::path*, std::int32_t*, std::int64_t*,
                            std::uint32_t*, std::size_t*, std::optional<std::string>*,
                            std::optional<std::int64_t>*, std::vector<std::string>*>;

/// A whole number from `least` to `most`.
struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
};

struct Rules {
    bool required = false;
    bool hidden = false;                  ///< accepted, but not in the help
    bool shows_default = false;           ///< in the help
    std::optional<Range> range = {};      ///< nothing: what the variable holds
    std::vector<std::string> one_of{};    ///< the accepted words; empty: any
    std::vector<std::string> needs{};     ///< options that have to be given as well
    std::vector<std::string> excludes{};  ///< options that can't be given as well
    /// Of a positional with a vector: it is another program's command line, which begins at the first word that is no option
    /// of ours, or after "--", and has all that follows.
    bool takes_rest = false;
};

struct Parameter {
    std::string name;  ///< "report": by its position; "--json", "-o,--output": an option or a flag
    Target target;
    std::string documentation = {};
    Rules rules = {};
};

/// "-o" and "--output" of "-o,--output"; none of a positional.
std::vector<std::string> names_of(const Parameter& parameter);

/// One of several things that a program does: `tilemeter peak ...`.
struct Verb {
    std::string name;
    std::string documentation;
    std::vector<Parameter> parameters;
    std::vector<std::string> alternatives{};  ///< options of which one at most can be given
    std::string example{};                    ///< a call, for the help
    std::function<void()> run;                ///< owns the variables of the parameters
};

}  // namespace tilemeter::command
