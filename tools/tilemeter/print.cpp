// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <utility>

#include "report/analysis/ttnn/pretty_format.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct PrintOptions {
    std::string report, programs_from;
    bool as_ttnn = false;
    bool json = false;
};

void run_print(const PrintOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    std::string text;
    if (options.as_ttnn) {
        text = analysis::pretty_format(list);
    } else if (options.programs_from.empty()) {
        text = analysis::outline(list);
    } else {
        const analysis::ProgramLibrary library = load_programs(options.programs_from);
        const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
        text = analysis::outline(list, &lifetimes);
    }
    if (!options.json) return print_text(text);
    Json lines = Json::array();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    print_answer("print", Json{{"lines", std::move(lines)}});
}

}  // namespace

command::Verb print_verb() {
    auto options = std::make_shared<PrintOptions>();
    return {.name = "print",
            .documentation = "The events in order, indented by function",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"--programs-from", &options->programs_from,
                            "another capture of the workload that recorded its programs"},
                           {"--ttnn",
                            &options->as_ttnn,
                            "to the letter as ttnn.graph.pretty_print: every node, padded",
                            {.excludes = {"--programs-from"}}},
                           {"--json", &options->json, "machine-readable: the lines"}},
            .example = "tilemeter print report.json",
            .run = [options] { run_print(*options); }};
}

}  // namespace tilemeter::cli
