// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/fit.hpp"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "runtime/device/device_description.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string report, device, programs_from;
    std::uint64_t trace_region_bytes = 0;
    bool json = false;
};

graph::DeviceLimits limits_of(const Options& options) {
    tilemeter::DeviceDescription device;
    try {
        device = tilemeter::load_device_description(options.device);
    } catch (const std::invalid_argument& error) {
        throw Failure(error.what());
    }
    graph::DeviceLimits limits;
    limits.name = device.name;
    limits.l1_bytes = device.l1_size - device.l1_unreserved_base;
    limits.l1_banks = device.num_compute_cores();
    limits.dram_banks = device.dram_banks;
    const std::uint64_t reserved = device.dram_unreserved_base + options.trace_region_bytes;
    limits.dram_bank_bytes = device.dram_bank_size > reserved ? device.dram_bank_size - reserved : 0;
    return limits;
}

std::string signed_text(std::int64_t bytes) {
    return (bytes < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes));
}

void run(const Options& options) {
    const graph::DeviceLimits limits = limits_of(options);
    const graph::NodeList list = load(options.report);
    const graph::ProgramLibrary library = load_programs(options.programs_from);
    const graph::FitAnswer answer = graph::fits_device(list, graph::find_lives(list, &library), limits);
    if (options.json) {
        return print(
            Json{{"device", limits.name},
                 {"fits", answer.fits},
                 {"l1_peak_bytes_per_core", answer.l1_peak_bytes},
                 {"l1_limit_bytes_per_core", limits.l1_bytes},
                 {"l1_headroom_bytes", answer.l1_headroom_bytes},
                 {"dram_peak_bytes_per_bank", answer.dram_peak_bytes},
                 {"dram_limit_bytes_per_bank", limits.dram_bank_bytes},
                 {"dram_headroom_bytes", answer.dram_headroom_bytes},
                 {"first_failing_operation", answer.first_failing_operation},
                 {"first_failing_node", answer.fits ? Json(nullptr) : Json(answer.first_failing_node)},
                 {"notes", answer.notes}});
    }
    std::cout << (answer.fits ? "fits " : "does not fit ") << limits.name << '\n'
              << "  L1 per core    peak " << grouped(answer.l1_peak_bytes) << " B of "
              << grouped(limits.l1_bytes) << ", headroom " << signed_text(answer.l1_headroom_bytes) << " B\n"
              << "  DRAM per bank  peak " << grouped(answer.dram_peak_bytes) << " B of "
              << grouped(limits.dram_bank_bytes) << ", headroom " << signed_text(answer.dram_headroom_bytes)
              << " B\n";
    if (!answer.fits)
        std::cout << "  first at node " << answer.first_failing_node
                  << (answer.first_failing_operation.empty() ? ": what is older than the capture"
                                                             : " in " + answer.first_failing_operation)
                  << '\n';
    for (const std::string& note : answer.notes)
        std::cout << "note: " << note << '\n';
}

}  // namespace

void add_fit(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("fit", "Would a captured workload fit another device");
    verb->add_option("report", options->report, "a report, or a node list")->required();
    verb->add_option("--device", options->device,
                     "n150, n300, p100, p150, e75, e150, or a description file (JSON)")
        ->required();
    verb->add_option("--trace-region", options->trace_region_bytes,
                     "bytes per DRAM bank set aside for device traces");
    verb->add_option("--programs-from", options->programs_from,
                     "another capture of the workload that recorded its programs");
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
