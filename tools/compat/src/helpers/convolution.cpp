// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/functions/convolution_helpers.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn::operations::conv {

namespace {

using tilemeter::HostArray;
using tilemeter::compat::as_fatal;
using tilemeter::compat::from_model;
using tilemeter::compat::refuse_as_fatal;
using tilemeter::compat::refuse_as_thrown;
using tilemeter::compat::to_model;

constexpr std::uint32_t kTile = 32;

std::uint32_t whole(std::uint64_t value, std::uint64_t unit) {
    return static_cast<std::uint32_t>(tilemeter::round_up(value, unit));
}

void require(bool condition, const char* text, const std::string& refusal) {
    if (!condition) refuse_as_fatal(text, refusal);
}

Tensor on_host(const Tensor& tensor) {
    return tensor.storage_type() == StorageType::HOST ? tensor : tensor.cpu();
}

// Sizes of weights, of one dimension more for volumes.
struct Filters {
    explicit Filters(const Shape& shape)
        : outputs(shape[0]), inputs(shape[1]), height(shape[2]), width(shape[3]) {}

    /// The place of a value in the weights.
    std::size_t operator()(std::size_t output, std::size_t input, std::size_t row, std::size_t column) const {
        return ((output * inputs + input) * height + row) * width + column;
    }

    std::size_t outputs, inputs, height, width;
};

// Elements of a host tensor among zeros of another shape: `move` is called with a function that takes two places, whence and
// where to.
template <typename Move>
Tensor moved(const Tensor& tensor, const Shape& shape, DataType dtype, Layout layout, const Move& move) {
    const tilemeter::Tensor& model = tensor.model();
    tilemeter::TensorSpec spec{to_model(shape), to_model(dtype), to_model(layout),
                               tilemeter::DRAM_MEMORY_CONFIG};
    if (!model.has_values()) return from_model(tilemeter::Tensor::planned_on_host(std::move(spec)));
    tilemeter::ChipValues values;
    for (const HostArray& given : *model.chip_values()) {
        HostArray result(given.dtype(), spec.shape);
        const std::size_t size = given.stored_element_size();
        move([&](std::size_t from, std::size_t to) {
            std::memcpy(result.bytes().data() + to * size, given.bytes().data() + from * size, size);
        });
        values.push_back(result.dtype() == spec.dtype ? std::move(result) : result.converted(spec.dtype));
    }
    return from_model(tilemeter::Tensor::on_host(std::move(spec), std::move(values)));
}

void require_matrix_type(const Tensor& tensor) {
    require(tensor.layout() == Layout::ROW_MAJOR, "input_tensor.layout() == Layout::ROW_MAJOR",
            "weights and biases: expected ROW_MAJOR to be brought into tiles");
    const DataType dtype = tensor.dtype();
    if (dtype != DataType::BFLOAT16 && dtype != DataType::FLOAT32 && dtype != DataType::UINT32)
        refuse_as_thrown("Unsupported data type");
}

// A matrix in tiles, of weights in ROW_MAJOR. `row_of`: of an input, a kernel row and a kernel column; `column_of`: of an output.
template <typename RowOf, typename ColumnOf>
Tensor matrix(const Tensor& weights, std::optional<DataType> dtype, std::uint32_t rows, std::uint32_t columns,
              const RowOf& row_of, const ColumnOf& column_of) {
    const Filters filters(weights.padded_shape());
    return moved(weights, Shape({1, 1, rows, columns}), dtype.value_or(weights.dtype()), Layout::TILE,
                 [&](const auto& put) {
                     for (std::size_t row = 0; row < filters.height; ++row)
                         for (std::size_t column = 0; column < filters.width; ++column)
                             for (std::size_t input = 0; input < filters.inputs; ++input)
                                 for (std::size_t output = 0; output < filters.outputs; ++output)
                                     put(filters(output, input, row, column),
                                         row_of(input, row, column) * columns + column_of(output));
                 });
}

constexpr auto kSame = [](std::size_t output) { return output; };

// Rows by kernel row, kernel column, input.
auto in_order(const Filters& filters) {
    return [filters](std::size_t input, std::size_t row, std::size_t column) {
        return (row * filters.width + column) * filters.inputs + input;
    };
}

tilemeter::Parallelization model_of(const sliding_window::ParallelConfig& config) {
    return {to_model(config.grid), to_model(config.shard_scheme), to_model(config.shard_orientation)};
}

}  // namespace

namespace conv2d {

Tensor convert_conv_weight_tensor_to_interleaved_mm_layout(const Tensor& conv_weight_tensor,
                                                           std::optional<DataType> output_dtype) {
    require_matrix_type(conv_weight_tensor);
    const Filters filters(conv_weight_tensor.padded_shape());
    return matrix(conv_weight_tensor, output_dtype,
                  whole(filters.inputs * filters.height * filters.width, kTile),
                  whole(filters.outputs, kTile), in_order(filters), kSame);
}

Tensor convert_conv_weight_tensor_to_tiled_layout(const Tensor& conv_weight_tensor, std::uint32_t in1_block_h,
                                                  std::uint32_t in1_block_w,
                                                  std::optional<DataType> output_dtype) {
    require_matrix_type(conv_weight_tensor);
    const Filters filters(conv_weight_tensor.padded_shape());
    return matrix(conv_weight_tensor, output_dtype,
                  whole(filters.inputs * filters.height * filters.width, std::uint64_t{in1_block_h} * kTile),
                  whole(filters.outputs, std::uint64_t{in1_block_w} * kTile), in_order(filters), kSame);
}

Tensor convert_conv_weight_tensor_to_tiled_layout_block_sharded(const Tensor& conv_weight_tensor,
                                                                std::uint32_t in_num_channel_shards,
                                                                std::uint32_t out_num_channel_shards,
                                                                bool full_inner_dim,
                                                                std::optional<DataType> output_dtype) {
    require_matrix_type(conv_weight_tensor);
    const Filters filters(conv_weight_tensor.padded_shape());
    const std::size_t inputs = filters.inputs / in_num_channel_shards;
    const std::size_t outputs = filters.outputs / out_num_channel_shards;
    require(inputs * in_num_channel_shards == filters.inputs &&
                outputs * out_num_channel_shards == filters.outputs,
            "w_shape % num_channel_shards == 0", "weights: expected channels that shards divide");
    const std::size_t kernel_row = filters.width * inputs;
    const std::size_t of_row = full_inner_dim ? kernel_row : whole(kernel_row, kTile);
    const std::size_t of_shard = whole(of_row * filters.height, kTile), wide = whole(outputs, kTile);
    return matrix(
        conv_weight_tensor, output_dtype, static_cast<std::uint32_t>(of_shard * in_num_channel_shards),
        static_cast<std::uint32_t>(wide * out_num_channel_shards),
        [=](std::size_t input, std::size_t row, std::size_t column) {
            return input / inputs * of_shard + row * of_row + column * inputs + input % inputs;
        },
        [=](std::size_t output) { return output / outputs * wide + output % outputs; });
}

Tensor convert_conv_weight_tensor_to_special_padding_tiled_layout(const Tensor& conv_weight_tensor,
                                                                  std::uint32_t in1_block_h,
                                                                  std::uint32_t in1_block_w,
                                                                  bool enable_activation_reuse,
                                                                  std::optional<DataType> output_dtype) {
    require_matrix_type(conv_weight_tensor);
    const Filters filters(conv_weight_tensor.padded_shape());
    const std::size_t block = std::size_t{in1_block_h} * kTile, kernel_row = filters.width * filters.inputs;
    const std::size_t of_block = enable_activation_reuse ? kernel_row * filters.height : kernel_row;
    require(block >= of_block, "in1_block_h_datums >= inner_dim",
            "block of " + std::to_string(block) + " rows: expected at least " + std::to_string(of_block));
    const std::size_t of_row = enable_activation_reuse ? kernel_row : block;
    return matrix(
        conv_weight_tensor, output_dtype,
        static_cast<std::uint32_t>(enable_activation_reuse ? block : block * filters.height),
        whole(filters.outputs, std::uint64_t{in1_block_w} * kTile),
        [=](std::size_t input, std::size_t row, std::size_t column) {
            return row * of_row + column * filters.inputs + input;
        },
        kSame);
}

Tensor convert_conv_bias_tensor_to_tiled_layout_block_sharded(const Tensor& conv_bias_tensor,
                                                              std::uint32_t num_channel_shards,
                                                              std::optional<DataType> output_dtype) {
    require_matrix_type(conv_bias_tensor);
    const std::size_t outputs = conv_bias_tensor.padded_shape()[3] / num_channel_shards,
                      wide = whole(outputs, kTile);
    return moved(conv_bias_tensor,
                 Shape({1, 1, kTile, static_cast<std::uint32_t>(wide * num_channel_shards)}),
                 output_dtype.value_or(conv_bias_tensor.dtype()), Layout::TILE, [&](const auto& put) {
                     for (std::size_t output = 0; output < outputs * num_channel_shards; ++output)
                         put(output, output / outputs * wide + output % outputs);
                 });
}

Tensor convert_conv_weight_tensor_to_grouped_layout(const Tensor& conv_weight_tensor,
                                                    std::uint32_t num_groups, DataType output_dtype) {
    const Tensor weights = on_host(conv_weight_tensor);
    Shape shape = weights.logical_shape();
    const Filters filters(shape);
    const std::size_t part = filters.inputs * filters.height * filters.width;
    const std::size_t of_group = std::max<std::size_t>(1, filters.outputs / num_groups);
    shape[1] *= num_groups;
    return moved(weights, shape, output_dtype, Layout::ROW_MAJOR, [&](const auto& put) {
        for (std::size_t output = 0; output < filters.outputs; ++output) {
            const std::size_t group = std::min<std::size_t>(output / of_group, num_groups - 1);
            for (std::size_t i = 0; i < part; ++i)
                put(output * part + i, (output * num_groups + group) * part + i);
        }
    });
}

Tensor convert_conv_weight_tensor_to_grouped_layout_for_conv_transpose2d(const Tensor& conv_weight_tensor,
                                                                         std::uint32_t num_groups,
                                                                         DataType output_dtype) {
    // The first dimension, inputs here, decides of the group in either.
    return convert_conv_weight_tensor_to_grouped_layout(conv_weight_tensor, num_groups, output_dtype);
}

Tensor convert_conv_weight_tensor_to_depthwise_layout(const Tensor& conv_weight_tensor,
                                                      std::uint32_t act_block_h_ntiles,
                                                      DataType output_dtype) {
    const Tensor weights = on_host(conv_weight_tensor);
    Shape shape = weights.logical_shape();
    const Filters filters(shape);
    const std::size_t kernel = filters.height * filters.width,
                      times = std::size_t{act_block_h_ntiles} * kTile;
    shape = Shape({shape[0], static_cast<std::uint32_t>(kernel * times), 1, 1});
    const DataType dtype = tt::tt_metal::is_block_float(output_dtype) ? DataType::FLOAT32 : output_dtype;
    return moved(weights, shape, dtype, Layout::ROW_MAJOR, [&](const auto& put) {
        for (std::size_t output = 0; output < filters.outputs; ++output)
            for (std::size_t place = 0; place < kernel; ++place)
                for (std::size_t each = 0; each < times; ++each)
                    put(output * filters.inputs * kernel + place, (output * kernel + place) * times + each);
    });
}

bool is_valid_device_conv_weights(const Tensor& weight_tensor, std::uint32_t /*in_channels*/,
                                  std::uint32_t out_channels, const std::optional<DataType>& expected_dtype) {
    const Shape& shape = weight_tensor.logical_shape();
    return shape.rank() == 4 && shape[0] == 1 && shape[1] == 1 &&
           is_valid_device_conv_bias(weight_tensor, out_channels, expected_dtype);
}

bool is_valid_device_conv_bias(const Tensor& bias_tensor, std::uint32_t out_channels,
                               const std::optional<DataType>& expected_dtype) {
    return bias_tensor.layout() == Layout::TILE && bias_tensor.logical_shape()[3] >= out_channels &&
           (!expected_dtype || bias_tensor.dtype() == *expected_dtype);
}

void validate_host_conv_weights(const Tensor& weight_tensor) {
    require(weight_tensor.storage_type() == StorageType::HOST, "!has_storage_type_of(DEVICE_STORAGE_TYPE)",
            "Host conv weights should be placed on host");
    require(weight_tensor.layout() == Layout::ROW_MAJOR, "weight_tensor.layout() == Layout::ROW_MAJOR",
            "Host conv weights layout should be in row_major layout");
    require(weight_tensor.logical_shape().rank() == 4, "weight_tensor.logical_shape().rank() == 4",
            "Host conv weights should be 4D tensor");
}

void validate_host_conv_bias(const Tensor& bias_tensor) {
    const Shape& shape = bias_tensor.logical_shape();
    require(shape.rank() == 4, "bias_tensor.logical_shape().rank() == 4",
            "Host conv bias should be 4D tensor");
    require(bias_tensor.layout() == Layout::ROW_MAJOR, "bias_tensor.layout() == Layout::ROW_MAJOR",
            "Host conv bias layout should be in row_major layout");
    require(shape[0] == 1 && shape[1] == 1 && shape[2] == 1, "bias_shape",
            "Host conv bias shape is not correct");
}

namespace {

// What the model's preparation is told of a convolution.
struct Preparation {
    tilemeter::Conv2dArguments arguments;
    tilemeter::WeightMatrix matrix;
};

Preparation preparation(const Shape& weights, const Conv2dWeightsBiasPrepConfig& params) {
    if (params.enable_kernel_stride_folding)
        refuse_as_fatal("!params.enable_kernel_stride_folding",
                        "enable_kernel_stride_folding: expected false; prepare_conv_weights folds kernels");
    Preparation result;
    tilemeter::Conv2dArguments& arguments = result.arguments;
    arguments.groups = params.groups;
    arguments.in_channels = weights[1] * arguments.group_count();
    arguments.out_channels = params.out_channels;
    arguments.input_height = params.input_height;
    arguments.input_width = params.input_width;
    arguments.kernel_size = {weights[2], weights[3]};
    arguments.stride = params.stride;
    arguments.conv_config.full_inner_dim = params.full_inner_dim;
    arguments.conv_config.enable_activation_reuse = params.enable_activation_reuse;
    if (params.interleaved_mm_conv) {
        result.matrix.input_channels_padded = arguments.in_channels;
        result.matrix.padded_on_host = false;
        result.matrix.rows = whole(std::uint64_t{arguments.in_channels} * weights[2] * weights[3], kTile);
        result.matrix.columns = whole(arguments.out_channels, kTile);
        return result;
    }
    if (!params.input_parallel_config || !params.output_parallel_config)
        refuse_as_fatal("params.input_parallel_config.has_value()",
                        "expected cores of the input and the output");
    const tilemeter::Parallelization input = model_of(*params.input_parallel_config);
    const std::uint32_t channels =
        whole(arguments.in_channels, std::uint64_t{input.cores_channels()} * params.input_channels_alignment);
    result.matrix =
        tilemeter::weight_matrix(arguments, input, model_of(*params.output_parallel_config), channels, false);
    return result;
}

}  // namespace

std::optional<Tensor> prepare_conv_bias_internal(const std::optional<const Tensor>& bias_tensor,
                                                 std::uint32_t out_channels,
                                                 const Conv2dWeightsBiasPrepConfig& params,
                                                 DataType weight_dtype, MeshDevice* device) {
    if (!bias_tensor) return std::nullopt;
    if (bias_tensor->storage_type() == StorageType::DEVICE) return Tensor(*bias_tensor);
    require(bias_tensor->logical_shape()[3] == out_channels,
            "bias_tensor_.logical_shape()[3] == out_channels",
            "Bias must have the same length as output channels");
    validate_host_conv_bias(*bias_tensor);
    return as_fatal("prepare_conv_bias_internal", [&] {
        tilemeter::Conv2dArguments arguments;
        arguments.out_channels = out_channels;
        tilemeter::WeightMatrix matrix;
        const std::uint32_t cores =
            params.output_parallel_config ? model_of(*params.output_parallel_config).cores_channels() : 1;
        matrix.columns = whole(whole(out_channels, std::uint64_t{cores} * kTile),
                               std::uint64_t{params.weight_block_w_ntiles} * kTile);
        return std::optional(from_model(tilemeter::prepared_bias(bias_tensor->model(), arguments, matrix,
                                                                 to_model(weight_dtype), to_model(device))));
    });
}

std::pair<Tensor, std::optional<Tensor>> prepare_conv_weights_biases_and_move_to_device(
    const Tensor& weight_tensor, const std::optional<const Tensor>& bias_tensor,
    Conv2dWeightsBiasPrepConfig& params, MeshDevice* device) {
    const bool is_row = weight_tensor.logical_shape().rank() == 3 && params.input_height == 1;
    const Shape given = weight_tensor.logical_shape();
    const Tensor weights =
        is_row ? weight_tensor.reshape(Shape({given[0], given[1], 1, given[2]})) : weight_tensor;
    validate_host_conv_weights(weights);
    const Preparation plan = preparation(weights.logical_shape(), params);
    const DataType dtype = params.weights_bias_dtype.value_or(weights.dtype());
    Tensor prepared = as_fatal("prepare_conv_weights_biases_and_move_to_device", [&] {
        return from_model(tilemeter::prepared_weights(weights.model(), plan.arguments, plan.matrix,
                                                      to_model(dtype), to_model(device)));
    });
    return {prepared, prepare_conv_bias_internal(bias_tensor, params.out_channels, params, dtype, device)};
}

}  // namespace conv2d

namespace conv_transpose2d {

ConvTranspose2dDimensions compute_conv_transpose2d_dimensions(
    std::uint32_t input_height, std::uint32_t input_width, std::array<std::uint32_t, 2> kernel_size,
    std::array<std::uint32_t, 2> stride,
    std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>> padding,
    std::array<std::uint32_t, 2> output_padding, std::array<std::uint32_t, 2> dilation) {
    sliding_window::SlidingWindowConfig window;
    window.batch_size = 1;
    window.input_hw = {input_height, input_width};
    window.window_hw = {kernel_size[0], kernel_size[1]};
    window.stride_hw = {stride[0], stride[1]};
    window.padding = sliding_window::get_pair_n4_padding(padding);
    window.output_pad_hw = {output_padding[0], output_padding[1]};
    window.dilation_hw = {dilation[0], dilation[1]};
    window.is_transpose = true;
    const Shape output = window.get_output_shape(), full = window.get_transposed_full_input_shape();
    const auto [rows, columns] = window.get_transposed_real_padding();
    return {output[1],
            output[2],
            full[1],
            full[2],
            (input_height - 1) * stride[0] + 1,
            (input_width - 1) * stride[1] + 1,
            rows.first,
            rows.second,
            columns.first,
            columns.second};
}

ConvT2dExecutionPath determine_conv_transpose2d_execution_path(
    const StorageType& storage_type, const MemoryConfig& memory_config,
    const std::optional<const op_slicing::Op2DSliceConfig>& slice_config) {
    const bool in_one_piece =
        slice_config ? slice_config->slice_type == op_slicing::Op2DSliceConfig::SliceType::L1_FULL ||
                           slice_config->num_slices == 1
                     : storage_type == StorageType::DEVICE && memory_config.buffer_type() == BufferType::L1;
    return in_one_piece ? ConvT2dExecutionPath::L1 : ConvT2dExecutionPath::DRAM;
}

ConvT2dExecutionPath determine_conv_transpose2d_execution_path(
    const Tensor& input_tensor, const std::optional<const op_slicing::Op2DSliceConfig>& slice_config) {
    return determine_conv_transpose2d_execution_path(input_tensor.storage_type(),
                                                     input_tensor.memory_config(), slice_config);
}

Tensor transform_weights_for_conv_transpose2d(const Tensor& conv_weight_tensor, bool mirror_kernel) {
    const Tensor weights = on_host(conv_weight_tensor);
    const DataType dtype = weights.dtype();
    if (dtype != DataType::BFLOAT16 && dtype != DataType::FLOAT32 && dtype != DataType::UINT32)
        refuse_as_thrown("Unsupported data type for transform_weights_for_conv_transpose2d");
    const Shape& shape = weights.padded_shape();
    const std::size_t inputs = shape[0], outputs = shape[1], kernel = std::size_t{shape[2]} * shape[3];
    return moved(weights, Shape({shape[1], shape[0], shape[2], shape[3]}), dtype, Layout::ROW_MAJOR,
                 [&](const auto& put) {
                     for (std::size_t input = 0; input < inputs; ++input)
                         for (std::size_t output = 0; output < outputs; ++output)
                             for (std::size_t place = 0; place < kernel; ++place)
                                 put((input * outputs + output) * kernel + place,
                                     (output * inputs + input) * kernel +
                                         (mirror_kernel ? kernel - 1 - place : place));
                 });
}

}  // namespace conv_transpose2d

}  // namespace ttnn::operations::conv

namespace ttnn::operations::experimental::conv3d {

std::uint32_t default_c_in_block(std::uint32_t kernel_vol) {
    constexpr std::uint32_t kLeast = 16, kTileWidth = 32;
    std::uint32_t channels = kLeast;
    while (std::uint64_t{kernel_vol} * channels % kTileWidth != 0)
        channels += kLeast;
    return channels;
}

Tensor convert_conv_weight_tensor_to_grouped_layout(const Tensor& conv_weight_tensor,
                                                    std::uint32_t num_groups, DataType output_dtype) {
    // A volume's frames and rows are, to groups, one dimension.
    const Shape& shape = conv_weight_tensor.logical_shape();
    const Tensor images =
        conv_weight_tensor.cpu().reshape(Shape({shape[0], shape[1], shape[2] * shape[3], shape[4]}));
    return conv::conv2d::convert_conv_weight_tensor_to_grouped_layout(images, num_groups, output_dtype)
        .reshape(Shape({shape[0], shape[1] * num_groups, shape[2], shape[3], shape[4]}));
}

}  // namespace ttnn::operations::experimental::conv3d
