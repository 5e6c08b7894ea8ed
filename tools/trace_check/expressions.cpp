// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/expressions.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/operation_set.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "tools/trace_check/derivatives.hpp"

namespace tilemeter::trace_check {

namespace {

using ir::ElementType;
using ir::ValueId;
using nlohmann::json;

ElementType element_of(const json& name, Precision precision) {
    const auto element = ir::element_type_of(name.get<std::string>());
    if (!element)
        throw ir::Error(ir::ErrorKind::kBadArgument,
                        "found dtype " + name.dump() + ", expected one that is known");
    return *element == ElementType::kF64 ? precision.element : *element;
}

ir::Shape extents_of(const json& dims) {
    ir::Shape shape;
    for (const json& each : dims)
        shape.push_back(dimension_of(each));
    return shape;
}

ir::Integers integers_of(const json& value) {
    if (!value.is_array()) return {dimension_of(value)};
    ir::Integers integers;
    for (const json& each : value)
        integers.push_back(dimension_of(each));
    return integers;
}

double number_of(const json& value) {
    if (!value.is_string()) return value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>();
    const auto text = value.get<std::string>();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    return text == "-inf" ? -infinity : infinity;
}

ir::Constant constant_of(const json& data, ElementType element, const ir::Shape& shape) {
    const json& list = data.is_array() ? data : json::array({data});
    if (ir::is_float(element)) {
        std::vector<double> values;
        for (const json& each : list)
            values.push_back(number_of(each));
        return ir::Constant::of(element, shape, std::span<const double>(values));
    }
    std::vector<std::int64_t> values;
    for (const json& each : list)
        values.push_back(each.is_boolean()          ? (each.get<bool>() ? 1 : 0)
                         : each.is_number_integer() ? each.get<std::int64_t>()
                                                    : static_cast<std::int64_t>(number_of(each)));
    return ir::Constant::of(element, shape, std::span<const std::int64_t>(values));
}

// An attribute as the operation's rule has it; null is one that is missing.
ir::Attribute attribute_of(const json& value, ir::AttributeKind kind, Precision precision) {
    switch (kind) {
        case ir::AttributeKind::kBool:
            return value.get<bool>();
        case ir::AttributeKind::kInteger:
            return dimension_of(value);
        case ir::AttributeKind::kFloat:
            return number_of(value);
        case ir::AttributeKind::kIntegers:
            return integers_of(value);
        case ir::AttributeKind::kElementType:
            return element_of(value, precision);
        default:
            return value.get<std::string>();
    }
}

const ir::Operation& operation_of(const json& equation) {
    const auto name = equation.at("op").get<std::string>();
    return trace::call_operations().at(name);
}

class Builder {
public:
    explicit Builder(Precision precision) : precision_(precision) {}

    ir::Graph run(const json& from) {
        ir::Graph graph("main", std::string(trace::kCall));
        std::map<std::string, ValueId> values;
        for (const json& param : from.at("params")) {
            const ir::TensorType type = type_of(param, precision_);
            values[param.at("name")] = graph.add_input(param.at("name").get<std::string>(), type);
        }
        const auto value_of = [&](const json& operand) {
            if (operand.is_string()) return values.at(operand.get<std::string>());
            return graph.add_const(literal_of(operand, precision_));
        };
        for (const json& equation : from.at("eqns")) {
            std::vector<ValueId> operands;
            for (const json& operand : equation.at("in"))
                operands.push_back(value_of(operand));
            const ir::ValueRange results = append(graph, equation, operands);
            const json& names = equation.at("out");
            for (std::size_t i = 0; i < results.size(); ++i) {
                graph.set_name(results[i], names.at(i).get<std::string>());
                values[names.at(i)] = results[i];
            }
        }
        std::vector<ValueId> results;
        for (const json& result : from.at("results"))
            results.push_back(value_of(result));
        graph.set_results(results);
        return graph;
    }

private:
    ir::ValueRange append(ir::Graph& graph, const json& equation, const std::vector<ValueId>& operands) {
        if (is_transformation(equation.at("op").get<std::string>()))
            return append_transformation(graph, equation, operands, run(equation.at("subgraphs").at("f")));
        const ir::Attributes attributes = attributes_of(equation, precision_);
        return add_op(graph, operation_of(equation), operands, attributes, subgraphs_of(equation));
    }

    std::vector<ir::Subgraph> subgraphs_of(const json& equation) {
        std::map<std::string, ir::GraphPtr> by_name;
        std::vector<ir::Subgraph> subgraphs;
        const json given = equation.value("subgraphs", json::object());
        const auto held = [&](const json& graph) { return std::make_shared<const ir::Graph>(run(graph)); };
        if (given.contains("branches"))
            for (const json& each : given.at("branches"))
                subgraphs.push_back(
                    {std::string(ir::kBranchPrefix) + std::to_string(subgraphs.size()), held(each)});
        for (const std::string_view name : {ir::kThen, ir::kElse, ir::kCond, ir::kBody})
            if (given.contains(name))
                subgraphs.push_back({std::string(name), held(given.at(std::string(name)))});
        return subgraphs;
    }

    Precision precision_;
};

}  // namespace

std::int64_t dimension_of(const json& dimension) {
    return dimension.is_string() ? ir::Dim::parse(dimension.get<std::string>()).value()
                                 : dimension.get<std::int64_t>();
}

ir::TensorType type_of(const json& param, Precision precision) {
    return {element_of(param.at("dtype"), precision), shape_of(param), {}};
}

ir::Shape shape_of(const json& param) {
    return extents_of(param.at("shape"));
}

ir::Graph graph_of(const json& graph, Precision precision) {
    return Builder(precision).run(graph);
}

ir::Attributes attributes_of(const json& equation, Precision precision) {
    const ir::Operation& operation = operation_of(equation);
    ir::Attributes attributes;
    const json given = equation.value("attrs", json::object());
    for (const auto& [key, value] : given.items()) {
        const auto rule = std::ranges::find(operation.attributes, key, &ir::AttributeRule::name);
        if (rule == operation.attributes.end())
            throw ir::Error(ir::ErrorKind::kWrongAttribute,
                            operation.name + ": found attribute '" + key + "', expected none of this name");
        if (!value.is_null()) attributes.set(key, attribute_of(value, rule->kind, precision));
    }
    // The format's one_hot is of f64.
    if (operation.name == "one_hot") attributes.set("dtype", precision.element);
    return attributes;
}

ir::Constant literal_of(const json& operand, Precision precision) {
    return constant_of(operand.at("lit"), element_of(operand.at("dtype"), precision), shape_of(operand));
}

ir::Constant array_of(const json& array, Precision precision) {
    return constant_of(array.at("data"), element_of(array.at("dtype"), precision), shape_of(array));
}

}  // namespace tilemeter::trace_check
