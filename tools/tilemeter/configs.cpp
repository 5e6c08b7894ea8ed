// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/gate/compare.hpp"
#include "report/render/call_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct ConfigsOptions {
    std::string report;
    bool json = false;
};

void run_configs(const ConfigsOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list);
    if (options.json)
        return print_answer("configs", analysis::judge(list, lifetimes),
                            analysis::configurations_json(list, lifetimes));
    const auto configurations = analysis::configurations(list, lifetimes);
    const std::size_t width = line_width();
    const auto line = [&](const std::string& text) { return with_end_cut(text, width) + '\n'; };
    if (!configurations.empty())
        std::cout << line("most calls first, of these those whose programs take most memory first");
    for (const analysis::Configuration& it : configurations) {
        std::cout << line(std::to_string(it.count) + " x  " + it.operation +
                          (it.program_bytes == 0
                               ? ""
                               : "  (programs take up to " + grouped(it.program_bytes) + " B per core)"));
        for (const std::string& input : it.inputs)
            std::cout << line("      input " + input);
        for (const std::string& argument : it.arguments)
            std::cout << line("      " + argument);
    }
}

}  // namespace

command::Verb configs_verb() {
    auto options = std::make_shared<ConfigsOptions>();
    return {.name = "configs",
            .documentation = "The distinct (operation, arguments, input types) with their counts",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter configs report.json",
            .run = [options] { run_configs(*options); }};
}

}  // namespace tilemeter::cli
