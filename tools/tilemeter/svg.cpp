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
    std::size_t most_boxes = 200;
    bool dot = false, json = false;
};

/// The file, with the folder that is named after the capture.
std::string title_of(const std::string& report) {
    if (report == "-") return "standard input";
    const std::filesystem::path path(report);
    const std::string folder = path.parent_path().filename().string();
    return (folder.empty() || folder.starts_with('.') ? "" : folder + "/") + path.filename().string();
}

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
    const std::string text =
        options.dot ? dot_of(list, options.report)
                    : analysis::svg_graph(list, analysis::find_lifetimes(list, &library), options.max_level,
                                          title_of(options.report), options.most_boxes);
    write_text(options.output, text);
    if (options.json)
        print_answer(
            "svg", Json{{"file", options.output}, {"size_bytes", text.size()}, {"node_count", list.size()}});
}

}  // namespace

command::Verb svg_verb() {
    auto options = std::make_shared<SvgOptions>();
    return {.name = "svg",
            .documentation = "The functions as a graph: data flow, layers folded, memory and failures marked",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"-o,--output", &options->output, "file to write (default: standard output)"},
                           {"--max-level",
                            &options->max_level,
                            "deepest level of functions (default: 2 in a small picture, else 1)",
                            {.range = kAnyCount}},
                           {"--max-lines",
                            &options->most_boxes,
                            "beyond this many boxes functions share them (default: 200; 0: never)",
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
