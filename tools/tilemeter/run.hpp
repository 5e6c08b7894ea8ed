// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program `tilemeter` as a function, for the program itself and for callers that keep captures in memory.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/nodes/node_list.hpp"
#include "tools/command/parameters.hpp"

namespace tilemeter::cli {

/// The program itself: prints to std::cout and std::cerr, returns the exit status. `arguments` as main() has them, the
/// program's name first. `further`: verbs that the program has and other callers do not. `missing`: the place where a
/// program with more verbs was not found, for whoever names a verb that is not here. Thread safety: one call at a time.
int run(int argument_count, char** arguments, const std::vector<command::Verb>& further = {},
        const std::string& missing = "");

/// Whether run() with these further verbs has the one of this name; it has completion, which is of all verbs, only where
/// no other program has more, and is not counted.
bool is_own_verb(std::string_view name, const std::vector<command::Verb>& further);

/// Node lists under the names that stand for them among the arguments, before any file of that name.
using NamedLists = std::map<std::string, std::shared_ptr<const analysis::NodeList>>;

/// The output of a run().
struct Printed {
    int status = 0;
    std::string output;  ///< to standard output
    std::string errors;  ///< to standard error
};

/// The output of the program, call by call; each is a verb and its arguments. A report is read once for all of them.
/// Standard output stays open to other threads meanwhile: what they print goes where it would have gone. Thread safety:
/// may be called from any thread; calls wait for each other.
std::vector<Printed> run_quietly(const std::vector<std::vector<std::string>>& calls, NamedLists lists);

}  // namespace tilemeter::cli
