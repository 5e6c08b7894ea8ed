// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/eltwise_operations.hpp"

#include <cstdint>

#include "runtime/operations/eltwise/definitions.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "tools/oracle_check/definition_call.hpp"

namespace tilemeter::oracle {

namespace {

/// Whose second operand is a tensor or a number.
template <template <typename> typename Definition>
CallResult call_by_operand(const Row& row, const std::vector<Tensor>& inputs) {
    return row.arguments.contains("scalar") ? call_definition<Definition<Scalar>>(row, inputs)
                                            : call_definition<Definition<Tensor>>(row, inputs);
}

CallResult call_where(const Row& row, const std::vector<Tensor>& inputs) {
    std::size_t next = 1;
    const auto branch = [&](const char* name) -> TensorOrNumber {
        if (row.arguments.contains(name)) return row.arguments.at(name).get<float>();
        return inputs.at(next++);
    };
    const TensorOrNumber value_true = branch("x");
    const TensorOrNumber value_false = branch("y");
    return where(inputs.at(0), value_true, value_false, row.out_memory_config);
}

using Triangle = Tensor (*)(const Tensor&, std::int64_t, const OptionalMemoryConfig&);
CallOperation triangle(Triangle function) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        return function(inputs.at(0), row.arguments.at("diagonal"), row.out_memory_config);
    };
}

}  // namespace

std::map<std::string, CallOperation> eltwise_operations() {
    std::map<std::string, CallOperation> table = {
        {"addalpha", call_definition_with<AddAlpha>({{"alpha", 2.0}})},
        {"addcdiv", call_definition_with<AddDivided>({{"value", 2.0}})},
        {"addcmul", call_definition_with<AddMultiplied>({{"value", 2.0}})},
        {"clamp", call_definition_with<ClampByTensors>({{"min", true}, {"max", true}})},
        {"div_no_nan", call_by_operand<DivideNoNan>},
        {"floor_div", call_by_operand<FloorDivide>},
        {"gelu", call_definition<GeluByMode>},
        {"logit", call_definition_with<Logit>({{"eps", 0.1}})},
        {"polyval", call_definition_with<Polyval>({{"coeffs", {1.0, 2.0, 3.0}}})},
        {"rdiv", call_definition_with<ReverseDivide>({{"value", 2.0}})},
        {"subalpha", call_definition_with<SubtractAlpha>({{"alpha", 2.0}})},
        {"tril", triangle(tril)},
        {"triu", triangle(triu)},
        {"where", call_where},
    };
    for_each_eltwise_row([&](const auto& row) { table.emplace(row.row().operation.name, call_row(row)); });
    add_definitions(table, EltwiseDefinitions());
    return table;
}

}  // namespace tilemeter::oracle
