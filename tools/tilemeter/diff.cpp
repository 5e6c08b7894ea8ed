// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "report/analysis/gate/compare.hpp"
#include "report/analysis/gate/gate.hpp"
#include "report/render/diff_render.hpp"
#include "report/render/verdict_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct DiffOptions {
    std::string before, after, programs_from, programs_from_before, programs_from_after;
    std::optional<std::string> max_growth;
    bool exit_code = false, accept_incomplete = false, json = false;
};

int status_of(const analysis::Comparison& comparison, const std::optional<analysis::GrowthLimit>& limit,
              bool accept_incomplete) {
    using analysis::GrowthAnswer;
    if (!limit) {
        switch (comparison.answer(accept_incomplete)) {
            case analysis::Comparison::Answer::kSame:
                return kDone;
            case analysis::Comparison::Answer::kDiffer:
                return kExceeded;
            case analysis::Comparison::Answer::kUnknown:
                return kCannotBeJudged;
        }
    }
    const auto is_empty = [](const analysis::Judgement& it) {
        return it.find(analysis::Reason::Kind::kNoGraph) != nullptr ||
               it.find(analysis::Reason::Kind::kNothingCaptured) != nullptr;
    };
    if (is_empty(comparison.before) || is_empty(comparison.after) ||
        comparison.before.device != comparison.after.device)
        return kCannotBeJudged;
    const GrowthAnswer l1 =
        judge_growth(comparison.before.l1, comparison.after.l1, *limit, accept_incomplete);
    const GrowthAnswer dram =
        judge_growth(comparison.before.dram, comparison.after.dram, *limit, accept_incomplete);
    if (l1 == GrowthAnswer::kBeyond || dram == GrowthAnswer::kBeyond) return kExceeded;
    const bool known = l1 == GrowthAnswer::kWithin && dram == GrowthAnswer::kWithin;
    return known ? kDone : kCannotBeJudged;
}

void run_diff(const DiffOptions& options) {
    std::optional<analysis::GrowthLimit> limit;
    if (options.max_growth) {
        if (!options.exit_code) throw Failure("diff: --max-growth needs --exit-code", kWrongUsage);
        const auto growth = analysis::parse_growth(*options.max_growth);
        if (!growth) throw Failure("--max-growth: " + growth.error().message(), kWrongUsage);
        limit = growth.value();
    }
    const auto programs = [&](const std::string& of_side) {
        return load_programs(of_side.empty() ? options.programs_from : of_side);
    };
    const analysis::NodeList before = load_sound(options.before);
    const analysis::NodeList after = load_sound(options.after);
    const analysis::ProgramLibrary library_before = programs(options.programs_from_before);
    const analysis::ProgramLibrary library_after = programs(options.programs_from_after);
    const analysis::Comparison comparison =
        analysis::compare(before, analysis::find_lifetimes(before, &library_before), after,
                          analysis::find_lifetimes(after, &library_after));
    if (options.json)
        print_answer(
            "diff", comparison.after,
            analysis::diff_json(comparison, options.before, options.after, options.accept_incomplete));
    else
        std::cout << analysis::diff_text(comparison, options.before, options.after);
    if (options.exit_code) throw Answered{status_of(comparison, limit, options.accept_incomplete)};
}

}  // namespace

command::Verb diff_verb() {
    auto options = std::make_shared<DiffOptions>();
    return {.name = "diff",
            .documentation = "What changed in memory between two captures, and both peaks",
            .parameters = {{"before", &options->before, "a report, or a node list", {.required = true}},
                           {"after", &options->after, "another", {.required = true}},
                           {"--exit-code", &options->exit_code,
                            "exit status 3 if they differ, 4 if that cannot be judged; without it 0"},
                           {"--max-growth", &options->max_growth,
                            "with --exit-code: 3 only where a peak is higher by more: 2%, 64KiB, 0"},
                           {"--allow-incomplete", &options->accept_incomplete,
                            "take what is recorded for all there is"},
                           {"--programs-from", &options->programs_from,
                            "another capture of the workload that recorded its programs, for both"},
                           {"--programs-from-before", &options->programs_from_before, "for the first only"},
                           {"--programs-from-after", &options->programs_from_after, "for the second only"},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter diff before.json after.json",
            .run = [options] { run_diff(*options); }};
}

}  // namespace tilemeter::cli
