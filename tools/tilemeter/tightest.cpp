// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/tightest.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/render/call_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct TightestOptions {
    std::string report, programs_from, memory = "l1";
    std::size_t top = 10;
    bool json = false;
};

void print_tightest(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                    const std::vector<analysis::TightOperation>& operations, const TightestOptions& options) {
    std::cout << std::setw(15) << (options.memory == "l1" ? "L1 per core" : "DRAM per bank") << std::setw(16)
              << "headroom" << std::setw(8) << "node"
              << "  operation\n";
    for (std::size_t i = 0; i < std::min(options.top, operations.size()); ++i) {
        const analysis::TightOperation& it = operations[i];
        const std::uint32_t node = lifetimes.scopes.scopes[it.scope].start;
        const std::string headroom = !it.headroom_bytes ? "unknown"
                                     : *it.headroom_bytes >= 0
                                         ? grouped(static_cast<std::uint64_t>(*it.headroom_bytes))
                                         : "-" + grouped(static_cast<std::uint64_t>(-*it.headroom_bytes));
        std::string name(list.name(node));
        std::replace(name.begin(), name.end(), '\n', ' ');
        const std::string line = analysis::source_of(list, lifetimes.scopes, it.scope);
        std::cout << std::setw(15) << grouped(it.peak_bytes) << std::setw(16) << headroom << std::setw(8)
                  << node << "  " << name << (line.empty() ? "" : " at " + line) << '\n';
    }
    if (operations.size() > options.top) std::cout << "... " << operations.size() - options.top << " more\n";
}

void run_tightest(const TightestOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    const auto memory = options.memory == "l1" ? analysis::MemoryType::kL1 : analysis::MemoryType::kDram;
    const auto operations = analysis::tightest_operations(list, lifetimes, memory);
    if (!options.json) {
        say_what_is_unseen(list);
        return print_tightest(list, lifetimes, operations, options);
    }
    print_answer("tightest", analysis::judge(list, lifetimes),
                 analysis::tightest_json(list, lifetimes, operations, memory, options.top));
}

}  // namespace

command::Verb tightest_verb() {
    auto options = std::make_shared<TightestOptions>();
    return {
        .name = "tightest",
        .documentation = "The operations nearest to what the device has, the fullest first",
        .parameters =
            {{"report", &options->report, "a report, or a node list", {.required = true}},
             {"--memory", &options->memory, "l1 or dram", {.shows_default = true, .one_of = {"l1", "dram"}}},
             {"--programs-from", &options->programs_from,
              "another capture of the workload that recorded its programs"},
             {"--top", &options->top, "operations to show", {.shows_default = true, .range = kAnyCount}},
             {"--json", &options->json, "machine-readable"}},
        .example = "tilemeter tightest report.json --memory l1",
        .run = [options] { run_tightest(*options); }};
}

}  // namespace tilemeter::cli
