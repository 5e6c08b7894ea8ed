// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/conv2d_tensors.hpp"

#include <tuple>
#include <utility>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// A step of preparation on the host, as traces show it; its result counts only after the last one.
void step(const char* name, const Tensor& tensor) {
    in_scope(record::intern(name), std::tie(tensor), [] {});
}

std::uint32_t rounded(std::uint64_t value, std::uint64_t multiple) {
    return static_cast<std::uint32_t>(round_up(value, multiple));
}

// [out, in / groups, height, width] -> rows of kernel row, kernel column, channel; columns of outputs. Other
// groups' channels count zero.
HostArray as_matrix(const HostArray& weights, const Conv2dArguments& arguments, DataType dtype,
                    const Shape& matrix) {
    const std::vector<float> from = weights.to_floats();
    const std::uint64_t outputs = arguments.out_channels;
    const std::uint64_t inputs = arguments.in_channels;
    const std::uint64_t inputs_of_group = inputs / arguments.group_count();
    const std::uint64_t outputs_of_group = outputs / arguments.group_count();
    const std::uint64_t kernel = std::uint64_t{arguments.kernel_size[0]} * arguments.kernel_size[1];
    std::vector<float> to(matrix.volume(), 0.0F);
    for (std::uint64_t output = 0; output < outputs; ++output) {
        const std::uint64_t first_input = output / outputs_of_group * inputs_of_group;
        for (std::uint64_t input = 0; input < inputs_of_group; ++input) {
            for (std::uint64_t place = 0; place < kernel; ++place) {
                to[(place * inputs + first_input + input) * outputs + output] =
                    from[(output * inputs_of_group + input) * kernel + place];
            }
        }
    }
    return HostArray::from_floats(to, dtype, matrix);
}

// [channels, 1, 1, width] -> rows of kernel column, `times` times each; columns of channels.
HostArray as_repeated_rows(const HostArray& weights, std::uint64_t times, DataType dtype,
                           const Shape& matrix) {
    const std::vector<float> from = weights.to_floats();
    const std::uint64_t channels = matrix[-1];
    const std::uint64_t places = matrix[-2] / times;
    std::vector<float> to(matrix.volume());
    for (std::uint64_t row = 0; row < places * times; ++row) {
        for (std::uint64_t channel = 0; channel < channels; ++channel)
            to[row * channels + channel] = from[channel * places + row / times];
    }
    return HostArray::from_floats(to, dtype, matrix);
}

template <typename Convert>
Tensor host_tensor(const Tensor& original, TensorSpec spec, Convert convert) {
    if (!original.has_values()) return Tensor::planned_on_host(std::move(spec));
    ChipValues values;
    const auto all_chips = original.chip_values();
    for (const HostArray& array : *all_chips)
        values.push_back(convert(array));
    return Tensor::on_host(std::move(spec), std::move(values));
}

void require_shape(const Tensor& tensor, const char* what, const Shape& expected) {
    require(tensor.shape() == expected, "conv2d: ", what, ": expected ", expected, ", got ", tensor.shape());
}

}  // namespace

std::uint32_t channels_alignment(TensorMemoryLayout::Value input_memory_layout, Layout input_layout,
                                 bool is_matmul, const MemoryConfig* input_memory_config) {
    constexpr std::uint32_t kSticksOfL1 = 8;  // elements of 16 bytes in bfloat16
    if (is_matmul || input_memory_layout == TensorMemoryLayout::WIDTH_SHARDED ||
        input_layout != Layout::ROW_MAJOR) {
        return kTileWidth;
    }
    if (input_memory_config == nullptr || !input_memory_config->is_sharded()) return kSticksOfL1;
    const std::uint32_t width = input_memory_config->shard_spec->shape[1];
    for (const std::uint32_t alignment : {static_cast<std::uint32_t>(kTileWidth), 16U, kSticksOfL1}) {
        if (width % alignment == 0) return alignment;
    }
    return kTileWidth;
}

MemoryConfig input_shards(const Shape& input, Layout layout, const Parallelization& spread, bool is_matmul) {
    const bool single_rows =
        spread.layout == TensorMemoryLayout::WIDTH_SHARDED && layout == Layout::ROW_MAJOR;
    const std::uint32_t row_multiple = single_rows ? 1 : kTileHeight;
    const std::uint64_t rows = input.volume() / input[-1];
    const std::uint32_t alignment = channels_alignment(spread.layout, layout, is_matmul, nullptr);
    return sharded_config(round_up(rows, std::uint64_t{spread.cores_rows()} * row_multiple),
                          rounded(input[-1], std::uint64_t{spread.cores_channels()} * alignment), spread,
                          row_multiple);
}

WeightMatrix weight_matrix(const Conv2dArguments& arguments, const Parallelization& input,
                           const Parallelization& output, std::uint32_t input_channels_padded, bool whole) {
    WeightMatrix matrix;
    const std::uint32_t channels = input_channels_padded;
    const std::uint32_t height = arguments.kernel_size[0];
    const std::uint32_t width = arguments.kernel_size[1];
    matrix.input_channels_padded = channels;
    if (whole) {
        matrix.rows = rounded(channels, kTileHeight);
    } else if (input.layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        matrix.rows = arguments.conv_config.enable_activation_reuse
                          ? rounded(std::uint64_t{channels} * width * height, kTileHeight)
                          : height * rounded(std::uint64_t{channels} * width, kTileHeight);
    } else if (input.layout == TensorMemoryLayout::BLOCK_SHARDED) {
        const std::uint32_t cores = input.cores_channels();
        const std::uint64_t row = std::uint64_t{channels} / cores * width;
        matrix.rows = arguments.conv_config.full_inner_dim ? cores * rounded(row * height, kTileHeight)
                                                           : cores * height * rounded(row, kTileHeight);
    } else {
        matrix.rows = channels * height * width;
    }
    matrix.columns = rounded(arguments.out_channels, std::uint64_t{output.cores_channels()} * kTileWidth);
    return matrix;
}

Tensor prepared_weights(const Tensor& weights, const Conv2dArguments& arguments, const WeightMatrix& matrix,
                        DataType dtype, const std::shared_ptr<Device>& device) {
    const std::uint32_t rows = arguments.kernel_size[0] * arguments.kernel_size[1] *
                               (matrix.times == 0 ? arguments.in_channels : matrix.times);
    const Shape logical{1, 1, rows, arguments.out_channels};
    const bool on_device = weights.storage_type() == StorageType::DEVICE;
    if (on_device && weights.shape() == logical && weights.layout() == Layout::TILE) return weights;
    require(weights.layout() == Layout::ROW_MAJOR, "Host conv weights layout should be in row_major layout");
    if (on_device) return prepared_weights(download(weights), arguments, matrix, dtype, device);
    require_shape(weights, "weights",
                  Shape{arguments.out_channels, arguments.in_channels / arguments.group_count(),
                        arguments.kernel_size[0], arguments.kernel_size[1]});
    TensorSpec spec{logical, dtype, Layout::TILE, DRAM_MEMORY_CONFIG};
    const Shape natural = spec.padded_shape();
    spec.alignment = {matrix.rows, matrix.columns};
    const bool padded = matrix.input_channels_padded != arguments.in_channels ||
                        matrix.columns != arguments.out_channels ||
                        (matrix.times != 0 && matrix.rows != rows);
    if (padded && matrix.padded_on_host) step("Tensor::pad", weights);
    step("Tensor::to_layout", weights);
    if (spec.padded_shape() != logical) step("Tensor::reshape", weights);
    if (matrix.converted || weights.dtype() != dtype) step("tt::tt_metal::to_dtype", weights);
    if (spec.padded_shape() == natural) spec.alignment = {};
    return upload(host_tensor(weights, spec,
                              [&](const HostArray& array) {
                                  return matrix.times == 0
                                             ? as_matrix(array, arguments, dtype, logical)
                                             : as_repeated_rows(array, matrix.times, dtype, logical);
                              }),
                  device, DRAM_MEMORY_CONFIG);
}

Tensor prepared_bias(const Tensor& bias, const Conv2dArguments& arguments, const WeightMatrix& matrix,
                     DataType dtype, const std::shared_ptr<Device>& device) {
    const Shape logical{1, 1, 1, arguments.out_channels};
    require_shape(bias, "bias", logical);
    if (bias.storage_type() == StorageType::DEVICE) {
        return bias.layout() == Layout::TILE
                   ? bias
                   : prepared_bias(download(bias), arguments, matrix, dtype, device);
    }
    TensorSpec spec{logical, dtype, Layout::TILE, DRAM_MEMORY_CONFIG};
    if (spec.padded_shape()[-1] != matrix.columns) spec.alignment = {kTileHeight, matrix.columns};
    step("Tensor::pad", bias);
    step("Tensor::to_layout", bias);
    if (bias.dtype() != dtype) step("tt::tt_metal::to_dtype", bias);
    return upload(host_tensor(bias, spec, [&](const HostArray& array) { return array.converted(dtype); }),
                  device, DRAM_MEMORY_CONFIG);
}

Tensor flattened(const Tensor& tensor) {
    const Shape& shape = tensor.shape();
    const Shape flat{1, 1, static_cast<std::uint32_t>(shape.volume() / shape[-1]), shape[-1]};
    if (shape == flat) return tensor;
    return tensor.storage_type() == StorageType::HOST ? reshape_view(tensor, flat)
                                                      : unscoped::reshape(tensor, flat);
}

}  // namespace tilemeter
