// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "capture/log/log.hpp"
#include "report/render/error_render.hpp"
#include "tools/command/arguments.hpp"
#include "tools/command/progress_line.hpp"
#include "visualizer_import/import_reports.hpp"

namespace {

namespace fs = std::filesystem;
using tilemeter::visualizer_import::ImportOptions;
using tilemeter::visualizer_import::ImportProgress;
using tilemeter::visualizer_import::ImportSummary;
using Clock = std::chrono::steady_clock;

// The folders in which the sources of a captured program may lie on the machine that imports.
std::vector<fs::path> source_roots() {
    std::error_code ignored;
    std::vector<fs::path> roots{fs::current_path(ignored), fs::temp_directory_path(ignored)};
    for (const char* variable : {"HOME", "VIRTUAL_ENV"})
        if (const char* path = std::getenv(variable); path != nullptr && *path != '\0')
            roots.emplace_back(path);
    return roots;
}

// Ctrl-C and its like: the import ends, and leaves nothing; the second time the process does at once.
std::atomic<bool> stop_requested = false;
std::atomic<int> stop_signal = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void request_stop(int signal) {
    stop_signal = signal;
    stop_requested = true;
    std::signal(signal, SIG_DFL);
}

void listen_for_stop() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (std::signal(signal, request_stop) == SIG_IGN) std::signal(signal, SIG_IGN);  // nohup
}

// Ends by the signal that was asked for, so that whoever waits for this process knows.
[[noreturn]] void end_by_signal() {
    std::signal(stop_signal, SIG_DFL);
    std::raise(stop_signal);
    std::exit(1);
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void print_json(const nlohmann::ordered_json& json) {
    const std::string text = json.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    std::fputs(text.c_str(), stdout);
}

void print_json(const ImportSummary& summary, double elapsed) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::object();
    for (const auto& [table, count] : summary.rows)
        rows[table] = count;
    print_json({{"schema", "tilemeter.graph_report/1"},
                {"database", summary.database.string()},
                {"size_bytes", summary.size_bytes},
                {"replaced", summary.replaced},
                {"report_count", summary.imported.size()},
                {"skipped", summary.skipped},
                {"duration_ns", static_cast<std::uint64_t>(elapsed * 1e9)},
                {"rows", std::move(rows)}});
}

void print_text(const ImportSummary& summary, double elapsed) {
    std::printf("Imported %zu report(s) into %s (%.1f MB) in %.2f s%s\n", summary.imported.size(),
                summary.database.c_str(), static_cast<double>(summary.size_bytes) / 1e6, elapsed,
                summary.replaced ? "; the database that was there is replaced" : "");
    for (const auto& [table, count] : summary.rows)
        if (count > 0) std::printf("  %10llu %s\n", static_cast<unsigned long long>(count), table.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    tilemeter::logging::set_default_level(tilemeter::logging::Level::kWarn);
    fs::path report;
    fs::path output;
    ImportOptions options;
    bool quiet = false;
    bool json = false;
    const tilemeter::command::Program program{
        .name = "graph_report",
        .documentation = "Import graph capture reports into a database that ttnn-visualizer opens.",
        .parameters = {{"report",
                        &report,
                        "A report (also .gz, .zst, - for standard input), or a folder of them",
                        {.required = true}},
                       {"output", &output, "The folder for the database", {.required = true}},
                       {"--db-name", &options.db_name, "Name of the database file", {.shows_default = true}},
                       {"--svg", &options.svg,
                        "Draw each graph into graphs/, with Graphviz's dot where it is installed"},
                       {"--reference-quirks", &options.reference_quirks,
                        "Rows as TT-NN 0.81.1 writes them, also where they are wrong"},
                       {"--materialize", &options.materialize,
                        "Store the live buffers of each operation as rows, not as a view"},
                       {"--lenient", &options.lenient, "Of a folder, leave out what cannot be read"},
                       {"--force", &options.force,
                        "Replace a file of the database's name that is no database of an importer"},
                       {"--quiet", &quiet, "Say nothing but errors"},
                       {"--json", &json, "Say what was imported as JSON"}}};
    json = std::any_of(argv + 1, argv + argc,
                       [](const char* word) { return std::string_view(word) == "--json"; });
    const auto say_wrong_usage = [&](const std::string& line) {
        if (json) print_json(tilemeter::analysis::error_json(line, tilemeter::command::kWrongUsage));
    };
    if (const auto ended = tilemeter::command::parse(program, argc, argv, say_wrong_usage)) return *ended;
    options.source_roots = source_roots();
    options.stop = &stop_requested;
    listen_for_stop();

    tilemeter::command::ProgressLine line;
    ImportProgress progress;
    if (!quiet)
        progress = [&](const std::string& name, std::uint64_t done, std::uint64_t all) {
            line.show(name, done, all);
        };
    if (!quiet)
        options.on_warning = [&](const std::string& warning) {
            line.clear();
            std::fprintf(stderr, "graph_report: warning: %s\n", warning.c_str());
        };
    const Clock::time_point start = Clock::now();
    const auto imported = tilemeter::visualizer_import::import_reports(report, output, options, progress);
    line.clear();
    if (!imported) {
        const auto& error = imported.error();
        const int status =
            error.wrong_usage ? tilemeter::command::kWrongUsage : tilemeter::command::kBadInput;
        if (json) print_json(tilemeter::analysis::error_json(error.message(), status, error));
        std::fflush(stdout);
        std::fprintf(stderr, "graph_report: %s\n", error.message().c_str());
        if (stop_requested) end_by_signal();
        return status;
    }
    if (json) {
        print_json(imported.value(), seconds_since(start));
    } else if (!quiet) {
        print_text(imported.value(), seconds_since(start));
    }
    return 0;
}
