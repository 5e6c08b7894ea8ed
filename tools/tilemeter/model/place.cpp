// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/graph/graph_processor.hpp"
#include "capture/ir/error.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/foreign/load.hpp"
#include "report/report_writer.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/query/placement.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/functions.hpp"
#include "tools/compiled/plan.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/model/graph_file.hpp"
#include "tools/tilemeter/model/placeable.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"

namespace tilemeter::cli {
namespace {

using query::PlaceableProgram;
using query::PlacedProgram;

struct PlaceOptions {
    std::string graph, l1, board, function, output;
    bool json = false;
};

/// A program in a file, and the board that it is placed on.
struct Loaded {
    std::string name, board;
    std::shared_ptr<Device> device;
    std::shared_ptr<void> closing;  // the device, once all else is gone
    PlaceableProgram program;
    std::map<std::string, std::size_t> unknown;
};

std::shared_ptr<Device> opened(const std::string& board) {
    try {
        return open_device(0, DeviceOptions{.description = board});
    } catch (const std::exception& error) {
        throw Failure(error.what(), kWrongUsage);
    }
}

/// What closes the device, however its user ends.
std::shared_ptr<void> closed_at_last(const std::shared_ptr<Device>& device) {
    return {nullptr, [device](void*) { close_device(*device); }};
}

Loaded load(const PlaceOptions& options) {
    Loaded loaded;
    if (options.graph != "-" && foreign::is_compiled_program(options.graph)) {
        const foreign::CompiledProgram program = load_program(options.graph);
        const foreign::ProgramFunction& function = compiled::function_to_run(program, options.function);
        loaded.name = function.name;
        loaded.board = options.board.empty() ? compiled::board_of(program.system) : options.board;
        loaded.device = compiled::open_board(program.system, options.board);
        loaded.closing = closed_at_last(loaded.device);
        loaded.program = placeable_of(program, function, loaded.device, loaded.unknown);
        return loaded;
    }
    if (!options.function.empty())
        throw Failure("place: --function: expected a compiled program, found a graph", kWrongUsage);
    const ir::Graph graph = load_graph(options.graph);
    loaded.name = graph.name();
    loaded.board = options.board.empty() ? board_of(graph) : options.board;
    loaded.device = opened(loaded.board);
    loaded.closing = closed_at_last(loaded.device);
    loaded.program = placeable_of(graph);
    return loaded;
}

std::string text_of(const MemoryConfig& config) {
    std::string text(tilemeter::name_of(config.buffer_type));
    if (!config.is_sharded()) return text;
    text += " " + std::string(tilemeter::name_of(config.memory_layout));
    if (config.shard_spec)
        text += " " + std::to_string(config.shard_spec->shape[0]) + "x" +
                std::to_string(config.shard_spec->shape[1]) + " on " + config.shard_spec->grid.to_string();
    return text;
}

Json json_of(const MemoryConfig& config) {
    Json json{{"buffer_type", std::string(tilemeter::name_of(config.buffer_type))},
              {"memory_layout", std::string(tilemeter::name_of(config.memory_layout))},
              {"shard_shape", nullptr},
              {"cores", nullptr}};
    if (!config.shard_spec) return json;
    json["shard_shape"] = config.shard_spec->shape;
    json["cores"] = Json::array();
    for (const CoreRange& each : config.shard_spec->grid.ranges())
        json["cores"].push_back(Json::array({each.start.x, each.start.y, each.end.x, each.end.y}));
    return json;
}

/// Where a value comes from: a result of a call, or an input.
std::string origin_of(const PlaceableProgram& program, std::size_t value) {
    for (const query::PlaceableCall& call : program.calls)
        for (std::size_t i = 0; i < call.results.size(); ++i)
            if (call.results[i] == value)
                return "result " + std::to_string(i) + " of " + call.name +
                       (call.source.empty() ? "" : " (" + call.source + ")");
    return "input " + std::to_string(value);
}

void print_places(const Loaded& loaded, const PlacedProgram& placed, const std::string& output) {
    const PlaceableProgram& program = loaded.program;
    const auto place = [](const query::PlaceableCall& call) {
        return call.name + (call.source.empty() ? "" : " (" + call.source + ")");
    };
    std::cout << loaded.name << " on " << loaded.board << ", " << grouped(program.calls.size()) << " calls, "
              << grouped(placed.placed_calls.size()) << " of them placed within " << grouped(placed.l1)
              << " B of L1 per core\n"
              << "DRAM read and written: " << grouped(placed.dram_bytes) << " B; greedy "
              << grouped(placed.greedy_dram_bytes) << ", all in DRAM " << grouped(placed.all_dram_bytes)
              << ", at least " << grouped(placed.least_dram_bytes) << '\n';
    std::cout << "peak of L1: " << grouped(placed.peak_l1) << " B per core\n";
    if (placed.moved_bytes != 0)
        std::cout << "moved by conversions: " << grouped(placed.moved_bytes) << " B\n";
    for (const query::PlacedCall& each : placed.placed_calls) {
        std::cout << "  " << place(program.calls[each.call]) << ": " << grouped(each.bytes) << " B in "
                  << text_of(each.memory_config);
        if (!each.why.empty()) std::cout << "; in L1 no place for " << each.why;
        std::cout << '\n';
    }
    for (const query::PlacedConversion& each : placed.placement.conversions)
        std::cout << "  before " << place(program.calls[each.begin]) << ": " << origin_of(program, each.value)
                  << " to " << text_of(each.memory_config) << '\n';
    for (const auto& [operation, count] : loaded.unknown)
        std::cout << "at least: " << count << " x " << operation
                  << " has no plan, its results lie as the program says\n";
    if (!output.empty()) std::cout << "report: " << output << '\n';
}

Json json_of(const Loaded& loaded, const PlacedProgram& placed) {
    const PlaceableProgram& program = loaded.program;
    Json places = Json::array(), conversions = Json::array(), unknown = Json::object();
    const auto source = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    for (const query::PlacedCall& each : placed.placed_calls) {
        const query::PlaceableCall& call = program.calls[each.call];
        places.push_back({{"call", each.call},
                          {"operation", call.name},
                          {"source", source(call.source)},
                          {"memory_config", json_of(each.memory_config)},
                          {"bytes", each.bytes},
                          {"reads", each.reads},
                          {"saved_bytes", each.saves},
                          {"why", source(each.why)}});
    }
    for (const query::PlacedConversion& each : placed.placement.conversions) {
        const query::PlaceableCall& call = program.calls[each.begin];
        conversions.push_back({{"value", origin_of(program, each.value)},
                               {"before_call", each.begin},
                               {"until_call", each.end},
                               {"operation", call.name},
                               {"source", source(call.source)},
                               {"memory_config", json_of(each.memory_config)}});
    }
    for (const auto& [operation, count] : loaded.unknown)
        unknown[operation] = count;
    return {{"program", loaded.name},
            {"board", loaded.board},
            {"call_count", program.calls.size()},
            {"l1_bytes_per_core", placed.l1},
            {"peak_l1_bytes_per_core", placed.peak_l1},
            {"dram_bytes", placed.dram_bytes},
            {"moved_bytes", placed.moved_bytes},
            {"greedy_dram_bytes", placed.greedy_dram_bytes},
            {"all_dram_bytes", placed.all_dram_bytes},
            {"least_dram_bytes", placed.least_dram_bytes},
            {"planned_candidates", placed.planned},
            {"places", places},
            {"conversions", conversions},
            {"unknown_operations", unknown}};
}

/// The steps in a capture, on tensors that lie on the device before.
graph::CapturedGraph captured(const Loaded& loaded, const PlacedProgram& placed) {
    std::vector<std::optional<Tensor>> tensors(loaded.program.specs.size() +
                                               placed.placement.conversions.size());
    for (std::size_t i = 0; i < loaded.program.inputs.size(); ++i)
        tensors[i] = create_device_tensor(loaded.program.inputs[i].spec, loaded.device);
    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NO_DISPATCH);
    try {
        const ScopedCallStyle python(CallStyle::kPython);
        for (const query::PlacedStep& step : placed.steps) {
            std::vector<Tensor> operands;
            for (const std::size_t tensor : step.operands)
                operands.push_back(*tensors[tensor]);
            std::vector<Tensor> results;
            if (step.is_conversion) {
                const MemoryConfig& to = placed.placement.conversions[step.number].memory_config;
                results.push_back(to_memory_config(operands.front(), to));
            } else {
                const std::optional<MemoryConfig>& put = placed.placement.put[step.number];
                results = loaded.program.calls[step.number].function(operands, put ? &*put : nullptr);
            }
            for (std::size_t i = 0; i < step.results.size() && i < results.size(); ++i)
                if (!tensors[step.results[i]]) tensors[step.results[i]] = results[i];
            operands.clear();
            results.clear();
            for (const std::size_t tensor : step.frees)
                tensors[tensor].reset();
        }
    } catch (...) {
        graph::GraphProcessor::end_capture();
        throw;
    }
    return graph::GraphProcessor::end_capture();
}

void run_place(const PlaceOptions& options) {
    const std::string name = options.graph == "-" ? "standard input" : options.graph;
    try {
        Loaded loaded = load(options);
        if (!options.output.empty()) check_output(options.output);
        const query::AllocatorState state = query::AllocatorState::empty(*loaded.device);
        query::fill_in_specs(loaded.device, loaded.program);
        loaded.program.convert = [](std::span<const Tensor> tensors, const MemoryConfig& to) {
            return std::vector{to_memory_config(tensors.front(), to)};
        };
        query::PlacementOptions budget;
        if (!options.l1.empty()) {
            const auto limit = analysis::parse_size_limit(options.l1);
            if (!limit) throw Failure("place: --l1: " + limit.error().message(), kWrongUsage);
            const BankAllocator& bank = state.memory().allocator(MemoryType::kL1);
            budget.l1 = limit.value().of(bank.end() - bank.begin());
        }
        const PlacedProgram placed = query::place_program(loaded.device, state, loaded.program, budget);
        if (!options.output.empty())
            if (const auto written = report::write_report(captured(loaded, placed), options.output); !written)
                throw failure_of(written.error());
        if (options.json)
            print_answer("place", json_of(loaded, placed));
        else
            print_places(loaded, placed, options.output);
    } catch (const ir::Error& error) {
        // Of a file that cannot be read the message names the file.
        throw Failure(error.kind() == ir::ErrorKind::kFile ? std::string(error.what())
                                                           : name + ": " + error.what());
    } catch (const RuntimeError& error) {
        throw Failure(name + ": " + error.what());
    }
}

}  // namespace

command::Verb place_verb() {
    auto options = std::make_shared<PlaceOptions>();
    return {
        .name = "place",
        .documentation =
            "Puts each intermediate of a program in DRAM, in L1 or in shards, so that little of DRAM is read and written",
        .parameters =
            {{"graph",
              &options->graph,
              "a traced function's graph of TT-NN calls, or a compiled program; - for a graph on standard input",
              {.required = true}},
             {"--l1", &options->l1, "the budget: bytes per core, 1MiB, or 60% of what can be allocated"},
             {"--board", &options->board,
              "n150, n300, p100, p150, ... or a description file; default: the program's own"},
             {"--function", &options->function,
              "of a compiled program which to place; default: the first that no other calls"},
             {"--output,-o", &options->output, "the report of the placed program is written there"},
             {"--json", &options->json, "machine-readable"}},
        .example = "tilemeter place model.mlir --l1 60%",
        .run = [options] { run_place(*options); }};
}

}  // namespace tilemeter::cli
