// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/conv2d.hpp"

#include <tuple>
#include <utility>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_folding.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_slices.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_tensors.hpp"

namespace tilemeter {

namespace {

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
    return {problem, carried_out_weights(problem, input)};
}

// `weights_of`: brings the weights into four dimensions, in the operation's scope.
template <typename WeightsOf>
Conv2dResult convolution(const OperationName& name, const Tensor& input_tensor, const Tensor& weight_tensor,
                         const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                         const Conv2dArguments& arguments, WeightsOf weights_of) {
    Conv2dResult result;
    in_operation(
        name,
        std::tie(input_tensor, weight_tensor, arguments.in_channels, arguments.out_channels,
                 arguments.batch_size, arguments.input_height, arguments.input_width, bias_tensor),
        [&] {
            Tensor input = input_tensor;
            if (input.storage_type() == StorageType::HOST) input = upload(input, device, DRAM_MEMORY_CONFIG);
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
                problem = conv2d_problem(input, raw_weights, input.shared_device(), bias_tensor.has_value(),
                                         without_stride.arguments);
                problem.unfolded_kernel = arguments.kernel_size;
            }
            const Tensor output = carry_out(problem, input, raw_weights, bias_tensor, {weights, bias});
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
