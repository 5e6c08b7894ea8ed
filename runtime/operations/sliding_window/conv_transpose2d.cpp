// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/conv_transpose2d.hpp"

#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_slices.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_tensors.hpp"

namespace tilemeter {

namespace {

// [in, out / groups, height, width] -> [out, in, height, width] of one group, whose other channels count
// zero.
HostArray as_convolved(const HostArray& weights, const ConvTranspose2dArguments& arguments,
                       const Shape& convolved) {
    const std::vector<float> from = weights.to_floats();
    const std::uint64_t kernel = std::uint64_t{convolved[2]} * convolved[3];
    const std::uint64_t inputs = arguments.in_channels;
    const std::uint64_t inputs_of_group = inputs / arguments.groups;
    const std::uint64_t outputs_of_group = arguments.out_channels / arguments.groups;
    std::vector<float> to(convolved.volume(), 0.0F);
    for (std::uint64_t input = 0; input < inputs; ++input) {
        for (std::uint64_t output = 0; output < outputs_of_group; ++output) {
            const float* source = from.data() + (input * outputs_of_group + output) * kernel;
            const std::uint64_t channel = input / inputs_of_group * outputs_of_group + output;
            float* target = to.data() + (channel * inputs + input) * kernel;
            for (std::uint64_t place = 0; place < kernel; ++place)
                target[arguments.mirror_kernel ? kernel - 1 - place : place] = source[place];
        }
    }
    return HostArray::from_floats(to, weights.dtype(), convolved);
}

// As a convolution takes them; those on the device are so already.
Tensor convolved_weights(const Tensor& weights, const ConvTranspose2dArguments& arguments) {
    if (weights.storage_type() == StorageType::DEVICE) return weights;
    const auto [height, width] = arguments.kernel_size;
    const Shape expected{arguments.in_channels, arguments.out_channels / arguments.groups, height, width};
    if (weights.shape() != expected) {
        throw RuntimeError("conv_transpose2d: weights: expected " + expected.to_string() + ", found " +
                           weights.shape().to_string());
    }
    TensorSpec spec = weights.spec();
    spec.shape = Shape{arguments.out_channels, arguments.in_channels, height, width};
    if (!weights.has_values()) return Tensor::planned_on_host(std::move(spec));
    ChipValues values;
    for (const HostArray& array : *weights.chip_values())
        values.push_back(as_convolved(array, arguments, spec.shape));
    return Tensor::on_host(std::move(spec), std::move(values));
}

Conv2dProblem transposed_problem(const Tensor& input, const Tensor& weights,
                                 const std::shared_ptr<Device>& device, bool has_bias,
                                 const ConvTranspose2dArguments& arguments) {
    Conv2dProblem problem = conv2d_problem(input, weights, device, has_bias, arguments);
    problem.window.transposed = true;
    problem.window.output_pad_height = arguments.output_padding[0];
    problem.window.output_pad_width = arguments.output_padding[1];
    require_supported_conv2d(problem, input);
    problem.arguments.groups = 1;
    problem.arguments.conv_config.full_inner_dim = false;
    problem.arguments.conv_config.enable_activation_reuse = false;
    return problem;
}

WeightMatrix matrix_of(const Conv2dProblem& problem, const PreparedInput& given) {
    const Conv2dArguments& arguments = problem.arguments;
    const Shape rows{1, 1, arguments.batch_size * arguments.input_height * arguments.input_width,
                     arguments.in_channels};
    return carried_out_weights(
        problem, Tensor::planned_on_host(TensorSpec{rows, given.dtype, given.layout, given.memory_config}));
}

Conv2dProblem prepared_problem(const Tensor& weights, const PreparedInput& given,
                               const std::shared_ptr<Device>& device, bool has_bias,
                               const ConvTranspose2dArguments& arguments) {
    const Shape rows{1, 1, arguments.batch_size * arguments.input_height * arguments.input_width,
                     arguments.in_channels};
    return transposed_problem(
        Tensor::planned_on_host(TensorSpec{rows, given.dtype, given.layout, given.memory_config}), weights,
        device, has_bias, arguments);
}

}  // namespace

Conv2dResult conv_transpose2d(const Tensor& input_tensor, const Tensor& weight_tensor,
                              const std::shared_ptr<Device>& device, const OptionalTensor& bias_tensor,
                              const ConvTranspose2dArguments& arguments) {
    static const OperationName kName("conv_transpose2d");
    Conv2dResult result;
    in_operation(kName,
                 std::tie(input_tensor, weight_tensor, arguments.in_channels, arguments.out_channels,
                          arguments.batch_size, arguments.input_height, arguments.input_width, bias_tensor),
                 [&] {
                     Tensor input = input_tensor;
                     if (input.storage_type() == StorageType::HOST)
                         input = upload(input, device, DRAM_MEMORY_CONFIG);
                     require_on_device(input, "conv_transpose2d", "input_tensor");
                     const Conv2dProblem problem = transposed_problem(
                         input, weight_tensor, input.shared_device(), bias_tensor.has_value(), arguments);
                     result.output_height = problem.window.output_height();
                     result.output_width = problem.window.output_width();
                     // Freed in reverse order.
                     ScopedTensor bias{Tensor()};
                     ScopedTensor weights{Tensor()};
                     result.output = carry_out(problem, input, convolved_weights(weight_tensor, arguments),
                                               bias_tensor, {weights, bias});
                     input = Tensor();
                     std::vector<Tensor> outputs = {result.output};
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

Tensor prepare_conv_transpose2d_weights(const Tensor& weight_tensor, const PreparedInput& input,
                                        const std::shared_ptr<Device>& device, bool has_bias,
                                        const ConvTranspose2dArguments& arguments) {
    const Conv2dProblem problem = prepared_problem(weight_tensor, input, device, has_bias, arguments);
    return prepared_weights(convolved_weights(weight_tensor, arguments), problem.arguments,
                            matrix_of(problem, input), problem.weights_dtype, device);
}

Tensor prepare_conv_transpose2d_bias(const Tensor& bias_tensor, const PreparedInput& input,
                                     const std::shared_ptr<Device>& device,
                                     const ConvTranspose2dArguments& arguments) {
    const Conv2dProblem problem = prepared_problem(bias_tensor, input, device, true, arguments);
    return prepared_bias(bias_tensor, problem.arguments, matrix_of(problem, input), problem.weights_dtype,
                         device);
}

}  // namespace tilemeter
