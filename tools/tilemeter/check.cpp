// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "report/analysis/occupancy.hpp"
#include "report/analysis/peak.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

constexpr int kLimitPassed = 3;

struct Options {
    std::string report, budget;
    std::optional<std::uint64_t> max_l1, max_dram;
    bool json = false;
};

struct Limit {
    const char* what;
    const char* key;
    std::optional<std::uint64_t> bytes;
    std::uint64_t peak = 0;
    std::string offender;  // path of the first moment beyond it
    std::uint32_t offender_node = graph::kNoIndex;
    bool passed() const { return !bytes || peak <= *bytes; }
};

std::optional<std::uint64_t> budget_of(const Json& budget, const std::string& file, const char* key) {
    if (!budget.contains(key)) return {};
    if (!budget[key].is_number_unsigned())
        throw Failure(file + ": " + key + ": expected a number of bytes, found " + budget[key].dump());
    return budget[key].get<std::uint64_t>();
}

void read_budget(Options& options) {
    if (options.budget.empty()) return;
    std::ifstream file(options.budget);
    if (!file) throw Failure(options.budget + ": cannot be read");
    const Json budget = Json::parse(file, nullptr, false);
    if (!budget.is_object()) throw Failure(options.budget + ": expected a JSON object with max_l1, max_dram");
    for (const auto& [key, value] : budget.items())
        if (key != "max_l1" && key != "max_dram")
            throw Failure(options.budget + ": " + key +
                          ": expected max_l1 or max_dram, bytes per core and per bank");
    if (!options.max_l1) options.max_l1 = budget_of(budget, options.budget, "max_l1");
    if (!options.max_dram) options.max_dram = budget_of(budget, options.budget, "max_dram");
}

void find_offenders(const graph::NodeList& list, const graph::MemoryLives& lives, Limit& l1, Limit& dram) {
    graph::Occupancy occupancy(lives);
    const auto look = [&](Limit& limit, std::uint64_t bytes, std::uint32_t node) {
        limit.peak = std::max(limit.peak, bytes);
        if (!limit.bytes || bytes <= *limit.bytes || limit.offender_node != graph::kNoIndex) return;
        limit.offender_node = node;
        limit.offender = lives.scopes.path(list, lives.scopes.of_node[node]);
    };
    for (const graph::MemoryEvent& event : lives.events) {
        occupancy.apply(event);
        for (std::uint16_t device = 0; device < lives.devices.size(); ++device) {
            look(l1, occupancy.l1_peak_bytes(device), event.node);
            look(dram, occupancy.tensors(device).dram_bytes, event.node);
        }
    }
}

void run(Options options) {
    read_budget(options);
    if (!options.max_l1 && !options.max_dram)
        throw Failure("check: no limit given (--max-l1, --max-dram, --budget)", 2);
    const graph::NodeList list = load(options.report);
    const graph::MemoryLives lives = graph::find_lives(list);
    Limit l1{"L1 per core", "l1", options.max_l1, 0, {}, graph::kNoIndex};
    Limit dram{"DRAM per bank", "dram", options.max_dram, 0, {}, graph::kNoIndex};
    find_offenders(list, lives, l1, dram);
    Json json;
    bool passed = true;
    for (const Limit& limit : {l1, dram}) {
        if (!limit.bytes) continue;
        passed = passed && limit.passed();
        const std::int64_t headroom =
            static_cast<std::int64_t>(*limit.bytes) - static_cast<std::int64_t>(limit.peak);
        json[limit.key] = {{"peak_bytes", limit.peak},
                           {"limit_bytes", *limit.bytes},
                           {"headroom_bytes", headroom},
                           {"passed", limit.passed()}};
        if (!limit.passed()) {
            json[limit.key]["first_offender"] = limit.offender;
            json[limit.key]["first_offender_node"] = limit.offender_node;
        }
        if (options.json) continue;
        std::cout << limit.what << ": peak " << grouped(limit.peak) << " B, limit " << grouped(*limit.bytes)
                  << " B, ";
        if (limit.passed())
            std::cout << "headroom " << grouped(static_cast<std::uint64_t>(headroom)) << " B\n";
        else
            std::cout << "over by " << grouped(static_cast<std::uint64_t>(-headroom)) << " B, first in "
                      << (limit.offender.empty() ? "what is older than the capture" : limit.offender)
                      << " (node " << limit.offender_node << ")\n";
    }
    std::uint32_t unknown = 0;
    for (const graph::ProgramLife& program : lives.programs)
        unknown += program.record == graph::ProgramRecord::kUnknown ? 1U : 0U;
    if (options.json) {
        json["passed"] = passed;
        json["unknown_programs"] = unknown;
        print(json);
    } else if (unknown != 0) {
        std::cout << "note: the memory of " << unknown << " programs is not known; L1 may be higher\n";
    }
    if (!passed) throw Failure("a memory limit was passed", kLimitPassed);
}

}  // namespace

void add_check(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("check", "Compare peaks with limits; exit status 3 if one is passed");
    verb->add_option("report", options->report, "a report, or a node list")->required();
    verb->add_option("--max-l1", options->max_l1, "bytes per core");
    verb->add_option("--max-dram", options->max_dram, "bytes per bank");
    verb->add_option("--budget", options->budget,
                     "JSON file {\"max_l1\": bytes, \"max_dram\": bytes}; options go first");
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
