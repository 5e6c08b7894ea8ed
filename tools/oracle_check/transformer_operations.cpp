// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter {

// Beside the type, where the calls by name find it.
void read_argument(const nlohmann::json& text, SDPAProgramConfig& value) {
    value.compute_with_storage_grid_size = {text.at("grid").at(0), text.at("grid").at(1)};
    value.q_chunk_size = text.at("q_chunk_size");
    value.k_chunk_size = text.at("k_chunk_size");
    value.max_cores_per_head_batch = text.value("max_cores_per_head_batch", 16U);
    if (text.contains("exp_approx_mode")) value.exp_approx_mode = text.at("exp_approx_mode").get<bool>();
}

void read_argument(const nlohmann::json& text, IndexerScoreProgramConfig& value) {
    value = {text.at(0), text.at(1), text.at(2)};
}

namespace oracle {

OperationTable transformer_operations() {
    OperationTable operations;
    add_definitions(operations, TransformerDefinitions());
    return operations;
}

}  // namespace oracle

}  // namespace tilemeter
