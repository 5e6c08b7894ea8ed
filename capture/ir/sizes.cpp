// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/sizes.hpp"

#include <unordered_map>

#include "capture/ir/decide.hpp"
#include "capture/ir/error.hpp"

namespace tilemeter::ir {

namespace {

// Calls `visit` with each integer of an attribute that may be a dimension.
template <class Value, class Visit>
void visit_dimensions(Value& attribute, const Visit& visit) {
    if (auto* const integer = std::get_if<std::int64_t>(&attribute)) visit(*integer);
    if (auto* const integers = std::get_if<Integers>(&attribute))
        for (auto& integer : *integers)
            visit(integer);
}

class NameFinder {
public:
    void add(const Graph& graph) {
        if (!seen_.insert(&graph).second) return;
        for (std::size_t i = 0; i < graph.value_count(); ++i)
            for (const std::int64_t dim : graph.type(static_cast<ValueId>(i)).shape)
                add(dim);
        if (graph.constraints() != nullptr)
            for (const Constraint& each : *graph.constraints()) {
                add(each.left.value());
                add(each.right.value());
            }
        for (const Equation equation : graph.equations()) {
            for (const Attributes::Entry& each : equation.attributes().entries())
                visit_dimensions(each.value, [&](const std::int64_t& value) { add(value); });
            for (const Subgraph& each : equation.subgraphs())
                add(*each.graph);
        }
    }

    std::set<std::string> names;

private:
    void add(std::int64_t value) {
        if (value < Dim::kLeastNumber && Dim(value).is_expression()) names.merge(Dim(value).names());
    }

    std::set<const Graph*> seen_;
};

class Sizing {
public:
    explicit Sizing(const Sizes& sizes) : sizes_(sizes) {}

    Graph run(const Graph& from) {
        if (from.constraints() != nullptr)
            for (const Constraint& each : *from.constraints())
                if (!each.holds(sizes_))
                    throw Error(ErrorKind::kBadArgument,
                                "found " + text_of_sizes() + ", expected sizes with " + each.text());
        Graph to(from.name(), from.operation_set());
        to.reserve(from.equation_count(), 0);
        std::vector<ValueId> values(from.value_count(), kUndefined);
        for (const ValueId param : from.params())
            values[index_of(param)] = to.add_input(from.name_of(param), sized(from.type(param)));
        for (std::size_t i = 0; i < from.value_count(); ++i)
            if (const Constant* const constant = from.constant(static_cast<ValueId>(i)))
                values[i] = to.add_const(*constant);
        // Operands that come later are set when all are known.
        std::vector<ValueId> operands;
        std::vector<TensorType> types;
        std::vector<Subgraph> subgraphs;
        for (const Equation equation : from.equations()) {
            operands.clear();
            types.clear();
            subgraphs.clear();
            for (const ValueId operand : equation.operands())
                operands.push_back(from.has(operand) ? values[index_of(operand)] : kUndefined);
            const ValueRange before = equation.results();
            for (std::size_t i = 0; i < before.size(); ++i)
                types.push_back(sized(from.type(before[i])));
            for (const Subgraph& each : equation.subgraphs())
                subgraphs.push_back({each.name, run(each.graph)});
            const ValueRange after = to.append(equation.operation(), operands, types,
                                               sized(equation.attributes()), subgraphs, equation.location());
            for (std::size_t i = 0; i < before.size(); ++i) {
                values[index_of(before[i])] = after[i];
                if (const std::string_view name = from.name_of(before[i]); !name.empty())
                    to.set_name(after[i], name);
            }
        }
        for (const Equation equation : from.equations())
            for (std::size_t i = 0; i < equation.operands().size(); ++i)
                if (const ValueId operand = equation.operands()[i]; from.has(operand))
                    to.set_operand(equation.index(), i, values[index_of(operand)]);
        std::vector<ValueId> results;
        for (const ValueId result : from.results())
            results.push_back(values[index_of(result)]);
        to.set_results(results);
        return to;
    }

private:
    GraphPtr run(const GraphPtr& graph) {
        const auto known = known_.find(graph.get());
        if (known != known_.end()) return known->second;
        auto made = std::make_shared<const Graph>(run(*graph));
        known_.emplace(graph.get(), made);
        return made;
    }

    std::int64_t sized(std::int64_t value) {
        if (value >= Dim::kLeastNumber || !Dim(value).is_expression()) return value;
        const auto [known, is_new] = numbers_.try_emplace(value, 0);
        if (is_new) known->second = Dim(value).at(sizes_);
        return known->second;
    }

    TensorType sized(const TensorType& type) {
        TensorType result = type;
        for (std::int64_t& dim : result.shape.dims()) {
            const Dim before(dim);
            dim = sized(dim);
            if (dim < 0)
                throw Error(ErrorKind::kBadArgument,
                            "found '" + before.text() + "' = " + std::to_string(dim) + " at " +
                                text_of_sizes() + ", expected a dimension of at least 0");
        }
        return result;
    }

    Attributes sized(const Attributes& attributes) {
        Attributes result = attributes;
        for (const Attributes::Entry& each : attributes.entries()) {
            bool has_expression = false;
            visit_dimensions(each.value, [&](const std::int64_t& value) {
                has_expression = has_expression || value < Dim::kLeastNumber;
            });
            if (!has_expression) continue;
            Attribute value = each.value;
            visit_dimensions(value, [&](std::int64_t& dim) { dim = sized(dim); });
            result.set(each.name, std::move(value));
        }
        return result;
    }

    [[nodiscard]] std::string text_of_sizes() const {
        std::string text;
        for (const auto& [name, size] : sizes_)
            text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
        return text;
    }

    const Sizes& sizes_;
    std::unordered_map<std::int64_t, std::int64_t> numbers_;
    std::unordered_map<const Graph*, GraphPtr> known_;
};

SizeSolver solver_of(const Graph& graph, std::set<std::string>& names) {
    SizeSolver solver(graph.constraints());
    for (const ValueId param : graph.params()) {
        const Shape& shape = graph.type(param).shape;
        for (std::size_t i = 0; i < shape.rank(); ++i) {
            solver.add(
                "parameter '" + std::string(graph.name_of(param)) + "': dimension " + std::to_string(i),
                shape[i]);
            if (Dim(shape[i]).is_expression()) names.merge(Dim(shape[i]).names());
        }
    }
    return solver;
}

}  // namespace

std::set<std::string> size_names(const Graph& graph) {
    NameFinder finder;
    finder.add(graph);
    return finder.names;
}

Graph at(const Graph& graph, const Sizes& sizes) {
    const std::set<std::string> names = size_names(graph);
    for (const std::string& name : names)
        if (!sizes.contains(name))
            throw Error(ErrorKind::kBadArgument, "found no size for '" + name + "', expected one");
    for (const auto& [name, size] : sizes) {
        if (!names.contains(name))
            throw Error(ErrorKind::kBadArgument,
                        "found a size for '" + name + "', expected one of a name in the graph's dimensions");
        if (size < 1)
            throw Error(ErrorKind::kBadArgument,
                        "found " + std::to_string(size) + " for '" + name + "', expected at least 1");
    }
    return Sizing(sizes).run(graph);
}

Sizes sizes_of(const Graph& graph, std::span<const Shape> shapes) {
    if (shapes.size() != graph.params().size())
        throw Error(ErrorKind::kBadArgument, "found " + std::to_string(shapes.size()) + " shapes, expected " +
                                                 std::to_string(graph.params().size()));
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const ValueId param = graph.params()[i];
        const Shape& expected = graph.type(param).shape;
        if (shapes[i].rank() != expected.rank())
            throw Error(ErrorKind::kShapeMismatch,
                        "parameter '" + std::string(graph.name_of(param)) + "': found " +
                            std::to_string(shapes[i].rank()) + " dimensions, expected " +
                            std::to_string(expected.rank()) + " as in " + text_of(graph.type(param)));
        numbers.insert(numbers.end(), shapes[i].begin(), shapes[i].end());
    }
    std::set<std::string> names;
    return solver_of(graph, names).solve(numbers);
}

void require_sizes(const Graph& graph) {
    if (graph.constraints() != nullptr && can_hold(*graph.constraints()) == Answer::kNo) {
        std::string text;
        for (const Constraint& each : *graph.constraints())
            text += (text.empty() ? "" : ", ") + each.text();
        throw Error(ErrorKind::kBadArgument, "found constraints that no sizes keep: " + text);
    }
    std::set<std::string> names;
    const SizeSolver solver = solver_of(graph, names);
    if (graph.constraints() != nullptr)
        for (const Constraint& each : *graph.constraints())
            for (const Dim dim : {each.left, each.right})
                names.merge(dim.names());
    solver.require_solvable(names);
}

}  // namespace tilemeter::ir
