// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

const CallOperation* find_operation(const std::string& name) {
    static const OperationTable kTables[] = {
        creation_operations(),  data_movement_operations(),  eltwise_operations(),
        matmul_operations(),    moreh_operations(),          normalization_operations(),
        reduction_operations(), sliding_window_operations(), transformer_operations()};
    for (const OperationTable& table : kTables) {
        const auto found = table.find(name);
        if (found != table.end()) return &found->second;
    }
    return nullptr;
}

}  // namespace tilemeter::oracle
