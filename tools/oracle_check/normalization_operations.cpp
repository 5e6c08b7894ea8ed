// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <stdexcept>

#include "runtime/operations/normalization/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter {

// Found by the generic caller through the types that they read.

void read_argument(const nlohmann::json& text, SoftmaxShardedMultiCoreProgramConfig& value) {
    value = {{text.at("grid").at(0), text.at("grid").at(1)},
             text.at("subblock_w"),
             text.at("block_h"),
             text.at("block_w")};
}
void read_argument(const nlohmann::json& text, LayerNormShardedMultiCoreProgramConfig& value) {
    value = {{text.at("grid").at(0), text.at("grid").at(1)},
             text.at("subblock_w"),
             text.at("block_h"),
             text.at("block_w"),
             text.at("inplace"),
             text.value("use_welford", false)};
}
void read_argument(const nlohmann::json& text, LayerNormDefaultProgramConfig& value) {
    if (text.contains("grid")) throw std::runtime_error("expected a config of interleaved tensors");
    value = {text.at("use_welford")};
}

}  // namespace tilemeter

namespace tilemeter::oracle {

namespace {

/// Rows have the residual before weight and bias, the table of parameters after them.
template <typename Norm>
CallResult call_norm(const Row& row, const std::vector<Tensor>& inputs) {
    std::vector<Tensor> in_order = inputs;
    const bool has_table = row.arguments.value("recip_tensor", false);
    if (row.arguments.value("residual", false))
        std::rotate(in_order.begin() + 1, in_order.begin() + 2, in_order.end() - (has_table ? 1 : 0));
    return call_definition<Norm>(row, in_order);
}

CallResult call_group_norm(const Row& row, const std::vector<Tensor>& inputs) {
    Row with_mask = row;
    with_mask.arguments["input_mask"] = row.arguments.value("mask", true);
    with_mask.arguments["epsilon"] = 1e-5F;
    return call_definition<GroupNorm>(with_mask, inputs);
}

}  // namespace

OperationTable normalization_operations() {
    OperationTable operations = {
        {"dit_rms_norm_unary_fused", call_norm<experimental::DitRmsNormUnaryFused>},
        {"group_norm", call_group_norm},
        {"layer_norm", call_norm<LayerNorm>},
        {"rms_norm", call_norm<RmsNorm>},
    };
    add_definitions(operations, NormalizationDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
