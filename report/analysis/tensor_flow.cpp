// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/tensor_flow.hpp"

#include <array>
#include <unordered_map>

namespace tilemeter::graph {
namespace {

/// What is known of a tensor under each of its names: its buffer, its id, its node.
class TensorTable {
public:
    TensorTable(const NodeList& list, const MemoryLives& lives) : list_(list), lives_(lives) {}

    /// Of the entries under the tensor's names the highest; kNoIndex if there is none.
    std::uint32_t last(std::uint32_t tensor) const {
        std::uint32_t best = kNoIndex;
        for (const std::uint64_t key : keys_of(tensor))
            if (const auto found = entries_.find(key); found != entries_.end())
                if (best == kNoIndex || found->second > best) best = found->second;
        return best;
    }
    void set(std::uint32_t tensor, std::uint32_t value) {
        for (const std::uint64_t key : keys_of(tensor))
            if (key != kNoKey) entries_[key] = value;
    }

private:
    static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

    std::array<std::uint64_t, 3> keys_of(std::uint32_t tensor) const {
        const NodeList::Tensor* row = list_.tensor(tensor);
        const std::uint32_t life = lives_.life_of_tensor[tensor];
        const bool has_id = row != nullptr && row->tensor_id.given();
        return {tensor, life == kNoIndex ? kNoKey : std::uint64_t{1} << 32U | life,
                has_id
                    ? static_cast<std::uint64_t>(row->tensor_id.value_or(0)) << 2U | std::uint64_t{1} << 63U
                    : kNoKey};
    }

    const NodeList& list_;
    const MemoryLives& lives_;
    std::unordered_map<std::uint64_t, std::uint32_t> entries_;
};

}  // namespace

std::vector<TensorUse> find_tensor_uses(const NodeList& list, const MemoryLives& lives) {
    const auto tensor_at = [&](std::int64_t node) {
        return list.holds(node) && list.nodes[static_cast<std::size_t>(node)].kind == NodeKind::kTensor;
    };
    std::vector<TensorUse> uses;
    TensorTable ends(list, lives);      // the function_end that gave it
    TensorTable mentions(list, lives);  // the first that was taken
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind == NodeKind::kFunctionEnd && lives.scopes.of_node[node] != kNoIndex) {
            for (const std::int64_t target : list.connections(node))
                if (tensor_at(target)) ends.set(static_cast<std::uint32_t>(target), node);
        }
        const NodeList::Function* function = list.function(node);
        if (function == nullptr) continue;
        for (const std::int64_t input : list.of_pool(function->input_tensors)) {
            if (!tensor_at(input)) continue;
            const auto tensor = static_cast<std::uint32_t>(input);
            TensorUse use{.tensor = tensor, .consumer = lives.scopes.of_node[node], .first_mention = tensor};
            if (const std::uint32_t end = ends.last(tensor); end != kNoIndex)
                use.producer = lives.scopes.of_node[end];
            if (const std::uint32_t known = mentions.last(tensor); known != kNoIndex)
                use.first_mention = known;
            mentions.set(tensor, use.first_mention);
            uses.push_back(use);
        }
    }
    return uses;
}

FlowEnds flow_ends(const Scopes& scopes, const TensorUse& use) {
    FlowEnds ends{use.producer, use.consumer};
    if (use.producer == kNoIndex) return {kNoIndex, scopes.scopes[use.consumer].top};
    const auto up = [&](std::uint32_t& scope) { scope = scopes.scopes[scope].parent; };
    const auto depth = [&](std::uint32_t scope) { return scopes.scopes[scope].depth; };
    while (depth(ends.from) > depth(ends.to))
        up(ends.from);
    while (depth(ends.to) > depth(ends.from))
        up(ends.to);
    while (scopes.scopes[ends.from].parent != scopes.scopes[ends.to].parent) {
        up(ends.from);
        up(ends.to);
    }
    return ends;
}

}  // namespace tilemeter::graph
