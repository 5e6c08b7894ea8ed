// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/effects.hpp"

#include <algorithm>

namespace tilemeter::ir {

bool EffectFinder::has_effects(const Equation& equation) {
    const Operation* const operation = set_->find(equation.operation());
    if (operation == nullptr || operation->effects != Effects::kNone) return true;
    return std::ranges::any_of(equation.subgraphs(),
                               [&](const Subgraph& each) { return has_effects(*each.graph); });
}

bool EffectFinder::has_effects(const Graph& graph) {
    if (const auto found = known_.find(&graph); found != known_.end()) return found->second;
    const auto operations = operations_of(graph, *set_);
    bool has = std::ranges::any_of(operations, [](const Operation* operation) {
        return operation == nullptr || operation->effects != Effects::kNone;
    });
    if (!has && graph.depth() > 1)
        for (const Equation equation : graph.equations())
            has = has || std::ranges::any_of(equation.subgraphs(),
                                             [&](const Subgraph& each) { return has_effects(*each.graph); });
    known_.emplace(&graph, has);
    return has;
}

}  // namespace tilemeter::ir
