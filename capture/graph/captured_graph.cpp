// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/captured_graph.hpp"

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "capture/graph/byte_writer.hpp"
#include "capture/graph/node_graph.hpp"
#include "capture/graph/node_json.hpp"
#include "capture/graph/node_text.hpp"

namespace tilemeter::graph {

CapturedGraph::CapturedGraph(record::Recording recording)
    : nodes_(std::make_shared<const NodeGraph>(build_node_graph(std::move(recording)))) {}

std::size_t CapturedGraph::node_count() const {
    return nodes_->nodes.size();
}

nlohmann::json CapturedGraph::to_json() const {
    return graph::to_json(*nodes_);
}

CapturedGraph::operator nlohmann::json() const {
    return to_json();
}

std::string CapturedGraph::to_text() const {
    std::string text;
    ByteWriter out([&text](std::string_view bytes) { text += bytes; });
    write_nodes(*nodes_, out);
    out.flush();
    return text;
}

}  // namespace tilemeter::graph
