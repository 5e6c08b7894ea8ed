// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A node list as one capture has it and another of the same calls must have it too: without durations and
// without what only executing leaves (executions of programs, the sub-devices they ran on). Everything else
// stays: counters are numbered anew and connections follow them; ids of tensors and devices, which every run
// draws afresh, are numbered by their first appearance.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tilemeter::test {

class NodesOfAnyRun {
public:
    explicit NodesOfAnyRun(const nlohmann::json& graph) {
        for (const nlohmann::json& node : graph) {
            if (is_kept(node)) counters_.emplace(node.at("counter"), counters_.size());
        }
        for (const nlohmann::json& node : graph) {
            if (is_kept(node)) nodes_.push_back(renumbered(node));
        }
    }

    const std::vector<nlohmann::json>& nodes() const { return nodes_; }

private:
    static bool is_kept(const nlohmann::json& node) {
        const std::string type = node.at("node_type");
        return type != "program_execution" && type != "sub_device_manager";
    }

    nlohmann::json renumbered(nlohmann::json node) {
        node.erase("duration_ns");
        node["counter"] = counters_.at(node.at("counter"));
        for (const char* list : {"connections", "input_tensors"}) {
            nlohmann::json kept = nlohmann::json::array();
            for (const nlohmann::json& counter : node.at(list)) {
                const auto found = counters_.find(counter);
                if (found != counters_.end()) kept.push_back(found->second);
            }
            node[list] = std::move(kept);
        }
        nlohmann::json& params = node.at("params");
        if (params.is_object() && params.contains("tensor_id")) {
            const std::string id = params.at("tensor_id").dump();
            params["tensor_id"] = tensors_.emplace(id, tensors_.size()).first->second;
        }
        return node;
    }

    std::map<std::uint64_t, std::size_t> counters_;
    std::map<std::string, std::size_t> tensors_;
    std::vector<nlohmann::json> nodes_;
};

/// Fails at the first node that differs.
inline void expect_same_nodes(const nlohmann::json& executed, const nlohmann::json& planned) {
    const NodesOfAnyRun left(executed);
    const NodesOfAnyRun right(planned);
    ASSERT_EQ(left.nodes().size(), right.nodes().size());
    for (std::size_t i = 0; i < left.nodes().size(); ++i)
        ASSERT_EQ(left.nodes()[i], right.nodes()[i]) << "node " << i;
}

}  // namespace tilemeter::test
