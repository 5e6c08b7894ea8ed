// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/peak.hpp"

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "report/render/peak_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct PeakOptions {
    std::string report;
    std::string programs_from;
    std::string memory = "all";
    std::string by;
    std::int64_t top = 12;
    bool json = false;
};

constexpr std::size_t kLeastWidthOfBars = 60;

void run_peak(const PeakOptions& options) {
    const analysis::NodeList list = load(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::PeakAnswer answer = analysis::find_peak(list, &library);
    analysis::PeakView view;
    view.top = static_cast<std::size_t>(options.top);
    view.by = options.by == "line"        ? analysis::GroupBy::kLine
              : options.by == "operation" ? analysis::GroupBy::kOperation
              : options.by == "shape"     ? analysis::GroupBy::kShape
                                          : analysis::GroupBy::kAlike;
    view.with_l1 = options.memory != "dram";
    view.with_dram = options.memory != "l1";
    if (const std::size_t width = line_width(); width != SIZE_MAX && width >= kLeastWidthOfBars) {
        view.bar_columns = width / 10;
        if (has_colour()) {
            view.bar_colour = "\x1b[36m";
            view.bar_end = "\x1b[0m";
        }
    }
    if (options.json) return print_answer("peak", answer.judgement, analysis::peak_json(answer, view));
    std::cout << analysis::peak_text(answer, view);
}

}  // namespace

command::Verb peak_verb() {
    auto options = std::make_shared<PeakOptions>();
    return {.name = "peak",
            .documentation = "Peak of L1 per core and of DRAM per bank: when, where, made of what",
            .parameters =
                {{"report", &options->report, "a report, or a node list", {.required = true}},
                 {"--by",
                  &options->by,
                  "who holds it: by line (of Python, where stacks were recorded), operation or shape; "
                  "default: equal buffers together",
                  {.one_of = {"line", "operation", "shape"}}},
                 {"--memory",
                  &options->memory,
                  "l1, dram or all",
                  {.shows_default = true, .one_of = {"l1", "dram", "all"}}},
                 {"--programs-from", &options->programs_from,
                  "another capture of the workload that recorded its programs (NO_DISPATCH, first run)"},
                 {"--top",
                  &options->top,
                  "contributors, or groups of them, to show",
                  {.shows_default = true, .range = kAnyCount}},
                 {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter peak report.json --top 5",
            .run = [options] { run_peak(*options); }};
}

}  // namespace tilemeter::cli
