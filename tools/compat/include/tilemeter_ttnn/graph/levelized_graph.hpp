// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of a capture down to some level, with who feeds whom.

#pragma once

#include <cstddef>
#include <ranges>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace ttnn::graph {

class LevelizedGraph {
public:
    using VertexID = std::size_t;
    struct Vertex {
        VertexID id = 0;
        std::size_t stacking_level = 0;
        std::string name;
        std::vector<std::string> arguments;
        std::vector<VertexID> in_edges;
        std::vector<VertexID> out_edges;
        std::vector<VertexID> internals;
        std::vector<std::string> output_info;
        std::vector<std::string> output_shape;
    };
    using Graph = std::vector<Vertex>;

    /// Throws std::runtime_error for what is no capture.
    explicit LevelizedGraph(const nlohmann::json& trace, std::size_t max_level = 1);

    bool is_valid_vertex(std::size_t id) const { return id < graph_.size(); }
    const Graph& vertices() const { return graph_; }
    /// Throws std::runtime_error where there is none.
    const Vertex& get_vertex(VertexID id) const;
    std::size_t size() const { return graph_.size(); }
    nlohmann::json to_json() const;
    auto get_vertices_at_level(std::size_t level) const {
        return graph_ |
               std::views::filter([level](const Vertex& vertex) { return vertex.stacking_level == level; });
    }

private:
    Graph graph_;
};

/// The counters that a node names.
std::vector<int> get_connections(const nlohmann::json& node);
/// Those of them that are nodes of the list.
std::vector<int> get_valid_connections(const nlohmann::json& node, const nlohmann::json& trace);

}  // namespace ttnn::graph
