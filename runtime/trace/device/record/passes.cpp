// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace {

std::vector<Pass> passes_of(const ir::Graph& graph) {
    std::vector<Pass> passes;
    std::vector<bool> is_marked;
    bool has_backward = false;
    for (const ir::Equation equation : graph.equations()) {
        const ir::Attribute* const mark = equation.attributes().find(kPassAttribute);
        const auto* const text = mark == nullptr ? nullptr : std::get_if<std::string>(mark);
        const bool is_backward = text != nullptr && *text == name_of(Pass::kBackward);
        is_marked.push_back(is_backward || (text != nullptr && *text == name_of(Pass::kForward)));
        passes.push_back(is_backward ? Pass::kBackward : Pass::kForward);
        has_backward = has_backward || is_backward;
    }
    if (!has_backward) return passes;

    // Down: what reads gradients, or what was made of them. A new record's way forward may read updated weights.
    std::unordered_set<ir::ValueId> of_gradients;
    for (const ir::Equation equation : graph.equations()) {
        const std::size_t i = equation.index();
        if (!is_marked[i]) {
            const bool reads = std::ranges::any_of(
                equation.operands(), [&](ir::ValueId each) { return of_gradients.contains(each); });
            passes[i] = reads ? Pass::kOptimizer : Pass::kUnknown;
        }
        if (passes[i] == Pass::kBackward || passes[i] == Pass::kOptimizer)
            for (std::size_t each = 0; each < equation.results().size(); ++each)
                of_gradients.insert(equation.results()[each]);
    }

    // Up: what the others only prepare is of the first pass that reads it.
    std::unordered_map<ir::ValueId, Pass> readers;
    for (std::size_t i = passes.size(); i-- > 0;) {
        const ir::Equation equation = graph.equations()[i];
        if (passes[i] == Pass::kUnknown)
            for (std::size_t each = 0; each < equation.results().size(); ++each)
                if (const auto reader = readers.find(equation.results()[each]); reader != readers.end())
                    passes[i] = std::min(passes[i], reader->second);
        if (passes[i] == Pass::kUnknown) continue;
        for (const ir::ValueId each : equation.operands()) {
            const auto [reader, is_new] = readers.try_emplace(each, passes[i]);
            if (!is_new) reader->second = std::min(reader->second, passes[i]);
        }
    }
    return passes;
}

}  // namespace tilemeter::trace
