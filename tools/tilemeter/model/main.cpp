// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program `tilemeter` with every verb, which the small one (../main.cpp) becomes.

#include <filesystem>
#include <vector>

#include "capture/log/log.hpp"
#include "report/foreign/load.hpp"
#include "report/input.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/run.hpp"
#include "tools/tilemeter/terminal.hpp"

int main(int argument_count, char** arguments) {
    using namespace tilemeter;
    logging::set_default_level(logging::Level::kWarn);
    const cli::FittedOutput fitted;
    // Whatever verb reads reports reads compiled programs, too: as the report of their plan.
    const report::ReportsMadeOfFiles plans(
        [](const std::filesystem::path& path) { return foreign::is_compiled_program(path); },
        cli::planned_report);
    std::vector<command::Verb> verbs = cli::model_verbs();
    for (command::Verb& verb : cli::served_verbs())
        verbs.push_back(std::move(verb));
    return cli::run(argument_count, arguments, verbs);
}
