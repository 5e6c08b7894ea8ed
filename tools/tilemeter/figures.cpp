// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iomanip>
#include <iostream>
#include <memory>

#include "report/analysis/answers/corrected_usage.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "report/render/figures_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct FiguresOptions {
    std::string report, programs_from;
    bool json = false;
};

std::string text_of(const Json& value) {
    if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
    if (value.is_object() && value.contains("error")) return "fails";
    if (value.is_string()) return value.get<std::string>();
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void run_figures(const FiguresOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    const Json answer = analysis::figures_json(list, lifetimes);
    if (options.json) return print_answer("figures", analysis::judge(list, lifetimes), answer);
    std::cout << std::left << std::setw(44) << "figure" << std::right << std::setw(28) << "TT-NN says"
              << std::setw(20) << "right" << '\n';
    for (const Json& row : answer["figures"]) {
        const std::string theirs = row["ttnn"].is_null() ? "-" : text_of(row["ttnn"]);
        const std::string right = row["right"].is_null() ? "unknown" : text_of(row["right"]);
        std::cout << std::left << std::setw(44) << row["figure"].get<std::string>() << std::right;
        if (theirs.size() > 28 || right.size() > 20)
            std::cout << "\n    TT-NN says  " << theirs << "\n    right       " << right << '\n';
        else
            std::cout << std::setw(28) << theirs << std::setw(20) << right
                      << (row["ttnn"].is_null() || theirs == right ? "" : "  *") << '\n';
    }
    for (const Json& note : answer["notes"])
        std::cout << "\nnote: " << note.get<std::string>() << '\n';
    std::cout << "\n[i,o]: i intermediate tensors (made by operations, no outputs), o outputs (of the last "
                 "operation "
                 "that gives any)\n";
    if (analysis::corrected_usage(list, lifetimes).unknown_programs != 0)
        std::cout
            << "\nnote: what some programs took is not recorded (--programs-from): peaks are lower bounds\n";
    std::cout << "\n" << std::left << std::setw(44) << "time of all calls (TT-NN: of the last)" << '\n';
    for (const auto& [name, time] : analysis::operation_times(list, lifetimes.scopes))
        std::cout << std::left << std::setw(44) << name << std::right << std::setw(12)
                  << duration_text(time.total_ns) << " in " << time.calls << '\n';
}

}  // namespace

command::Verb figures_verb() {
    auto options = std::make_shared<FiguresOptions>();
    return {.name = "figures",
            .documentation = "The figures of TT-NN's analyses, and the right ones beside them",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"--programs-from", &options->programs_from,
                            "another capture of the workload that recorded its programs"},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter figures report.json",
            .run = [options] { run_figures(*options); }};
}

}  // namespace tilemeter::cli
