// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "capture/graph/captured_graph.hpp"
#include "report/foreign/torch/figures.hpp"
#include "report/foreign/torch/recording.hpp"
#include "report/foreign/torch/snapshot.hpp"
#include "report/foreign/xla/assignment.hpp"
#include "report/foreign/xla/recording.hpp"
#include "report/report_writer.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
    std::string input, output;
    bool json = false;
};

constexpr std::size_t kLargest = 5;

Json largest(const std::vector<std::uint64_t>& sizes) {
    return Json(std::vector<std::uint64_t>(
        sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(std::min(kLargest, sizes.size()))));
}

// ---- PyTorch

Json json_of(const foreign::torch::Memory& memory, const foreign::torch::Figures& figures) {
    const bool has_trace = figures.has_trace;
    const auto of_trace = [has_trace](std::uint64_t value) {
        return has_trace ? Json(value) : Json(nullptr);
    };
    const auto of_older = [&figures](std::uint64_t value) {
        return figures.has_trace && !figures.has_gaps ? Json(value) : Json(nullptr);
    };
    return {{"device", memory.device},
            {"entries", figures.entries},
            {"bound", figures.has_trace && !figures.has_gaps ? "exact" : "at_least"},
            {"peak_bytes", of_trace(figures.peak_bytes)},
            {"peak_entry", figures.peak_entry ? Json(*figures.peak_entry) : Json(nullptr)},
            {"live_at_peak", of_trace(figures.at_peak.size())},
            {"largest_at_peak", has_trace ? largest(figures.at_peak) : Json(nullptr)},
            {"awaiting_free_bytes", of_trace(figures.awaiting_free_bytes)},
            {"older_bytes", of_older(figures.older_bytes)},
            {"older_freed_bytes", of_older(figures.older_freed_bytes)},
            {"end_bytes", figures.end_bytes},
            {"live_at_end", figures.live_at_end},
            {"reserved_peak_bytes", of_trace(figures.reserved_peak_bytes)},
            {"reserved_end_bytes", figures.reserved_end_bytes},
            {"oom", figures.out_of_memory},
            {"odd",
             {{"allocated_twice", figures.allocated_twice},
              {"never_freed_and_gone", figures.never_seen},
              {"freed_twice", figures.freed_twice},
              {"came_unseen", figures.came_unseen},
              {"changed_unseen", figures.changed_unseen},
              {"unexplained_bytes", figures.unexplained_bytes},
              {"times_back", figures.times_back}}}};
}

/// What makes the figures less than the whole, a line each.
std::vector<std::string> remarks(const foreign::torch::Snapshot& snapshot,
                                 const foreign::torch::Figures& figures) {
    std::vector<std::string> made;
    if (!figures.has_trace)
        made.push_back(
            "no trace of this memory was recorded: what is active at the end is known, the peak is not");
    if (figures.is_state_unknown)
        made.push_back(
            "the snapshot does not say what is active at its end: what was not freed counts until then");
    const auto add_missing = [&made](std::uint64_t count, const char* what) {
        if (count > 0) made.push_back(grouped(count) + what);
    };
    add_missing(figures.allocated_twice, " allocations at addresses that were taken: entries are missing");
    add_missing(figures.never_seen,
                " allocations were neither freed nor are there at the end: entries are missing");
    add_missing(figures.freed_twice, " frees of what was free: entries are missing");
    add_missing(figures.came_unseen,
                " allocations are there of which the trace has none, and room for none: entries are missing");
    add_missing(figures.changed_unseen, " allocations are of another size in the end: entries are missing");
    if (figures.unexplained_bytes > 0 && !figures.has_gaps)
        made.push_back(
            grouped(figures.unexplained_bytes) +
            " B were there before the recording by the sums alone: no allocation of them is known");
    if (figures.times_back > 0)
        made.push_back(grouped(figures.times_back) +
                       " entries are earlier than the entry before: their order was kept");
    for (const auto& [action, count] : snapshot.other)
        if (action != "snapshot")
            made.push_back(grouped(count) + " entries of an unknown action '" + action + "' were left out");
    return made;
}

void print_memory(const std::string& name, const foreign::torch::Snapshot& snapshot,
                  const foreign::torch::Figures& figures) {
    std::cout << name << ": " << grouped(figures.entries) << " entries\n";
    if (figures.has_trace) {
        std::cout << "  peak " << (figures.has_gaps ? "at least " : "") << grouped(figures.peak_bytes)
                  << " B in " << grouped(figures.at_peak.size()) << " allocations, ";
        if (figures.peak_entry) {
            std::cout << "at entry " << *figures.peak_entry;
        } else {
            std::cout << (figures.has_gaps ? "at its end" : "at its begin");
        }
        std::cout << '\n';
        if (figures.has_gaps) {
            std::cout << "  how much is older than the recording is not known\n";
        } else {
            std::cout << "  " << grouped(figures.older_bytes) << " B are older than the recording, of which "
                      << grouped(figures.older_freed_bytes) << " B were freed in it\n";
        }
    }
    std::cout << "  " << grouped(figures.end_bytes) << " B in " << grouped(figures.live_at_end)
              << " allocations at the end; reserved: " << grouped(figures.reserved_end_bytes) << " B\n";
    if (figures.out_of_memory > 0)
        std::cout << "  " << grouped(figures.out_of_memory) << " times out of memory\n";
    for (const std::string& line : remarks(snapshot, figures))
        std::cout << "  " << line << '\n';
}

void import_snapshot(const ImportOptions& options, report::Input& input) {
    auto loaded = foreign::torch::load_snapshot(input);
    if (!loaded) throw failure_of(loaded.error());
    foreign::torch::Snapshot& snapshot = loaded.value();
    std::vector<foreign::torch::Figures> figures;
    for (const foreign::torch::Memory& memory : snapshot.devices)
        figures.push_back(foreign::torch::figures_of(memory));
    const foreign::torch::Figures host = foreign::torch::figures_of(snapshot.host);
    const graph::CapturedGraph graph(foreign::torch::recording_of(snapshot, figures, host));
    if (const auto written = report::write_report(graph, options.output, {}); !written)
        throw failure_of(written.error());
    const bool has_host = host.has_trace || host.live_at_end > 0;
    if (!options.json) {
        for (std::size_t i = 0; i < figures.size(); ++i)
            print_memory("device " + std::to_string(snapshot.devices[i].device), snapshot, figures[i]);
        if (has_host) print_memory("host, pinned", snapshot, host);
        std::cout << "report: " << options.output << '\n';
        return;
    }
    Json answer = {
        {"kind", "observed"}, {"devices", Json::array()}, {"host", nullptr}, {"remarks", Json::array()}};
    for (std::size_t i = 0; i < figures.size(); ++i) {
        answer["devices"].push_back(json_of(snapshot.devices[i], figures[i]));
        for (const std::string& line : remarks(snapshot, figures[i]))
            answer["remarks"].push_back("device " + std::to_string(snapshot.devices[i].device) + ": " + line);
    }
    if (has_host) answer["host"] = json_of(snapshot.host, host);
    print_answer("import", answer);
}

// ---- XLA

struct Module {
    fs::path file;
    foreign::xla::Assignment assignment;
    foreign::xla::Figures figures;
};

Json json_of(const Module& module, const std::string& report) {
    Json bytes = Json::object(), heaps = Json::array();
    for (const auto& [kind, size] : module.figures.bytes)
        bytes[foreign::xla::name_of(kind)] = size;
    for (const foreign::xla::HeapFigures& heap : module.figures.heaps)
        heaps.push_back(
            {{"allocation", heap.allocation},
             {"live_peak_bytes", heap.live_peak_bytes},
             {"live_peak_at", heap.live_peak_at.empty() ? Json(nullptr) : Json(heap.live_peak_at)},
             {"live_at_peak", heap.at_peak.size()},
             {"largest_at_peak", largest(heap.at_peak)}});
    return {{"file", module.file.filename().string()},
            {"module", module.assignment.module},
            {"total_bytes", module.figures.total_bytes},
            {"bytes", bytes},
            {"allocations", module.assignment.allocations.size()},
            {"logical_buffers", module.assignment.buffers.size()},
            {"heaps", heaps},
            {"report", report}};
}

/// Nothing where it has no buffer assignment.
std::optional<Module> load_module(const fs::path& path) {
    auto input = report::Input::open_as_it_is(path);
    if (!input) throw failure_of(input.error());
    auto assignment = foreign::xla::load_assignment(input.value());
    if (!assignment) throw failure_of(assignment.error());
    if (!assignment.value()) return std::nullopt;
    Module made{path, *std::move(assignment).value(), {}};
    made.figures = foreign::xla::figures_of(made.assignment);
    return made;
}

std::vector<Module> load_modules(const std::string& path) {
    std::vector<Module> modules;
    std::vector<fs::path> files;
    if (fs::is_directory(path)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(path))
            if (entry.path().native().ends_with(".hlo.pb")) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
    } else {
        files.emplace_back(path);
    }
    for (const fs::path& file : files)
        if (auto module = load_module(file)) modules.push_back(*std::move(module));
    if (!modules.empty()) return modules;
    throw failure_of(report::Error{path,
                                   {},
                                   "a module with a buffer assignment, as it is dumped after optimizations",
                                   files.empty() ? "a folder without .hlo.pb files" : "none"});
}

std::string report_of(const Module& module, const std::string& folder) {
    std::string name = module.file.filename().string();
    if (name.ends_with(".hlo.pb")) name.resize(name.size() - std::string_view(".hlo.pb").size());
    return (fs::path(folder) / (name + ".json")).string();
}

void import_modules(const ImportOptions& options) {
    const std::vector<Module> modules = load_modules(options.input);
    std::vector<std::string> reports;
    for (const Module& module : modules) {
        const graph::CapturedGraph graph(foreign::xla::recording_of(module.assignment, module.figures));
        reports.push_back(report_of(module, options.output));
        const auto written = report::write_report(graph, reports.back(), {});
        if (written) continue;
        // All of a dump or nothing of it.
        reports.pop_back();
        std::error_code ignored;
        for (const std::string& each : reports)
            fs::remove(each, ignored);
        throw failure_of(written.error());
    }
    if (options.json) {
        Json answer = {{"kind", "planned by a compiler"}, {"modules", Json::array()}};
        for (std::size_t i = 0; i < modules.size(); ++i)
            answer["modules"].push_back(json_of(modules[i], reports[i]));
        return print_answer("import", answer);
    }
    for (std::size_t i = 0; i < modules.size(); ++i) {
        std::cout << modules[i].assignment.module << ": " << grouped(modules[i].figures.total_bytes)
                  << " B, planned by XLA\n";
        for (const auto& [kind, size] : modules[i].figures.bytes)
            std::cout << "  " << foreign::xla::name_of(kind) << ": " << grouped(size) << " B\n";
        for (const foreign::xla::HeapFigures& heap : modules[i].figures.heaps)
            std::cout << "  heap of allocation " << heap.allocation << ": " << grouped(heap.live_peak_bytes)
                      << " B live at " << heap.live_peak_at << '\n';
        std::cout << "  report: " << reports[i] << '\n';
    }
}

/// A module of XLA has no form that its first byte would tell: a pickle has.
bool is_pickle(report::Input& input) {
    char first = 0;
    const auto read = input.read(0, &first, 1);
    return read && read.value() == 1 && static_cast<unsigned char>(first) == 0x80;
}

void run_import(const ImportOptions& options) {
    note_input(options.input);
    check_output(options.output);
    if (fs::is_directory(options.input)) return import_modules(options);
    auto input = report::Input::open_as_it_is(options.input);
    if (!input) throw failure_of(input.error());
    if (is_pickle(input.value()) || options.input.ends_with(".pickle") || options.input.ends_with(".pkl"))
        return import_snapshot(options, input.value());
    import_modules(options);
}

}  // namespace

command::Verb import_verb() {
    auto options = std::make_shared<ImportOptions>();
    return {.name = "import",
            .documentation = "The report of another tool's capture: PyTorch's memory snapshots, XLA's dumps",
            .parameters = {{"input",
                            &options->input,
                            "a snapshot (.pickle), a module (.hlo.pb) or a folder of a dump",
                            {.required = true}},
                           {"output",
                            &options->output,
                            "the report; of modules a folder, which gets a report for each",
                            {.required = true}},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter import snapshot.pickle report.json",
            .run = [options] { run_import(*options); }};
}

}  // namespace tilemeter::cli
