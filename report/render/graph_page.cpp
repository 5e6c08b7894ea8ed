// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/graph_page.hpp"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/ir/operation_set.hpp"
#include "capture/ir/order.hpp"
#include "report/render/internal/embedded_data.hpp"
#include "report/render/internal/graph_blocks.hpp"
#include "report/render/page_text.hpp"

namespace tilemeter::analysis {
namespace {

using internal::Block;
using nlohmann::json;

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
    const std::vector<std::uint64_t> alive = internal::alive_bytes(graph);
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
    const std::vector<const ir::Graph*> graphs = internal::graphs_in(graph);
    const std::vector<Block> blocks = internal::blocks_of(graph);
    json data{{"name", name}, {"graphs", json::array()}};
    for (std::size_t i = 0; i < graphs.size(); ++i)
        data["graphs"].push_back(data_of(*graphs[i], blocks.at(i)));
    return internal::page_with(kGraphPageText, data);
}

}  // namespace tilemeter::analysis
