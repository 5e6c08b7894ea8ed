// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/conv2d_operation.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/compute/convolution.hpp"
#include "runtime/compute/unary.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// All cores that a program of such shards runs on.
CoreRangeSet program_cores(const MemoryConfig& input, const MemoryConfig& output) {
    const CoreRangeSet& from = input.shard_spec->grid;
    const CoreRangeSet& to = output.shard_spec->grid;
    switch (input.memory_layout) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return to.bounding_box();
        case TensorMemoryLayout::WIDTH_SHARDED:
            return (from.num_cores() > to.num_cores() ? from : to).bounding_box();
        default:
            // Both begin in the first core and have the same rows.
            return from.num_cores() > to.num_cores() ? from : to;
    }
}

// Each channel of images of one row by its own filter, whose values the weights have several times below each other.
std::vector<float> filtered_rows(const SlidingWindow& window, const std::vector<float>& images,
                                 const HostArray& weights, std::uint64_t channels) {
    const std::vector<float> filters = weights.to_floats();
    const std::uint64_t times = weights.shape()[-2] / window.kernel_width;
    const std::uint64_t width = window.output_width();
    std::vector<float> rows(window.batch * width * channels, 0.0F);
    for (std::uint64_t at = 0; at < window.batch * width; ++at) {
        const std::uint64_t first = at / width * window.padded_width() + at % width * window.step_width();
        float* to = rows.data() + at * channels;
        for (std::uint64_t place = 0; place < window.kernel_width; ++place) {
            const float* from = images.data() + (first + place * window.dilation_width) * channels;
            const float* by = filters.data() + place * times * channels;
            for (std::uint64_t channel = 0; channel < channels; ++channel)
                to[channel] += from[channel] * by[channel];
        }
    }
    return rows;
}

}  // namespace

std::string Conv2dDeviceOperation::activation_text() const {
    if (!request.config.activation) return "std::nullopt";
    std::string text(compute::name_of(request.config.activation->op_type));
    for (const double parameter : request.config.activation->parameters)
        text += "," + attribute_text(static_cast<float>(parameter));
    return text;
}

std::string Conv2dDeviceOperation::force_split_reader_text() const {
    return attribute_text(request.config.force_split_reader);
}

void Conv2dDeviceOperation::validate(SpecsView inputs) const {
    const TensorSpec& input = inputs[0];
    const TensorSpec& weights = inputs[1];
    require(input.layout == Layout::ROW_MAJOR && input.memory_config.is_sharded(),
            "conv2d: activations: expected sharded rows, got ", name_of(input.layout), " ",
            name_of(input.memory_config.memory_layout));
    require(request.blocks.out_block_h % request.blocks.act_block_h == 0, "act_matrix_height_ntiles ",
            request.blocks.out_block_h, " should be divisible by act_block_h_ntiles ",
            request.blocks.act_block_h);
    const bool depthwise_row = request.depthwise_row(inputs.size() > 2);
    require(
        !depthwise_row || input.memory_config.memory_layout != TensorMemoryLayout::WIDTH_SHARDED,
        "The width of tensor a needs to match the height of tensor b: conv2d: a depthwise convolution along "
        "one row");
    const std::uint64_t rows =
        std::uint64_t{request.window.kernel_height} * request.window.kernel_width *
        (depthwise_row ? request.blocks.act_block_h * kTileHeight : request.input_channels);
    require(weights.layout == Layout::TILE && weights.shape.rank() == 4 && weights.shape[-2] == rows &&
                weights.shape[-1] == request.output_channels,
            "conv2d: weights: expected a TILE matrix of [", rows, ", ", request.output_channels, "], got ",
            name_of(weights.layout), " ", weights.shape);
}

TensorSpecs Conv2dDeviceOperation::infer(SpecsView) const {
    const auto sticks = static_cast<std::uint32_t>(request.window.output_sticks());
    TensorSpec spec{Shape{1, 1, sticks, request.output_channels}, request.output_dtype,
                    request.config.output_layout, request.output};
    if (spec.layout == Layout::ROW_MAJOR) spec.alignment = {kTileHeight, request.output.shard_spec->shape[1]};
    return {spec};
}

ProgramPlan Conv2dDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
                                        const DeviceDescription& device) const {
    const TensorSpec& input = inputs[0];
    const TensorSpec& weights = inputs[1];
    const Shape weight_matrix = weights.padded_shape();
    const TensorMemoryLayout::Value layout = input.memory_config.memory_layout;
    const bool by_width = layout == TensorMemoryLayout::WIDTH_SHARDED;
    const Parallelization from{input.memory_config.shard_spec->grid, layout,
                               input.memory_config.shard_spec->orientation};
    const Parallelization to{request.output.shard_spec->grid, layout, request.output.shard_spec->orientation};

    Conv2dProgramRequest program;
    program.arch = device.arch;
    program.layout = layout;
    program.blocks = request.blocks;
    program.kernel_height = request.window.kernel_height;
    program.kernel_width = request.window.kernel_width;
    program.dilation_width = request.window.dilation_width;
    program.weight_rows = weight_matrix[-2];
    program.weight_columns = weight_matrix[-1];
    program.weights_dtype = weights.dtype;
    program.input_dtype = input.dtype;
    program.output_dtype = request.output_dtype;
    program.input_shard = input.memory_config.shard_spec->shape;
    program.input_channels_padded = request.input_channels_padded;
    program.output_width = request.window.output_width();
    program.has_bias = inputs.size() > 2;
    program.depthwise_row = request.depthwise_row(program.has_bias);
    program.activations_stay = layout == TensorMemoryLayout::HEIGHT_SHARDED
                                   ? from.cores_rows() == 1
                                   : from.cores_channels() == 1 && to.cores_channels() == 1;
    program.fp32_sums = request.compute.fp32_dest_acc_en;
    program.packer_l1_acc = request.compute.packer_l1_acc;

    const std::uint64_t height = std::uint64_t{request.blocks.act_block_h} * kTileHeight;
    const std::uint64_t second =
        splits_reader(program, request.config) ? request.blocks.act_block_h / 2 * kTileHeight : 0;
    ProgramPlan plan;
    plan.factory = {
        by_width ? "ttnn::prim::Conv2dWidthShardedProgramFactory" : "ttnn::prim::Conv2dShardedProgramFactory",
        by_width ? 1U : 0U};
    const bool in_dram = request.config.config_tensors_in_dram;
    plan.config_tensors = {window_table(input.memory_config,
                                        window_table_length(request.window, height - second, second),
                                        in_dram ? TableMemory::kDram : TableMemory::kL1Small)};
    plan.frees_config_tensors_in_scope = true;
    const CoreRangeSet cores = program_cores(input.memory_config, outputs[0].memory_config);
    const int output = static_cast<int>(inputs.size());
    for (const Conv2dPiece& piece : conv2d_pieces(program, request.config)) {
        ProgramMemory memory = circular_buffer(piece.size_bytes, cores);
        switch (piece.owner) {
            case Conv2dPieceOwner::kInput:
                memory.shared_with = 0;
                break;
            case Conv2dPieceOwner::kOutput:
                memory.shared_with = output;
                break;
            case Conv2dPieceOwner::kWindowTable:
                if (!in_dram) memory.shared_with = output + 1;
                memory.size_bytes = plan.config_tensors[0].shape[-1] * element_size(DataType::UINT16);
                break;
            case Conv2dPieceOwner::kProgram:
                break;
        }
        plan.memory.push_back(std::move(memory));
    }
    return plan;
}

std::vector<HostArray> Conv2dDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const SlidingWindow& window = request.window;
    const compute::Convolution convolution{
        window.batch,           window.padded_height(),       window.padded_width(),  request.input_channels,
        outputs[0].shape[-1],   std::max(request.groups, 1U), window.kernel_height,   window.kernel_width,
        window.step_height(),   window.step_width(),          window.dilation_height, window.dilation_width,
        window.output_height(), window.output_width()};
    const std::vector<float> bias = inputs.size() > 2 ? inputs[2]->to_floats() : std::vector<float>();
    const auto& activation = request.config.activation;
    std::function<void(std::span<float>)> finish;
    if (activation) {
        finish = [&](std::span<float> rows) {
            compute::unary_in_place(activation->op_type, activation->parameters, rows);
        };
    }
    if (request.depthwise_row(inputs.size() > 2)) {
        std::vector<float> rows =
            filtered_rows(window, padded_images(window, *inputs[0], request.input_channels).to_floats(),
                          *inputs[1], outputs[0].shape[-1]);
        if (finish) finish(rows);
        return {HostArray::from_floats(rows, outputs[0].dtype, outputs[0].shape)};
    }
    return {compute::convolve(convolution, padded_images(window, *inputs[0], request.input_channels),
                              *inputs[1], bias, outputs[0].dtype, outputs[0].shape, finish)};
}

}  // namespace tilemeter
