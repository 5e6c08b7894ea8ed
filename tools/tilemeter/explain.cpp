// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/explain.hpp"

#include <iostream>
#include <memory>
#include <optional>

#include "report/analysis/memory/failures.hpp"
#include "report/render/explain_render.hpp"
#include "report/render/verdict_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct ExplainOptions {
    std::string report, programs_from;
    std::optional<std::string> message;
    std::optional<std::int64_t> at;
    bool json = false;
};

/// One with each of the figures that are read.
constexpr const char* kReadableMessages =
    "a clash (\"Statically allocated circular buffers in program 6 clash with L1 buffers on core range "
    "[(x=0,y=0) - (x=7,y=7)]. L1 buffer allocated at 319488 and static circular buffer region ends at "
    "761184\"; dataflow buffers as well); out of memory (\"Out of Memory: Not enough space to allocate "
    "16777216 B L1 buffer across 64 banks, where each bank needs to store 262144 B, but bank size is 1393312 "
    "B (allocated: 1310720 B, free: 82592 B, largest free block: 82592 B)\"; DRAM and L1_SMALL as well, and "
    "without the free list's figures); a program too large (\"Statically allocated circular buffers on core "
    "range [(x=0,y=0) - (x=7,y=7)] grow to 2000000 B which is beyond max L1 size of 1499136 B\")";

void check_usage(const ExplainOptions& options) {
    if (options.report.empty() && !options.message)
        throw Failure("explain: expected a report or --message", kWrongUsage);
    if (options.message && options.message->find_first_not_of(" \t\r\n") == std::string::npos)
        throw Failure("explain: --message: expected the text of an exception, found an empty one",
                      kWrongUsage);
    if (options.at && options.report.empty()) throw Failure("explain: --at needs a report", kWrongUsage);
    if (options.at && *options.at < 0)
        throw Failure("explain: --at: expected the number of a node, found " + std::to_string(*options.at),
                      kWrongUsage);
    if (options.message &&
        !analysis::is_lack_of_memory(analysis::read_failure_message(*options.message).cause))
        throw Failure("explain: --message: \"" + analysis::short_message(*options.message).substr(0, 80) +
                      "\" is no message that is understood; these are: " + kReadableMessages);
}

void run_explain(const ExplainOptions& options) {
    check_usage(options);
    analysis::NodeList list;
    if (!options.report.empty()) list = load(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    analysis::ExplainQuestion question;
    question.known_programs = &library;
    question.message = options.message.value_or("");
    if (options.at) {
        if (*options.at >= static_cast<std::int64_t>(list.size()))
            throw Failure("explain: --at: expected the number of a node below " +
                              std::to_string(list.size()) + ", the number of nodes, found " +
                              std::to_string(*options.at),
                          kWrongUsage);
        question.at = static_cast<std::uint32_t>(*options.at);
    }
    analysis::Judgement judgement;
    judgement.verdict = analysis::Verdict::kUnknown;
    if (!options.report.empty()) judgement = analysis::judge(list, lifetimes);
    if (options.message) judgement = analysis::judge_with_message(std::move(judgement), *options.message);
    const auto explanations = analysis::explain(list, lifetimes, judgement, question);
    if (options.json) {
        print_answer("explain", judgement, Json{{"explanations", analysis::explanations_json(explanations)}});
        return;
    }
    std::cout << analysis::words_of(judgement.verdict) << ": "
              << (judgement.device.empty() ? "a device that is not described" : judgement.device) << '\n'
              << analysis::reasons_text(judgement, "  because ");
    if (explanations.empty()) std::cout << "No memory of a device is recorded, and no failure.\n";
    for (const analysis::Explanation& it : explanations)
        std::cout << analysis::explanation_text(it);
}

}  // namespace

command::Verb explain_verb() {
    auto options = std::make_shared<ExplainOptions>();
    return {.name = "explain",
            .documentation = "What fills the core at a failure or at any moment, and what would have to go",
            .parameters =
                {{"report", &options->report, "a report, or a node list (not needed with --message)"},
                 {"--at", &options->at, "explain the moment after this node"},
                 {"--message", &options->message, "a clash or out-of-memory message, e.g. from a log"},
                 {"--programs-from", &options->programs_from,
                  "another capture of the workload that recorded its programs (NO_DISPATCH, first run)"},
                 {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter explain report.json",
            .run = [options] { run_explain(*options); }};
}

}  // namespace tilemeter::cli
