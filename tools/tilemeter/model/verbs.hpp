// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The verbs of `tilemeter` that run the model of a device, or functions as graphs: as those of tools/tilemeter/verbs.hpp.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/foreign/compiled_program.hpp"
#include "report/result.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

command::Verb emit_verb();
command::Verb graph_verb();
command::Verb phases_verb();
command::Verb place_verb();
command::Verb plan_verb();
command::Verb query_verb();
command::Verb sizes_verb();

/// A compiled program, noted as an input; Failure with one line if it cannot be read.
foreign::CompiledProgram load_program(const std::string& path);

/// The report of a compiled program's plan on the board that it was compiled for.
report::Result<std::string> planned_report(const std::filesystem::path& program);

/// All of them, in the order of the help.
inline std::vector<command::Verb> model_verbs() {
    return {plan_verb(), emit_verb(), place_verb(), graph_verb(), sizes_verb(), phases_verb(), query_verb()};
}

}  // namespace tilemeter::cli
