// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/ttnn/levelized_graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/memory/tensor_flow.hpp"
#include "report/analysis/ttnn/internal/refusals.hpp"

namespace tilemeter::analysis {
namespace {

std::size_t index_of(std::int64_t node) {
    return static_cast<std::size_t>(node);
}

class Levelizer {
public:
    Levelizer(const NodeList& list, std::int64_t max_level)
        : list_(list), max_level_(max_level), levels_(levels_of(list)) {}

    std::vector<LevelizedVertex> by_node() {
        match_ends();
        find_producers();
        add_level_one_tensors();
        add_operations();
        add_tensor_edges();
        add_operation_edges();
        add_internals();
        add_outputs();
        return std::move(vertices_);
    }

    std::vector<LevelizedVertex> by_tensor() {
        const MemoryLifetimes lifetimes = find_lifetimes(list_);
        const std::vector<TensorUse> uses = find_tensor_uses(list_, lifetimes);
        match_ends();
        add_inputs_of(uses, lifetimes.scopes);
        add_operations();
        add_joined_edges(uses, lifetimes.scopes);
        add_internals();
        add_outputs();
        add_joined_outputs(uses, lifetimes.scopes);
        return std::move(vertices_);
    }

private:
    bool is(std::int64_t node, NodeType kind) const {
        return list_.holds(node) && list_.nodes[index_of(node)].kind == kind;
    }

    void match_ends() {
        end_of_.assign(list_.size(), kNoIndex);
        start_of_.assign(list_.size(), kNoIndex);
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            const NodeList::Function* function = list_.function(node);
            if (function == nullptr) continue;
            for (const std::int64_t target : list_.connections(node)) {
                if (!is(target, NodeType::kFunctionEnd) ||
                    list_.end(index_of(target))->name != function->name)
                    continue;
                end_of_[node] = static_cast<std::uint32_t>(target);
                start_of_[index_of(target)] = node;
                break;
            }
        }
    }

    // The producer of a tensor is the outermost function that ends with it, the first of those.
    void find_producers() {
        producer_.assign(list_.size(), kNoIndex);
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (list_.nodes[node].kind != NodeType::kFunctionEnd) continue;
            for (const std::int64_t target : list_.connections(node)) {
                if (!is(target, NodeType::kTensor)) continue;
                std::uint32_t& producer = producer_[index_of(target)];
                if (producer == kNoIndex || levels_[node] < levels_[producer]) producer = node;
            }
        }
    }

    bool is_shown(const Scope& scope) const { return levels_[scope.start] <= max_level_; }

    // Adds tensors that nobody in the list made and a shown operation takes, each tensor once.
    void add_inputs_of(const std::vector<TensorUse>& uses, const Scopes& scopes) {
        vertex_of_.assign(list_.size(), kNoIndex);
        for (const TensorUse& use : uses) {
            if (use.producer != kNoIndex || vertex_of_[use.first_mention] != kNoIndex) continue;
            if (is_shown(scopes.scopes[scopes.scopes[use.consumer].top])) add_vertex(use.first_mention, 1);
        }
    }

    // To the operation that takes a tensor and to those around it, from the one beside them that made it.
    void add_joined_edges(const std::vector<TensorUse>& uses, const Scopes& scopes) {
        std::unordered_set<std::uint64_t> known;
        for (const TensorUse& use : uses) {
            const FlowEnds ends = flow_ends(scopes, use);
            const std::uint32_t source = ends.from == kNoIndex ? vertex_of_[use.first_mention]
                                                               : vertex_of_[scopes.scopes[ends.from].start];
            if (source == kNoIndex) continue;
            for (std::uint32_t scope = use.consumer;; scope = scopes.scopes[scope].parent) {
                const std::uint32_t consumer = vertex_of_[scopes.scopes[scope].start];
                if (consumer != kNoIndex && known.insert(std::uint64_t{source} << 32U | consumer).second) {
                    vertices_[source].out_edges.push_back(consumer);
                    vertices_[consumer].in_edges.push_back(source);
                }
                if (scope == ends.to) break;
            }
        }
        for (LevelizedVertex& vertex : vertices_)
            std::sort(vertex.out_edges.begin(), vertex.out_edges.end());
    }

    void add_joined_outputs(const std::vector<TensorUse>& uses, const Scopes& scopes) {
        const std::vector<ScopeTensors> tensors = tensors_of_scopes(list_, scopes, uses);
        for (std::size_t scope = 0; scope < tensors.size(); ++scope) {
            const std::uint32_t vertex = vertex_of_[scopes.scopes[scope].start];
            if (vertex == kNoIndex) continue;
            vertices_[vertex].output_shape.clear();
            for (const std::uint32_t tensor : tensors[scope].outputs) {
                const NodeList::Tensor* row = list_.tensor(tensor);
                if (row != nullptr && row->shape != TextRef::kNone)
                    add_once(vertices_[vertex].output_shape, row->shape);
            }
        }
    }

    static void add_once(std::vector<TextRef>& shapes, TextRef shape) {
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
    }

    std::vector<TextRef> shapes_given_by(std::uint32_t end) const {
        std::vector<TextRef> shapes;
        for (const std::int64_t target : list_.connections(end)) {
            const NodeList::Tensor* tensor =
                is(target, NodeType::kTensor) ? list_.tensor(index_of(target)) : nullptr;
            if (tensor != nullptr && tensor->shape != TextRef::kNone) add_once(shapes, tensor->shape);
        }
        return shapes;
    }

    void add_level_one_tensors() {
        vertex_of_.assign(list_.size(), kNoIndex);
        for (std::uint32_t node = 0; node < list_.size(); ++node)
            if (list_.nodes[node].kind == NodeType::kTensor && levels_[node] == 1) add_vertex(node, 1);
    }

    void add_operations() {
        first_operation_ = vertices_.size();
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (list_.nodes[node].kind != NodeType::kFunctionStart || levels_[node] > max_level_) continue;
            add_vertex(node, levels_[node]);
            if (const auto* function = list_.function(node)) vertices_.back().arguments = function->arguments;
        }
    }

    void add_vertex(std::uint32_t node, std::int32_t level) {
        vertex_of_[node] = static_cast<std::uint32_t>(vertices_.size());
        LevelizedVertex& vertex = vertices_.emplace_back();
        vertex.counter = vertex_of_[node];
        vertex.stacking_level = level;
        vertex.node = node;
    }

    std::uint32_t vertex_at(std::int64_t node) const {
        return list_.holds(node) ? vertex_of_[index_of(node)] : kNoIndex;
    }
    std::uint32_t producing_vertex(std::int64_t tensor) const {
        const std::uint32_t end = producer_[index_of(tensor)];
        if (end == kNoIndex || start_of_[end] == kNoIndex) return kNoIndex;
        return vertex_of_[start_of_[end]];
    }

    void add_tensor_edges() {
        std::vector<std::uint32_t> seen_by(vertices_.size(), kNoIndex);
        for (std::uint32_t id = 0; id < first_operation_; ++id) {
            LevelizedVertex& vertex = vertices_[id];
            for (const std::int64_t target : list_.connections(vertex.node)) {
                const std::uint32_t other = vertex_at(target);
                if (other == kNoIndex || std::exchange(seen_by[other], id) == id) continue;
                vertex.out_edges.push_back(other);
            }
            if (const std::uint32_t producer = producing_vertex(vertex.node); producer != kNoIndex)
                vertex.in_edges.push_back(producer);
        }
    }

    // A tensor that is a vertex has its consumers already; of the others, the producer gets them. Consumers
    // come in order, so a repeated edge repeats the last one.
    void add_operation_edges() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> consumed;  // operation vertex, tensor node
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (list_.nodes[node].kind != NodeType::kTensor || vertex_of_[node] != kNoIndex) continue;
            for (const std::int64_t target : list_.connections(node))
                if (const std::uint32_t vertex = vertex_at(target);
                    vertex != kNoIndex && vertex >= first_operation_)
                    consumed.emplace_back(vertex, node);
        }
        std::stable_sort(consumed.begin(), consumed.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [consumer, tensor] : consumed) {
            const std::uint32_t producer = producing_vertex(tensor);
            if (producer == kNoIndex || producer == consumer) continue;
            auto& edges = vertices_[producer].out_edges;
            if (edges.empty() || edges.back() != consumer) edges.push_back(consumer);
        }
        for (std::size_t id = first_operation_; id < vertices_.size(); ++id)
            add_inputs(vertices_[id]);
    }

    void add_inputs(LevelizedVertex& vertex) {
        const NodeList::Function* function = list_.function(vertex.node);
        if (function == nullptr) return;
        for (const std::int64_t tensor : list_.of_pool(function->input_tensors)) {
            if (!list_.holds(tensor)) continue;
            std::uint32_t source = vertex_of_[index_of(tensor)];
            if (source == kNoIndex) source = producing_vertex(tensor);
            if (source != kNoIndex) vertex.in_edges.push_back(source);
        }
    }

    void add_internals() {
        std::unordered_map<std::int32_t, std::vector<std::uint32_t>> by_level;  // vertices, in list order
        for (std::size_t id = first_operation_; id < vertices_.size(); ++id)
            by_level[vertices_[id].stacking_level].push_back(static_cast<std::uint32_t>(id));
        const auto before = [this](std::uint32_t vertex, std::uint32_t node) {
            return vertices_[vertex].node < node;
        };
        for (std::size_t id = first_operation_; id < vertices_.size(); ++id) {
            LevelizedVertex& vertex = vertices_[id];
            const std::uint32_t end = end_of_[vertex.node];
            const auto inner = by_level.find(vertex.stacking_level + 1);
            if (end == kNoIndex || inner == by_level.end() || end < vertex.node) continue;
            const auto& ids = inner->second;
            const auto from = std::lower_bound(ids.begin(), ids.end(), vertex.node, before);
            const auto to = std::lower_bound(from, ids.end(), end, before);
            vertex.internals.assign(from, to);
        }
    }

    void add_outputs() {
        for (LevelizedVertex& vertex : vertices_) {
            vertex.output_info = info_of(vertex);
            if (vertex.counter < first_operation_) {
                const NodeList::Tensor* tensor = list_.tensor(vertex.node);
                if (tensor && tensor->shape != TextRef::kNone) vertex.output_shape.push_back(tensor->shape);
                continue;
            }
            if (end_of_[vertex.node] != kNoIndex) vertex.output_shape = shapes_given_by(end_of_[vertex.node]);
        }
    }

    TextRef info_of(const LevelizedVertex& vertex) const {
        for (const std::uint32_t id : vertex.out_edges) {
            const LevelizedVertex& consumer = vertices_[id];
            if (consumer.stacking_level != vertex.stacking_level || consumer.arguments.count == 0) continue;
            const TextRef first = list_.argument_texts[consumer.arguments.begin];
            if (list_.text(first).starts_with("Tensor(")) return first;
        }
        return TextRef::kNone;
    }

    const NodeList& list_;
    const std::int64_t max_level_;
    const std::vector<std::int32_t> levels_;
    std::vector<std::uint32_t> end_of_;     // function_start -> function_end
    std::vector<std::uint32_t> start_of_;   // the other way
    std::vector<std::uint32_t> producer_;   // tensor -> function_end
    std::vector<std::uint32_t> vertex_of_;  // node -> vertex
    std::vector<LevelizedVertex> vertices_;
    std::size_t first_operation_ = 0;  // before it: tensors
};

}  // namespace

std::string LevelizedVertex::name(const NodeList& list) const {
    if (list.nodes[node].kind == NodeType::kFunctionStart) return std::string(list.name(node));
    const NodeList::Tensor* tensor = list.tensor(node);
    if (tensor == nullptr) return "tensor";
    const bool as_spelled = tensor->id_is_text && tensor->tensor_id_text != TextRef::kNone;
    if (tensor->tensor_id.given() && !as_spelled)
        return "tensor[" + std::to_string(tensor->tensor_id.value_or(0)) + "]";
    if (tensor->tensor_id_text == TextRef::kNone) return "tensor";
    return "tensor[" + std::string(list.text(tensor->tensor_id_text)) + "]";
}

std::vector<LevelizedVertex> extract_levelized_graph(const NodeList& list, std::int64_t max_level,
                                                     Joining joining) {
    if (joining == Joining::kByTensor) return Levelizer(list, max_level).by_tensor();
    internal::refuse_as_ttnn(list, internal::TtnnAnalysis::kLevelizedGraph, max_level);
    return Levelizer(list, max_level).by_node();
}

std::vector<std::int32_t> levels_of(const NodeList& list) {
    std::vector<std::int32_t> levels(list.size(), 0);
    bool given = false;
    for (std::size_t node = 0; node < list.size(); ++node) {
        levels[node] = list.nodes[node].level == NodeList::kNoLevel ? 0 : list.nodes[node].level;
        given = given || list.nodes[node].level != NodeList::kNoLevel;
    }
    if (given) return levels;
    std::int32_t depth = 0;
    std::int32_t just_ended = 0;  // level of the function whose outputs may follow
    for (std::size_t node = 0; node < list.size(); ++node) {
        const NodeType kind = list.nodes[node].kind;
        if (kind == NodeType::kFunctionStart) ++depth;
        levels[node] = kind == NodeType::kTensor && just_ended != 0 ? just_ended : depth;
        if (kind != NodeType::kTensor) just_ended = 0;
        if (kind == NodeType::kFunctionEnd && depth > 0) just_ended = depth--;
    }
    return levels;
}

}  // namespace tilemeter::analysis
