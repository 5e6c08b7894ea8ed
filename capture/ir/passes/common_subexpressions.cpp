// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/copier.hpp"
#include "capture/ir/effects.hpp"
#include "capture/ir/internal/hash.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/internal/graph_pass.hpp"
#include "capture/ir/passes/passes.hpp"

namespace tilemeter::ir {

namespace {

using internal::hashed;

/// Constants and subgraphs of which one is kept for all that are equal.
template <class T, class Equal>
class Representatives {
public:
    explicit Representatives(Equal are_equal) : are_equal_(std::move(are_equal)) {}

    const T& of(std::uint64_t hash, const T& value) {
        const auto [first, last] = known_.equal_range(hash);
        for (auto known = first; known != last; ++known)
            if (are_equal_(known->second, value)) return known->second;
        return known_.emplace(hash, value)->second;
    }

private:
    Equal are_equal_;
    std::unordered_multimap<std::uint64_t, T> known_;
};

bool equal_graphs(const GraphPtr& a, const GraphPtr& b) {
    return equal(*a, *b, Detail::kStructure);
}

class CommonSubexpressions final : public internal::GraphPass {
public:
    explicit CommonSubexpressions(const OperationSet& set) : effects_(set) {}

private:
    using GraphPass::run;

    static constexpr std::uint32_t kFree = ~std::uint32_t{0};
    struct Slot {
        std::uint32_t hash = 0;  ///< its high half: few others have to be compared
        std::uint32_t equation = kFree;
    };

    Graph run(const Graph& graph) override {
        Graph to = graph_like(graph);
        GraphCopier copier(graph, to);
        copier.copy_params();
        merge_constants(graph, copier, to);
        // Equations of `graph` that were copied, in a hash table with open addressing: half of it stays free.
        std::vector<Slot> slots(std::bit_ceil(graph.equation_count() * 2 + 2));
        std::vector<Subgraph> subgraphs;
        for (const Equation equation : graph.equations()) {
            run_subgraphs(equation, subgraphs);
            if (effects_.has_effects(equation)) {
                copier.copy(equation, subgraphs);
                continue;
            }
            const std::uint64_t hash = hash_of_equation(equation, subgraphs, copier);
            const auto high = static_cast<std::uint32_t>(hash >> 32);
            std::size_t slot = hash & (slots.size() - 1);
            while (slots[slot].equation != kFree &&
                   (slots[slot].hash != high ||
                    !are_common(graph.equation(slots[slot].equation), equation, copier)))
                slot = (slot + 1) & (slots.size() - 1);
            if (slots[slot].equation == kFree) {
                slots[slot] = {high, static_cast<std::uint32_t>(equation.index())};
                copier.copy(equation, subgraphs);
                continue;
            }
            change();
            const ValueRange kept = graph.equation(slots[slot].equation).results();
            for (std::size_t i = 0; i < kept.size(); ++i)
                copier.map(equation.results()[i], copier(kept[i]));
        }
        copier.copy_results();
        return to;
    }

    // Maps each constant to the first that equals it.
    void merge_constants(const Graph& graph, GraphCopier& copier, Graph& to) {
        Representatives<Constant, std::equal_to<>> representatives{{}};
        if (graph.constants().size() < 2) return;
        for (std::size_t i = 0; i < graph.value_count(); ++i) {
            const auto value = static_cast<ValueId>(i);
            const Constant* const constant = graph.constant(value);
            if (constant == nullptr) continue;
            const Constant& kept = representatives.of(hash_of(*constant), *constant);
            if (&kept != constant && kept.storage() != constant->storage())
                copier.map(value, to.add_const(kept));
        }
    }

    static std::uint64_t hash_of_equation(const Equation& equation, std::span<const Subgraph> subgraphs,
                                          GraphCopier& copier) {
        std::uint64_t hash = hashed(equation.operation_number(), equation.attributes_number());
        for (const ValueId operand : equation.operands())
            hash = hashed(hash, index_of(copier(operand)));
        for (const Subgraph& each : subgraphs)
            hash = hashed(hashed(hash, each.name), reinterpret_cast<std::uintptr_t>(each.graph.get()));
        return hash;
    }

    // Numbers of interned things can be compared, since both equations are of one graph.
    bool are_common(const Equation& a, const Equation& b, GraphCopier& copier) {
        const Graph& graph = a.graph();
        if (a.operation_number() != b.operation_number() || a.attributes_number() != b.attributes_number() ||
            a.results().size() != b.results().size())
            return false;
        for (std::size_t i = 0; i < a.results().size(); ++i)
            if (graph.type_number(a.results()[i]) != graph.type_number(b.results()[i])) return false;
        return std::ranges::equal(a.operands(), b.operands(),
                                  [&](ValueId x, ValueId y) { return copier(x) == copier(y); }) &&
               std::ranges::equal(a.subgraphs(), b.subgraphs(), [&](const Subgraph& x, const Subgraph& y) {
                   return x.name == y.name && run(x.graph) == run(y.graph);
               });
    }

    // Equal subgraphs become one graph, so that their addresses can be compared.
    GraphPtr representative_of(GraphPtr graph) override {
        return subgraphs_.of(structural_hash(*graph), graph);
    }

    EffectFinder effects_;
    Representatives<GraphPtr, bool (*)(const GraphPtr&, const GraphPtr&)> subgraphs_{equal_graphs};
};

}  // namespace

PassResult merge_common_subexpressions(const Graph& graph, const OperationSet& set) {
    return CommonSubexpressions(set).result_of(graph, set);
}

}  // namespace tilemeter::ir
