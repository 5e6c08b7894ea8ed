// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/explain.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "report/analysis/failures.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string report, programs_from, message;
    std::int64_t at = -1;
    bool json = false;
};

struct Moment {
    std::uint32_t node = 0;
    std::uint16_t device = 0;
    std::string message;
};

std::uint16_t device_near(const graph::NodeList& list, const graph::MemoryLives& lives, std::uint32_t node) {
    const auto peak = graph::find_peak(list, lives);
    std::uint16_t fullest = 0;
    for (std::uint16_t slot = 0; slot < peak.devices.size(); ++slot)
        if (peak.devices[slot].l1.bytes > peak.devices[fullest].l1.bytes) fullest = slot;
    // The device of the program that runs there, if one does.
    for (const graph::ProgramLife& program : lives.programs)
        if (program.begin <= node && node <= program.end) return program.device;
    return fullest;
}

std::vector<Moment> failures(const graph::NodeList& list, const graph::MemoryLives& lives) {
    std::vector<Moment> result;
    for (const graph::RecordedFailure& failure : graph::find_failures(list, lives.scopes))
        result.push_back({failure.node, device_near(list, lives, failure.node), failure.message});
    return result;
}

std::string owner_text(const graph::Contributor& it) {
    std::string text = it.name;
    if (!it.shape.empty()) text += "  " + it.shape;
    if (it.before_window)
        text += "  (older than the capture)";
    else if (!it.made_by.empty())
        text += "  by " + it.made_by;
    return text;
}

void print_map(const graph::Explanation& it) {
    std::cout << "  from above:\n";
    for (auto part = it.map.rbegin(); part != it.map.rend(); ++part) {
        std::cout << std::setw(14) << grouped(part->begin) << " .. " << std::setw(11) << grouped(part->end)
                  << std::setw(13) << grouped(part->end - part->begin) << "  ";
        switch (part->kind) {
            case graph::MapPart::Kind::kHole:
                std::cout << "- free -";
                break;
            case graph::MapPart::Kind::kProgram:
                std::cout << "program: "
                          << (part->owner ? part->owner->name : "its region (no record of the parts)");
                break;
            case graph::MapPart::Kind::kTensor:
                std::cout << owner_text(*part->owner);
        }
        std::cout << '\n';
    }
}

void print_explanation(const graph::Explanation& it) {
    std::cout << "node " << it.node << (it.operation.empty() ? "" : " in " + it.operation) << ": "
              << name_of(it.cause) << '\n';
    if (it.clash)
        std::cout << "  programs end at " << grouped(it.clash->program_end) << ", lowest tensor at "
                  << grouped(it.clash->tensor_address) << ": overlap " << grouped(it.overlap_bytes) << " B"
                  << (it.clash->core_range.empty() ? "" : ", cores " + it.clash->core_range) << '\n';
    if (it.out_of_memory)
        std::cout << "  wanted " << grouped(it.out_of_memory->per_bank_bytes) << " B in each of "
                  << it.out_of_memory->banks << " banks; free "
                  << grouped(it.out_of_memory->free_bytes.value_or(0)) << ", largest hole "
                  << grouped(it.out_of_memory->largest_free_bytes.value_or(0)) << "; missing "
                  << grouped(it.missing_bytes) << " B\n";
    else if (it.missing_bytes != 0)
        std::cout << "  missing " << grouped(it.missing_bytes) << " B\n";
    std::cout << "  programs " << grouped(it.program_bytes) << " B, tensors " << grouped(it.tensor_bytes)
              << " B per core";
    if (it.core) std::cout << ", core " << it.core->x << '-' << it.core->y;
    if (it.addresses_known)
        std::cout << "; free " << grouped(it.free_bytes) << " B, largest hole "
                  << grouped(it.largest_hole_bytes) << " B";
    std::cout << '\n';
    if (!it.map.empty()) print_map(it);
    if (!it.clearing_set.empty()) {
        std::cout << "  would be cleared by moving" << (it.clearing_set.size() > 1 ? " all of" : "") << ":\n";
        for (const graph::MoveCandidate& move : it.clearing_set)
            std::cout << "    " << owner_text(move.tensor) << ": " << grouped(move.tensor.bytes)
                      << " B per core, "
                      << (move.uses_later == 0 ? "not used any more: release it"
                                               : "copies " + grouped(move.cost_bytes) + " B")
                      << '\n';
    }
    for (const std::string& note : it.notes)
        std::cout << "  note: " << note << '\n';
}

Json explanation_json(const graph::Explanation& it) {
    Json map = Json::array();
    for (const graph::MapPart& part : it.map) {
        Json entry{{"begin", part.begin},
                   {"end", part.end},
                   {"kind", part.kind == graph::MapPart::Kind::kHole      ? "free"
                            : part.kind == graph::MapPart::Kind::kProgram ? "program"
                                                                          : "tensor"}};
        if (part.owner) {
            entry["name"] = part.owner->name;
            entry["shape"] = part.owner->shape;
            entry["made_by"] = part.owner->made_by;
        }
        map.push_back(std::move(entry));
    }
    Json moves = Json::array();
    for (const graph::MoveCandidate& move : it.clearing_set)
        moves.push_back({{"name", move.tensor.name},
                         {"shape", move.tensor.shape},
                         {"made_by", move.tensor.made_by},
                         {"address", json_of(move.tensor.address)},
                         {"bytes_per_core", move.tensor.bytes},
                         {"cost_bytes", move.cost_bytes},
                         {"can_be_released", move.uses_later == 0}});
    return {{"node", it.node},
            {"operation", it.operation},
            {"verdict", name_of(it.cause)},
            {"message", it.message},
            {"core", it.core ? Json{it.core->x, it.core->y} : Json(nullptr)},
            {"program_bytes", it.program_bytes},
            {"tensor_bytes", it.tensor_bytes},
            {"addresses_known", it.addresses_known},
            {"free_bytes", it.free_bytes},
            {"largest_hole_bytes", it.largest_hole_bytes},
            {"overlap_bytes", it.overlap_bytes},
            {"missing_bytes", it.missing_bytes},
            {"map", std::move(map)},
            {"clearing_set", std::move(moves)},
            {"notes", it.notes}};
}

void run(const Options& options) {
    graph::NodeList list;
    if (!options.report.empty()) list = load(options.report);
    const graph::ProgramLibrary library = load_programs(options.programs_from);
    const graph::MemoryLives lives = graph::find_lives(list, &library);
    std::vector<Moment> moments;
    if (options.at >= 0) {
        if (options.at >= static_cast<std::int64_t>(list.size()))
            throw Failure("the list has no node " + std::to_string(options.at));
        const auto node = static_cast<std::uint32_t>(options.at);
        moments.push_back({node, device_near(list, lives, node), options.message});
    } else if (!options.message.empty()) {
        moments.push_back(
            {list.size() == 0 ? 0 : static_cast<std::uint32_t>(list.size() - 1), 0, options.message});
    } else {
        moments = failures(list, lives);
        const graph::PeakAnswer peak = graph::find_peak(list, lives);
        if (moments.empty() && peak.l1() != nullptr) {
            if (!options.json) std::cout << "No failure in the report; its fullest moment:\n";
            moments.push_back({peak.l1()->node, device_near(list, lives, peak.l1()->node), ""});
        } else if (moments.empty() && !options.json) {
            std::cout << "No failure in the report, and no L1 memory is recorded.\n";
        }
    }
    Json json = Json::array();
    for (const Moment& moment : moments) {
        const graph::Explanation it =
            graph::explain_failure(list, lives, moment.device, moment.node, moment.message, &library);
        if (options.json)
            json.push_back(explanation_json(it));
        else
            print_explanation(it);
    }
    if (options.json) print(json);
}

}  // namespace

void add_explain(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "explain", "What fills the core at a failure or at any moment, and what would have to go");
    verb->add_option("report", options->report, "a report, or a node list (not needed with --message)");
    verb->add_option("--at", options->at, "explain the moment after this node");
    verb->add_option("--message", options->message, "a clash or out-of-memory message, e.g. from a log");
    verb->add_option("--programs-from", options->programs_from,
                     "another capture of the workload that recorded its programs (NO_DISPATCH, first run)");
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] {
        if (options->report.empty() && options->message.empty())
            throw CLI::RequiredError("report or --message");
        run(*options);
    });
}

}  // namespace tilemeter::cli
