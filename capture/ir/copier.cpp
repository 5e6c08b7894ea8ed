// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/copier.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/hash.hpp"
#include "capture/ir/internal/location_hash.hpp"

namespace tilemeter::ir {

Graph graph_like(const Graph& graph) {
    Graph like(graph.name(), graph.operation_set());
    like.set_constraints(graph.shared_constraints());
    return like;
}

std::vector<ValueId> append_equations(const Graph& from, Graph& to, std::span<const ValueId> arguments) {
    GraphCopier copier(from, to);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        copier.map(from.params()[i], arguments[i]);
    for (const Equation equation : from.equations())
        copier.copy(equation);
    return copier(from.results());
}

GraphCopier::GraphCopier(const Graph& from, Graph& to)
    : from_(&from), to_(&to), map_(from.value_count(), kNone) {}

void GraphCopier::copy_params() {
    for (const ValueId param : from_->params())
        copy_param(param);
}

ValueId GraphCopier::copy_param(ValueId param) {
    return map_[index_of(param)] = to_->add_input(from_->name_of(param), from_->type(param));
}

ValueRange GraphCopier::copy(const Equation& equation) {
    return equation.subgraphs().empty() ? copy_plain(equation) : copy(equation, equation.subgraphs());
}

namespace {

/// The number that `numbers` has for `from`; asked for once.
template <class Intern>
std::uint32_t translated(std::vector<std::uint32_t>& numbers, std::uint32_t from, const Intern& intern) {
    constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
    if (from >= numbers.size()) numbers.resize(from + 1, kUnknown);
    if (numbers[from] == kUnknown) numbers[from] = intern();
    return numbers[from];
}

}  // namespace

// Interned texts were looked up at their first use, and are numbers from then on.
ValueRange GraphCopier::copy_plain(const Equation& equation, std::string_view other_operation) {
    operands_.clear();
    for (const ValueId operand : equation.operands())
        operands_.push_back((*this)(operand));
    const Graph::Record& record = from_->equations_[equation.index()];
    const ValueRange before = equation.results();
    type_numbers_.clear();
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint32_t number = from_->type_number(before[i]);
        type_numbers_.push_back(translated(numbers_.types, number, [&] {
            const TensorType& type = from_->types_[number];
            return to_->types_.intern(ir::hash_of(type), type);
        }));
    }
    const ValueRange after = to_->append_numbers(
        other_operation.empty()
            ? translated(numbers_.operations, record.operation,
                         [&] {
                             const std::string& name = equation.operation();
                             return to_->operations_.intern(internal::hashed(0, name), name);
                         })
            : to_->operations_.intern(internal::hashed(0, other_operation), other_operation),
        translated(numbers_.attributes, record.attributes,
                   [&] {
                       const Attributes& attributes = equation.attributes();
                       return to_->attributes_.intern(ir::hash_of(attributes), attributes);
                   }),
        translated(numbers_.locations, record.location,
                   [&] {
                       const Location& location = equation.location();
                       return to_->locations_.intern(internal::hash_of(location), location);
                   }),
        operands_, type_numbers_);
    map_results(equation, after);
    return after;
}

ValueRange GraphCopier::copy_as(const Equation& equation, std::string_view operation) {
    return copy_plain(equation, operation);
}

std::uint32_t GraphCopier::number_of(Graph& graph, const Location& location) {
    return location.empty() ? 0 : graph.locations_.intern(internal::hash_of(location), location);
}

std::uint32_t GraphCopier::number_of(Graph& graph, const LocationOf& location) {
    return graph.equations_[location.equation].location;
}

ValueRange GraphCopier::appended_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                                       std::uint32_t location) {
    const Graph::Record record = graph.equations_[equation];
    const auto number = [&](std::size_t k) {
        return graph.type_number(ValueRange{record.first_result, record.result_count}[k]);
    };
    constexpr std::size_t kMost = 4;
    if (record.result_count <= kMost) {
        std::array<std::uint32_t, kMost> types{};
        for (std::size_t k = 0; k < record.result_count; ++k)
            types[k] = number(k);
        return graph.append_numbers(record.operation, record.attributes, location, operands,
                                    std::span(types).first(record.result_count));
    }
    std::vector<std::uint32_t> types;
    for (std::size_t k = 0; k < record.result_count; ++k)
        types.push_back(number(k));
    return graph.append_numbers(record.operation, record.attributes, location, operands, types);
}

ValueRange append_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                        const Location& location) {
    return GraphCopier::appended_again(graph, equation, operands, GraphCopier::number_of(graph, location));
}

ValueRange append_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                        const LocationOf& location) {
    return GraphCopier::appended_again(graph, equation, operands, GraphCopier::number_of(graph, location));
}

Graph cut_to(Graph graph, std::span<const ValueId> results) {
    GraphCopier::cut(graph, results);
    return graph;
}

// Kept equations and values move forward in each list, and values are numbered anew.
void GraphCopier::cut(Graph& graph, std::span<const ValueId> results) {
    std::vector<bool> is_needed(graph.values_.size());
    for (const ValueId result : results)
        is_needed[index_of(result)] = true;
    std::vector<std::uint32_t> equations(graph.equations_.size(), 0);  // their new numbers, counted from 1
    for (std::size_t i = graph.equations_.size(); i-- > 0;) {
        const Equation equation(graph, i);
        const ValueRange defined = equation.results();
        bool is_kept = false;
        for (std::size_t k = 0; k < defined.size(); ++k)
            is_kept = is_kept || is_needed[index_of(defined[k])];
        if (!is_kept) continue;
        equations[i] = 1;
        for (const ValueId operand : equation.operands())
            is_needed[index_of(operand)] = true;
    }
    std::uint32_t kept = 0;
    for (std::uint32_t& each : equations)
        if (each != 0) each = ++kept;

    constexpr std::uint32_t kIndex = (std::uint32_t{1} << 30) - 1;  // has that many bits in a value
    std::vector<ValueId> values(graph.values_.size(), kNone);
    std::uint32_t count = 0;
    std::uint32_t constants = 0;
    for (std::size_t i = 0; i < graph.values_.size(); ++i) {
        Graph::Value value = graph.values_[i];
        if (value.kind == ValueKind::kConstant) {
            if (!is_needed[i]) continue;
            if (constants != value.index)
                graph.constants_[constants] = std::move(graph.constants_[value.index]);
            value.index = constants++ & kIndex;
        } else if (value.kind == ValueKind::kResult) {
            if (equations[value.index] == 0) continue;
            value.index = (equations[value.index] - 1) & kIndex;
        }
        graph.values_[count] = value;
        values[i] = static_cast<ValueId>(count++);
    }
    graph.values_.resize(count);
    graph.constants_.erase(graph.constants_.begin() + constants, graph.constants_.end());

    std::uint32_t operands = 0;
    std::uint32_t subgraphs = 0;
    graph.depth_ = 1;
    for (std::size_t i = 0; i < equations.size(); ++i) {
        if (equations[i] == 0) continue;
        Graph::Record record = graph.equations_[i];
        for (std::uint32_t k = 0; k < record.operand_count; ++k)
            graph.operands_[operands + k] = values[index_of(graph.operands_[record.first_operand + k])];
        for (std::uint32_t k = 0; k < record.subgraph_count; ++k) {
            Subgraph& from = graph.subgraphs_[record.first_subgraph + k];
            graph.depth_ = std::max(graph.depth_, from.graph->depth() + 1);
            if (subgraphs != record.first_subgraph) graph.subgraphs_[subgraphs + k] = std::move(from);
        }
        record.first_operand = operands;
        record.first_subgraph = subgraphs;
        record.first_result = values[index_of(record.first_result)];
        operands += record.operand_count;
        subgraphs += record.subgraph_count;
        graph.equations_[equations[i] - 1] = record;
    }
    graph.equations_.resize(kept);
    graph.operands_.resize(operands);
    graph.subgraphs_.resize(subgraphs);

    graph.results_.clear();
    for (const ValueId result : results)
        graph.results_.push_back(values[index_of(result)]);
    for (ValueId& param : graph.params_)
        param = values[index_of(param)];
    decltype(graph.names_) names;
    for (auto& [value, name] : graph.names_)
        if (values[index_of(value)] != kNone) names.emplace(values[index_of(value)], std::move(name));
    graph.names_ = std::move(names);
    decltype(graph.known_constants_) known;
    for (const auto& [hash, value] : graph.known_constants_)
        if (values[index_of(value)] != kNone) known.emplace(hash, values[index_of(value)]);
    graph.known_constants_ = std::move(known);
}

ValueRange GraphCopier::copy(const Equation& equation, std::span<const Subgraph> subgraphs) {
    operands_.clear();
    for (const ValueId operand : equation.operands())
        operands_.push_back((*this)(operand));
    types_.clear();
    const ValueRange before = equation.results();
    for (std::size_t i = 0; i < before.size(); ++i)
        types_.push_back(from_->type(before[i]));
    const ValueRange after = to_->append(equation.operation(), operands_, types_, equation.attributes(),
                                         subgraphs, equation.location());
    map_results(equation, after);
    return after;
}

void GraphCopier::map(ValueId from, ValueId to) {
    map_[index_of(from)] = to;
    const std::string_view name = from_->name_of(from);
    if (!name.empty() && to_->name_of(to).empty() && to_->definition(to).kind == ValueKind::kResult)
        to_->set_name(to, name);
}

bool GraphCopier::is_mapped(ValueId from) const {
    return map_[index_of(from)] != kNone;
}

ValueId GraphCopier::operator()(ValueId from) {
    ValueId& to = map_[index_of(from)];
    if (to != kNone) return to;
    const Constant* const constant = from_->constant(from);
    if (constant == nullptr)
        throw Error(ErrorKind::kUndefinedValue, "found value " + std::to_string(index_of(from)) +
                                                    " in use before what defines it was copied");
    to = to_->add_const(*constant);
    if (const auto name = from_->name_of(from); !name.empty() && to_->name_of(to).empty())
        to_->set_name(to, name);
    return to;
}

std::vector<ValueId> GraphCopier::operator()(std::span<const ValueId> from) {
    std::vector<ValueId> to;
    to.reserve(from.size());
    for (const ValueId value : from)
        to.push_back((*this)(value));
    return to;
}

void GraphCopier::copy_results() {
    to_->set_results((*this)(from_->results()));
}

}  // namespace tilemeter::ir
