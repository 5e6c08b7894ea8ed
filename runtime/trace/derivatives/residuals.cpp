// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "runtime/trace/derivatives/internal/differentiator.hpp"

namespace tilemeter::trace::internal {

using ir::Equation;
using ir::Graph;

std::vector<ValueId> residuals_of(const Joint& joint, std::span<const ValueId> results, const Mask& varying) {
    const Graph& graph = joint.graph;
    Mask depends(graph.value_count());
    Mask is_param(graph.value_count());
    for (std::size_t i = 0; i < joint.params.size(); ++i) {
        depends[index_of(joint.params[i])] = varying[i];
        is_param[index_of(joint.params[i])] = true;
    }
    const auto is_primal = [&](std::size_t equation) {
        return equation < joint.is_primal.size() && joint.is_primal[equation];
    };
    for (const Equation equation : graph.equations()) {
        if (!is_primal(equation.index())) continue;
        const bool any = std::ranges::any_of(equation.operands(),
                                             [&](ValueId operand) { return depends[index_of(operand)]; });
        for (std::size_t i = 0; any && i < equation.results().size(); ++i)
            depends[index_of(equation.results()[i])] = true;
    }
    Mask is_needed(graph.value_count());
    for (const ValueId result : results)
        is_needed[index_of(result)] = true;
    Mask is_residual(graph.value_count());
    for (std::size_t i = graph.equation_count(); i-- > 0;) {
        const Equation equation = graph.equation(i);
        bool goes_on = false;
        for (std::size_t k = 0; k < equation.results().size(); ++k) {
            const std::size_t value = index_of(equation.results()[k]);
            if (!is_needed[value]) continue;
            if (is_primal(i) && depends[value])
                is_residual[value] = true;
            else
                goes_on = true;
        }
        if (!goes_on) continue;
        for (const ValueId operand : equation.operands())
            is_needed[index_of(operand)] = true;
    }
    std::vector<ValueId> residuals;
    for (std::size_t value = 0; value < is_needed.size(); ++value)
        if (is_residual[value] || (is_needed[value] && is_param[value]))
            residuals.push_back(static_cast<ValueId>(value));
    return residuals;
}

std::vector<ValueId> present(std::span<const Tangent> tangents) {
    std::vector<ValueId> all;
    for (const Tangent& tangent : tangents)
        if (tangent) all.push_back(*tangent);
    return all;
}

Mask mask_of(std::span<const Tangent> tangents) {
    Mask mask;
    for (const Tangent& tangent : tangents)
        mask.push_back(tangent.has_value());
    return mask;
}

}  // namespace tilemeter::trace::internal
