// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <type_traits>

#include "runtime/operations/sliding_window/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter {

// Found by the generic caller through the type that it reads.

void read_argument(const nlohmann::json& text, WindowPadding& value) {
    value = text.size() == 4 ? WindowPadding(text.at(0), text.at(1), text.at(2), text.at(3))
                             : WindowPadding(text.at(0), text.at(1));
}

/// Rows list fields of the config among the arguments.
void read_argument(const nlohmann::json& row, Conv2dConfigOrDefault& config) {
    const auto read = [&](const char* name, auto& value) {
        if (row.contains(name)) oracle::read_argument(row.at(name), value);
    };
    read("weights_dtype", config.weights_dtype);
    if (row.contains("activation"))
        config.activation = string_to_unary_with_param(row.at("activation").get<std::string>());
    read("shard_layout", config.shard_layout);
    read("act_block_h_override", config.act_block_h_override);
    read("deallocate_activation", config.deallocate_activation);
    read("reallocate_halo_output", config.reallocate_halo_output);
    read("enable_act_double_buffer", config.enable_act_double_buffer);
    read("enable_weights_double_buffer", config.enable_weights_double_buffer);
    read("full_inner_dim", config.full_inner_dim);
    read("transpose_shards", config.transpose_shards);
    read("reshard_if_not_optimal", config.reshard_if_not_optimal);
    read("config_tensors_in_dram", config.config_tensors_in_dram);
    read("enable_kernel_stride_folding", config.enable_kernel_stride_folding);
    read("enable_activation_reuse", config.enable_activation_reuse);
    read("replicates_edges", config.replicates_edges);
    if (row.contains("output_layout")) config.output_layout = Layout::ROW_MAJOR;
}

void read_argument(const nlohmann::json& row, Conv3dConfig& config) {
    const auto read = [&](const char* name, auto& value) {
        if (row.contains(name)) oracle::read_argument(row.at(name), value);
    };
    read("T_out_block", config.T_out_block);
    read("H_out_block", config.H_out_block);
    read("W_out_block", config.W_out_block);
    read("C_out_block", config.C_out_block);
    read("C_in_block", config.C_in_block);
    if (row.contains("grid")) {
        config.compute_with_storage_grid_size = {row.at("grid").at(0), row.at("grid").at(1)};
    }
}

void read_argument(const nlohmann::json& text, Conv2dSliceConfig& value) {
    using SliceType = Conv2dSliceConfig::SliceType;
    value = {text.at(0) == "DRAM_HEIGHT" ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH, text.at(1)};
    if (text.at(0) == "L1_FULL") value = Conv2dL1FullSliceConfig;
}

}  // namespace tilemeter

namespace tilemeter::oracle {

namespace {

/// Weights and bias follow from the sizes.
template <typename Definition>
CallResult call_convolution(const Row& row, const std::vector<Tensor>& inputs) {
    constexpr bool kTransposed = std::is_same_v<Definition, ConvTranspose2d>;
    Row full = row;
    nlohmann::json& given = full.arguments;
    const std::uint32_t in = given.at("in_channels"), out = given.at("out_channels");
    const std::uint32_t groups = given.value("groups", 1U);
    const std::array<std::uint32_t, 2> kernel = given.at("kernel_size");
    const auto planned = [](const Shape& shape) {
        return Tensor::planned_on_host({shape, DataType::BFLOAT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG});
    };
    std::vector<Tensor> tensors = {
        inputs.at(0),
        planned({kTransposed ? in : out, (kTransposed ? out : in) / groups, kernel[0], kernel[1]})};
    if (given.at("bias")) tensors.push_back(planned({1, 1, 1, out}));
    given["bias_tensor"] = given.at("bias");
    given["conv_config"] = row.arguments;
    given["return_weights_and_bias"] = given.value("return_weights", true);
    if (given.value("l1_full", false)) given["slice"] = {"L1_FULL", 0};
    if (given.contains("slice"))
        given[kTransposed ? "dram_slice_config" : "slice_config"] = given.at("slice");
    return call_definition<Definition>(full, tensors);
}

/// Rows list both strides in one, and cores by their number in both directions.
CallResult call_fold(const Row& row, const std::vector<Tensor>& inputs) {
    Row split = row;
    if (row.arguments.contains("transposed")) {
        split.arguments["use_transpose_as_fold"] = true;
        if (row.arguments.contains("grid")) {
            const std::array<std::uint32_t, 2> size = row.arguments.at("grid");
            split.arguments["grid_size"] = {{0, 0, size[0] - 1, size[1] - 1}};
        }
    }
    split.arguments["stride_h"] = row.arguments.at("stride").at(0);
    split.arguments["stride_w"] = row.arguments.at("stride").at(1);
    return call_definition<Fold>(split, inputs);
}

}  // namespace

OperationTable sliding_window_operations() {
    OperationTable operations = {
        {"conv2d", call_convolution<Conv2d>},
        {"conv_transpose2d", call_convolution<ConvTranspose2d>},
        {"fold", call_fold},
    };
    add_definitions(operations, SlidingWindowDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
