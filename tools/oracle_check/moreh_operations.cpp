// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/moreh_operations.hpp"

#include "runtime/operations/moreh/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"

namespace tilemeter::oracle {

std::map<std::string, CallOperation> moreh_operations() {
    std::map<std::string, CallOperation> operations;
    add_definitions(operations, MorehDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
