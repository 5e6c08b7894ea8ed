// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/internal/extract.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "capture/ir/copier.hpp"

namespace tilemeter::trace::internal {

using ir::Equation;
using ir::Graph;
using ir::ValueId;

std::vector<PartParam> part_params(std::span<const ValueId> values, const std::string& name) {
    std::vector<PartParam> params;
    for (const ValueId value : values)
        params.push_back({value, {}, name});
    return params;
}

Graph extract(const Graph& from, std::span<const PartParam> params, std::span<const ValueId> results) {
    Graph to = graph_like(from);
    ir::GraphCopier copier(from, to);
    std::vector<bool> is_needed(from.value_count());
    for (const ValueId result : results)
        is_needed[index_of(result)] = true;
    std::unordered_set<std::string> names;
    for (const PartParam& param : params) {
        std::string wanted(param.value ? from.name_of(*param.value) : std::string_view());
        if (wanted.empty()) wanted = param.name;
        std::string name = wanted;
        for (int number = 1; !names.insert(name).second; ++number)
            name = wanted + "_" + std::to_string(number);
        const ValueId input = to.add_input(name, param.value ? from.type(*param.value) : param.type);
        // A value that is given twice is the first of both.
        if (param.value && !copier.is_mapped(*param.value)) copier.map(*param.value, input);
    }
    std::vector<bool> is_kept(from.equation_count());
    for (std::size_t i = from.equation_count(); i-- > 0;) {
        const Equation equation = from.equation(i);
        const ir::ValueRange defined = equation.results();
        for (std::size_t k = 0; k < defined.size(); ++k)
            is_kept[i] = is_kept[i] || (is_needed[index_of(defined[k])] && !copier.is_mapped(defined[k]));
        if (!is_kept[i]) continue;
        for (const ValueId operand : equation.operands())
            is_needed[index_of(operand)] = true;
    }
    const auto kept = static_cast<std::size_t>(std::ranges::count(is_kept, true));
    to.reserve(kept, 2 * kept);
    for (std::size_t i = 0; i < from.equation_count(); ++i) {
        if (!is_kept[i]) continue;
        const Equation equation = from.equation(i);
        const ir::ValueRange defined = equation.results();
        // Results that are parameters of the part stay parameters.
        std::vector<std::pair<ValueId, ValueId>> given;
        for (std::size_t k = 0; k < defined.size(); ++k)
            if (copier.is_mapped(defined[k])) given.emplace_back(defined[k], copier(defined[k]));
        copier.copy(equation);
        for (const auto& [value, input] : given)
            copier.map(value, input);
    }
    to.set_results(copier(results));
    return to;
}

ir::GraphPtr shared(Graph graph) {
    return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace tilemeter::trace::internal
