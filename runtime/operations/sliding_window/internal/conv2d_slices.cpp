// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/conv2d_slices.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_shards.hpp"
#include "runtime/operations/sliding_window/internal/dram_slices.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// A convolution of a part of the images: its own window, rows that PaddedSlice has brought.
Conv2dProblem problem_of_part(const Conv2dProblem& whole, const WindowPart& part) {
    Conv2dProblem problem = whole;
    problem.window = part.window;
    Conv2dArguments& arguments = problem.arguments;
    arguments.input_height = part.window.height;
    arguments.input_width = part.window.width;
    arguments.padding = {part.window.pad_top, part.window.pad_bottom, part.window.pad_left,
                         part.window.pad_right};
    arguments.conv_config.deallocate_activation = true;
    arguments.conv_config.reallocate_halo_output = true;
    arguments.memory_config = std::nullopt;
    return problem;
}

/// The place of a part's input.
struct PartShards {
    TensorMemoryLayout::Value layout;
    MemoryConfig config;
};

PartShards part_shards(const Conv2dProblem& part, Layout brought_as) {
    const TensorMemoryLayout::Value layout = part.arguments.conv_config.shard_layout
                                                 ? *part.arguments.conv_config.shard_layout
                                                 : choose_conv2d_layout(part);
    const std::uint32_t alignment = channels_alignment(layout, brought_as, false, nullptr);
    PartShards shards{layout,
                      input_shards(part.input_shape(), brought_as, part.spread(layout, alignment, 0), false)};
    // Rows come out of tiles in whole ones.
    std::uint32_t& rows = shards.config.shard_spec->shape[0];
    if (part.input_layout == Layout::TILE) rows = static_cast<std::uint32_t>(round_up(rows, kTileHeight));
    return shards;
}

std::uint64_t needed_l1(const Conv2dProblem& part) {
    const PartShards shards = part_shards(part, Layout::ROW_MAJOR);
    const Conv2dL1Usage usage = conv2d_l1_usage(part, shards.layout, &shards.config);
    return std::max(usage.halo_input + usage.halo_output, usage.total);
}

// The input in the shape of images, whatever its rank. TT-NN compares its padded shape with the wanted one.
Tensor image_shaped(const Conv2dProblem& problem, const Tensor& input) {
    const Shape shape = problem.input_shape();
    require(input.shape().volume() == shape.volume(),
            "Attempting to reshape between two shapes with different volumes: ", input.shape(), " and ",
            shape);
    if (input.shape() != shape) return unscoped::reshape(input, shape);
    return input.padded_shape() == shape ? input : reshape_view(input, shape);
}

/// The way of the parts to L1; `run`: a part's convolution, of rows.
PartOperation part_operation(const Conv2dProblem& problem,
                             std::function<Tensor(const Conv2dProblem&, const Tensor&)> run) {
    return {[problem](const WindowPart& part) { return needed_l1(problem_of_part(problem, part)); },
            [problem](const WindowPart& part) {
                return part_shards(problem_of_part(problem, part), Layout::ROW_MAJOR).config;
            },
            [problem, run = std::move(run)](const Tensor& input, const WindowPart& part) {
                Conv2dProblem own = problem_of_part(problem, part);
                own.input_layout = Layout::ROW_MAJOR;
                own.arguments.conv_config.output_layout = Layout::TILE;
                return run(own, input);
            },
            false};
}

Conv2dSliceConfig slices_of(const Conv2dProblem& problem, const PartOperation& operation) {
    return choose_slices(problem.window, problem.arguments.slice_config,
                         problem.arguments.conv_config.output_layout, free_l1_in_all(*problem.device),
                         operation);
}

// All of it in L1.
Conv2dProblem in_one_piece(Conv2dProblem problem) {
    Conv2dConfig& config = problem.arguments.conv_config;
    config.deallocate_activation = true;
    config.reallocate_halo_output = true;
    config.output_layout = Layout::TILE;
    problem.arguments.memory_config = std::nullopt;
    return problem;
}

// All parts lie as the first does.
Conv2dProblem with_layout_of_first(Conv2dProblem problem, const Conv2dSliceConfig& slices) {
    Conv2dConfig& config = problem.arguments.conv_config;
    const WindowPart first = window_parts(problem.window, slices, config.output_layout).front();
    config.shard_layout = part_shards(problem_of_part(problem, first), Layout::ROW_MAJOR).layout;
    return problem;
}

// From DRAM and back, in one piece or in slices.
Tensor through_l1(Conv2dProblem problem, Tensor input_tensor, const Tensor& weight_tensor,
                  const OptionalTensor& bias_tensor, const PreparedConv2d& prepared) {
    const Conv2dArguments& arguments = problem.arguments;
    problem.arguments.conv_config.weights_dtype = problem.weights_dtype;
    ScopedTensor input(std::move(input_tensor));
    input = image_shaped(problem, *input);  // frees what was uploaded, if its rows lie otherwise
    TensorSpec spec{Shape{arguments.batch_size, problem.window.output_height(), problem.window.output_width(),
                          arguments.out_channels},
                    problem.output_dtype, arguments.conv_config.output_layout, DRAM_MEMORY_CONFIG};
    Tensor whole = create_device_tensor(spec, problem.device);
    const Conv2dSliceConfig slices = slices_of(problem, part_operation(problem, {}));
    if (slices.num_slices > 1) {
        const auto run = [&](const Conv2dProblem& part, const Tensor& part_input) {
            return conv2d_in_shards(part, part_input, weight_tensor, bias_tensor, prepared);
        };
        run_in_slices(problem.window, slices, *input, whole,
                      part_operation(with_layout_of_first(problem, slices), run));
        return flattened(whole);
    }
    whole.deallocate();
    const ScopedTensor output(
        conv2d_in_shards(in_one_piece(problem), *input, weight_tensor, bias_tensor, prepared));
    return flattened(unscoped::to_memory_config(*output, DRAM_MEMORY_CONFIG));
}

// True for a transposed convolution that would go in one piece anyway, where slices were asked for.
bool stays_in_l1(const Conv2dProblem& problem) {
    const auto& slices = problem.arguments.slice_config;
    if (!problem.window.transposed || !slices) return false;
    if (slices->num_slices != 0) return slices->num_slices == 1;
    return slices_of(problem, part_operation(problem, {})).num_slices == 1;
}

// True if the result is written back to DRAM, from wherever it is made.
bool goes_through_l1(const Conv2dProblem& problem, const Tensor& input) {
    const auto& slices = problem.arguments.slice_config;
    const bool full = slices && slices->slice_type == Conv2dSliceConfig::SliceType::L1_FULL;
    return !full && !problem.is_matmul && (slices || !in_l1(input)) && !stays_in_l1(problem);
}

}  // namespace

Tensor carry_out(const Conv2dProblem& problem, Tensor& input, const Tensor& weight_tensor,
                 const OptionalTensor& bias_tensor, const PreparedConv2d& prepared) {
    if (goes_through_l1(problem, input))
        return through_l1(problem, std::exchange(input, Tensor()), weight_tensor, bias_tensor, prepared);
    const Shape& shape = input.shape();
    require(shape.rank() >= 4, "ShapeBase[] index out of range. ", shape.rank() == 3 ? 3 : 2, " not in [-4, ",
            shape.rank(), ")");
    require(shape.rank() == 4, "Expected 4D shape, got ", shape);
    const ScopedTensor held(std::exchange(input, Tensor()));
    return conv2d_in_shards(problem, *held, weight_tensor, bias_tensor, prepared);
}

void try_room_for_weights(Conv2dProblem problem, const Tensor& input, bool for_bias) {
    Conv2dArguments& arguments = problem.arguments;
    if (for_bias) arguments.slice_config.reset();  // TT-NN does not look at it
    if (arguments.input_height == 1 || !goes_through_l1(problem, input)) return;
    require(!is_block_float(problem.weights_dtype), "Only TILE layout is supported for ",
            name_of(problem.weights_dtype), " dtype!");
    const auto room = [&](const Shape& shape) {
        return create_device_tensor({shape, problem.weights_dtype, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG},
                                    problem.device);
    };
    const ScopedTensor weights(room({arguments.out_channels, arguments.in_channels / arguments.group_count(),
                                     arguments.kernel_size[0], arguments.kernel_size[1]}));
    if (problem.has_bias) const ScopedTensor bias(room({1, 1, 1, arguments.out_channels}));
}

namespace {

// The weights of a convolution in one piece.
WeightMatrix weights_of_whole(const Conv2dProblem& problem, const Tensor& input) {
    if (!problem.window.transposed) {
        WeightMatrix matrix = conv2d_weight_matrix(problem, input);
        const auto& slices = problem.arguments.slice_config;
        // A product of images in DRAM takes weights as they are.
        if (problem.is_matmul) {
            matrix.padded_on_host = in_l1(input) || problem.arguments.input_height == 1 ||
                                    (slices && slices->slice_type == Conv2dSliceConfig::SliceType::L1_FULL);
        }
        return matrix;
    }
    // A transposed convolution has those of the plain convolution of the image with zeros between its pixels.
    Conv2dProblem plain = problem;
    const SlidingWindow& from = problem.window;
    Conv2dArguments& arguments = plain.arguments;
    arguments.input_height = from.padded_height();
    arguments.input_width = from.padded_width();
    arguments.stride = {1, 1};
    arguments.padding = {0, 0, 0, 0};
    plain.window = SlidingWindow{from.batch, arguments.input_height, arguments.input_width,
                                 from.kernel_height, from.kernel_width};
    plain.window.dilation_height = from.dilation_height;
    plain.window.dilation_width = from.dilation_width;
    TensorSpec spec = input.spec();
    spec.shape =
        Shape{1, 1, from.batch * arguments.input_height * arguments.input_width, arguments.in_channels};
    WeightMatrix matrix = conv2d_weight_matrix(plain, Tensor::planned_on_host(spec));
    matrix.padded_on_host = true;
    return matrix;
}

}  // namespace

WeightMatrix carried_out_weights(const Conv2dProblem& given, const Tensor& input) {
    const bool transposed = given.window.transposed;
    const bool of_one_row = given.arguments.input_height == 1 && !transposed;
    Conv2dProblem problem = given;
    if (transposed) problem.is_matmul = false;  // TT-NN looks at that after it has chosen slices
    if (of_one_row || !goes_through_l1(problem, input)) return weights_of_whole(given, input);
    WeightMatrix matrix;
    const PartOperation operation =
        part_operation(problem, [&](const Conv2dProblem& part, const Tensor& part_input) {
            matrix = conv2d_weight_matrix(part, part_input);
            // For images in tiles TT-NN counts whole tiles of channels, and pads as for the rows that parts are.
            if (problem.input_layout == Layout::TILE &&
                part_input.memory_config().memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) {
                matrix.rows = conv2d_weight_matrix(part, part_input, kTileWidth).rows;
            }
            return Tensor();
        });
    const Conv2dSliceConfig slices = slices_of(problem, operation);
    if (slices.num_slices <= 1) {
        Conv2dProblem whole = in_one_piece(given);
        const bool of_pixels = problem.window.kernel_height == 1 && problem.window.kernel_width == 1;
        if (!transposed || (of_pixels && !given.arguments.conv_config.shard_layout) ||
            given.input_layout == Layout::ROW_MAJOR)
            return weights_of_whole(whole, input);
        // Cores as for rows, but whole tiles of channels on each.
        whole.input_layout = Layout::ROW_MAJOR;
        TensorSpec rows = input.spec();
        rows.layout = Layout::ROW_MAJOR;
        if (is_block_float(rows.dtype)) rows.dtype = DataType::BFLOAT16;
        return conv2d_weight_matrix(whole, Tensor::planned_on_host(rows), kTileWidth);
    }
    const WindowPart first =
        window_parts(problem.window, slices, problem.arguments.conv_config.output_layout).front();
    const SlidingWindow& window = first.window;
    const Shape pixels{1, 1, window.batch * window.height * window.width, problem.arguments.in_channels};
    operation.run(
        Tensor::planned_on_host(TensorSpec{
            pixels, problem.input_dtype == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::BFLOAT16,
            Layout::ROW_MAJOR, operation.input_shards(first)}),
        first);
    return matrix;
}

}  // namespace tilemeter
