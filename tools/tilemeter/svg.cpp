// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <memory>

#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/pretty_format.hpp"
#include "report/render/svg_graph.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct SvgOptions {
    std::string report, programs_from, output = "-";
    std::int32_t max_level = 0;
    std::size_t most_lines = 5000;
    bool dot = false, json = false;
};

/// TT-NN's visualize refuses lists with functions left open.
std::string dot_of(const analysis::NodeList& list, const std::string& report) {
    try {
        return analysis::visualize(list);
    } catch (const analysis::AnalysisError& error) {
        throw Failure(report::Error{report, "", "a list that TT-NN's visualize draws", error.what()});
    }
}

void run_svg(const SvgOptions& options) {
    if (options.json && options.output == "-")
        throw Failure("svg: --json says what was written: it needs --output FILE", kWrongUsage);
    const analysis::NodeList list = load_sound(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const std::string title =
        options.report == "-" ? "standard input" : std::filesystem::path(options.report).filename().string();
    const std::string text = options.dot ? dot_of(list, options.report)
                                         : analysis::svg_graph(list, analysis::find_lifetimes(list, &library),
                                                               options.max_level, title, options.most_lines);
    write_text(options.output, text);
    if (options.json)
        print_answer(
            "svg", Json{{"file", options.output}, {"size_bytes", text.size()}, {"node_count", list.size()}});
}

}  // namespace

command::Verb svg_verb() {
    auto options = std::make_shared<SvgOptions>();
    return {.name = "svg",
            .documentation = "The call graph as a picture, with data flow, durations and L1 peaks",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"-o,--output", &options->output, "file to write (default: standard output)"},
                           {"--max-level",
                            &options->max_level,
                            "deepest level of functions (default: 2, or 1 beyond 5,000)",
                            {.range = kAnyCount}},
                           {"--max-lines",
                            &options->most_lines,
                            "beyond this many lines functions share them (default: 5,000; 0: never)",
                            {.range = kAnyCount}},
                           {"--programs-from", &options->programs_from,
                            "another capture of the workload that recorded its programs"},
                           {"--dot",
                            &options->dot,
                            "the DOT source of TT-NN's visualize instead",
                            {.excludes = {"--programs-from"}}},
                           {"--json", &options->json,
                            "say what was written, machine-readable; needs --output FILE"}},
            .example = "tilemeter svg report.json --output graph.svg",
            .run = [options] { run_svg(*options); }};
}

}  // namespace tilemeter::cli
