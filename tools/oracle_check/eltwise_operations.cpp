// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/eltwise_operations.hpp"

#include <string>

#include "runtime/operations/eltwise/definitions.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "tools/oracle_check/definition_call.hpp"

namespace tilemeter::oracle {

namespace {

using Inputs = std::vector<Tensor>;

Scalar number_argument(const Row& row) {
    Scalar number;
    read_argument(row.arguments.at("scalar"), number);
    return number;
}

using Quotient = Tensor (*)(const Tensor&, const Tensor&, const OptionalMemoryConfig&);
using QuotientByNumber = Tensor (*)(const Tensor&, Scalar, const OptionalMemoryConfig&);
CallOperation quotient(Quotient of_tensors, QuotientByNumber with_number) {
    return [=](const Row& row, const Inputs& inputs) {
        if (row.arguments.contains("scalar"))
            return with_number(inputs.at(0), number_argument(row), row.out_memory_config);
        return of_tensors(inputs.at(0), inputs.at(1), row.out_memory_config);
    };
}

using WithAlpha = Tensor (*)(const Tensor&, const Tensor&, float, const OptionalMemoryConfig&,
                             const OptionalTensor&);
CallOperation with_alpha(WithAlpha function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), inputs.at(1), 2.0F, row.out_memory_config, std::nullopt);
    };
}

using WithValue = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, float, const OptionalMemoryConfig&,
                             const OptionalTensor&);
CallOperation with_value(WithValue function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), inputs.at(1), inputs.at(2), 2.0F, row.out_memory_config, std::nullopt);
    };
}

std::variant<Tensor, float> third(const Row& row, const Inputs& inputs) {
    if (row.arguments.contains("number")) return row.arguments.at("number").get<float>();
    return inputs.at(2);
}

using Gate = Tensor (*)(const Tensor&, int, const OptionalMemoryConfig&);
CallOperation gate(Gate function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), -1, row.out_memory_config);
    };
}

void add_composites(std::map<std::string, CallOperation>& table) {
    table["isclose"] = [](const Row& row, const Inputs& inputs) {
        return isclose(inputs.at(0), inputs.at(1), 1e-5F, 1e-8F, false, row.out_memory_config);
    };
    table["floor_div"] = quotient(&floor_div, &floor_div);
    table["div_no_nan"] = quotient(&div_no_nan, &div_no_nan);
    table["addalpha"] = with_alpha(&addalpha);
    table["subalpha"] = with_alpha(&subalpha);
    table["addcmul"] = with_value(&addcmul);
    table["addcdiv"] = with_value(&addcdiv);
    table["lerp"] = [](const Row& row, const Inputs& inputs) {
        return lerp(inputs.at(0), inputs.at(1), third(row, inputs), row.out_memory_config);
    };
    table["mac"] = [](const Row& row, const Inputs& inputs) {
        return mac(inputs.at(0), inputs.at(1), third(row, inputs), row.out_memory_config);
    };
    table["glu"] = gate(&glu);
    table["reglu"] = gate(&reglu);
    table["swiglu"] = gate(&swiglu);
    table["geglu"] = [](const Row& row, const Inputs& inputs) {
        return geglu(inputs.at(0), -1, row.out_memory_config);
    };
    table["polyval"] = [](const Row& row, const Inputs& inputs) {
        return polyval(inputs.at(0), {1.0F, 2.0F, 3.0F}, row.out_memory_config);
    };
}

}  // namespace

std::map<std::string, CallOperation> eltwise_operations() {
    std::map<std::string, CallOperation> table;
    add_composites(table);
    table["clamp"] = call_definition_with<ClampByTensors>({{"min", true}, {"max", true}});
    table["logit"] = call_definition_with<Logit>({{"eps", 0.1}});
    table["rdiv"] = call_definition_with<ReverseDivide>({{"value", 2.0}});
    table["gelu"] = call_definition<GeluByMode>;
    for_each_eltwise_row([&](const auto& row) { table.emplace(row.row().operation.name, call_row(row)); });
    add_definitions(table, EltwiseDefinitions());
    return table;
}

}  // namespace tilemeter::oracle
