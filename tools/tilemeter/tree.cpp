// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include <CLI/CLI.hpp>

#include "report/analysis/call_tree.hpp"
#include "report/analysis/operation_source.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string report, programs_from;
    bool json = false;
};

void run(const Options& options) {
    const graph::NodeList list = load(options.report);
    const graph::ProgramLibrary library = load_programs(options.programs_from);
    const graph::MemoryLives lives = graph::find_lives(list, &library);
    if (!options.json) return write_text("-", graph::call_tree(list, lives));
    Json calls = Json::array();
    for (const graph::CallNode& call : graph::call_nodes(list, lives)) {
        const graph::Scope& scope = lives.scopes.scopes[call.scope];
        calls.push_back({{"call", call.scope},
                         {"parent", scope.parent == graph::kNoIndex ? Json(nullptr) : Json(scope.parent)},
                         {"name", list.name(scope.start)},
                         {"source_line", json_of_text(graph::source_of(list, lives.scopes, call.scope))},
                         {"level", scope.depth},
                         {"node", scope.start},
                         {"duration_ns", call.duration_ns},
                         {"l1_peak_bytes_per_core", call.l1_peak_bytes},
                         {"dram_peak_bytes_per_bank", call.dram_peak_bytes},
                         {"l1_change_bytes_per_core", call.l1_change_bytes},
                         {"aborted", call.aborted},
                         {"left_open", call.open}});
    }
    print(calls);
}

}  // namespace

void add_tree(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("tree", "Call hierarchy with durations, L1 peak per core and what stays");
    verb->add_option("report", options->report, "a report, or a node list")->required();
    verb->add_option("--programs-from", options->programs_from,
                     "another capture of the workload that recorded its programs");
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
