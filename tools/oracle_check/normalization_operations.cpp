// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/normalization_operations.hpp"

#include <algorithm>

#include "runtime/operations/normalization/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"

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
             text.at("inplace")};
}

}  // namespace tilemeter

namespace tilemeter::oracle {

namespace {

/// Rows have the residual before weight and bias, the table of parameters after them.
template <typename Norm>
CallResult call_norm(const Row& row, const std::vector<Tensor>& inputs) {
    static const CallOperation kCall = call_with_names<Norm>({{"residual_input_tensor", "residual"},
                                                              {"program_config", "program"},
                                                              {"compute_kernel_config", "kernels"}});
    std::vector<Tensor> in_order = inputs;
    if (row.arguments.value("residual", false))
        std::rotate(in_order.begin() + 1, in_order.begin() + 2, in_order.end());
    return kCall(row, in_order);
}

/// Rows do not say whether they have a mask; the second input is one.
template <typename Definition>
CallOperation call_with_mask(const char* parameter, std::vector<RowName> names = {}) {
    return [=, call = call_with_names<Definition>(std::move(names))](const Row& row,
                                                                     const std::vector<Tensor>& inputs) {
        Row with_mask = row;
        with_mask.arguments[parameter] = inputs.size() > 1;
        return call(with_mask, inputs);
    };
}

/// With a mask unless a row says that there is none.
CallResult call_group_norm(const Row& row, const std::vector<Tensor>& inputs) {
    Row with_mask = row;
    with_mask.arguments["input_mask"] = row.arguments.value("mask", true);
    with_mask.arguments["epsilon"] = 1e-5F;
    return call_definition<GroupNorm>(with_mask, inputs);
}

}  // namespace

std::map<std::string, CallOperation> normalization_operations() {
    const RowName causal{"is_causal_mask", "causal_mask"};
    std::map<std::string, CallOperation> operations = {
        {"attention_softmax", call_with_mask<transformer::AttentionSoftmax>("attention_mask")},
        {"attention_softmax_", call_with_mask<transformer::AttentionSoftmaxInPlace>("attention_mask")},
        {"group_norm", call_group_norm},
        {"layer_norm", call_norm<LayerNorm>},
        {"rms_norm", call_norm<RmsNorm>},
        {"scale_causal_mask_hw_dims_softmax_in_place",
         call_with_mask<ScaleCausalMaskHwDimsSoftmaxInPlace>("mask")},
        {"scale_mask_softmax", call_with_mask<ScaleMaskSoftmax>("mask", {causal})},
        {"scale_mask_softmax_in_place", call_with_mask<ScaleMaskSoftmaxInPlace>("mask", {causal})},
        {"softmax", call_with_names<Softmax>({{"compute_kernel_config", "kernels"}})},
    };
    add_definitions(operations, NormalizationDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
