// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/internal/custom_rules.hpp"

#include <memory>
#include <string>

#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "runtime/trace/calls/internal/custom_call.hpp"
#include "runtime/trace/derivatives/internal/differentiator.hpp"
#include "runtime/trace/derivatives/internal/extract.hpp"
#include "runtime/trace/derivatives/internal/transposer.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace::internal {

namespace {

using ir::Error;
using ir::ErrorKind;
using ir::Graph;

// For a kCustomLinear: the operands of the operation that its tangents belong to, and how many results it has.
constexpr std::string_view kActive = "%active";
constexpr std::string_view kResults = "%results";

std::string target_of(const Attributes& attributes) {
    return attributes.get_or<std::string>("target", "");
}

Attributes own_attributes(Attributes attributes) {
    for (const std::string_view name : {std::string_view("target"), kActive, kResults})
        attributes.erase(name);
    return attributes;
}

[[noreturn]] void refuse(const std::string& operation, const std::string& rule, const std::string& of) {
    throw Error(ErrorKind::kNoRule, operation + ": found no rule '" + rule + "', expected one for " + of +
                                        " (rule missing: " + rule + ")");
}

std::shared_ptr<const CustomOperation> found(const Attributes& attributes, const char* rule) {
    const std::string target = target_of(attributes);
    auto custom = find_custom_operation(target);
    if (custom == nullptr)
        refuse(std::string(kCustomCall) + " of '" + target + "'", rule,
               "a target that is registered in this process");
    return custom;
}

bool is_float(const FlatBuilder& to, ValueId value) {
    return ir::is_float(to.element(value));
}

std::vector<ValueId> floats(const FlatBuilder& to, std::span<const ValueId> values) {
    std::vector<ValueId> all;
    for (const ValueId value : values)
        if (is_float(to, value)) all.push_back(value);
    return all;
}

void require_types(const FlatBuilder& to, const std::string& operation, const char* rule,
                   std::span<const ValueId> made, std::span<const TensorType> expected) {
    require_results(operation, rule, to.graph().types(made), expected, {});
}

std::vector<ValueId> materialized_floats(FlatBuilder& to, std::span<const ValueId> values,
                                         std::span<const Tangent> tangents) {
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is_float(to, values[i])) all.push_back(materialized(to, tangents[i], to.type(values[i])));
    return all;
}

// Each float value's own of a list that has one for each of them.
std::vector<Tangent> by_value(const FlatBuilder& to, std::span<const ValueId> values,
                              std::span<const ValueId> of_floats) {
    std::vector<Tangent> all(values.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is_float(to, values[i])) all[i] = of_floats[next++];
    return all;
}

std::vector<ValueId> called_vjp(const CustomOperation& custom, FlatBuilder& to,
                                std::span<const ValueId> operands, std::span<const ValueId> results,
                                std::span<const ValueId> cotangents, const Attributes& attributes) {
    std::vector<ValueId> made = custom.vjp(to, operands, results, cotangents, attributes);
    require_types(to, custom.name, "vjp", made, to.graph().types(floats(to, operands)));
    return made;
}

// The rule vjp is linear in cotangents: its transpose is the rule jvp.
std::vector<ValueId> transposed_vjp(const CustomOperation& custom, const CustomUse& use,
                                    std::span<const ValueId> tangents) {
    Graph graph(custom.name, std::string(kFlat));
    const auto inputs = [&](std::span<const ValueId> values, const std::string& name) {
        std::vector<ValueId> all;
        for (const TensorType& type : use.to.graph().types(values))
            all.push_back(graph.add_input(name + std::to_string(graph.params().size()), type));
        return all;
    };
    const std::vector<ValueId> operands = inputs(use.operands, "x");
    const std::vector<ValueId> results = inputs(use.results, "y");
    const std::vector<ValueId> cotangents = inputs(floats(use.to, use.results), "cotangent");
    FlatBuilder builder(graph);
    const std::vector<ValueId> pulled =
        called_vjp(custom, builder, operands, results, cotangents, own_attributes(use.attributes));
    const std::vector<ValueId> pushed = inputs(tangents, "tangent");
    const std::vector<Tangent> given(pushed.begin(), pushed.end());
    const std::vector<Tangent> made = Transposer().append(graph, cotangents, pulled, given);
    std::vector<ValueId> wanted;
    for (std::size_t i = 0; i < made.size(); ++i)
        wanted.push_back(materialized(builder, made[i], builder.type(cotangents[i])));
    std::vector<ValueId> params = operands;
    std::vector<ValueId> values(use.operands.begin(), use.operands.end());
    params.insert(params.end(), results.begin(), results.end());
    values.insert(values.end(), use.results.begin(), use.results.end());
    params.insert(params.end(), pushed.begin(), pushed.end());
    values.insert(values.end(), tangents.begin(), tangents.end());
    const Graph formula = extract(graph, part_params(params), wanted);
    return ir::append_equations(formula, use.to.graph(), values);
}

std::vector<ValueId> opaque_tangents(const CustomUse& use) {
    std::vector<ValueId> operands(use.operands.begin(), use.operands.end());
    operands.insert(operands.end(), use.results.begin(), use.results.end());
    Integers active;
    for (std::size_t i = 0; i < use.tangents.size(); ++i) {
        if (!use.tangents[i]) continue;
        active.push_back(static_cast<std::int64_t>(i));
        operands.push_back(*use.tangents[i]);
    }
    Attributes attributes = use.attributes;
    attributes.set(kActive, active);
    attributes.set(kResults, static_cast<std::int64_t>(use.results.size()));
    const ir::ValueRange made = use.to.graph().append(
        std::string(kCustomLinear), operands, use.to.graph().types(floats(use.to, use.results)), attributes);
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < made.size(); ++i)
        all.push_back(made[i]);
    return all;
}

}  // namespace

bool has_derivative(const CustomOperation& custom) {
    return custom.jvp || custom.vjp;
}

bool has_batch(const CustomOperation& custom) {
    return static_cast<bool>(custom.batch);
}

std::vector<Tangent> custom_jvp(const CustomUse& use, bool for_transpose) {
    const char* const wanted = for_transpose ? "vjp" : "jvp";
    const auto custom = found(use.attributes, wanted);
    if (!has_derivative(*custom))
        refuse(custom->name, wanted, "an operation whose operands depend on what is differentiated");
    std::vector<ValueId> made;
    if (custom->vjp && for_transpose) {
        made = opaque_tangents(use);
    } else {
        const std::vector<ValueId> tangents = materialized_floats(use.to, use.operands, use.tangents);
        made = custom->jvp ? custom->jvp(use.to, use.operands, tangents, own_attributes(use.attributes))
                           : transposed_vjp(*custom, use, tangents);
        require_types(use.to, custom->name, wanted, made, use.to.graph().types(floats(use.to, use.results)));
    }
    return by_value(use.to, use.results, made);
}

std::vector<Tangent> transposed_custom(FlatBuilder& to, std::span<const ValueId> all,
                                       const Attributes& attributes, std::span<const Tangent> cotangents) {
    const auto custom = found(attributes, "vjp");
    const auto& active = attributes.get<Integers>(kActive);
    const auto result_count = static_cast<std::size_t>(attributes.get<std::int64_t>(kResults));
    const std::size_t operand_count = all.size() - result_count - active.size();
    const auto operands = all.first(operand_count);
    const auto results = all.subspan(operand_count, result_count);
    // The equation has results for floats alone.
    std::vector<Tangent> of_results(results.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < results.size(); ++i)
        if (is_float(to, results[i])) of_results[i] = cotangents[next++];
    const std::vector<ValueId> given = materialized_floats(to, results, of_results);
    const std::vector<Tangent> made =
        by_value(to, operands, called_vjp(*custom, to, operands, results, given, own_attributes(attributes)));
    std::vector<Tangent> wanted(all.size());
    for (std::size_t i = 0; i < active.size(); ++i)
        wanted[operand_count + result_count + i] = made[static_cast<std::size_t>(active[i])];
    return wanted;
}

std::vector<ValueId> custom_batch(FlatBuilder& to, std::span<const ValueId> operands,
                                  const std::vector<bool>& is_mapped, std::int64_t lanes,
                                  const Attributes& attributes, std::span<const TensorType> lane_types) {
    const auto custom = found(attributes, "batch");
    if (!custom->batch) refuse(custom->name, "batch", "an operation whose operands are mapped");
    std::vector<ValueId> made = custom->batch(to, operands, is_mapped, lanes, own_attributes(attributes));
    std::vector<TensorType> expected;
    for (const TensorType& lane : lane_types) {
        Integers shape{lanes};
        shape.insert(shape.end(), lane.shape.begin(), lane.shape.end());
        expected.push_back({lane.element, Shape(std::span(shape)), {}});
    }
    require_types(to, custom->name, "batch", made, expected);
    return made;
}

}  // namespace tilemeter::trace::internal
