// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "report/render/trace_events.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct PerfettoOptions {
    std::string report, programs_from, output = "-";
    bool json = false;
};

void run_perfetto(const PerfettoOptions& options) {
    if (options.json && options.output == "-")
        throw Failure("perfetto: --json says what was written: it needs --output FILE", kWrongUsage);
    const analysis::NodeList list = load_sound(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    const std::string text = analysis::trace_events(list, lifetimes);
    write_text(options.output, text);
    if (options.json)
        print_answer(
            "perfetto",
            Json{{"file", options.output}, {"size_bytes", text.size()}, {"node_count", list.size()}});
}

}  // namespace

command::Verb perfetto_verb() {
    auto options = std::make_shared<PerfettoOptions>();
    return {.name = "perfetto",
            .documentation =
                "A trace for Perfetto or Chrome: functions as slices, who feeds whom, memory as counters, "
                "failures",
            .parameters =
                {{"report", &options->report, "a report, or a node list", {.required = true}},
                 {"-o,--output", &options->output, "file to write (default: standard output)"},
                 {"--programs-from", &options->programs_from,
                  "another capture of the workload that recorded its programs (NO_DISPATCH, first run)"},
                 {"--json", &options->json, "say what was written, machine-readable; needs --output FILE"}},
            .example = "tilemeter perfetto report.json --output trace.json",
            .run = [options] { run_perfetto(*options); }};
}

}  // namespace tilemeter::cli
