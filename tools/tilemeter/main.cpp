// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// tilemeter VERB ...: answers from reports. Exit statuses: verbs.hpp, and the table in tools/PROGRAMS.md.

#include "capture/log/log.hpp"
#include "tools/tilemeter/run.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

int main(int argument_count, char** arguments) {
    tilemeter::logging::set_default_level(tilemeter::logging::Level::kWarn);
    const tilemeter::cli::FittedOutput fitted;
    return tilemeter::cli::run(argument_count, arguments,
                               {tilemeter::cli::open_verb(), tilemeter::cli::watch_verb()});
}
