// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph/nested_tensors.hpp"

#include <algorithm>

#include "visualizer_import/graph/python_set.hpp"

namespace tilemeter::visualizer_import {
namespace {

bool is_in(const report::NodeIndex& graph, std::int64_t counter) {
    return counter >= 0 && static_cast<std::size_t>(counter) < graph.size();
}

std::vector<std::int64_t> each_once(const std::vector<std::int64_t>& ids) {
    std::vector<std::int64_t> result;
    for (const std::int64_t id : ids)
        if (std::ranges::find(result, id) == result.end()) result.push_back(id);
    return result;
}

}  // namespace

void NestedTensors::clear() {
    inputs_.clear();
    outputs_.clear();
    made_.clear();
    taken_.clear();
}

void NestedTensors::close_function(const report::NodeIndex& graph, std::span<const std::int64_t> inputs,
                                   std::span<const std::int64_t> connections) {
    std::vector<std::int64_t> ids;
    for (const std::int64_t counter : inputs) {
        if (!is_in(graph, counter)) continue;
        if (const auto id = graph.tensor_id(static_cast<std::size_t>(counter))) ids.push_back(*id);
    }
    taken_.insert(ids.begin(), ids.end());
    for (const std::int64_t counter : connections) {
        if (!is_in(graph, counter)) continue;
        const auto node_index = static_cast<std::size_t>(counter);
        const auto id = graph.tensor_id(node_index);
        if (!id) continue;
        if (std::ranges::find(ids, *id) == ids.end()) made_.insert(*id);
        outputs_.push_back({*id, node_index});
    }
    const std::vector<std::int64_t> ordered = reference_quirks_ ? python_set_order(ids) : each_once(ids);
    inputs_.insert(inputs_.end(), ordered.begin(), ordered.end());
}

std::vector<std::int64_t> NestedTensors::lifted_inputs() const {
    std::vector<std::int64_t> lifted;
    std::unordered_set<std::int64_t> seen;
    for (const std::int64_t id : inputs_)
        if (!made_.contains(id) && seen.insert(id).second) lifted.push_back(id);
    return lifted;
}

std::vector<NestedTensors::Output> NestedTensors::lifted_outputs() const {
    std::vector<Output> lifted;
    std::unordered_set<std::int64_t> seen;
    for (const Output& output : outputs_) {
        const bool intermediate = made_.contains(output.tensor_id) && taken_.contains(output.tensor_id);
        if (!intermediate && seen.insert(output.tensor_id).second) lifted.push_back(output);
    }
    return lifted;
}

}  // namespace tilemeter::visualizer_import
