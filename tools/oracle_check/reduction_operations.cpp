// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter {

// Beside the type, where the calls by name find it.
void read_argument(const nlohmann::json& text, LossReductionMode& value) {
    value = text == "NONE"  ? LossReductionMode::NONE
            : text == "SUM" ? LossReductionMode::SUM
                            : LossReductionMode::MEAN;
}

namespace oracle {

OperationTable reduction_operations() {
    OperationTable operations = {{"sampling", call_with_names<Sampling>({{"sub_core_grids", "cores"}})}};
    add_definitions(operations, ReductionDefinitions());
    return operations;
}

}  // namespace oracle

}  // namespace tilemeter
