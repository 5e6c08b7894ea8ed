// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "report/node.hpp"

namespace tilemeter::report {

// What must be known of any node of a graph at any time, in 16 bytes each: nodes point forwards and
// backwards.
class NodeIndex {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    // REQUIRES (all): index < size()
    [[nodiscard]] NodeType type(std::size_t index) const {
        return static_cast<NodeType>(entries_[index].place >> 56U);
    }
    [[nodiscard]] std::uint64_t file_offset(std::size_t index) const {
        return entries_[index].place & ((std::uint64_t{1} << 56U) - 1);
    }
    // Of a tensor node that has one.
    [[nodiscard]] std::optional<std::int64_t> tensor_id(std::size_t index) const {
        if (type(index) != NodeType::kTensor || entries_[index].fact == kNoId) return std::nullopt;
        return entries_[index].fact;
    }
    // Of a buffer_allocate node.
    [[nodiscard]] std::int64_t address(std::size_t index) const { return entries_[index].fact; }
    // Of a function_start: the index of its function_end, or kNone.
    [[nodiscard]] std::size_t function_end(std::size_t index) const {
        return static_cast<std::size_t>(entries_[index].fact);
    }

    Status append(const Node& node, std::uint64_t file_offset);
    void clear();

private:
    static constexpr std::int64_t kNoId = std::numeric_limits<std::int64_t>::min();
    struct Entry {
        std::int64_t fact;    // tensor id, address or function end
        std::uint64_t place;  // type in the upper 8 bits, offset in the file in the others
    };
    std::vector<Entry> entries_;
    std::vector<std::size_t> open_functions_;
};

}  // namespace tilemeter::report
