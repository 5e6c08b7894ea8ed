// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/torch/export.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/pending_file.hpp"
#include "report/same_file.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct ExportOptions {
    std::string report, output, programs_from;
    bool json = false;
};

void run_export(const ExportOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    if (const auto distinct = report::refuse_input_as_output(options.output, inputs()); !distinct)
        throw failure_of(distinct.error());
    auto file = report::PendingFile::create(options.output);
    if (!file) throw failure_of(file.error());
    const std::uint64_t entries =
        foreign::torch::export_snapshot(list, lifetimes, [&file](std::string_view piece) {
            if (const auto written = file->write(piece); !written) throw failure_of(written.error());
        });
    if (const auto published = file->publish(); !published) throw failure_of(published.error());
    if (entries > foreign::torch::kMostViewedEntries)
        std::cerr << "tilemeter: " << options.output << ": " << grouped(entries)
                  << " entries; the viewer in the browser is slow above "
                  << grouped(foreign::torch::kMostViewedEntries) << '\n';
    if (options.json) return print_answer("export", Json{{"file", options.output}, {"entries", entries}});
    std::cout << options.output << ": " << grouped(entries)
              << " entries, for torch.cuda._memory_viz or pytorch.org/memory_viz\n";
}

}  // namespace

command::Verb export_verb() {
    auto options = std::make_shared<ExportOptions>();
    return {.name = "export",
            .documentation = "A report's memory as a PyTorch memory snapshot, for its viewer",
            .parameters =
                {{"report", &options->report, "a report, or a node list", {.required = true}},
                 {"output", &options->output, "the snapshot that is written (.pickle)", {.required = true}},
                 {"--programs-from", &options->programs_from,
                  "another capture of the workload that recorded its programs (NO_DISPATCH, first run)"},
                 {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter export report.json snapshot.pickle",
            .run = [options] { run_export(*options); }};
}

}  // namespace tilemeter::cli
