// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/conv2d.hpp"

#include <algorithm>
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
    return {layout, input_shards(part.input_shape(), brought_as, part.spread(layout, alignment, 0), false)};
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

// From DRAM and back, in one piece or in slices.
Tensor through_l1(const Conv2dProblem& problem, const Tensor& input_tensor, const Tensor& weight_tensor,
                  const OptionalTensor& bias_tensor, const PreparedConv2d& prepared) {
    const Conv2dArguments& arguments = problem.arguments;
    const ScopedTensor input(image_shaped(problem, input_tensor));
    const Layout output_layout = arguments.conv_config.output_layout;
    TensorSpec spec{Shape{arguments.batch_size, problem.window.output_height(), problem.window.output_width(),
                          arguments.out_channels},
                    problem.output_dtype, output_layout, DRAM_MEMORY_CONFIG};
    Tensor whole = create_device_tensor(spec, problem.device);

    Conv2dProblem rows = problem;
    rows.input_layout = Layout::ROW_MAJOR;
    const PartOperation operation{
        [&](const WindowPart& part) { return needed_l1(problem_of_part(problem, part)); },
        [&](const WindowPart& part) {
            return part_shards(problem_of_part(problem, part), Layout::ROW_MAJOR).config;
        },
        [&](Tensor part_input, const WindowPart& part) {
            Conv2dProblem own = problem_of_part(rows, part);
            own.arguments.conv_config.output_layout = Layout::TILE;
            return conv2d_in_shards(std::move(own), part_input, weight_tensor, bias_tensor, prepared);
        }};
    const std::uint64_t free =
        problem.device->with_state([](const DeviceMemory& memory, const ProgramCache&) {
            return memory.allocator(record::MemoryType::kL1).statistics().free;
        });
    const Conv2dSliceConfig slices =
        choose_slices(problem.window, arguments.slice_config, output_layout, free, operation);
    if (slices.num_slices > 1) {
        run_in_slices(problem.window, slices, *input, whole, operation);
        return flattened(whole);
    }
    whole.deallocate();
    Conv2dProblem at_once = problem;
    Conv2dConfig& config = at_once.arguments.conv_config;
    config.deallocate_activation = true;
    config.reallocate_halo_output = true;
    config.output_layout = Layout::TILE;
    at_once.arguments.memory_config = std::nullopt;
    const ScopedTensor output(conv2d_in_shards(at_once, *input, weight_tensor, bias_tensor, prepared));
    return flattened(untraced::to_memory_config(*output, DRAM_MEMORY_CONFIG));
}

Tensor run(const Conv2dProblem& problem, const Tensor& input_tensor, const Tensor& weight_tensor,
           const OptionalTensor& bias_tensor, const PreparedConv2d& prepared) {
    const auto& slices = problem.arguments.slice_config;
    const bool full = slices && slices->slice_type == Conv2dSliceConfig::SliceType::L1_FULL;
    if (full || problem.is_matmul || (!slices && in_l1(input_tensor)))
        return conv2d_in_shards(problem, input_tensor, weight_tensor, bias_tensor, prepared);
    return through_l1(problem, input_tensor, weight_tensor, bias_tensor, prepared);
}

}  // namespace

Conv2dResult conv2d(const Tensor& input_tensor, const Tensor& weight_tensor,
                    const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                    const Conv2dArguments& arguments) {
    static const OperationName kName("conv2d");
    Conv2dResult result;
    in_operation(kName,
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
                     Tensor raw_weights = weight_tensor;
                     if (folds_stride(arguments, input)) {
                         FoldedConv2d without_stride = fold_stride(arguments, input, weight_tensor);
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

}  // namespace tilemeter
