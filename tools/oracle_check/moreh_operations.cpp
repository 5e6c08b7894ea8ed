// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

OperationTable moreh_operations() {
    OperationTable operations;
    add_definitions(operations, MorehDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
