// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph/recorded_graph.hpp"

#include "report/json_node.hpp"
#include "report/python_text.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::JsonValue;
using report::Status;

Status render_node(const report::JsonNode& node, std::string& text) {
    text += '{';
    bool first = true;
    bool has_id = false;
    const std::string counter = node.counter ? std::to_string(*node.counter) : "";
    for (auto member = node.json.children(); member.valid(); member.next()) {
        if (!first) text += ", ";
        first = false;
        report::append_json_dumps(text, member.key());
        text += ": ";
        if (member.key() == "id" && node.counter) {
            has_id = true;
            text += counter;
        } else if (Status appended = report::append_json_dumps(text, member.value()); !appended) {
            return appended;
        }
    }
    if (node.counter && !has_id) text.append(first ? "\"id\": " : ", \"id\": ").append(counter);
    text += '}';
    return {};
}

}  // namespace

Status render_recorded_graph(const JsonValue& nodes, std::string& text, std::vector<Edge>& edges) {
    text += '[';
    std::size_t index = 0;
    for (auto element = nodes.children(); element.valid(); element.next(), ++index) {
        auto node = report::node_from_json(element.value(), index);
        if (!node) return node.error();
        if (index > 0) text += ", ";
        if (Status rendered = render_node(*node, text); !rendered) return rendered;
        std::int64_t connection = 0;
        for (auto target = node->connections.children(); target.valid(); target.next(), ++connection) {
            const auto number = target.value().integer();
            if (!number)
                return report::Error{"", "captured_graph, " + node->position(),
                                     "counters, which are integers",
                                     std::string(report::kind_name(target.value().kind()))};
            edges.push_back({node->counter.value_or(0), *number, connection});
        }
    }
    text += ']';
    return {};
}

}  // namespace tilemeter::visualizer_import
