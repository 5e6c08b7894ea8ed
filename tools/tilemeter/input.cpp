// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/input.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "report/analysis/load.hpp"
#include "report/analysis/units.hpp"
#include "report/same_file.hpp"
#include "runtime/device/device_description.hpp"
#include "tools/tilemeter/verbs.hpp"

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

analysis::NodeList load(const std::string& path) {
    Keeping& kept = keeping();
    if (const auto it = kept.in_memory.find(path); it != kept.in_memory.end()) return *it->second;
    if (const auto it = kept.files.find(path); it != kept.files.end()) {
        std::ranges::move(report::files_of_report(path), std::back_inserter(loaded()));
        return *it->second;
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored) &&
        std::ranges::find(streams_loaded(), path) != streams_loaded().end())
        throw Failure(path + ": expected one use of it, as it can be read once, found a second");
    streams_loaded().push_back(path);
    std::ranges::move(report::files_of_report(path), std::back_inserter(loaded()));
    auto list = analysis::load_node_list(path);
    if (!list) throw failure_of(list.error());
    if (kept.on) kept.files[path] = std::make_shared<const analysis::NodeList>(list.value());
    return std::move(list.value());
}

analysis::ProgramLibrary load_programs(const std::string& path) {
    if (path.empty()) return {};
    const analysis::NodeList list = load(path);
    return analysis::find_lifetimes(list).library(list);
}

analysis::DeviceLimits device_limits(const std::string& name_or_file) {
    tilemeter::DeviceDescription device;
    try {
        device = tilemeter::load_device_description(name_or_file);
    } catch (const std::invalid_argument& error) {
        throw Failure(error.what());
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
