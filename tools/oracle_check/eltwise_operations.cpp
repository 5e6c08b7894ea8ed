// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

namespace {

/// Whose second operand is a tensor or a number.
template <template <typename> typename Definition>
CallResult call_by_operand(const Row& row, const std::vector<Tensor>& inputs) {
    return row.arguments.contains("scalar") ? call_definition<Definition<Scalar>>(row, inputs)
                                            : call_definition<Definition<Tensor>>(row, inputs);
}

}  // namespace

OperationTable eltwise_operations() {
    OperationTable table = {
        {"addalpha", call_row(addalpha, {{"alpha", 2.0}})},
        {"addcdiv", call_row(addcdiv, {{"value", 2.0}})},
        {"addcmul", call_row(addcmul, {{"value", 2.0}})},
        {"clamp", call_definition_with<Clamp<Tensor>>({{"min", true}, {"max", true}})},
        {"div_no_nan", call_by_operand<DivideNoNan>},
        {"floor_div", call_by_operand<FloorDivide>},
        {"gelu", call_definition<Gelu<bool>>},
        {"lerp", call_with_names<Lerp>({{"weight", "number"}})},
        {"logit", call_definition_with<Logit>({{"eps", 0.1}})},
        {"mac", call_with_names<Mac>({{"input_tensor_c", "number"}})},
        {"polyval", call_definition_with<Polyval>({{"coeffs", {1.0, 2.0, 3.0}}})},
        {"rdiv", call_definition_with<ReverseDivide>({{"value", 2.0}})},
        {"subalpha", call_row(subalpha, {{"alpha", 2.0}})},
        {"where", call_with_names<Where>({{"true_value", "x"}, {"false_value", "y"}})},
    };
    for_each_eltwise_row([&](const auto& row) { table.emplace(row.row().operation.name, call_row(row)); });
    add_definitions(table, EltwiseDefinitions());
    return table;
}

}  // namespace tilemeter::oracle
