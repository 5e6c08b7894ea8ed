// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "report/json_node.hpp"

namespace tilemeter::report {

// The facts about any node of a graph that are needed at any time, in 9 bytes each: nodes point forwards and backwards.
class NodeIndex {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t size() const { return types_.size(); }
    // REQUIRES (all): index < size()
    [[nodiscard]] NodeType type(std::size_t index) const { return types_[index]; }
    // The id of a tensor node that has one.
    [[nodiscard]] std::optional<std::int64_t> tensor_id(std::size_t index) const {
        if (type(index) != NodeType::kTensor || keys_[index] == kNoId) return std::nullopt;
        return keys_[index];
    }
    // The address of a buffer_allocate node.
    [[nodiscard]] std::int64_t address(std::size_t index) const { return keys_[index]; }
    // The index of a function_start's function_end, or kNone.
    [[nodiscard]] std::size_t function_end(std::size_t index) const {
        return static_cast<std::size_t>(keys_[index]);
    }

    void append(const JsonNode& node);
    void clear();

private:
    static constexpr std::int64_t kNoId = std::numeric_limits<std::int64_t>::min();
    std::vector<std::int64_t> keys_;  // tensor id, address or function end
    std::vector<NodeType> types_;
    std::vector<std::size_t> open_functions_;
};

}  // namespace tilemeter::report
