// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/creation/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

OperationTable creation_operations() {
    const nlohmann::json seed = {{"seed", 3}};
    OperationTable operations = {
        {"bernoulli", call_with_names<Bernoulli>({}, seed)},
        {"uniform", call_with_names<Uniform>({}, seed)},
    };
    add_definitions(operations, CreationDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
