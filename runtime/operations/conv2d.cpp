// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/conv2d.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/operations/conv2d_folding.hpp"
#include "runtime/operations/conv2d_plan.hpp"
#include "runtime/operations/conv2d_shards.hpp"
#include "runtime/operations/conv2d_tensors.hpp"
#include "runtime/operations/dram_slices.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/program_pieces.hpp"
#include "runtime/operations/reshape.hpp"
#include "runtime/operations/sharding.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

bool in_l1(const Tensor& tensor) {
    return tensor.memory_config().buffer_type != BufferType::DRAM;
}

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

/// Where the input of a part lies.
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

// TT-NN looks whether the padded shape is the one that is wanted.
Tensor image_shaped(const Conv2dProblem& problem, const Tensor& input) {
    const Shape shape = problem.input_shape();
    if (input.shape() != shape) return untraced::reshape(input, shape);
    return input.padded_shape() == shape ? input : reshape_view(input, shape);
}

bool goes_through_l1(const Conv2dProblem& problem, const Tensor& input) {
    const auto& slices = problem.arguments.slice_config;
    const bool full = slices && slices->slice_type == Conv2dSliceConfig::SliceType::L1_FULL;
    return !full && !problem.is_matmul && (slices || !in_l1(input));
}

/// How the parts are brought to L1; `run`: a part's convolution, of rows.
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
    const std::uint64_t free =
        problem.device->with_state([](const DeviceMemory& memory, const ProgramCache&) {
            return memory.allocator(record::MemoryType::kL1).statistics().free;
        });
    return choose_slices(problem.window, problem.arguments.slice_config,
                         problem.arguments.conv_config.output_layout, free, operation);
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

// From DRAM and back, in one piece or in slices.
Tensor through_l1(const Conv2dProblem& problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                  const OptionalTensor& bias_tensor, const PreparedConv2d& prepared) {
    const Conv2dArguments& arguments = problem.arguments;
    const ScopedTensor input(image_shaped(problem, input_tensor));
    TensorSpec spec{Shape{arguments.batch_size, problem.window.output_height(), problem.window.output_width(),
                          arguments.out_channels},
                    problem.output_dtype, arguments.conv_config.output_layout, DRAM_MEMORY_CONFIG};
    Tensor whole = create_device_tensor(spec, problem.device);
    const PartOperation operation =
        part_operation(problem, [&](const Conv2dProblem& part, const Tensor& part_input) {
            return conv2d_in_shards(part, part_input, weight_tensor, bias_tensor, prepared);
        });
    const Conv2dSliceConfig slices = slices_of(problem, operation);
    if (slices.num_slices > 1) {
        run_in_slices(problem.window, slices, *input, whole, operation);
        return flattened(whole);
    }
    whole.deallocate();
    const ScopedTensor output(
        conv2d_in_shards(in_one_piece(problem), *input, weight_tensor, bias_tensor, prepared));
    return flattened(untraced::to_memory_config(*output, DRAM_MEMORY_CONFIG));
}

Tensor run(const Conv2dProblem& problem, const Tensor& input_tensor, const Tensor& weight_tensor,
           const OptionalTensor& bias_tensor, const PreparedConv2d& prepared) {
    if (!goes_through_l1(problem, input_tensor))
        return conv2d_in_shards(problem, input_tensor, weight_tensor, bias_tensor, prepared);
    return through_l1(problem, input_tensor, weight_tensor, bias_tensor, prepared);
}

/// What preparation knows of a convolution, and how its weights are laid out.
struct Preparation {
    Conv2dProblem problem;
    WeightMatrix matrix;
};

Preparation preparation(const Tensor& weights, const PreparedInput& given,
                        const std::shared_ptr<Device>& device, bool has_bias,
                        const Conv2dArguments& arguments) {
    const Shape rows{1, 1, arguments.batch_size * arguments.input_height * arguments.input_width,
                     arguments.in_channels};
    const Tensor input =
        Tensor::planned_on_host(TensorSpec{rows, given.dtype, given.layout, given.memory_config});
    const Conv2dProblem problem = conv2d_problem(input, weights, device, has_bias, arguments);
    require_supported_conv2d(problem, input);
    if (folds_stride(arguments, input)) {
        refuse_conv2d(
            "prepare: expected a stride that is not folded into channels, found one that is; its weights are "
            "prepared by the first call");
    }
    if (!goes_through_l1(problem, input)) return {problem, conv2d_weight_matrix(problem, input)};
    WeightMatrix matrix;
    const PartOperation operation =
        part_operation(problem, [&](const Conv2dProblem& part, const Tensor& part_input) {
            matrix = conv2d_weight_matrix(part, part_input);
            return Tensor();
        });
    const Conv2dSliceConfig slices = slices_of(problem, operation);
    if (slices.num_slices <= 1) return {problem, conv2d_weight_matrix(in_one_piece(problem), input)};
    const WindowPart first =
        window_parts(problem.window, slices, arguments.conv_config.output_layout).front();
    const SlidingWindow& window = first.window;
    const Shape pixels{1, 1, window.batch * window.height * window.width, arguments.in_channels};
    operation.run(Tensor::planned_on_host(
                      TensorSpec{pixels, given.dtype == DataType::FLOAT32 ? given.dtype : DataType::BFLOAT16,
                                 Layout::ROW_MAJOR, operation.input_shards(first)}),
                  first);
    return {problem, matrix};
}

// `weights_of`: brings the weights into four dimensions, in the operation's scope.
template <typename WeightsOf>
Conv2dResult convolution(const OperationName& name, const Tensor& input_tensor, const Tensor& weight_tensor,
                         const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                         const Conv2dArguments& arguments, WeightsOf weights_of) {
    Conv2dResult result;
    in_operation(name,
                 std::tie(input_tensor, weight_tensor, arguments.in_channels, arguments.out_channels,
                          arguments.batch_size, arguments.input_height, arguments.input_width, bias_tensor),
                 [&] {
                     Tensor input = input_tensor;
                     if (input.storage_type() == StorageType::HOST)
                         input = upload(input, device, DRAM_MEMORY_CONFIG);
                     require_on_device(input, "conv2d", "input_tensor");
                     Conv2dProblem problem = conv2d_problem(input, weight_tensor, input.shared_device(),
                                                            bias_tensor.has_value(), arguments);
                     require_supported_conv2d(problem, input);
                     result.output_height = problem.window.output_height();
                     result.output_width = problem.window.output_width();
                     // Freed in reverse order: what was folded, the weights, the bias.
                     ScopedTensor bias{Tensor()};
                     ScopedTensor weights{Tensor()};
                     ScopedTensor folded{Tensor()};
                     Tensor raw_weights = weights_of(weight_tensor);
                     if (folds_stride(arguments, input)) {
                         FoldedConv2d without_stride = fold_stride(arguments, input, raw_weights);
                         input = without_stride.input;
                         folded = std::move(without_stride.input);
                         raw_weights = std::move(without_stride.weights);
                         problem = conv2d_problem(input, raw_weights, input.shared_device(),
                                                  bias_tensor.has_value(), without_stride.arguments);
                         problem.unfolded_kernel = arguments.kernel_size;
                     }
                     const Tensor output = run(problem, input, raw_weights, bias_tensor, {weights, bias});
                     input = Tensor();
                     result.output = output;
                     std::vector<Tensor> outputs = {output};
                     if (arguments.return_weights_and_bias) {
                         result.weight = weights.take();
                         outputs.push_back(*result.weight);
                         if (bias_tensor) {
                             result.bias = bias.take();
                             outputs.push_back(*result.bias);
                         }
                     }
                     return outputs;
                 });
    return result;
}

}  // namespace

Conv2dResult conv2d(const Tensor& input_tensor, const Tensor& weight_tensor,
                    const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                    const Conv2dArguments& arguments) {
    static const OperationName kName("conv2d");
    return convolution(kName, input_tensor, weight_tensor, device, bias_tensor, arguments,
                       [](const Tensor& weights) { return weights; });
}

Conv2dResult conv1d(const Tensor& input_tensor, const Tensor& weight_tensor,
                    const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                    const Conv2dArguments& arguments) {
    static const OperationName kName("conv1d");
    return convolution(kName, input_tensor, weight_tensor, device, bias_tensor, arguments,
                       [](const Tensor& weights) {
                           const Shape& shape = weights.shape();
                           if (shape.rank() != 3) return weights;
                           return reshape_view(weights, {shape[0], shape[1], 1, shape[2]});
                       });
}

Tensor prepare_conv_weights(const Tensor& weight_tensor, const PreparedInput& input,
                            const std::shared_ptr<Device>& device, bool has_bias,
                            const Conv2dArguments& arguments) {
    const Preparation how = preparation(weight_tensor, input, device, has_bias, arguments);
    return prepared_weights(weight_tensor, how.problem.arguments, how.matrix, how.problem.weights_dtype,
                            device);
}

Tensor prepare_conv_bias(const Tensor& bias_tensor, const PreparedInput& input,
                         const std::shared_ptr<Device>& device, const Conv2dArguments& arguments) {
    const Preparation how = preparation(bias_tensor, input, device, true, arguments);
    return prepared_bias(bias_tensor, how.problem.arguments, how.matrix, how.problem.weights_dtype, device);
}

}  // namespace tilemeter
