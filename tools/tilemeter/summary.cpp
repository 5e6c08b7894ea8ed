// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include <iomanip>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"
#include "visualizer_import/database_summary.hpp"

namespace tilemeter::cli {
namespace {

using visualizer_import::ContentSummary;

struct Options {
    std::string path;
    bool json = false;
};

Json summary_json(const ContentSummary& summary) {
    return {{"counts", summary.counts},
            {"metadata", summary.metadata},
            {"ranks", summary.ranks},
            {"features", summary.features},
            {"peak_l1_bytes_per_core", summary.peak_l1_bytes_per_core},
            {"peak_operation", summary.peak_operation},
            {"errors", summary.errors},
            {"suspicious", summary.suspicious}};
}

void print_lines(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    std::cout << title << '\n';
    for (const std::string& line : lines)
        std::cout << "  " << line << '\n';
}

void print_summary(const ContentSummary& summary) {
    for (const auto& [name, count] : summary.counts)
        if (count > 0)
            std::cout << std::setw(15) << grouped(static_cast<std::uint64_t>(count)) << "  " << name << '\n';
    std::cout << std::setw(15) << summary.ranks.size() << "  ranks with devices\n";
    if (summary.peak_l1_bytes_per_core > 0) {
        std::cout << "peak of L1 per core, of what was recorded: "
                  << grouped(static_cast<std::uint64_t>(summary.peak_l1_bytes_per_core)) << " B";
        if (!summary.peak_operation.empty()) std::cout << " in " << summary.peak_operation;
        std::cout << '\n';
    }
    print_lines("recorded beside the graph", summary.features);
    print_lines("errors", summary.errors);
    print_lines("suspicious", summary.suspicious);
}

void run(const Options& options) {
    const auto summary = visualizer_import::is_database(options.path)
                             ? visualizer_import::summarize_database(options.path)
                             : visualizer_import::summarize_report(options.path);
    if (!summary) throw Failure(summary.error().message());
    if (options.json) return print(summary_json(summary.value()));
    print_summary(summary.value());
}

}  // namespace

void add_summary(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("summary", "What is in a report or a database, before opening it");
    verb->add_option("path", options->path, "a report, a folder of reports, or a database")->required();
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
