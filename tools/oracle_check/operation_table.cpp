// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/operation_table.hpp"

#include <map>

#include "tools/oracle_check/creation_operations.hpp"
#include "tools/oracle_check/data_movement_operations.hpp"
#include "tools/oracle_check/eltwise_operations.hpp"
#include "tools/oracle_check/matmul_operations.hpp"
#include "tools/oracle_check/moreh_operations.hpp"
#include "tools/oracle_check/normalization_operations.hpp"
#include "tools/oracle_check/reduction_operations.hpp"
#include "tools/oracle_check/sliding_window_operations.hpp"
#include "tools/oracle_check/transformer_operations.hpp"

namespace tilemeter::oracle {

const CallOperation* find_operation(const std::string& name) {
    static const std::map<std::string, CallOperation> kCreation = creation_operations();
    static const std::map<std::string, CallOperation> kDataMovement = data_movement_operations();
    static const std::map<std::string, CallOperation> kEltwise = eltwise_operations();
    static const std::map<std::string, CallOperation> kMatmul = matmul_operations();
    static const std::map<std::string, CallOperation> kMoreh = moreh_operations();
    static const std::map<std::string, CallOperation> kNormalization = normalization_operations();
    static const std::map<std::string, CallOperation> kReduction = reduction_operations();
    static const std::map<std::string, CallOperation> kSlidingWindow = sliding_window_operations();
    static const std::map<std::string, CallOperation> kTransformer = transformer_operations();
    for (const auto* table : {&kCreation, &kDataMovement, &kEltwise, &kMatmul, &kMoreh, &kNormalization,
                              &kReduction, &kSlidingWindow, &kTransformer}) {
        const auto found = table->find(name);
        if (found != table->end()) return &found->second;
    }
    return nullptr;
}

}  // namespace tilemeter::oracle
