// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// tilemeter VERB ...: answers from reports. Exit status 0: fine; 1: it could not be done; 2: wrong usage; for
// `check`, 3: a limit was passed.

#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tools/tilemeter/verbs.hpp"

namespace {

constexpr void (*kVerbs[])(CLI::App&) = {
    tilemeter::cli::add_peak,      tilemeter::cli::add_explain,  tilemeter::cli::add_fit,
    tilemeter::cli::add_timeline,  tilemeter::cli::add_tree,     tilemeter::cli::add_print,
    tilemeter::cli::add_levelized, tilemeter::cli::add_diff,     tilemeter::cli::add_check,
    tilemeter::cli::add_configs,   tilemeter::cli::add_svg,      tilemeter::cli::add_html,
    tilemeter::cli::add_perfetto,  tilemeter::cli::add_summary,  tilemeter::cli::add_figures,
    tilemeter::cli::add_recover,   tilemeter::cli::add_overhead,
};

constexpr int kWrongUsage = 2;

}  // namespace

int main(int argument_count, char** arguments) {
    CLI::App app("What filled the memory of a tile device: answers from reports and node lists.",
                 "tilemeter");
    app.require_subcommand(1);
    for (const auto add : kVerbs)
        add(app);
    try {
        app.parse(argument_count, arguments);
        std::cout.flush();
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUsage;
    } catch (const tilemeter::cli::Failure& failure) {
        std::cout.flush();
        std::cerr << "tilemeter: " << failure.what() << '\n';
        return failure.status();
    } catch (const std::exception& error) {
        std::cout.flush();
        std::cerr << "tilemeter: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
