// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/operation_table.hpp"

#include <map>

#include "runtime/device/errors.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/batch_norm.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "tools/oracle_check/creation_operations.hpp"
#include "tools/oracle_check/data_movement_operations.hpp"
#include "tools/oracle_check/elementwise_operations.hpp"
#include "tools/oracle_check/moreh_operations.hpp"
#include "tools/oracle_check/reduction_operations.hpp"
#include "tools/oracle_check/statistics_operations.hpp"
#include "tools/oracle_check/transformer_operations.hpp"
#include "tools/oracle_check/window_operations.hpp"

namespace tilemeter::oracle {

namespace {

using Unary = Tensor (*)(const Tensor&, const OptionalMemoryConfig&, const OptionalTensor&,
                         const OptionalCores&);
using ApproximableUnary = Tensor (*)(const Tensor&, bool, const OptionalMemoryConfig&, const OptionalTensor&,
                                     const OptionalCores&);

CallOperation unary(Unary function) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        return function(inputs.at(0), row.out_memory_config, std::nullopt, std::nullopt);
    };
}
CallOperation approximable(ApproximableUnary function) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        return function(inputs.at(0), false, row.out_memory_config, std::nullopt, std::nullopt);
    };
}

std::optional<DataType> dtype_argument(const Row& row) {
    if (!row.arguments.contains("dtype")) return std::nullopt;
    return data_type(row.arguments.at("dtype"));
}
OptionalCoreGrid core_grid_argument(const Row& row) {
    if (!row.arguments.contains("core_grid")) return std::nullopt;
    return CoreGrid{row.arguments.at("core_grid").at(0), row.arguments.at("core_grid").at(1)};
}
std::optional<std::string> activation_argument(const Row& row) {
    if (!row.arguments.contains("activation")) return std::nullopt;
    return row.arguments.at("activation").get<std::string>();
}

OptionalComputeKernelConfig kernels_argument(const Row& row) {
    if (!row.arguments.contains("kernels")) return std::nullopt;
    const auto& flags = row.arguments.at("kernels");
    return DeviceComputeKernelConfig{.math_fidelity = MathFidelity::HiFi2,
                                     .math_approx_mode = false,
                                     .fp32_dest_acc_en = flags.at(0),
                                     .packer_l1_acc = flags.at(1)};
}

std::optional<UnaryWithParam> fused_activation(const nlohmann::json& program) {
    if (!program.contains("fused_activation") || program.at("fused_activation").is_null())
        return std::nullopt;
    const std::string name = program.at("fused_activation");
    if (name == "gelu") return UnaryWithParam{UnaryOpType::GELU, 1.0F};
    return UnaryWithParam{name == "relu" ? UnaryOpType::RELU : UnaryOpType::SILU};
}
OptionalProgramConfig program_argument(const Row& row) {
    if (!row.arguments.contains("program")) return std::nullopt;
    const nlohmann::json& text = row.arguments.at("program");
    const auto fill = [&](auto& config) {
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
        fill(config);
        return config;
    }
    if (kind == "MultiCast") {
        MatmulMultiCoreReuseMultiCastProgramConfig config;
        fill(config);
        config.fused_activation = fused_activation(text);
        return config;
    }
    if (kind == "MultiCastDRAMSharded") {
        MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig config;
        config.in0_block_w = text.at("in0_block_w");
        config.per_core_M = text.at("per_core_M");
        config.per_core_N = text.at("per_core_N");
        config.fused_activation = fused_activation(text);
        config.num_workers_per_dram_bank = text.value("num_workers_per_dram_bank", 1);
        return config;
    }
    if (kind != "MultiCast1D") throw RuntimeError("matmul: program config " + kind + " is not there");
    MatmulMultiCoreReuseMultiCast1DProgramConfig config;
    fill(config);
    config.fused_activation = fused_activation(text);
    config.mcast_in0 = text.at("mcast_in0");
    return config;
}

Tensor call_linear(const Row& row, const std::vector<Tensor>& inputs);

Tensor call_matmul(const Row& row, const std::vector<Tensor>& inputs) {
    if (row.arguments.value("bias", false)) return call_linear(row, inputs);
    return matmul(inputs.at(0), inputs.at(1), row.arguments.value("transpose_a", false),
                  row.arguments.value("transpose_b", false), row.out_memory_config, dtype_argument(row),
                  program_argument(row), activation_argument(row), kernels_argument(row),
                  core_grid_argument(row));
}
Tensor call_linear(const Row& row, const std::vector<Tensor>& inputs) {
    const OptionalTensor bias = inputs.size() > 2 ? OptionalTensor(inputs[2]) : std::nullopt;
    return linear(inputs.at(0), inputs.at(1), bias, row.arguments.value("transpose_a", false),
                  row.arguments.value("transpose_b", false), row.out_memory_config, dtype_argument(row),
                  program_argument(row), activation_argument(row), kernels_argument(row),
                  core_grid_argument(row));
}
Tensor call_softmax(const Row& row, const std::vector<Tensor>& inputs) {
    return softmax(inputs.at(0), row.arguments.value("dim", -1), row.out_memory_config, true,
                   kernels_argument(row));
}

Tensor call_embedding(const Row& row, const std::vector<Tensor>& inputs) {
    const bool tiles = row.arguments.value("out_layout", "ROW_MAJOR") == "TILE";
    return embedding(inputs.at(0), inputs.at(1), std::nullopt, tiles ? Layout::TILE : Layout::ROW_MAJOR,
                     row.out_memory_config);
}

using Norm = Tensor (*)(const Tensor&, float, const OptionalTensor&, const OptionalTensor&,
                        const OptionalTensor&, const OptionalMemoryConfig&,
                        const OptionalLayerNormProgramConfig&, const OptionalComputeKernelConfig&);
CallOperation norm(Norm function) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        std::size_t next = 1;
        const auto optional = [&](const char* name) {
            return row.arguments.value(name, false) ? OptionalTensor(inputs.at(next++)) : std::nullopt;
        };
        const OptionalTensor residual = optional("residual");
        const OptionalTensor weight = optional("weight");
        const OptionalTensor bias = optional("bias");
        OptionalLayerNormProgramConfig config;
        if (row.arguments.contains("program")) {
            const nlohmann::json& text = row.arguments.at("program");
            config = {{text.at("grid").at(0), text.at("grid").at(1)},
                      text.at("subblock_w"),
                      text.at("block_h"),
                      text.at("block_w"),
                      text.at("inplace")};
        }
        return function(inputs.at(0), 1e-12F, weight, bias, residual, row.out_memory_config, config,
                        kernels_argument(row));
    };
}

Tensor call_batch_norm(const Row& row, const std::vector<Tensor>& inputs) {
    std::size_t next = 1;
    const auto optional = [&](const char* name) {
        return row.arguments.value(name, false) ? OptionalTensor(inputs.at(next++)) : std::nullopt;
    };
    const OptionalTensor mean = optional("running_mean");
    const OptionalTensor variance = optional("running_var");
    const OptionalTensor weight = optional("weight");
    const OptionalTensor bias = optional("bias");
    return batch_norm(inputs.at(0), mean, variance, false, 1e-5F, weight, bias, std::nullopt,
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
        {"exp", approximable(exp)},
        {"gelu", approximable(gelu)},
        {"layer_norm", norm(layer_norm)},
        {"linear", call_linear},
        {"matmul", call_matmul},
        {"relu", unary(relu)},
        {"rms_norm", norm(rms_norm)},
        {"softmax", call_softmax},
        {"sqrt", approximable(sqrt)},
        {"batch_norm", call_batch_norm},
        {"where", call_where},
    };
    return kOperations;
}

}  // namespace

const CallOperation* find_operation(const std::string& name) {
    static const std::map<std::string, CallOperation> kCreation = creation_operations();
    static const std::map<std::string, CallOperation> kData = data_movement_operations();
    static const std::map<std::string, CallOperation> kElementwise = elementwise_operations();
    static const std::map<std::string, CallOperation> kMoreh = moreh_operations();
    static const std::map<std::string, CallOperation> kReduction = reduction_operations();
    static const std::map<std::string, CallOperation> kStatistics = statistics_operations();
    static const std::map<std::string, CallOperation> kTransformer = transformer_operations();
    static const std::map<std::string, CallOperation> kWindow = window_operations();
    for (const auto* table : {&operations(), &kCreation, &kData, &kElementwise, &kMoreh, &kReduction, &kStatistics, &kTransformer, &kWindow}) {
        const auto found = table->find(name);
        if (found != table->end()) return &found->second;
    }
    return nullptr;
}

}  // namespace tilemeter::oracle
