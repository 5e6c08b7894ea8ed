// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/operation_table.hpp"

#include <map>

#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "tools/oracle_check/creation_operations.hpp"
#include "tools/oracle_check/data_movement_operations.hpp"
#include "tools/oracle_check/eltwise_operations.hpp"
#include "tools/oracle_check/matmul_operations.hpp"
#include "tools/oracle_check/moreh_operations.hpp"
#include "tools/oracle_check/normalization_operations.hpp"
#include "tools/oracle_check/reduction_operations.hpp"
#include "tools/oracle_check/sliding_window_operations.hpp"
#include "tools/oracle_check/statistics_operations.hpp"
#include "tools/oracle_check/transformer_operations.hpp"

namespace tilemeter::oracle {

namespace {

Tensor call_embedding(const Row& row, const std::vector<Tensor>& inputs) {
    const bool tiles = row.arguments.value("out_layout", "ROW_MAJOR") == "TILE";
    return embedding(inputs.at(0), inputs.at(1), std::nullopt, tiles ? Layout::TILE : Layout::ROW_MAJOR,
                     row.out_memory_config);
}

Tensor call_where(const Row& row, const std::vector<Tensor>& inputs) {
    std::size_t next = 1;
    const auto branch = [&](const char* name) -> TensorOrNumber {
        if (row.arguments.contains(name)) return row.arguments.at(name).get<float>();
        return inputs.at(next++);
    };
    const TensorOrNumber value_true = branch("x");
    const TensorOrNumber value_false = branch("y");
    return where(inputs.at(0), value_true, value_false, row.out_memory_config);
}

const std::map<std::string, CallOperation>& operations() {
    static const std::map<std::string, CallOperation> kOperations = {
        {"embedding", call_embedding},
        {"where", call_where},
    };
    return kOperations;
}

}  // namespace

const CallOperation* find_operation(const std::string& name) {
    static const std::map<std::string, CallOperation> kCreation = creation_operations();
    static const std::map<std::string, CallOperation> kDataMovement = data_movement_operations();
    static const std::map<std::string, CallOperation> kEltwise = eltwise_operations();
    static const std::map<std::string, CallOperation> kMatmul = matmul_operations();
    static const std::map<std::string, CallOperation> kMoreh = moreh_operations();
    static const std::map<std::string, CallOperation> kNormalization = normalization_operations();
    static const std::map<std::string, CallOperation> kReduction = reduction_operations();
    static const std::map<std::string, CallOperation> kSlidingWindow = sliding_window_operations();
    static const std::map<std::string, CallOperation> kStatistics = statistics_operations();
    static const std::map<std::string, CallOperation> kTransformer = transformer_operations();
    for (const auto* table : {&operations(), &kCreation, &kDataMovement, &kEltwise, &kMatmul, &kMoreh,
                              &kNormalization, &kReduction, &kSlidingWindow, &kStatistics, &kTransformer}) {
        const auto found = table->find(name);
        if (found != table->end()) return &found->second;
    }
    return nullptr;
}

}  // namespace tilemeter::oracle
