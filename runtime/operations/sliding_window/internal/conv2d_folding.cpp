// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/conv2d_folding.hpp"

#include <string>
#include <utility>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding_operations.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"
#include "runtime/operations/sliding_window/internal/fold_operation.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::array<std::uint32_t, 4> kNoPadding{};

std::array<std::uint32_t, 2> padded_size(const Conv2dArguments& arguments) {
    const auto& padding = arguments.padding;
    return {arguments.input_height + padding[0] + padding[1],
            arguments.input_width + padding[2] + padding[3]};
}

bool strides_divide(const Conv2dArguments& arguments) {
    const auto [height, width] = padded_size(arguments);
    return height % arguments.stride[0] == 0 && width % arguments.stride[1] == 0;
}

/// [out, in / groups, kernel] -> [out, in * stride, kernel / stride]: other groups' channels and places
/// behind the kernel count zero.
HostArray folded(const HostArray& weights, const Conv2dArguments& from, const Shape& shape) {
    const std::vector<float> values = weights.to_floats();
    const std::uint64_t inputs = from.in_channels / from.group_count();
    const std::uint64_t outputs_of_group = from.out_channels / from.group_count();
    const auto [kernel_h, kernel_w] = from.kernel_size;
    const auto [stride_h, stride_w] = from.stride;
    std::vector<float> result(shape.volume(), 0.0F);
    std::size_t source = 0;
    for (std::uint64_t output = 0; output < from.out_channels; ++output) {
        for (std::uint64_t input = 0; input < inputs; ++input) {
            const std::uint64_t channel = output / outputs_of_group * inputs + input;
            for (std::uint32_t y = 0; y < kernel_h; ++y) {
                for (std::uint32_t x = 0; x < kernel_w; ++x) {
                    const std::uint64_t place =
                        (std::uint64_t{y % stride_h} * stride_w + x % stride_w) * from.in_channels + channel;
                    result[((output * shape[1] + place) * shape[2] + y / stride_h) * shape[3] +
                           x / stride_w] = values[source++];
                }
            }
        }
    }
    return HostArray::from_floats(result, weights.dtype(), shape);
}

Shape images_of(const Conv2dArguments& arguments) {
    return {arguments.batch_size, arguments.input_height, arguments.input_width, arguments.in_channels};
}

Tensor folded_shards(const FoldDeviceOperation& fold, const Tensor& images) {
    ScopedTensor rows(unscoped::to_layout(images, Layout::ROW_MAJOR));
    if (!FoldDeviceOperation::takes_shards(rows->spec(), fold.stride_h)) {
        const CoreCoord grid = images.device().description().compute_grid;
        rows = launch(ReshardOperation{shards_of_blocks(rows->spec(), fold.stride_h, grid)}, {*rows});
    }
    return launch(fold, {*rows});
}

Tensor folded_input(const Conv2dArguments& arguments, const Tensor& input) {
    const Shape shape = images_of(arguments);
    Tensor images = input.shape() == shape ? input : unscoped::reshape(input, shape);
    const auto& padding = arguments.padding;
    const FoldDeviceOperation fold{arguments.stride[0], arguments.stride[1]};
    if (input.is_sharded()) {
        Tensor folded = folded_shards(fold, images);
        if (arguments.conv_config.deallocate_activation) images.deallocate();
        return folded;
    }
    const bool as_it_is = padding == kNoPadding && fold.takes(images.spec(), images.device().description());
    const ScopedTensor rows(as_it_is ? images : unscoped::to_layout(images, Layout::ROW_MAJOR));
    const ScopedTensor padded(
        padding == kNoPadding
            ? *rows
            : unscoped::pad_around(*rows,
                                   {{0, 0}, {padding[0], padding[1]}, {padding[2], padding[3]}, {0, 0}}));
    return launch(fold, {*padded});
}

}  // namespace

Tensor folded_weights(const Tensor& weights, const Conv2dArguments& from, const Conv2dArguments& to) {
    if (weights.storage_type() == StorageType::DEVICE) return weights;
    const Shape expected{from.out_channels, from.in_channels / from.group_count(), from.kernel_size[0],
                         from.kernel_size[1]};
    if (weights.shape() != expected) {
        refuse_conv2d("weights: expected " + expected.to_string() + ", got " + weights.shape().to_string());
    }
    TensorSpec spec = weights.spec();
    spec.shape = {to.out_channels, to.in_channels, to.kernel_size[0], to.kernel_size[1]};
    if (!weights.has_values()) return Tensor::planned_on_host(std::move(spec));
    ChipValues values;
    const auto all_chips = weights.chip_values();
    for (const HostArray& array : *all_chips)
        values.push_back(folded(array, from, spec.shape));
    return Tensor::on_host(std::move(spec), std::move(values));
}

bool folds_stride(const Conv2dArguments& arguments, const Tensor& input) {
    const Conv2dConfig& config = arguments.conv_config;
    const bool strides = arguments.stride[0] > 1 || arguments.stride[1] > 1;
    if (config.enable_kernel_stride_folding) return *config.enable_kernel_stride_folding && strides;
    if (!strides || arguments.stride != arguments.kernel_size ||
        arguments.dilation != std::array<std::uint32_t, 2>{1, 1} || !strides_divide(arguments)) {
        return false;
    }
    const MemoryConfig& memory = input.memory_config();
    return (memory.buffer_type == BufferType::DRAM &&
            (input.layout() == Layout::ROW_MAJOR || arguments.padding == kNoPadding)) ||
           memory.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED;
}

Conv2dArguments without_stride(const Conv2dArguments& arguments, const Tensor& input) {
    if (input.is_sharded() && (input.memory_config().memory_layout != TensorMemoryLayout::HEIGHT_SHARDED ||
                               arguments.padding != kNoPadding)) {
        refuse_conv2d(
            "input: expected HEIGHT shards without padding around the images where the stride is folded");
    }
    if (input.is_sharded() && arguments.conv_config.shard_layout == TensorMemoryLayout::WIDTH_SHARDED) {
        refuse_conv2d(
            "shard_layout: expected another than WIDTH_SHARDED where the stride of shards is folded");
    }
    if (!strides_divide(arguments)) {
        const auto [height, width] = padded_size(arguments);
        refuse_conv2d("enable_kernel_stride_folding: expected strides that divide the padded images of " +
                      std::to_string(height) + " x " + std::to_string(width) + ", got " +
                      std::to_string(arguments.stride[0]) + " x " + std::to_string(arguments.stride[1]));
    }
    if (arguments.conv_config.replicates_edges && arguments.padding != kNoPadding)
        refuse_conv2d("padding_mode: expected PaddingMode.Zeros where the stride is folded");
    Conv2dArguments to = arguments;
    const auto [height, width] = padded_size(arguments);
    to.input_height = height / arguments.stride[0];
    to.input_width = width / arguments.stride[1];
    to.in_channels = arguments.in_channels * arguments.stride[0] * arguments.stride[1];
    for (std::size_t i = 0; i < 2; ++i) {
        to.kernel_size[i] =
            static_cast<std::uint32_t>(ceil_div(arguments.kernel_size[i], arguments.stride[i]));
    }
    to.stride = {1, 1};
    to.padding = kNoPadding;
    to.groups = 1;
    to.dtype = arguments.dtype.value_or(input.dtype());
    return to;
}

MemoryConfig folded_memory(const Conv2dArguments& arguments, const Tensor& input, CoreCoord grid) {
    if (!input.is_sharded()) return input.memory_config();
    const FoldDeviceOperation blocks{arguments.stride[0], arguments.stride[1]};
    TensorSpec images = input.spec();
    images.shape = images_of(arguments);
    images.layout = Layout::ROW_MAJOR;
    if (!FoldDeviceOperation::takes_shards(images, blocks.stride_h))
        images.memory_config = shards_of_blocks(images, blocks.stride_h, grid);
    return blocks.infer(SpecsView(&images, 1)).front().memory_config;
}

FoldedConv2d fold_stride(const Conv2dArguments& arguments, const Tensor& input, const Tensor& weights) {
    FoldedConv2d result{without_stride(arguments, input), Tensor(), Tensor()};
    result.weights = folded_weights(weights, arguments, result.arguments);
    result.input = folded_input(arguments, input);
    return result;
}

}  // namespace tilemeter
