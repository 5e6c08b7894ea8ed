// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/operation_table.hpp"

#include <map>

#include "runtime/device/errors.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/normalization/batch_norm.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "tools/oracle_check/creation_operations.hpp"
#include "tools/oracle_check/data_movement_operations.hpp"
#include "tools/oracle_check/eltwise_operations.hpp"
#include "tools/oracle_check/matmul_operations.hpp"
#include "tools/oracle_check/moreh_operations.hpp"
#include "tools/oracle_check/reduction_operations.hpp"
#include "tools/oracle_check/statistics_operations.hpp"
#include "tools/oracle_check/transformer_operations.hpp"
#include "tools/oracle_check/window_operations.hpp"

namespace tilemeter::oracle {

namespace {

OptionalComputeKernelConfig kernels_argument(const Row& row) {
    if (!row.arguments.contains("kernels")) return std::nullopt;
    const auto& flags = row.arguments.at("kernels");
    return DeviceComputeKernelConfig{.math_fidelity = MathFidelity::HiFi2,
                                     .math_approx_mode = false,
                                     .fp32_dest_acc_en = flags.at(0),
                                     .packer_l1_acc = flags.at(1)};
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
        {"layer_norm", norm(layer_norm)},
        {"rms_norm", norm(rms_norm)},
        {"softmax", call_softmax},
        {"batch_norm", call_batch_norm},
        {"where", call_where},
    };
    return kOperations;
}

}  // namespace

const CallOperation* find_operation(const std::string& name) {
    static const std::map<std::string, CallOperation> kCreation = creation_operations();
    static const std::map<std::string, CallOperation> kData = data_movement_operations();
    static const std::map<std::string, CallOperation> kEltwise = eltwise_operations();
    static const std::map<std::string, CallOperation> kMatmul = matmul_operations();
    static const std::map<std::string, CallOperation> kMoreh = moreh_operations();
    static const std::map<std::string, CallOperation> kReduction = reduction_operations();
    static const std::map<std::string, CallOperation> kStatistics = statistics_operations();
    static const std::map<std::string, CallOperation> kTransformer = transformer_operations();
    static const std::map<std::string, CallOperation> kWindow = window_operations();
    for (const auto* table : {&operations(), &kCreation, &kData, &kEltwise, &kMatmul, &kMoreh, &kReduction, &kStatistics, &kTransformer, &kWindow}) {
        const auto found = table->find(name);
        if (found != table->end()) return &found->second;
    }
    return nullptr;
}

}  // namespace tilemeter::oracle
