// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Equations that do more than compute their results.
//
// Thread safety: outside locking.

#pragma once

#include <unordered_map>
#include <vector>

#include "capture/ir/graph.hpp"
#include "capture/ir/operation_set.hpp"

namespace tilemeter::ir {

/// Remembers the answer for each subgraph, so that one that is shared is looked at once. Operations that the set
/// does not have count as having effects: nothing is known of them.
class EffectFinder {
public:
    explicit EffectFinder(const OperationSet& set) : set_(&set) {}

    /// Effects of the operation itself or of an equation in its subgraphs.
    bool has_effects(const Equation& equation);
    bool has_effects(const Graph& graph);

private:
    const OperationSet* set_;
    std::unordered_map<const Graph*, bool> known_;
};

}  // namespace tilemeter::ir
