// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/graph.hpp"

#include <algorithm>
#include <limits>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/hash.hpp"
#include "capture/ir/internal/location_hash.hpp"

namespace tilemeter::ir {

namespace {

// Constants up to this size are compared by their bytes to find an equal one, larger ones by their storage.
constexpr std::size_t kComparedBytes = 64;

// Counts and numbers have 30 bits.
constexpr std::uint32_t kMost = (std::uint32_t{1} << 30) - 1;

void require_room(std::size_t count, const char* of) {
    if (count > kMost)
        throw Error(ErrorKind::kTooLarge, "a graph with more than " + std::to_string(kMost) + " " + of);
}

bool is_small(const Constant& constant) {
    return constant.bytes().size() <= kComparedBytes;
}

bool is_known_as(const Constant& known, const Constant& other) {
    if (is_small(other)) return known == other;
    return known.storage() == other.storage() && known.type() == other.type();
}

}  // namespace

ValueRange::operator ValueId() const {
    if (count != 1)
        throw Error(ErrorKind::kWrongArity,
                    "found " + std::to_string(count) + " results, expected one value");
    return first;
}

Graph::Graph(std::string name, std::string operation_set)
    : name_(std::move(name)), operation_set_(std::move(operation_set)) {
    // Number 0 of both is the empty one, which most equations have.
    attributes_.intern(ir::hash_of(Attributes{}), Attributes{});
    locations_.intern(internal::hash_of(Location{}), Location{});
}

ValueId Graph::add_value(std::uint32_t type, ValueKind kind, std::size_t index) {
    require_room(values_.size() + 1, "values");
    const auto value = static_cast<ValueId>(values_.size());
    Value& added = values_.emplace_back();
    added.type = type;
    added.kind = kind;
    added.index = static_cast<std::uint32_t>(index) & kMost;
    return value;
}

ValueId Graph::add_input(std::string_view name, const TensorType& type) {
    const ValueId value =
        add_value(types_.intern(ir::hash_of(type), type), ValueKind::kParam, params_.size());
    params_.push_back(value);
    set_name(value, name);
    return value;
}

ValueId Graph::add_const(const Constant& constant) {
    const std::uint64_t hash = is_small(constant)
                                   ? ir::hash_of(constant)
                                   : reinterpret_cast<std::uintptr_t>(constant.storage().get());
    const auto [first, last] = known_constants_.equal_range(hash);
    for (auto known = first; known != last; ++known)
        if (is_known_as(*this->constant(known->second), constant)) return known->second;
    const ValueId value = add_value(types_.intern(ir::hash_of(constant.type()), constant.type()),
                                    ValueKind::kConstant, constants_.size());
    constants_.push_back(constant);
    known_constants_.emplace(hash, value);
    return value;
}

ValueRange Graph::append(std::string_view operation, std::span<const ValueId> operands,
                         std::span<const TensorType> types, const Attributes& attributes,
                         std::span<const Subgraph> subgraphs, const Location& location) {
    for (const ValueId operand : operands)
        if (!has(operand) && operand != kUndefined)
            throw Error(ErrorKind::kUndefinedValue,
                        std::string(operation) + ": found operand " + std::to_string(index_of(operand)) +
                            ", expected a value of this graph, which has " + std::to_string(values_.size()));
    std::uint32_t depth = depth_;
    for (const Subgraph& subgraph : subgraphs) {
        if (subgraph.graph == nullptr)
            throw Error(ErrorKind::kWrongSubgraph,
                        std::string(operation) + ": found no graph for '" + subgraph.name + "'");
        depth = std::max(depth, subgraph.graph->depth() + 1);
    }
    if (depth > kMaxDepth)
        throw Error(ErrorKind::kTooDeep, std::string(operation) + ": found subgraphs nested " +
                                             std::to_string(depth) + " deep, expected at most " +
                                             std::to_string(kMaxDepth));
    require_room(equations_.size() + 1, "equations");
    require_room(operands_.size() + operands.size(), "operands");
    require_room(values_.size() + types.size(), "values");
    depth_ = depth;

    Record record{};
    record.operation = operations_.intern(internal::hashed(0, operation), operation);
    record.attributes = attributes.empty() ? 0 : attributes_.intern(ir::hash_of(attributes), attributes);
    record.location = location.empty() ? 0 : locations_.intern(internal::hash_of(location), location);
    record.first_operand = static_cast<std::uint32_t>(operands_.size());
    record.operand_count = static_cast<std::uint32_t>(operands.size());
    record.first_result = static_cast<ValueId>(values_.size());
    record.result_count = static_cast<std::uint32_t>(types.size());
    record.first_subgraph = static_cast<std::uint32_t>(subgraphs_.size());
    record.subgraph_count = static_cast<std::uint32_t>(subgraphs.size());
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    subgraphs_.insert(subgraphs_.end(), subgraphs.begin(), subgraphs.end());
    for (const TensorType& type : types)
        add_value(types_.intern(ir::hash_of(type), type), ValueKind::kResult, equations_.size());
    equations_.push_back(record);
    return {record.first_result, record.result_count};
}

ValueRange Graph::append_numbers(std::uint32_t operation, std::uint32_t attributes, std::uint32_t location,
                                 std::span<const ValueId> operands, std::span<const std::uint32_t> types) {
    require_room(equations_.size() + 1, "equations");
    require_room(operands_.size() + operands.size(), "operands");
    require_room(values_.size() + types.size(), "values");
    Record record{};
    record.operation = operation;
    record.attributes = attributes;
    record.location = location;
    record.first_operand = static_cast<std::uint32_t>(operands_.size());
    record.operand_count = static_cast<std::uint32_t>(operands.size());
    record.first_result = static_cast<ValueId>(values_.size());
    record.result_count = static_cast<std::uint32_t>(types.size());
    record.first_subgraph = static_cast<std::uint32_t>(subgraphs_.size());
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    for (const std::uint32_t type : types)
        add_value(type, ValueKind::kResult, equations_.size());
    equations_.push_back(record);
    return {record.first_result, record.result_count};
}

ValueId Graph::append_like(std::string_view operation, std::span<const ValueId> operands, ValueId like,
                           const Location& location) {
    const std::uint32_t type = type_number(like);
    return append_numbers(operations_.intern(internal::hashed(0, operation), operation), 0,
                          location.empty() ? 0 : locations_.intern(internal::hash_of(location), location),
                          operands, std::span(&type, 1));
}

void Graph::set_results(std::span<const ValueId> results) {
    for (const ValueId result : results)
        if (!has(result))
            throw Error(ErrorKind::kUndefinedValue, "found result " + std::to_string(index_of(result)) +
                                                        ", expected a value of this graph, which has " +
                                                        std::to_string(values_.size()));
    results_.assign(results.begin(), results.end());
}

void Graph::set_operand(std::size_t equation, std::size_t operand, ValueId value) {
    operands_[equations_[equation].first_operand + operand] = value;
}

void Graph::set_name(ValueId value, std::string_view name) {
    if (name.empty())
        names_.erase(value);
    else
        names_[value] = name;
}

void Graph::reserve(std::size_t equations, std::size_t operands) {
    equations_.reserve(equations);
    operands_.reserve(operands);
    values_.reserve(values_.size() + equations);
}

Definition Graph::definition(ValueId value) const {
    const Value& found = values_[index_of(value)];
    const auto result = found.kind != ValueKind::kResult
                            ? 0
                            : index_of(value) - index_of(equations_[found.index].first_result);
    return {found.kind, found.index, static_cast<std::uint32_t>(result)};
}

const Constant* Graph::constant(ValueId value) const {
    const Value& found = values_[index_of(value)];
    return found.kind == ValueKind::kConstant ? &constants_[found.index] : nullptr;
}

std::string_view Graph::name_of(ValueId value) const {
    const auto found = names_.find(value);
    return found == names_.end() ? std::string_view{} : found->second;
}

const ValueId* Graph::find_input(std::string_view name) const {
    const auto found = std::ranges::find_if(params_, [&](ValueId param) { return name_of(param) == name; });
    return found == params_.end() ? nullptr : &*found;
}

std::vector<TensorType> Graph::types(std::span<const ValueId> values) const {
    std::vector<TensorType> types;
    types.reserve(values.size());
    for (const ValueId value : values)
        types.push_back(type(value));
    return types;
}

std::vector<TensorType> Equation::result_types() const {
    std::vector<TensorType> types;
    for (std::size_t i = 0; i < results().size(); ++i)
        types.push_back(graph_->type(results()[i]));
    return types;
}

const Graph* Equation::subgraph(std::string_view name) const {
    for (const Subgraph& each : subgraphs())
        if (each.name == name) return each.graph.get();
    return nullptr;
}

}  // namespace tilemeter::ir
