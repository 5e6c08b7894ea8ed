// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <iomanip>
#include <iostream>
#include <memory>
#include <system_error>
#include <vector>

#include "tools/command/progress_line.hpp"
#include "tools/tilemeter/capture_head.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"
#include "visualizer_import/database_summary.hpp"
#include "visualizer_import/import_reports.hpp"

namespace tilemeter::cli {
namespace {

using visualizer_import::ContentSummary;

struct SummaryOptions {
    std::string path;
    bool json = false;
};

// The captures in question, before any figure of them.
void print_heads(const std::vector<CaptureHead>& heads) {
    for (const CaptureHead& head : heads)
        print(head);
}

Json summary_json(const std::vector<CaptureHead>& heads, const ContentSummary& summary) {
    Json captures = Json::array();
    for (const CaptureHead& head : heads)
        captures.push_back(json_of(head));
    return {{"captures", std::move(captures)}, {"counts", summary.counts},     {"metadata", summary.metadata},
            {"ranks", summary.ranks},          {"features", summary.features}, {"errors", summary.errors},
            {"suspicious", summary.suspicious}};
}

/// The worst of several captures, which speaks for all.
const analysis::Judgement& worst_of(const std::vector<CaptureHead>& heads) {
    const auto badness = [](const CaptureHead& head) { return badness_of(head.judgement.verdict); };
    return std::ranges::max_element(heads, {}, badness)->judgement;
}

void print_lines(const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    std::cout << title << '\n';
    for (const std::string& line : lines)
        std::cout << "  " << line << '\n';
}

// In the importer's words, but where they have two meanings.
std::string shown_name(const std::string& count) {
    if (count == "operations") return "operations as ttnn-visualizer lists them";
    return count;
}

void print_counts(const ContentSummary& summary) {
    for (const auto& [name, count] : summary.counts)
        if (count > 0 && name != "outermost_functions")  // the head has them
            std::cout << std::setw(15) << grouped(static_cast<std::uint64_t>(count)) << "  "
                      << shown_name(name) << '\n';
    std::cout << std::setw(15) << summary.ranks.size() << "  ranks with devices\n";
    print_lines("recorded beside the graph", summary.features);
    print_lines("errors", summary.errors);
    print_lines("suspicious", summary.suspicious);
}

/// The importer's counts of a folder; on a terminal with a line of how far it is.
report::Result<ContentSummary> counts_of_folder(const std::string& path) {
    const std::atomic<bool> never = false;
    command::ProgressLine line;
    visualizer_import::ImportProgress progress;
    if (!are_lists_kept())
        progress = [&line](const std::string& file, std::uint64_t done, std::uint64_t all) {
            line.show(file, done, all);
        };
    auto counted = visualizer_import::summarize_report(path, progress, &never);
    line.clear();
    return counted;
}

/// The summary of a file: the head, whose reading says how far it is, and the importer's counts, which are found at the same
/// time; of a pipe one after the other.
report::Result<ContentSummary> summarize_file(const std::string& path, std::vector<CaptureHead>& heads) {
    std::error_code ignored;
    std::atomic<bool> stop = false;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        heads.push_back(head_of_file(path));
        return visualizer_import::summarize_report(path, {}, &stop);
    }
    auto counted =
        std::async(std::launch::async, [&] { return visualizer_import::summarize_report(path, {}, &stop); });
    try {
        heads.push_back(head_of_file(path));
    } catch (...) {
        stop = true;
        throw;
    }
    return counted.get();
}

/// The importer refuses numbers that are none; then the head alone says what is there.
ContentSummary without_counts(const report::Error& error, const CaptureHead& head) {
    ContentSummary summary;
    summary.files.emplace_back(head.file);
    summary.suspicious.push_back("not counted: " + error.message());
    return summary;
}

void run_summary(const SummaryOptions& options) {
    std::vector<CaptureHead> heads;
    const bool of_database = visualizer_import::is_database(options.path);
    std::error_code ignored;
    const bool of_folder = std::filesystem::is_directory(options.path, ignored);
    auto summary = of_database ? visualizer_import::summarize_database(options.path)
                   : of_folder ? counts_of_folder(options.path)
                               : summarize_file(options.path, heads);
    if (!summary) {
        const bool is_damaged = !heads.empty() && heads.front().is_damaged;
        if (!is_damaged) throw failure_of(summary.error());
        summary = without_counts(summary.error(), heads.front());
    }
    if (of_database) heads.push_back(head_of_database(options.path, summary.value()));
    if (heads.empty())
        for (const std::filesystem::path& file : summary.value().files)
            heads.push_back(head_of_file(file.string()));
    if (options.json) return print_answer("summary", worst_of(heads), summary_json(heads, summary.value()));
    print_heads(heads);
    print_counts(summary.value());
}

}  // namespace

command::Verb summary_verb() {
    auto options = std::make_shared<SummaryOptions>();
    return {.name = "summary",
            .documentation = "What is in a report or a database, before opening it",
            .parameters = {{"path",
                            &options->path,
                            "a report, a folder of reports, a node list, or a database",
                            {.required = true}},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter summary report.json",
            .run = [options] { run_summary(*options); }};
}

}  // namespace tilemeter::cli
