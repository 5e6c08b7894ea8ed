// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>
#include <optional>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/render/verdict_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct FitOptions {
    std::string report, device, programs_from;
    std::string trace_region;
    bool accept_incomplete = false, json = false;
};

/// The device asked for; nothing: the one of the capture.
std::optional<analysis::DeviceLimits> asked_device(const FitOptions& options) {
    std::uint64_t trace_region_bytes = 0;
    if (!options.trace_region.empty())
        trace_region_bytes = size_option("--trace-region", options.trace_region);
    if (options.device.empty()) {
        if (trace_region_bytes != 0) throw Failure("fit: --trace-region needs --device", kWrongUsage);
        return {};
    }
    analysis::DeviceLimits limits = device_limits(options.device);
    if (trace_region_bytes >= limits.dram_bank_bytes)
        throw Failure("--trace-region: expected less than " + analysis::bytes_text(limits.dram_bank_bytes) +
                          ", what can be allocated of a bank of " + limits.name + ", found " +
                          analysis::bytes_text(trace_region_bytes),
                      kWrongUsage);
    limits.dram_bank_bytes -= trace_region_bytes;
    return limits;
}

void print_use(const char* what, const analysis::MemoryUse& use) {
    std::cout << "  " << what << "  peak " << analysis::use_text(use);
    if (const std::string headroom = analysis::headroom_text(use); !headroom.empty())
        std::cout << ", " << headroom;
    if (!use.operation.empty()) std::cout << "; in " << use.operation << " (node " << use.node << ")";
    std::cout << '\n';
}

void run_fit(const FitOptions& options) {
    analysis::Question question;
    question.device = asked_device(options);
    question.accept_incomplete = options.accept_incomplete;
    const analysis::NodeList list = load(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::Judgement judgement =
        analysis::judge(list, analysis::find_lifetimes(list, &library), question);
    if (options.json) {
        print_answer("fit", judgement,
                     Json{{"device", judgement.device.empty() ? Json(nullptr) : Json(judgement.device)},
                          {"l1", analysis::use_json(judgement.l1, "per_core")},
                          {"dram", analysis::use_json(judgement.dram, "per_bank")}});
        throw Answered{exit_status(judgement.verdict)};
    }
    std::cout << analysis::verdict_text(judgement);
    print_use("L1 per core  ", judgement.l1);
    print_use("DRAM per bank", judgement.dram);
    throw Answered{exit_status(judgement.verdict)};
}

}  // namespace

command::Verb fit_verb() {
    auto options = std::make_shared<FitOptions>();
    return {.name = "fit",
            .documentation = "Whether a captured workload fits its device, or another; exit status 3 if not",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"--device", &options->device,
                            "n150, n300, p100, p150, e75, e150, t3000, galaxy, or a description file (JSON); "
                            "default: the device of the capture"},
                           {"--trace-region", &options->trace_region,
                            "what of each DRAM bank is set aside for traces: 1048576, 1MiB"},
                           {"--allow-incomplete", &options->accept_incomplete,
                            "take what is recorded for all there is (never what failed)"},
                           {"--programs-from", &options->programs_from,
                            "another capture of the workload that recorded its programs"},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter fit report.json --device p150",
            .run = [options] { run_fit(*options); }};
}

}  // namespace tilemeter::cli
