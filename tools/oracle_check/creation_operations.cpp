// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/creation_operations.hpp"

#include "runtime/operations/creation/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"

namespace tilemeter::oracle {

std::map<std::string, CallOperation> creation_operations() {
    const nlohmann::json seed = {{"seed", 3}};
    std::map<std::string, CallOperation> operations = {
        {"bernoulli", call_with_names<Bernoulli>({}, seed)},
        {"uniform", call_with_names<Uniform>({}, seed)},
    };
    add_definitions(operations, CreationDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
