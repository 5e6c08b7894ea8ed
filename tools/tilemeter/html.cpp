// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <memory>

#include "report/render/html_page.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct HtmlOptions {
    std::string report, other, output = "-", programs_from;
    bool json = false;
};

/// "decoder24/report.json": all reports are called alike, their folders are not.
std::string name_of_capture(const std::string& file) {
    if (is_in_memory(file)) return file;
    const auto path = std::filesystem::absolute(file).lexically_normal();
    return (path.parent_path().filename() / path.filename()).string();
}

void run_html(const HtmlOptions& options) {
    const analysis::NodeList list = load(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    const std::string name = name_of_capture(options.report);
    std::string page;
    if (options.other.empty()) {
        page = analysis::html_page(list, lifetimes, name, &library);
    } else {
        const analysis::NodeList other = load(options.other);
        const analysis::MemoryLifetimes other_lifetimes = analysis::find_lifetimes(other, &library);
        page = analysis::html_page({list, lifetimes, name},
                                   {other, other_lifetimes, name_of_capture(options.other)}, &library);
    }
    write_text(options.output, page);
    if (options.json)
        print_answer(
            "html", Json{{"file", options.output}, {"size_bytes", page.size()}, {"node_count", list.size()}});
}

}  // namespace

command::Verb html_verb() {
    auto options = std::make_shared<HtmlOptions>();
    return {
        .name = "html",
        .documentation =
            "One self-contained page: memory over time, maps, cores, stacks, operations; of two reports what grew",
        .parameters =
            {{"report", &options->report, "a report, or a node list", {.required = true}},
             {"other", &options->other, "another one, beside the first: what grew is marked"},
             {"-o,--output", &options->output, "file to write (default: standard output)"},
             {"--programs-from", &options->programs_from,
              "another capture of the workload that recorded its programs"},
             {"--json", &options->json, "say what was written, machine-readable", {.needs = {"--output"}}}},
        .example = "tilemeter html report.json --output page.html",
        .run = [options] { run_html(*options); }};
}

}  // namespace tilemeter::cli
