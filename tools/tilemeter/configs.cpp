// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "report/analysis/compare.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string report;
    bool json = false;
};

void run(const Options& options) {
    const graph::NodeList list = load(options.report);
    const auto configurations = graph::configurations(list, graph::find_lives(list));
    Json json = Json::array();
    const std::size_t width = line_width();
    const auto line = [&](const std::string& text) { return with_end_cut(text, width) + '\n'; };
    if (!options.json && !configurations.empty())
        std::cout << line("most calls first, of these those whose programs take most memory first");
    for (const graph::Configuration& it : configurations) {
        if (options.json) {
            json.push_back({{"operation", it.operation},
                            {"count", it.count},
                            {"inputs", it.inputs},
                            {"arguments", it.arguments},
                            {"program_bytes", it.program_bytes}});
            continue;
        }
        std::cout << line(std::to_string(it.count) + " x  " + it.operation +
                          (it.program_bytes == 0
                               ? ""
                               : "  (programs take up to " + grouped(it.program_bytes) + " B per core)"));
        for (const std::string& input : it.inputs)
            std::cout << line("      input " + input);
        for (const std::string& argument : it.arguments)
            std::cout << line("      " + argument);
    }
    if (options.json) print(json);
}

}  // namespace

void add_configs(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("configs", "The distinct (operation, arguments, input types) with their counts");
    verb->add_option("report", options->report, "a report, or a node list")->required();
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
