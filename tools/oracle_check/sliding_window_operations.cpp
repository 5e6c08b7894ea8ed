// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/sliding_window_operations.hpp"

#include <stdexcept>

#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/conv_transpose2d.hpp"
#include "runtime/operations/sliding_window/definitions.hpp"
#include "tools/oracle_check/definition_call.hpp"

namespace tilemeter {

// Found by the generic caller through the type that it reads.

void read_argument(const nlohmann::json& text, WindowPadding& value) {
    value = text.size() == 4 ? WindowPadding(text.at(0), text.at(1), text.at(2), text.at(3))
                             : WindowPadding(text.at(0), text.at(1));
}

}  // namespace tilemeter

namespace tilemeter::oracle {

namespace {

using nlohmann::json;
using Pair = std::array<std::uint32_t, 2>;

Pair pair_of(const json& text) {
    return {text.at(0), text.at(1)};
}

std::array<std::uint32_t, 4> padding_of(const json& text) {
    if (text.size() == 4) return {text.at(0), text.at(1), text.at(2), text.at(3)};
    return {text.at(0), text.at(0), text.at(1), text.at(1)};
}

std::optional<TensorMemoryLayout::Value> layout_of(const json& arguments, const char* name) {
    if (!arguments.contains(name)) return std::nullopt;
    TensorMemoryLayout::Value layout{};
    read_argument(arguments.at(name), layout);
    return layout;
}

Conv2dConfig config_of(const json& arguments) {
    Conv2dConfig config;
    config.weights_dtype = data_type(arguments.at("weights_dtype"));
    if (arguments.contains("activation"))
        config.activation = string_to_unary_with_param(arguments.at("activation").get<std::string>());
    config.shard_layout = layout_of(arguments, "shard_layout");
    config.act_block_h_override = arguments.value("act_block_h_override", 0U);
    config.deallocate_activation = arguments.value("deallocate_activation", false);
    config.reallocate_halo_output = arguments.value("reallocate_halo_output", true);
    config.enable_act_double_buffer = arguments.value("enable_act_double_buffer", false);
    config.enable_weights_double_buffer = arguments.value("enable_weights_double_buffer", false);
    config.full_inner_dim = arguments.value("full_inner_dim", false);
    config.transpose_shards = arguments.value("transpose_shards", false);
    config.reshard_if_not_optimal = arguments.value("reshard_if_not_optimal", false);
    config.config_tensors_in_dram = arguments.value("config_tensors_in_dram", false);
    if (arguments.contains("enable_kernel_stride_folding"))
        config.enable_kernel_stride_folding = arguments.at("enable_kernel_stride_folding").get<bool>();
    if (arguments.contains("output_layout")) config.output_layout = Layout::ROW_MAJOR;
    return config;
}

void read_arguments(const Row& row, Conv2dArguments& arguments) {
    const json& given = row.arguments;
    arguments.in_channels = given.at("in_channels");
    arguments.out_channels = given.at("out_channels");
    arguments.batch_size = given.at("batch_size");
    arguments.input_height = given.at("input_height");
    arguments.input_width = given.at("input_width");
    arguments.kernel_size = pair_of(given.at("kernel_size"));
    arguments.stride = pair_of(given.at("stride"));
    arguments.padding = padding_of(given.at("padding"));
    if (given.contains("dilation")) arguments.dilation = pair_of(given.at("dilation"));
    arguments.groups = given.value("groups", 1U);
    if (given.contains("dtype")) arguments.dtype = data_type(given.at("dtype"));
    arguments.conv_config = config_of(given);
    arguments.memory_config = row.out_memory_config;
    if (given.value("l1_full", false)) arguments.slice_config = Conv2dL1FullSliceConfig;
    if (given.contains("slice")) {
        using SliceType = Conv2dSliceConfig::SliceType;
        const json& slice = given.at("slice");
        arguments.slice_config = Conv2dSliceConfig{
            slice.at(0) == "DRAM_HEIGHT" ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH, slice.at(1)};
    }
    arguments.return_weights_and_bias = given.value("return_weights", true);
}

Tensor planned(const Shape& shape) {
    return Tensor::planned_on_host({shape, DataType::BFLOAT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG});
}
OptionalTensor planned_bias(const Row& row, const Conv2dArguments& arguments) {
    if (!row.arguments.at("bias")) return std::nullopt;
    return planned({1, 1, 1, arguments.out_channels});
}

std::vector<Tensor> tensors_of(const Conv2dResult& result) {
    std::vector<Tensor> all = {result.output};
    if (result.weight) all.push_back(*result.weight);
    if (result.bias) all.push_back(*result.bias);
    return all;
}

CallResult call_conv2d(const Row& row, const std::vector<Tensor>& inputs) {
    Conv2dArguments arguments;
    read_arguments(row, arguments);
    const Tensor weights = planned({arguments.out_channels, arguments.in_channels / arguments.groups,
                                    arguments.kernel_size[0], arguments.kernel_size[1]});
    return tensors_of(
        conv2d(inputs.at(0), weights, inputs.at(0).shared_device(), planned_bias(row, arguments), arguments));
}

CallResult call_conv_transpose2d(const Row& row, const std::vector<Tensor>& inputs) {
    ConvTranspose2dArguments arguments;
    read_arguments(row, arguments);
    if (row.arguments.contains("output_padding"))
        arguments.output_padding = pair_of(row.arguments.at("output_padding"));
    arguments.mirror_kernel = row.arguments.value("mirror_kernel", true);
    const Tensor weights = planned({arguments.in_channels, arguments.out_channels / arguments.groups,
                                    arguments.kernel_size[0], arguments.kernel_size[1]});
    return tensors_of(conv_transpose2d(inputs.at(0), weights, inputs.at(0).shared_device(),
                                       planned_bias(row, arguments), arguments));
}

/// Rows list both strides in one.
CallResult call_fold(const Row& row, const std::vector<Tensor>& inputs) {
    Row split = row;
    split.arguments["stride_h"] = row.arguments.at("stride").at(0);
    split.arguments["stride_w"] = row.arguments.at("stride").at(1);
    return call_definition<Fold>(split, inputs);
}

}  // namespace

std::map<std::string, CallOperation> sliding_window_operations() {
    std::map<std::string, CallOperation> operations = {
        {"conv2d", call_conv2d},
        {"conv_transpose2d", call_conv_transpose2d},
        {"fold", call_fold},
    };
    add_definitions(operations, SlidingWindowDefinitions());
    return operations;
}

}  // namespace tilemeter::oracle
