// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/peak.hpp"

#include <iomanip>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string report;
    std::string programs_from;
    std::size_t top = 12;
    bool json = false;
};

Json answer_json(const graph::PeakAnswer& answer, std::size_t top) {
    Json devices = Json::array();
    for (const graph::DevicePeak& device : answer.devices)
        devices.push_back({{"device", json_of(device.device)},
                           {"chips", device.chips},
                           {"l1_per_core", json_of(device.l1, top)},
                           {"l1_per_core_window_only_bytes", device.window_only_l1_bytes},
                           {"dram_per_bank", json_of(device.dram, top)}});
    return {{"devices", std::move(devices)},
            {"programs", answer.programs},
            {"filled_in_programs", answer.filled_in_programs},
            {"programs_from_other_capture", answer.programs_from_library},
            {"unknown_programs", answer.unknown_program_count},
            {"unknown_program_paths", answer.unknown_programs},
            {"caveats", answer.caveats}};
}

void print_peak(const char* what, const graph::MemoryPeak& peak, std::size_t top) {
    std::cout << what << "  " << grouped(peak.bytes) << " B";
    if (peak.capacity_bytes != 0) std::cout << " of " << grouped(peak.capacity_bytes);
    if (peak.total_bytes != 0) std::cout << ", all banks " << grouped(peak.total_bytes) << " B";
    std::cout << '\n';
    if (peak.bytes == 0) return;
    std::cout << "  at node " << peak.node;
    if (!peak.path.empty()) std::cout << " in " << peak.path;
    if (peak.core) std::cout << ", core " << peak.core->x << '-' << peak.core->y;
    std::cout << "\n  programs " << grouped(peak.program_bytes) << "  temporary "
              << grouped(peak.temporary_bytes) << "  persistent " << grouped(peak.persistent_bytes)
              << "  stale " << grouped(peak.stale_bytes) << '\n';
    std::size_t shown = 0;
    for (const graph::Contributor& it : peak.contributors) {
        if (shown++ == top) break;
        std::cout << "  " << std::setw(15) << grouped(it.bytes) << "  " << std::left << std::setw(11)
                  << name_of(it.share) << std::right << it.name;
        if (!it.shape.empty()) std::cout << "  " << it.shape;
        if (it.before_window)
            std::cout << "  (older than the capture)";
        else if (!it.made_by.empty())
            std::cout << "  by " << it.made_by;
        std::cout << '\n';
    }
    if (peak.contributors.size() > top) std::cout << "  ... " << peak.contributors.size() - top << " more\n";
}

void run(const Options& options) {
    const graph::NodeList list = load(options.report);
    const graph::ProgramLibrary library = load_programs(options.programs_from);
    const graph::PeakAnswer answer = graph::find_peak(list, &library);
    if (options.json) return print(answer_json(answer, options.top));
    if (answer.devices.empty()) std::cout << "No device memory was touched.\n";
    for (const graph::DevicePeak& device : answer.devices) {
        std::cout << "device "
                  << (device.device.given() ? std::to_string(device.device.value_or(0)) : "unknown");
        if (device.chips.size() > 1) std::cout << " (" << device.chips.size() << " chips, figures per chip)";
        std::cout << '\n';
        print_peak("L1 peak per core  ", device.l1, options.top);
        print_peak("DRAM peak per bank", device.dram, options.top);
    }
    for (const std::string& caveat : answer.caveats)
        std::cout << "note: " << caveat << '\n';
}

}  // namespace

void add_peak(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("peak", "Peak of L1 per core and of DRAM per bank: when, where, made of what");
    verb->add_option("report", options->report, "a report, or a node list")->required();
    verb->add_option("--programs-from", options->programs_from,
                     "another capture of the workload that recorded its programs (NO_DISPATCH, first run)");
    verb->add_option("--top", options->top, "contributors to show")->capture_default_str();
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
