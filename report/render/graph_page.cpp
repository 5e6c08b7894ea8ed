// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/graph_page.hpp"

#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/ir/operation_set.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/text.hpp"
#include "report/render/internal/embedded_data.hpp"
#include "report/render/page_text.hpp"

namespace tilemeter::analysis {
namespace {

using nlohmann::json;

/// The graph and its subgraphs in the order of the text: each before those that hold it, once.
void list_graphs(const ir::Graph& graph, std::set<const ir::Graph*>& seen,
                 std::vector<const ir::Graph*>& all) {
    for (const ir::Equation equation : graph.equations()) {
        for (const ir::Subgraph& each : equation.subgraphs()) {
            if (seen.insert(each.graph.get()).second) list_graphs(*each.graph, seen, all);
        }
    }
    all.push_back(&graph);
}

/// The text in pieces: of each graph its first line, its constants and equations, its last line.
struct Block {
    std::string head;
    std::vector<std::string> lines;
    std::string results;
};

std::vector<Block> blocks_of(const ir::Graph& graph) {
    std::istringstream text(ir::print(graph, {.locations = false, .data = false}));
    std::vector<Block> blocks;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("graph ") || line.starts_with("subgraph ")) {
            blocks.push_back({line.substr(0, line.size() - 2), {}, {}});
        } else if (line.starts_with("  return")) {
            blocks.back().results = line.substr(2);
        } else if (line.starts_with("  ") && !blocks.empty()) {
            blocks.back().lines.push_back(line.substr(2));
        }
    }
    return blocks;
}

/// Bytes that are alive while each equation runs, its operands and results included. Parameters and constants
/// belong to the caller: alive throughout, and not counted.
std::vector<std::uint64_t> alive_bytes(const ir::Graph& graph) {
    const std::size_t count = graph.equation_count();
    const std::vector<std::uint32_t> last = ir::last_uses(graph);
    std::vector<std::int64_t> change(count + 2, 0);
    for (const ir::Equation equation : graph.equations()) {
        for (std::size_t i = 0; i < equation.results().size(); ++i) {
            const ir::ValueId value = equation.results()[i];
            const auto bytes = static_cast<std::int64_t>(ir::byte_size(graph.type(value)));
            change[equation.index()] += bytes;
            change[last[ir::index_of(value)] + 1] -= bytes;
        }
    }
    std::vector<std::uint64_t> alive;
    std::int64_t now = 0;
    for (std::size_t i = 0; i < count; ++i) {
        now += change[i];
        alive.push_back(static_cast<std::uint64_t>(now));
    }
    return alive;
}

json place_of(const ir::Graph& graph, const ir::Equation& equation) {
    json places = json::array();
    for (std::size_t i = 0; i < equation.results().size(); ++i) {
        const auto& place = graph.type(equation.results()[i]).place;
        std::string text;
        if (place) text = place->device + " " + place->layout + " " + place->memory_config;
        if (!text.empty() && (places.empty() || places.back() != text)) places.push_back(text);
    }
    return places;
}

json captured_of(const ir::Equation& equation) {
    const ir::Attribute* const ids = equation.attributes().find("captured");
    const auto* const list = ids == nullptr ? nullptr : std::get_if<ir::Integers>(ids);
    return list == nullptr ? json::array() : json(*list);
}

json data_of(const ir::Graph& graph, const Block& block) {
    const std::vector<std::uint64_t> alive = alive_bytes(graph);
    const std::size_t constant_count = block.lines.size() - graph.equation_count();
    json rows = json::array();
    for (const ir::Equation equation : graph.equations()) {
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            bytes += ir::byte_size(graph.type(equation.results()[i]));
        const ir::Location& location = equation.location();
        const std::string line =
            location.file.empty() ? "" : location.file + ":" + std::to_string(location.line);
        rows.push_back({block.lines.at(constant_count + equation.index()), bytes, alive[equation.index()],
                        place_of(graph, equation), line, location.scope, captured_of(equation)});
    }
    std::uint64_t parameters = 0;
    for (const ir::ValueId each : graph.params())
        parameters += ir::byte_size(graph.type(each));
    return {{"name", graph.name()},
            {"head", block.head},
            {"results", block.results},
            {"constants", std::vector(block.lines.begin(),
                                      block.lines.begin() + static_cast<std::ptrdiff_t>(constant_count))},
            {"parameter_bytes", parameters},
            {"rows", std::move(rows)}};
}

}  // namespace

std::string graph_page(const ir::Graph& unordered, const std::string& name) {
    std::optional<ir::Graph> storage;
    const ir::Graph& graph = ir::in_order(unordered, ir::OperationSet(""), storage);
    std::vector<const ir::Graph*> graphs;
    std::set<const ir::Graph*> seen;
    list_graphs(graph, seen, graphs);
    const std::vector<Block> blocks = blocks_of(graph);
    json data{{"name", name}, {"graphs", json::array()}};
    for (std::size_t i = 0; i < graphs.size(); ++i)
        data["graphs"].push_back(data_of(*graphs[i], blocks.at(i)));
    return internal::page_with(kGraphPageText, data);
}

}  // namespace tilemeter::analysis
