// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/render/call_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct TreeOptions {
    std::string report, programs_from;
    bool json = false;
};

void run_tree(const TreeOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    if (!options.json) return write_text("-", analysis::call_tree(list, lifetimes));
    print_answer("tree", analysis::judge(list, lifetimes), analysis::call_tree_json(list, lifetimes));
}

}  // namespace

command::Verb tree_verb() {
    auto options = std::make_shared<TreeOptions>();
    return {.name = "tree",
            .documentation = "Call hierarchy with durations, L1 peak per core and what stays",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"--programs-from", &options->programs_from,
                            "another capture of the workload that recorded its programs"},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter tree report.json",
            .run = [options] { run_tree(*options); }};
}

}  // namespace tilemeter::cli
