// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/effects.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes/internal/graph_pass.hpp"
#include "capture/ir/passes/passes.hpp"

namespace tilemeter::ir {

namespace {

using Mask = std::vector<bool>;

/// The results that an equation keeps, and the arguments of its subgraphs: operands without the choice.
struct Kept {
    Mask results;
    Mask arguments;
};

bool all(const Mask& mask) {
    return std::ranges::find(mask, false) == mask.end();
}

Mask all_of(std::size_t count) {
    return Mask(count, true);
}

void unite(Mask& to, const Mask& from) {
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = to[i] || from[i];
}

std::size_t count(const Mask& mask, std::size_t from, std::size_t size) {
    const auto first = mask.begin() + static_cast<std::ptrdiff_t>(from);
    return static_cast<std::size_t>(std::count(first, first + static_cast<std::ptrdiff_t>(size), true));
}

class DeadCode {
public:
    explicit DeadCode(const OperationSet& set) : set_(set), effects_(set) {}

    /// REQUIRES: equations are sorted, also those of subgraphs
    Graph run(const Graph& graph) {
        bool is_same = true;
        return pruned(graph, all_of(graph.results().size()), all_of(graph.params().size()), is_same);
    }

    /// Equations that went or lost results or arguments.
    std::uint64_t changed = 0;

private:
    /// The values that somebody needs if these results of the graph are needed: equations from last to first.
    const Mask& live_values(const Graph& graph, const Mask& results) {
        const auto key = std::make_pair(&graph, results);
        if (const auto found = live_.find(key); found != live_.end()) return found->second;
        const auto operations = operations_of(graph, set_);
        Mask live(graph.value_count());
        for (std::size_t i = 0; i < results.size(); ++i)
            if (results[i]) live[index_of(graph.results()[i])] = true;
        for (std::size_t index = graph.equation_count(); index-- > 0;) {
            const Equation equation = graph.equation(index);
            if (!is_live(equation, live)) continue;
            const Operation* const operation = operations[equation.operation_number()];
            if (operation == nullptr || operation->control == Control::kNone) {
                for (const ValueId operand : equation.operands())
                    live[index_of(operand)] = true;
                continue;
            }
            const Kept kept = kept_of(equation, operation->control, live);
            const std::size_t choice = equation.operands().size() - kept.arguments.size();
            for (std::size_t i = 0; i < equation.operands().size(); ++i)
                if (i < choice || kept.arguments[i - choice]) live[index_of(equation.operands()[i])] = true;
        }
        return live_.emplace(key, std::move(live)).first->second;
    }

    bool is_live(const Equation& equation, const Mask& live) {
        const ValueRange results = equation.results();
        for (std::size_t i = 0; i < results.size(); ++i)
            if (live[index_of(results[i])]) return true;
        return effects_.has_effects(equation);
    }

    /// The parameters of a subgraph that matter if these of its results do.
    Mask used_params(const Graph& graph, const Mask& results) {
        const Mask& live = live_values(graph, results);
        Mask used;
        used.reserve(graph.params().size());
        for (const ValueId param : graph.params())
            used.push_back(live[index_of(param)]);
        return used;
    }

    Kept kept_of(const Equation& equation, Control control, const Mask& live) {
        Kept kept;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            kept.results.push_back(live[index_of(equation.results()[i])]);
        const auto parts = control_operands(control, equation.operands().size(), equation.attributes());
        kept.arguments.resize(equation.operands().size() - parts.choice);
        if (control == Control::kCall || control == Control::kBranch) {
            for (const Subgraph& each : equation.subgraphs())
                unite(kept.arguments, used_params(*each.graph, kept.results));
            return kept;
        }
        // A loop. What its condition uses is needed, and what a carried value depends on that is needed: until
        // no more values are.
        if (control == Control::kWhile)
            unite(kept.arguments, used_params(*equation.subgraph(kCond), all_of(1)));
        for (bool more = true; more;) {
            unite(kept.arguments, used_params(*equation.subgraph(kBody), kept.results));
            more = false;
            for (std::size_t i = 0; i < parts.carry; ++i) {
                const std::size_t argument = parts.consts + i;
                more = more || (kept.arguments[argument] && !kept.results[i]);
                const bool keep = kept.arguments[argument] || kept.results[i];
                kept.arguments[argument] = kept.results[i] = keep;
            }
        }
        return kept;
    }

    /// Clears `is_same` where something went.
    Graph pruned(const Graph& graph, const Mask& results, const Mask& params, bool& is_same) {
        is_same = is_same && all(results) && all(params);
        const Mask& live = live_values(graph, results);
        const auto operations = operations_of(graph, set_);
        Graph to = graph_like(graph);
        GraphCopier copier(graph, to);
        for (std::size_t i = 0; i < params.size(); ++i)
            if (params[i]) copier.copy_param(graph.params()[i]);
        for (const Equation equation : graph.equations()) {
            if (!is_live(equation, live)) {
                ++changed;
                is_same = false;
                continue;
            }
            const Operation* const operation = operations[equation.operation_number()];
            if (operation == nullptr || operation->control == Control::kNone)
                copier.copy(equation);
            else
                copy_holder(equation, operation->control, kept_of(equation, operation->control, live), copier,
                            to, is_same);
        }
        std::vector<ValueId> kept;
        for (std::size_t i = 0; i < results.size(); ++i)
            if (results[i]) kept.push_back(copier(graph.results()[i]));
        to.set_results(kept);
        return to;
    }

    void copy_holder(const Equation& equation, Control control, const Kept& kept, GraphCopier& copier,
                     Graph& to, bool& is_same) {
        std::vector<Subgraph> subgraphs;
        for (const Subgraph& each : equation.subgraphs()) {
            const bool is_condition = control == Control::kWhile && each.name == kCond;
            subgraphs.push_back(
                {each.name, pruned(each.graph, is_condition ? all_of(1) : kept.results, kept.arguments)});
            is_same = is_same && subgraphs.back().graph == each.graph;
        }
        if (!all(kept.results) || !all(kept.arguments)) {
            ++changed;
            is_same = false;
        }
        const std::size_t choice = equation.operands().size() - kept.arguments.size();
        std::vector<ValueId> operands;
        for (std::size_t i = 0; i < equation.operands().size(); ++i)
            if (i < choice || kept.arguments[i - choice]) operands.push_back(copier(equation.operands()[i]));
        std::vector<TensorType> types;
        for (std::size_t i = 0; i < kept.results.size(); ++i)
            if (kept.results[i]) types.push_back(equation.graph().type(equation.results()[i]));

        Attributes attributes = equation.attributes();
        const auto parts = control_operands(control, equation.operands().size(), attributes);
        const auto set_count = [&](std::string_view name, std::size_t from, std::size_t size) {
            if (attributes.find(name) != nullptr)
                attributes.set(name, static_cast<std::int64_t>(count(kept.arguments, from, size)));
        };
        if (control == Control::kWhile || control == Control::kScan)
            set_count(kConstsAttribute, 0, parts.consts);
        if (control == Control::kScan) set_count(kCarryAttribute, parts.consts, parts.carry);

        const ValueRange after =
            to.append(equation.operation(), operands, types, attributes, subgraphs, equation.location());
        std::size_t next = 0;
        for (std::size_t i = 0; i < kept.results.size(); ++i)
            if (kept.results[i]) copier.map(equation.results()[i], after[next++]);
    }

    GraphPtr pruned(const GraphPtr& graph, const Mask& results, const Mask& params) {
        auto& known = pruned_[std::make_pair(graph.get(), std::make_pair(results, params))];
        if (known != nullptr) return known;
        bool is_same = true;
        Graph made = pruned(*graph, results, params, is_same);
        // The table may have grown meanwhile, but std::map leaves its entries where they are.
        known = is_same ? graph : std::make_shared<const Graph>(std::move(made));
        return known;
    }

    const OperationSet& set_;
    EffectFinder effects_;
    std::map<std::pair<const Graph*, Mask>, Mask> live_;
    std::map<std::pair<const Graph*, std::pair<Mask, Mask>>, GraphPtr> pruned_;
};

}  // namespace

PassResult remove_dead_code(const Graph& graph, const OperationSet& set) {
    DeadCode dead_code(set);
    std::optional<Graph> storage;
    Graph pruned = dead_code.run(in_order(graph, set, storage));
    return internal::pass_result(graph, std::move(pruned), dead_code.changed);
}

}  // namespace tilemeter::ir
