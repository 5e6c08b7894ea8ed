// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/order.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "capture/ir/copier.hpp"
#include "capture/ir/effects.hpp"
#include "capture/ir/error.hpp"

namespace tilemeter::ir {

namespace {

using Index = std::uint32_t;

/// The equation whose result an operand is, or none. Undefined operands have none either.
bool producer_of(const Graph& graph, ValueId operand, Index& producer) {
    if (!graph.has(operand)) return false;
    const Definition definition = graph.definition(operand);
    producer = definition.index;
    return definition.kind == ValueKind::kResult;
}

/// The users of results: the users of equation i are users[first[i]] to users[first[i + 1]], once for each use. Of
/// `neighbours` each is used by the next as well.
class Uses {
public:
    Uses(const Graph& graph, const std::vector<Index>& neighbours) {
        const std::size_t count = graph.equation_count();
        pending.assign(count, 0);
        first.assign(count + 1, 0);
        const auto each_use = [&](const auto& visit) {
            Index producer = 0;
            for (const Equation equation : graph.equations())
                for (const ValueId operand : equation.operands())
                    if (producer_of(graph, operand, producer))
                        visit(producer, static_cast<Index>(equation.index()));
            for (std::size_t i = 1; i < neighbours.size(); ++i)
                visit(neighbours[i - 1], neighbours[i]);
        };
        each_use([&](Index producer, Index user) {
            ++first[producer + 1];
            ++pending[user];
        });
        std::partial_sum(first.begin(), first.end(), first.begin());
        users.resize(first.back());
        std::vector<Index> next(first.begin(), first.end() - 1);
        each_use([&](Index producer, Index user) { users[next[producer]++] = user; });
    }

    std::vector<Index> pending;  ///< of each equation, how many of its operands are not computed yet
    std::vector<Index> first;
    std::vector<Index> users;
};

/// Sorted as far as possible: what is missing from the result is on a cycle or behind one.
std::vector<Index> sorted(const Graph& graph, const std::vector<Index>& neighbours,
                          std::vector<Index>& pending) {
    Uses uses(graph, neighbours);
    std::vector<Index> order;
    order.reserve(graph.equation_count());
    std::vector<Index> ready;
    for (Index next = 0; next < graph.equation_count(); ++next) {
        if (uses.pending[next] != 0) continue;
        ready.push_back(next);
        while (!ready.empty()) {
            const Index equation = ready.back();
            ready.pop_back();
            order.push_back(equation);
            for (Index use = uses.first[equation]; use < uses.first[equation + 1]; ++use) {
                const Index user = uses.users[use];
                // A later one is met when its turn comes.
                if (--uses.pending[user] == 0 && user < next) ready.push_back(user);
            }
        }
    }
    pending = std::move(uses.pending);
    return order;
}

/// One cycle among the equations that are still pending: each of them uses one that is pending as well.
std::vector<Index> cycle_among(const Graph& graph, const std::vector<Index>& pending) {
    const auto start = std::ranges::find_if(pending, [](Index count) { return count != 0; });
    std::vector<Index> path;
    std::unordered_map<Index, std::size_t> place;
    auto equation = static_cast<Index>(start - pending.begin());
    while (place.emplace(equation, path.size()).second) {
        path.push_back(equation);
        for (const ValueId operand : graph.equation(equation).operands()) {
            Index producer = 0;
            if (!producer_of(graph, operand, producer) || pending[producer] == 0) continue;
            equation = producer;
            break;
        }
    }
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(place[equation]));
    return path;
}

std::string text_of_cycle(const Graph& graph, const std::vector<Index>& cycle) {
    constexpr std::size_t kNamed = 8;
    std::string text = "found a cycle: ";
    for (std::size_t i = 0; i < std::min(cycle.size(), kNamed); ++i)
        text +=
            "equation " + std::to_string(cycle[i]) + " (" + graph.equation(cycle[i]).operation() + ") uses ";
    if (cycle.size() > kNamed)
        text += "... " + std::to_string(cycle.size() - kNamed) + " more, the last uses ";
    return text + "equation " + std::to_string(cycle.front());
}

bool is_ordered_throughout(const Graph& graph, std::unordered_set<const Graph*>& seen) {
    if (!seen.insert(&graph).second) return true;
    if (!is_ordered(graph)) return false;
    if (graph.depth() == 1) return true;
    return std::ranges::all_of(graph.equations(), [&](const Equation& equation) {
        return std::ranges::all_of(equation.subgraphs(), [&](const Subgraph& each) {
            return is_ordered_throughout(*each.graph, seen);
        });
    });
}

GraphPtr ordered_subgraph(const GraphPtr& graph, const OperationSet& set,
                          std::unordered_map<const Graph*, GraphPtr>& known);

Graph ordered_graph(const Graph& graph, const OperationSet& set,
                    std::unordered_map<const Graph*, GraphPtr>& known) {
    Graph to = graph_like(graph);
    to.reserve(graph.equation_count(), graph.equation_count());
    GraphCopier copier(graph, to);
    copier.copy_params();
    std::vector<Subgraph> subgraphs;
    for (const Index index : topological_order(graph, set)) {
        const Equation equation = graph.equation(index);
        subgraphs.clear();
        for (const Subgraph& each : equation.subgraphs())
            subgraphs.push_back({each.name, ordered_subgraph(each.graph, set, known)});
        copier.copy(equation, subgraphs);
    }
    copier.copy_results();
    return to;
}

GraphPtr ordered_subgraph(const GraphPtr& graph, const OperationSet& set,
                          std::unordered_map<const Graph*, GraphPtr>& known) {
    if (const auto found = known.find(graph.get()); found != known.end()) return found->second;
    GraphPtr result = std::make_shared<const Graph>(ordered_graph(*graph, set, known));
    known.emplace(graph.get(), result);
    return result;
}

}  // namespace

bool is_ordered(const Graph& graph) {
    for (const Equation equation : graph.equations())
        for (const ValueId operand : equation.operands()) {
            Index producer = 0;
            if (producer_of(graph, operand, producer) && producer >= equation.index()) return false;
        }
    return true;
}

std::vector<Index> topological_order(const Graph& graph) {
    std::vector<Index> pending;
    std::vector<Index> order = sorted(graph, {}, pending);
    if (order.size() != graph.equation_count())
        throw Error(ErrorKind::kCycle, text_of_cycle(graph, cycle_among(graph, pending)));
    return order;
}

std::vector<Index> topological_order(const Graph& graph, const OperationSet& set) {
    EffectFinder effects(set);
    std::vector<Index> with_effects;
    if (effects.has_effects(graph))
        for (const Equation equation : graph.equations())
            if (effects.has_effects(equation)) with_effects.push_back(static_cast<Index>(equation.index()));
    std::vector<Index> pending;
    std::vector<Index> order = sorted(graph, with_effects, pending);
    return order.size() == graph.equation_count() ? order : topological_order(graph);
}

std::vector<Index> find_cycle(const Graph& graph) {
    if (is_ordered(graph)) return {};
    std::vector<Index> pending;
    if (sorted(graph, {}, pending).size() == graph.equation_count()) return {};
    return cycle_among(graph, pending);
}

Graph ordered(const Graph& graph, const OperationSet& set) {
    std::unordered_map<const Graph*, GraphPtr> known;
    return ordered_graph(graph, set, known);
}

const Graph& in_order(const Graph& graph, const OperationSet& set, std::optional<Graph>& storage) {
    std::unordered_set<const Graph*> seen;
    return is_ordered_throughout(graph, seen) ? graph : storage.emplace(ordered(graph, set));
}

std::vector<Index> last_uses(const Graph& graph) {
    const auto count = static_cast<Index>(graph.equation_count());
    std::vector<Index> last(graph.value_count(), count);
    for (const Equation equation : graph.equations()) {
        const auto here = static_cast<Index>(equation.index());
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            last[index_of(equation.results()[i])] = here;
        for (const ValueId operand : equation.operands()) {
            if (graph.has(operand)) last[index_of(operand)] = here;
        }
    }
    for (const ValueId result : graph.results())
        last[index_of(result)] = count;
    return last;
}

}  // namespace tilemeter::ir
