// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The arguments of programs: --help is status 0, wrong usage one line on standard error and status 2. The table of exit
// statuses stands in tools/PROGRAMS.md.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/parameters.hpp"

namespace tilemeter::command {

enum Exit : int { kDone = 0, kBadInput = 1, kWrongUsage = 2 };

/// The text without line breaks: messages repeat names, and those may have some.
std::string one_line(std::string text);

/// A program that is one command.
struct Program {
    std::string name;
    std::string documentation;
    std::vector<Parameter> parameters;
};

/// Reads the arguments into the variables of the parameters. Nothing: go on; else the exit status: the help
/// or the error is printed. `on_wrong_usage` is called with the error's line before that goes to standard
/// error.
std::optional<int> parse(const Program& program, int argument_count, char** arguments,
                         const std::function<void(const std::string&)>& on_wrong_usage = {});

/// A program of several verbs.
struct VerbProgram {
    std::string name;
    std::string documentation;
    std::string version;  ///< the text of --version
    std::string footer;   ///< the end of the help
    std::vector<Verb> verbs;
};

struct ParsedVerb {
    const Verb* verb = nullptr;        ///< the one that the arguments name, also where they are wrong
    std::optional<int> ended;          ///< the exit status, where the help or the version is printed
    std::optional<std::string> error;  ///< of wrong usage: what is wrong, in CLI11's words
};

/// The arguments with a "--" before the rest, where the verb that they name takes one. What is before it is ours.
std::vector<std::string> with_rest_marked(const VerbProgram& program, int argument_count, char** arguments);

/// Reads the arguments into the variables of the verb that they name; running it is the caller's.
ParsedVerb parse(const VerbProgram& program, int argument_count, char** arguments);

}  // namespace tilemeter::command
