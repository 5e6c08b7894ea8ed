// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/input.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "report/analysis/gate/gate_reports.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/same_file.hpp"
#include "runtime/device/device_description.hpp"
#include "tools/command/progress_line.hpp"
#include "tools/tilemeter/verbs.hpp"
#include "visualizer_import/database_summary.hpp"

namespace tilemeter::cli {
namespace {

std::vector<std::filesystem::path>& loaded() {
    static std::vector<std::filesystem::path> files;
    return files;
}

// Paths as they were given.
std::vector<std::string>& streams_loaded() {
    static std::vector<std::string> paths;
    return paths;
}

/// Empty but for the life of a KeptLists.
struct Keeping {
    NamedLists in_memory, files;
    bool on = false;
};

Keeping& keeping() {
    static Keeping it;
    return it;
}

/// The kind of a file that is no report, where it is something that tilemeter writes or reads elsewhere.
std::optional<std::string> what_it_is(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return "a folder: name one of its reports (check and summary take folders)";
    if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
    if (visualizer_import::is_database(path))
        return "a database, which has no node list: name the report that it was made from (summary reads both)";
    const std::string name = path.filename().string();
    for (const char* end : {".python_io.json", ".comparison_records.json"}) {
        const std::size_t at = name.find(end);
        if (at == std::string::npos) continue;
        return "records that lie beside a report: name " +
               (path.parent_path() / (name.substr(0, at) + ".json")).string();
    }
    std::ifstream file(path, std::ios::binary);
    std::string head(200, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    const std::size_t schema = head.find("\"tilemeter.");
    if (schema == std::string::npos || head.find("\"schema\"") > schema) return std::nullopt;
    const std::size_t begin = schema + std::string_view("\"tilemeter.").size();
    const std::string verb = head.substr(begin, head.find_first_of("/\"", begin) - begin);
    return "what tilemeter " + verb + " --json printed" +
           (verb == "check" ? std::string(": check --baseline takes it") : std::string());
}

}  // namespace

void forget_inputs() {
    loaded().clear();
    streams_loaded().clear();
}

KeptLists::KeptLists(NamedLists lists) {
    keeping() = {std::move(lists), {}, true};
}

KeptLists::~KeptLists() {
    keeping() = {};
}

bool are_lists_kept() {
    return keeping().on;
}

bool is_in_memory(const std::string& name) {
    return keeping().in_memory.contains(name);
}

const std::vector<std::filesystem::path>& inputs() {
    return loaded();
}

void note_input(const std::filesystem::path& file) {
    loaded().push_back(file);
}

analysis::NodeList load(const std::string& path, report::ReportHandler* listener) {
    Keeping& kept = keeping();
    if (const auto it = kept.in_memory.find(path); it != kept.in_memory.end()) return *it->second;
    if (const auto it = kept.files.find(path); it != kept.files.end()) {
        std::ranges::move(report::files_of_report(path), std::back_inserter(loaded()));
        if (listener != nullptr && it->second->source.is_report)
            if (auto read = report::read_report(path, *listener); !read) throw failure_of(read.error());
        return *it->second;
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored) &&
        std::ranges::find(streams_loaded(), path) != streams_loaded().end())
        throw Failure(path + ": expected one use of it, as it can be read once, found a second");
    streams_loaded().push_back(path);
    std::ranges::move(report::files_of_report(path), std::back_inserter(loaded()));
    command::ProgressLine line;
    report::ReadProgress progress;
    if (!kept.on)
        progress = [&](std::uint64_t done, std::uint64_t all) {
            line.show(path, done, all);
            return true;
        };
    auto list = analysis::load_node_list(path, listener, progress);
    line.clear();
    if (!list) {
        report::Error error = list.error();
        if (const auto instead = what_it_is(path)) error = {path, "", "a report, or a node list", *instead};
        throw failure_of(error);
    }
    if (!list->source.has_graph)
        if (const auto instead = what_it_is(path))
            throw failure_of({path, "", "a report, or a node list", *instead});
    if (kept.on) kept.files[path] = std::make_shared<const analysis::NodeList>(list.value());
    return std::move(list.value());
}

analysis::NodeList load_sound(const std::string& path) {
    analysis::NodeList list = load(path);
    const analysis::ListSource& source = list.source;
    if (!source.unknown_version.empty()) throw failure_of({path, "version", "1", source.unknown_version});
    if (source.damaged_number_count != 0)
        throw Failure(path + ": " + analysis::text_of(source.damaged_numbers.front()));
    return list;
}

void say_what_is_unseen(const analysis::NodeList& list) {
    const analysis::ListSource& source = list.source;
    std::string why = source.unseen_memory;
    if (source.dropped_events.value_or(0) > 0)
        why += (why.empty() ? "" : "; ") + analysis::grouped(source.dropped_events.size_bytes()) +
               " events are missing";
    if (!why.empty())
        std::cerr << "tilemeter: " << source.file << ": amounts are lower bounds: " << why << '\n';
}

ProgramSource::ProgramSource(const std::string& path) {
    if (path.empty()) return;
    const auto programs_of = [](const std::string& file) {
        const analysis::NodeList list = load_sound(file);
        return analysis::find_lifetimes(list).library(list);
    };
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) {
        all_ = programs_of(path);
        return;
    }
    const analysis::FoundReports found = analysis::find_reports({path});
    if (!found.errors.empty()) throw failure_of(found.errors.front());
    for (const std::filesystem::path& file : found.files) {
        analysis::ProgramLibrary programs = programs_of(file.string());
        all_.add_all(programs);
        by_name_.emplace(analysis::name_of_report(file), std::move(programs));
    }
}

analysis::ProgramLibrary ProgramSource::of(const std::filesystem::path& report) const {
    const auto found = by_name_.find(analysis::name_of_report(report));
    return found == by_name_.end() ? all_ : found->second;
}

analysis::ProgramLibrary load_programs(const std::string& path) {
    return ProgramSource(path).all();
}

analysis::DeviceLimits device_limits(const std::string& name_or_file) {
    tilemeter::DeviceDescription device;
    try {
        device = tilemeter::load_device_description(name_or_file);
    } catch (const std::invalid_argument& error) {
        std::error_code ignored;
        const bool is_file = std::filesystem::exists(name_or_file, ignored);
        throw Failure(error.what(), is_file ? kBadInput : kWrongUsage);
    }
    analysis::DeviceLimits limits;
    limits.name = device.name;
    limits.arch = device.arch;
    limits.grid_x = device.compute_grid.x;
    limits.grid_y = device.compute_grid.y;
    limits.l1_begin = device.l1_unreserved_base;
    limits.l1_bytes = device.l1_size - device.l1_unreserved_base;
    limits.l1_physical_bytes = device.l1_size;
    limits.l1_banks = device.num_compute_cores();
    limits.dram_begin = device.dram_unreserved_base;
    limits.dram_bank_bytes = device.dram_bank_size - device.dram_unreserved_base;
    limits.dram_bank_physical_bytes = device.dram_bank_size;
    limits.dram_banks = device.dram_banks;
    limits.granularity = device.allocation_granularity;
    return limits;
}

std::uint64_t size_option(const std::string& option, const std::string& text) {
    const auto limit = analysis::parse_size_limit(text);
    if (!limit) throw Failure(option + ": " + limit.error().message(), kWrongUsage);
    if (!limit.value().bytes) throw Failure(option + ": expected bytes, found a share: " + text, kWrongUsage);
    return *limit.value().bytes;
}

}  // namespace tilemeter::cli
