// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "report/node_index.hpp"

namespace tilemeter::visualizer_import {

// The tensors that the functions inside an operation take and make: its own inputs and outputs where nothing else tells
// them.
class NestedTensors {
public:
    struct Output {
        std::int64_t tensor_id;
        std::size_t node_index;
    };

    explicit NestedTensors(bool reference_quirks) : reference_quirks_(reference_quirks) {}

    void clear();
    // A nested function ends. inputs: counters its start takes; connections: of its end.
    void close_function(const report::NodeIndex& graph, std::span<const std::int64_t> inputs,
                        std::span<const std::int64_t> connections);
    void add_input(std::int64_t tensor_id) { inputs_.push_back(tensor_id); }

    // Inputs that no nested function made, each once.
    [[nodiscard]] std::vector<std::int64_t> lifted_inputs() const;
    // Outputs that no other nested function took, each once.
    [[nodiscard]] std::vector<Output> lifted_outputs() const;
    [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }

private:
    bool reference_quirks_;
    std::vector<std::int64_t> inputs_;
    std::vector<Output> outputs_;
    std::unordered_set<std::int64_t> made_;  // not counting what a function took and returned
    std::unordered_set<std::int64_t> taken_;
};

}  // namespace tilemeter::visualizer_import
