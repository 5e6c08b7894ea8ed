// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tilemeter::test {

/// Fails the running test unless `graph` is one well-nested list: counters count, levels follow the nesting,
/// connections lead to nodes, inputs lead to tensors.
void expect_well_formed(const nlohmann::json& graph);

/// The nodes of one type, in order.
std::vector<nlohmann::json> nodes_of_type(const nlohmann::json& graph, const std::string& type);

/// One word per node: its type, with the name for functions: "function_start add".
std::vector<std::string> outline(const nlohmann::json& graph);

}  // namespace tilemeter::test
