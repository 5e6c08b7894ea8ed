// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/torch/export.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"
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
    std::uint64_t entries = 0;
    write_file(options.output, [&](report::FileReplacement& file) {
        report::Status written;
        entries = foreign::torch::export_snapshot(list, lifetimes, [&](std::string_view piece) {
            if (written) written = file.write(piece);
        });
        return written;
    });
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
