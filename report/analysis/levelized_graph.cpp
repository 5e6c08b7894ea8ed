// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/levelized_graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "report/analysis/internal/node_oddities.hpp"
#include "report/analysis/scopes.hpp"

namespace tilemeter::graph {
namespace {

std::size_t index_of(std::int64_t node) {
    return static_cast<std::size_t>(node);
}

class Levelizer {
public:
    Levelizer(const NodeList& list, std::int64_t max_level, Joining joining)
        : list_(list), max_level_(max_level), joining_(joining), levels_(levels_of(list)) {}

    std::vector<LevelizedVertex> run() {
        match_ends();
        find_producers();
        if (joining_ == Joining::kByTensor) join_mentions();
        add_vertices();
        if (joining_ == Joining::kByNode) {
            add_tensor_edges();
            add_operation_edges();
        } else {
            add_joined_edges();
        }
        add_internals();
        add_outputs();
        return std::move(vertices_);
    }

private:
    bool is(std::int64_t node, NodeKind kind) const {
        return list_.holds(node) && list_.nodes[index_of(node)].kind == kind;
    }

    void match_ends() {
        end_of_.assign(list_.size(), kNoIndex);
        start_of_.assign(list_.size(), kNoIndex);
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            const NodeList::Function* function = list_.function(node);
            if (function == nullptr) continue;
            for (const std::int64_t target : list_.connections(node)) {
                if (!is(target, NodeKind::kFunctionEnd) ||
                    list_.end(index_of(target))->name != function->name)
                    continue;
                end_of_[node] = static_cast<std::uint32_t>(target);
                start_of_[index_of(target)] = node;
                break;
            }
        }
    }

    // Of several ends that point at a tensor the outermost, the first of those.
    void find_producers() {
        producer_.assign(list_.size(), kNoIndex);
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (list_.nodes[node].kind != NodeKind::kFunctionEnd) continue;
            for (const std::int64_t target : list_.connections(node)) {
                if (!is(target, NodeKind::kTensor)) continue;
                std::uint32_t& producer = producer_[index_of(target)];
                if (producer == kNoIndex || levels_[node] < levels_[producer]) producer = node;
            }
        }
    }

    // A mention that nobody produced takes the producer of the last mention of its tensor that has one: that
    // of the same buffer, else of the same id (Python gives tensors new ids). Later producers come first:
    // outer functions after inner ones, and who writes in place after who made it.
    void join_mentions() {
        std::vector<std::uint32_t> buffer_of(list_.size(), kNoIndex);
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (list_.nodes[node].kind != NodeKind::kBuffer) continue;
            for (const std::int64_t target : list_.connections(node))
                if (is(target, NodeKind::kTensor)) buffer_of[index_of(target)] = node;
        }
        std::unordered_map<std::int64_t, std::uint32_t> by_id;
        std::unordered_map<std::uint32_t, std::uint32_t> by_buffer;
        for (std::size_t node = 0; node < list_.size(); ++node) {
            const NodeList::Tensor* tensor = list_.tensor(node);
            if (tensor == nullptr) continue;
            const bool has_id = tensor->tensor_id.given();
            const std::int64_t id = tensor->tensor_id.value_or(0);
            if (producer_[node] != kNoIndex) {
                if (has_id) by_id[id] = producer_[node];
                if (buffer_of[node] != kNoIndex) by_buffer[buffer_of[node]] = producer_[node];
                continue;
            }
            if (const auto known = by_buffer.find(buffer_of[node]); known != by_buffer.end())
                producer_[node] = known->second;
            else if (const auto same = by_id.find(id); has_id && same != by_id.end())
                producer_[node] = same->second;
        }
    }

    // The deepest vertex around each function.
    std::vector<std::uint32_t> visible_vertices(const Scopes& scopes) const {
        std::vector<std::uint32_t> visible(scopes.scopes.size(), kNoIndex);
        for (std::size_t scope = 0; scope < scopes.scopes.size(); ++scope) {
            const Scope& it = scopes.scopes[scope];
            visible[scope] = vertex_of_[it.start];
            if (visible[scope] == kNoIndex && it.parent != kNoIndex) visible[scope] = visible[it.parent];
        }
        return visible;
    }

    // Between the deepest vertices around who produced a tensor and who takes it.
    void add_joined_edges() {
        const Scopes scopes = find_scopes(list_);
        const std::vector<std::uint32_t> visible = visible_vertices(scopes);
        std::unordered_set<std::uint64_t> known;
        for (const Scope& scope : scopes.scopes) {
            const NodeList::Function* function = list_.function(scope.start);
            const std::uint32_t consumer = visible[scopes.of_node[scope.start]];
            if (function == nullptr || consumer == kNoIndex) continue;
            for (const std::int64_t tensor : list_.of_pool(function->input_tensors)) {
                if (!is(tensor, NodeKind::kTensor)) continue;
                const std::uint32_t end = producer_[index_of(tensor)];
                std::uint32_t source = vertex_of_[index_of(tensor)];
                if (end != kNoIndex && scopes.of_node[end] != kNoIndex) source = visible[scopes.of_node[end]];
                if (source == kNoIndex || source == consumer ||
                    is_around(vertices_[source].node, vertices_[consumer].node))
                    continue;
                if (!known.insert(std::uint64_t{source} << 32U | consumer).second) continue;
                vertices_[source].out_edges.push_back(consumer);
                vertices_[consumer].in_edges.push_back(source);
            }
        }
    }

    // One of two functions lies in the other.
    bool is_around(std::uint32_t a, std::uint32_t b) const {
        const auto holds = [this](std::uint32_t outer, std::uint32_t inner) {
            return end_of_[outer] != kNoIndex && outer < inner && inner < end_of_[outer];
        };
        return holds(a, b) || holds(b, a);
    }

    void add_vertices() {
        vertex_of_.assign(list_.size(), kNoIndex);
        for (std::uint32_t node = 0; node < list_.size(); ++node)
            if (list_.nodes[node].kind == NodeKind::kTensor && levels_[node] == 1) add_vertex(node, 1);
        first_operation_ = vertices_.size();
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (list_.nodes[node].kind != NodeKind::kFunctionStart || levels_[node] > max_level_) continue;
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
            if (list_.nodes[node].kind != NodeKind::kTensor || vertex_of_[node] != kNoIndex) continue;
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
            if (end_of_[vertex.node] == kNoIndex) continue;
            for (const std::int64_t target : list_.connections(end_of_[vertex.node])) {
                if (!is(target, NodeKind::kTensor)) continue;
                const NodeList::Tensor* tensor = list_.tensor(index_of(target));
                if (tensor == nullptr || tensor->shape == TextRef::kNone) continue;
                auto& shapes = vertex.output_shape;
                if (std::find(shapes.begin(), shapes.end(), tensor->shape) == shapes.end())
                    shapes.push_back(tensor->shape);
            }
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
    const Joining joining_;
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
    if (list.nodes[node].kind == NodeKind::kFunctionStart) return std::string(list.name(node));
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
    internal::refuse_as_ttnn(list, internal::TtnnAnalysis::kLevelizedGraph, max_level);
    return Levelizer(list, max_level, joining).run();
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
        const NodeKind kind = list.nodes[node].kind;
        if (kind == NodeKind::kFunctionStart) ++depth;
        levels[node] = kind == NodeKind::kTensor && just_ended != 0 ? just_ended : depth;
        if (kind != NodeKind::kTensor) just_ended = 0;
        if (kind == NodeKind::kFunctionEnd && depth > 0) just_ended = depth--;
    }
    return levels;
}

}  // namespace tilemeter::graph
