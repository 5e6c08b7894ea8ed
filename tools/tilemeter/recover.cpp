// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/recover.hpp"

#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string recording;
    std::string report;
    bool json = false;
};

void run(const Options& options) {
    const std::string path = options.report.empty() ? options.recording + ".json" : options.report;
    const auto recovered = report::recover_report(options.recording, path);
    if (!recovered) throw failure_of(recovered.error());
    const report::Recovered& found = recovered.value();
    if (options.json) {
        return print_answer("recover", Json{{"file", path},
                                            {"node_count", found.nodes},
                                            {"operation_count", found.operations},
                                            {"incomplete_operation_count", found.incomplete_operations},
                                            {"lost_event_count", found.lost_events},
                                            {"process_died", found.process_died}});
    }
    std::cout << path << ": " << grouped(found.operations) << " operations, "
              << grouped(found.incomplete_operations) << " of them incomplete, in " << grouped(found.nodes)
              << " nodes";
    if (found.lost_events > 0) std::cout << "; " << grouped(found.lost_events) << " events were dropped";
    std::cout << (found.process_died ? "; the process died while it recorded\n" : "\n");
}

}  // namespace

void add_recover(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "recover", "The report of a recording file, also of a process that died while it recorded");
    verb->add_option("recording", options->recording, "the file that the capture recorded into")->required();
    verb->add_option("report", options->report,
                     "the report to write (default: the recording's name + .json)");
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
