// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/overhead.hpp"

#include <iomanip>
#include <iostream>
#include <memory>

#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct OverheadOptions {
    unsigned repeats = 9;
    unsigned depth = 30;
    bool json = false;
};

void print_table(const graph::EventCost& cost, const std::vector<graph::LevelCost>& levels) {
    std::cout << std::fixed << std::setprecision(1) << "one clock reading  " << std::setw(8) << cost.clock_ns
              << " ns: the floor of an event\n"
              << "one event          " << std::setw(8) << cost.event_ns << " ns\n\n"
              << "level        ns/operation   floor   kept: events   bytes\n";
    for (const graph::LevelCost& level : levels) {
        std::cout << std::left << std::setw(12) << level.level << std::right << std::setw(13)
                  << level.operation_ns << std::setw(8) << level.floor_ns << std::setw(15)
                  << level.events_per_operation << std::setw(8) << std::setprecision(0)
                  << level.bytes_per_operation << std::setprecision(1) << '\n';
    }
}

void run_overhead(const OverheadOptions& options) {
    const graph::EventCost cost = graph::measure_event_cost(true);
    const auto levels = graph::measure_overhead(options.repeats, options.depth);
    if (!options.json) return print_table(cost, levels);
    Json json = {{"clock_ns", cost.clock_ns}, {"event_ns", cost.event_ns}, {"levels", Json::array()}};
    for (const graph::LevelCost& level : levels) {
        json["levels"].push_back({{"level", level.level},
                                  {"operation_ns", level.operation_ns},
                                  {"floor_ns", level.floor_ns},
                                  {"events_per_operation", level.events_per_operation},
                                  {"bytes_per_operation", level.bytes_per_operation}});
    }
    print_answer("overhead", json);
}

}  // namespace

command::Verb overhead_verb() {
    auto options = std::make_shared<OverheadOptions>();
    return {.name = "overhead",
            .documentation = "What recording costs on this machine, level by level",
            .parameters = {{"--repeats",
                            &options->repeats,
                            "rounds, of which the median counts",
                            {.shows_default = true, .range = command::Range{1, 1000}}},
                           {"--depth",
                            &options->depth,
                            "frames on the stack, for the levels with stack traces",
                            {.shows_default = true, .range = command::Range{0, 1000}}},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter overhead",
            .run = [options] { run_overhead(*options); }};
}

}  // namespace tilemeter::cli
