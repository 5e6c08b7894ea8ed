// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/node_index.hpp"

namespace tilemeter::report {

Status NodeIndex::append(const Node& node, std::uint64_t file_offset) {
    Entry entry{0, file_offset | (static_cast<std::uint64_t>(node.type) << 56U)};
    if (node.type == NodeType::kTensor) {
        auto id = tensor_id_of(node);
        if (!id) return id.error();
        entry.fact = id->value_or(kNoId);
    } else if (node.type == NodeType::kBufferAllocate) {
        auto address = integer_param(node, "address");
        if (!address) return address.error();
        entry.fact = address->value_or(0);
    } else if (node.type == NodeType::kFunctionStart) {
        entry.fact = static_cast<std::int64_t>(kNone);
        open_functions_.push_back(entries_.size());
    } else if (node.type == NodeType::kFunctionEnd && !open_functions_.empty()) {
        entries_[open_functions_.back()].fact = static_cast<std::int64_t>(entries_.size());
        open_functions_.pop_back();
    }
    entries_.push_back(entry);
    return {};
}

void NodeIndex::clear() {
    entries_.clear();
    open_functions_.clear();
}

}  // namespace tilemeter::report
