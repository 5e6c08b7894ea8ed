// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/errors.hpp"
#include "runtime/operations/matmul/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter {

namespace {

std::optional<UnaryWithParam> fused_activation(const nlohmann::json& program) {
    if (!program.contains("fused_activation") || program.at("fused_activation").is_null())
        return std::nullopt;
    const std::string name = program.at("fused_activation");
    if (name == "gelu") return UnaryWithParam{UnaryOpType::GELU, 1.0F};
    return UnaryWithParam{name == "relu" ? UnaryOpType::RELU : UnaryOpType::SILU};
}
}  // namespace

// Beside the type, where the calls by name find it.
void read_argument(const nlohmann::json& text, MatmulProgramConfig& value) {
    const auto read_blocks = [&](auto& config) {
        const auto& grid = text.at("compute_with_storage_grid_size");
        config.compute_with_storage_grid_size = {grid.at(0), grid.at(1)};
        config.in0_block_w = text.at("in0_block_w");
        config.out_subblock_h = text.at("out_subblock_h");
        config.out_subblock_w = text.at("out_subblock_w");
        config.per_core_M = text.at("per_core_M");
        config.per_core_N = text.at("per_core_N");
    };
    const std::string kind = text.at("kind");
    if (kind.empty()) {
        MatmulMultiCoreReuseProgramConfig config;
        read_blocks(config);
        value = config;
        return;
    }
    if (kind == "MultiCast") {
        MatmulMultiCoreReuseMultiCastProgramConfig config;
        read_blocks(config);
        config.fused_activation = fused_activation(text);
        value = config;
        return;
    }
    if (kind == "MultiCastDRAMSharded") {
        MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig config;
        config.in0_block_w = text.at("in0_block_w");
        config.per_core_M = text.at("per_core_M");
        config.per_core_N = text.at("per_core_N");
        config.fused_activation = fused_activation(text);
        config.num_workers_per_dram_bank = text.value("num_workers_per_dram_bank", 1);
        value = config;
        return;
    }
    if (kind == "MultiCastBatchedDRAMSharded") {
        MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig config;
        config.in0_block_w = text.at("in0_block_w");
        config.per_core_M = text.at("per_core_M");
        config.per_core_N = text.at("per_core_N");
        config.fused_activation = fused_activation(text);
        value = config;
        return;
    }
    if (kind != "MultiCast1D") throw RuntimeError("matmul: program config " + kind + " is not there");
    MatmulMultiCoreReuseMultiCast1DProgramConfig config;
    read_blocks(config);
    config.fused_activation = fused_activation(text);
    config.mcast_in0 = text.at("mcast_in0");
    config.out_block_h = text.value("out_block_h", 0);
    config.out_block_w = text.value("out_block_w", 0);
    config.fuse_batch = text.value("fuse_batch", true);
    value = config;
}

namespace oracle {

OperationTable matmul_operations() {
    OperationTable operations;
    // Some rows of products with a bias have the name matmul.
    operations.emplace("matmul", [](const Row& row, const std::vector<Tensor>& inputs) {
        return row.arguments.value("bias", false) ? call_definition<Linear>(row, inputs)
                                                  : call_definition<Matmul>(row, inputs);
    });
    add_definitions(operations, MatmulDefinitions());
    return operations;
}

}  // namespace oracle

}  // namespace tilemeter
