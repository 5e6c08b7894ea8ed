// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/node_index.hpp"

namespace tilemeter::report {

// A value that is no number here is refused, or taken for damage, by who reads the node itself.
void NodeIndex::append(const JsonNode& node) {
    std::int64_t key = 0;
    if (node.type == NodeType::kTensor) {
        const auto id = tensor_id_of(node);
        key = id ? id.value().value_or(kNoId) : kNoId;
    } else if (node.type == NodeType::kBufferAllocate) {
        const auto address = integer_param(node, "address");
        key = address ? address.value().value_or(0) : 0;
    } else if (node.type == NodeType::kFunctionStart) {
        key = static_cast<std::int64_t>(kNone);
        open_functions_.push_back(types_.size());
    } else if (node.type == NodeType::kFunctionEnd && !open_functions_.empty()) {
        keys_[open_functions_.back()] = static_cast<std::int64_t>(types_.size());
        open_functions_.pop_back();
    }
    keys_.push_back(key);
    types_.push_back(node.type);
}

void NodeIndex::clear() {
    keys_.clear();
    types_.clear();
    open_functions_.clear();
}

}  // namespace tilemeter::report
