// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/capture/well_formed.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tilemeter::test {

using nlohmann::json;

void expect_well_formed(const json& graph) {
    ASSERT_GE(graph.size(), 2U);
    ASSERT_EQ(graph.front()["node_type"], "capture_start");
    ASSERT_EQ(graph.back()["node_type"], "capture_end");
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const json& node = graph[i];
        const std::string type = node["node_type"];
        ASSERT_EQ(node["counter"], i);
        for (const json& target : node["connections"])
            ASSERT_LT(target.get<std::size_t>(), graph.size()) << node;
        for (const json& input : node["input_tensors"])
            ASSERT_EQ(graph.at(input.get<std::size_t>())["node_type"], "tensor") << node;
        if (type == "function_start") {
            // Functions that several threads left open stand one after the other at the end; none of them is
            // ended below.
            if (node["stacking_level"] == 1) open.clear();
            open.push_back(i);
            ASSERT_EQ(node["stacking_level"], open.size()) << node;
        } else if (type == "function_end") {
            ASSERT_FALSE(open.empty()) << node;
            ASSERT_EQ(node["stacking_level"], open.size()) << node;
            ASSERT_EQ(node["params"]["name"], graph[open.back()]["params"]["name"]);
            ASSERT_EQ(graph[open.back()]["connections"].back(), i);
            open.pop_back();
        } else if (type != "tensor" && type != "capture_end") {
            ASSERT_EQ(node["stacking_level"], open.size()) << node;
        }
    }
}

std::vector<json> nodes_of_type(const json& graph, const std::string& type) {
    std::vector<json> found;
    for (const json& node : graph) {
        if (node["node_type"] == type) found.push_back(node);
    }
    return found;
}

std::vector<std::string> outline(const json& graph) {
    std::vector<std::string> words;
    for (const json& node : graph) {
        std::string word = node["node_type"];
        if (word.starts_with("function_")) word += " " + node["params"]["name"].get<std::string>();
        words.push_back(std::move(word));
    }
    return words;
}

}  // namespace tilemeter::test
