// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/lazy.hpp"

#include <unordered_map>
#include <utility>

#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/arrays/internal/structure_cache.hpp"
#include "runtime/trace/calls/call_operations.hpp"

namespace tilemeter::trace {

using internal::ArrayAccess;
using internal::Node;
using internal::ValueKey;
using ir::Constant;
using ir::ValueId;

namespace {

std::atomic<std::uint64_t> g_runs = 0;

internal::StructureCache& cache() {
    constexpr std::uint64_t kMostBytes = 64 << 20;
    static internal::StructureCache cache(kMostBytes);
    return cache;
}

/// The pending operations that some arrays need, as a graph.
class Cut {
public:
    explicit Cut(std::span<const Array* const> arrays) {
        for (const Array* const array : arrays) {
            if (array->is_traced()) internal::require_open(*array, "eval");
            if (array->state() != Array::State::kPending) continue;
            visit(ArrayAccess::shared_node(*array));
        }
        for (const auto& node : order_)
            append(*node);
    }

    /// The values of one array in the graph.
    ValueId operator()(const Array& array) {
        if (ArrayAccess::is_literal(array))
            return graph_.add_const(ArrayAccess::literal(array, ArrayAccess::literal_element(array)));
        const Node& node = ArrayAccess::node(array);
        const std::size_t result = ArrayAccess::result(array);
        if (!node.is_evaluated()) return static_cast<ValueId>(index_of(first_.at(&node)) + result);
        const auto [known, is_new] = inputs_.try_emplace(ArrayAccess::key(array));
        if (is_new) {
            known->second =
                graph_.add_input("x" + std::to_string(values_.size()), node.values[result].type());
            values_.push_back(node.values[result]);
        }
        return known->second;
    }

    ir::Graph& graph() { return graph_; }
    [[nodiscard]] const std::vector<Constant>& values() const { return values_; }
    [[nodiscard]] std::span<const std::shared_ptr<Node>> nodes() const { return order_; }
    [[nodiscard]] ValueId first(const Node& node) const { return first_.at(&node); }

    /// Operations whose results somebody needs: those asked for, and those with handles outside of the cut.
    std::vector<std::shared_ptr<Node>> wanted(std::span<const Array* const> arrays) {
        std::unordered_map<const Node*, long> inside;
        for (const auto& node : order_)
            for (const Array& operand : node->operands)
                if (ArrayAccess::is_node(operand)) ++inside[&ArrayAccess::node(operand)];
        for (const Array* const array : arrays)
            if (ArrayAccess::is_node(*array)) inside[&ArrayAccess::node(*array)] = -1;
        std::vector<std::shared_ptr<Node>> wanted;
        for (const auto& node : order_)
            // One more is the list's.
            if (const long count = inside[node.get()]; count < 0 || node.use_count() > count + 1)
                wanted.push_back(node);
        return wanted;
    }

private:
    // Depth first, without recursion: operands come before what uses them.
    void visit(std::shared_ptr<Node> root) {
        struct Visited {
            std::shared_ptr<Node> node;
            std::size_t next = 0;
        };
        if (!first_.try_emplace(root.get()).second) return;
        std::vector<Visited> steps;
        steps.push_back({std::move(root)});
        while (!steps.empty()) {
            Visited& top = steps.back();
            if (top.next == top.node->operands.size()) {
                order_.push_back(std::move(top.node));
                steps.pop_back();
                continue;
            }
            const Array& operand = top.node->operands[top.next++];
            if (operand.state() != Array::State::kPending) continue;
            std::shared_ptr<Node> node = ArrayAccess::shared_node(operand);
            if (first_.try_emplace(node.get()).second) steps.push_back({std::move(node)});
        }
    }

    void append(const Node& node) {
        operands_.clear();
        for (const Array& operand : node.operands)
            operands_.push_back((*this)(operand));
        first_[&node] = graph_
                            .append(node.operation->name, operands_, node.types, node.attributes,
                                    node.subgraphs, node.location)
                            .first;
    }

    ir::Graph graph_{"lazy", std::string(kCall)};
    std::vector<Constant> values_;  ///< of the parameters
    std::vector<std::shared_ptr<Node>> order_;
    std::unordered_map<const Node*, ValueId> first_;  ///< the node's first result
    std::unordered_map<ValueKey, ValueId, internal::ValueKeyHash> inputs_;
    std::vector<ValueId> operands_;
};

std::vector<Constant> run(const ir::Graph& graph, std::span<const Constant> values) {
    // Custom operations compute with arrays, too.
    const internal::FramePause pause;
    g_runs.fetch_add(1, std::memory_order_relaxed);
    return cache().run(graph, values);
}

}  // namespace

namespace internal {

void evaluate_pending(std::span<const Array* const> arrays) {
    Cut cut(arrays);
    if (cut.nodes().empty()) return;
    const std::vector<std::shared_ptr<Node>> wanted = cut.wanted(arrays);
    std::vector<ValueId> results;
    for (const auto& node : wanted)
        for (std::size_t i = 0; i < node->types.size(); ++i)
            results.push_back(static_cast<ValueId>(index_of(cut.first(*node)) + i));
    cut.graph().set_results(results);
    std::vector<Constant> values = run(cut.graph(), cut.values());
    auto next = std::make_move_iterator(values.begin());
    for (const auto& node : wanted) {
        const auto count = static_cast<std::ptrdiff_t>(node->types.size());
        node->set_values(std::vector<Constant>(next, next + count));
        next += count;
    }
}

std::vector<Constant> compute(const ir::Operation& operation, std::span<const Constant> operands,
                              std::span<const ir::TensorType> types, const ir::Attributes& attributes,
                              std::span<const ir::Subgraph> subgraphs) {
    ir::Graph graph(operation.name, std::string(kCall));
    std::vector<ValueId> ids;
    for (const Constant& operand : operands)
        ids.push_back(graph.add_input("x" + std::to_string(ids.size()), operand.type()));
    const ir::ValueRange range = graph.append(operation.name, ids, types, attributes, subgraphs);
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < range.size(); ++i)
        results.push_back(range[i]);
    graph.set_results(results);
    return run(graph, operands);
}

}  // namespace internal

void eval(std::span<const Array> arrays) {
    std::vector<const Array*> pointers;
    for (const Array& array : arrays)
        pointers.push_back(&array);
    internal::evaluate_pending(pointers);
}

ir::Graph pending_graph(std::span<const Array> arrays) {
    std::vector<const Array*> pointers;
    for (const Array& array : arrays)
        pointers.push_back(&array);
    Cut cut(pointers);
    std::vector<ValueId> results;
    for (const Array& array : arrays)
        results.push_back(cut(array));
    cut.graph().set_results(results);
    return std::move(cut.graph());
}

LazyStatistics lazy_statistics() {
    return {Node::live.load(std::memory_order_relaxed), g_runs.load(std::memory_order_relaxed),
            cache().compiled(), cache().held_bytes()};
}

void clear_lazy_cache() {
    cache().clear();
}

}  // namespace tilemeter::trace
