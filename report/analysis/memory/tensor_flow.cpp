// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/tensor_flow.hpp"

#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tilemeter::analysis {
namespace {

/// The facts about a tensor under each of its names: its buffer, its id, its node.
class TensorTable {
public:
    TensorTable(const NodeList& list, const MemoryLifetimes& lifetimes)
        : list_(list), lifetimes_(lifetimes) {}

    /// The highest of the entries under the tensor's names; kNoIndex if there is none.
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
        const std::uint32_t lifetime = lifetimes_.lifetime_of_tensor[tensor];
        const bool has_id = row != nullptr && row->tensor_id.given();
        return {tensor, lifetime == kNoIndex ? kNoKey : std::uint64_t{1} << 32U | lifetime,
                has_id
                    ? static_cast<std::uint64_t>(row->tensor_id.value_or(0)) << 2U | std::uint64_t{1} << 63U
                    : kNoKey};
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    std::unordered_map<std::uint64_t, std::uint32_t> entries_;
};

std::string_view last_part(std::string_view text) {
    const std::size_t at = text.rfind("::");
    return at == std::string_view::npos ? text : text.substr(at + 2);
}

bool is_tensor(const NodeList& list, std::int64_t node) {
    return list.holds(node) && list.nodes[static_cast<std::size_t>(node)].kind == NodeType::kTensor;
}

std::vector<std::uint32_t> tensors_among(const NodeList& list, std::span<const std::int64_t> nodes) {
    std::vector<std::uint32_t> tensors;
    for (const std::int64_t node : nodes)
        if (is_tensor(list, node)) tensors.push_back(static_cast<std::uint32_t>(node));
    return tensors;
}

}  // namespace

std::vector<TensorUse> find_tensor_uses(const NodeList& list, const MemoryLifetimes& lifetimes) {
    std::vector<TensorUse> uses;
    TensorTable ends(list, lifetimes);      // the function_end that gave it
    TensorTable mentions(list, lifetimes);  // the first that was taken
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind == NodeType::kFunctionEnd && lifetimes.scopes.of_node[node] != kNoIndex) {
            for (const std::uint32_t tensor : tensors_among(list, list.connections(node)))
                ends.set(tensor, node);
        }
        const NodeList::Function* function = list.function(node);
        if (function == nullptr) continue;
        for (const std::uint32_t tensor : tensors_among(list, list.of_pool(function->input_tensors))) {
            TensorUse use{
                .tensor = tensor, .consumer = lifetimes.scopes.of_node[node], .first_mention = tensor};
            if (const std::uint32_t end = ends.last(tensor); end != kNoIndex)
                use.producer = lifetimes.scopes.of_node[end];
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

std::vector<ScopeTensors> tensors_of_scopes(const NodeList& list, const Scopes& scopes,
                                            const std::vector<TensorUse>& uses) {
    std::vector<ScopeTensors> result(scopes.scopes.size());
    std::vector<bool> names_inputs(result.size(), false);
    for (const TensorUse& use : uses)
        names_inputs[use.consumer] = true;
    // By first mention: what went through already, whatever it is called this time.
    std::unordered_map<std::uint64_t, std::uint32_t> seen;
    const auto is_new = [&](std::uint32_t scope, std::uint32_t first_mention, bool input) {
        return seen
            .try_emplace(std::uint64_t{scope} << 33U | std::uint64_t{first_mention} << 1U | (input ? 1U : 0U))
            .second;
    };
    for (const TensorUse& use : uses) {
        const FlowEnds ends = flow_ends(scopes, use);
        std::uint32_t level = 0;
        for (std::uint32_t scope = use.consumer; level++ < kMostLevels; scope = scopes.scopes[scope].parent) {
            const bool own = scope == use.consumer;
            if ((own || !names_inputs[scope]) && is_new(scope, use.first_mention, true))
                result[scope].inputs.push_back(use.tensor);
            if (scope == ends.to) break;
        }
        level = 0;
        for (std::uint32_t scope = use.producer; scope != kNoIndex && level++ < kMostLevels;
             scope = scopes.scopes[scope].parent) {
            if (is_new(scope, use.first_mention, false)) result[scope].outputs.push_back(use.tensor);
            if (scope == ends.from) break;
        }
    }
    std::vector<std::vector<std::uint32_t>> last(result.size());  // given by the last function in it
    for (auto scope = result.size(); scope-- > 0;) {
        const Scope& it = scopes.scopes[scope];
        std::vector<std::uint32_t>& outputs = result[scope].outputs;
        const NodeList::End* end = it.end == kNoIndex ? nullptr : list.end(it.end);
        if (end != nullptr && end->aborted) continue;  // tensors that it made are no results
        auto own =
            end == nullptr ? std::vector<std::uint32_t>() : tensors_among(list, list.connections(it.end));
        if (!own.empty()) {
            outputs = std::move(own);
        } else if (outputs.empty()) {
            outputs = std::move(last[scope]);
        }
        if (it.parent != kNoIndex && last[it.parent].empty()) last[it.parent] = outputs;
    }
    return result;
}

std::string tensor_name(const NodeList& list, std::uint32_t tensor) {
    const NodeList::Tensor* row = list.tensor(tensor);
    if (row != nullptr && row->tensor_id.given())
        return "tensor " + std::to_string(row->tensor_id.value_or(0));
    return "tensor of node " + std::to_string(tensor);
}

std::string tensor_type(const NodeList& list, std::uint32_t tensor) {
    const NodeList::Tensor* row = list.tensor(tensor);
    if (row == nullptr) return {};
    std::string text(list.text(row->shape));
    for (const TextRef part : {row->dtype, row->layout})
        if (part != TextRef::kNone)
            text += (text.empty() ? "" : " ") + std::string(last_part(list.text(part)));
    return text;
}

}  // namespace tilemeter::analysis
