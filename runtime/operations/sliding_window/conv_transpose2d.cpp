// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/conv_transpose2d.hpp"

#include <utility>

#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"
#include "runtime/operations/sliding_window/internal/convolution_call.hpp"

namespace tilemeter {

namespace {

// [in, out / groups, height, width] -> [out, in, height, width] of one group, whose other channels count
// zero.
HostArray as_convolved(const HostArray& weights, const Conv2dArguments& arguments, const Shape& convolved) {
    const std::vector<float> from = weights.to_floats();
    const std::uint64_t kernel = std::uint64_t{convolved[2]} * convolved[3];
    const std::uint64_t inputs = arguments.in_channels;
    const std::uint64_t inputs_of_group = inputs / arguments.group_count();
    const std::uint64_t outputs_of_group = arguments.out_channels / arguments.group_count();
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
Tensor convolved_weights(const Tensor& weights, const Conv2dArguments& arguments) {
    if (weights.storage_type() == StorageType::DEVICE) return weights;
    const auto [height, width] = arguments.kernel_size;
    const Shape expected{arguments.in_channels, arguments.out_channels / arguments.group_count(), height,
                         width};
    require(weights.shape() == expected, "conv_transpose2d: weights: expected ", expected, ", got ",
            weights.shape());
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
                                 const Conv2dArguments& arguments) {
    Conv2dProblem problem = conv2d_problem(input, weights, device, has_bias, arguments);
    problem.window.transposed = true;
    problem.window.output_pad_height = arguments.output_padding[0];
    problem.window.output_pad_width = arguments.output_padding[1];
    require_supported_conv2d(problem);
    problem.arguments.groups = 1;
    problem.arguments.conv_config.full_inner_dim = false;
    problem.arguments.conv_config.enable_activation_reuse = false;
    return problem;
}

}  // namespace

Conv2dResult ConvTranspose2d::call() const {
    return convolution(
        *this, kOperation.name, [](Tensor&) {},
        [&](Tensor& input, const PreparedConv2d& prepared, Tensor& output) {
            const Conv2dProblem problem = transposed_problem(input, weight_tensor, device_of(*this, input),
                                                             bias_tensor.has_value(), *this);
            output =
                carry_out(problem, input, convolved_weights(weight_tensor, *this), bias_tensor, prepared);
            return problem.window;
        });
}

Tensor PrepareConvTranspose2dWeights::call() const {
    require_format(*this, kOperation.name, "IOHW");
    // TT-NN chooses the slices of an image in DRAM by it.
    const bool in_slices = input_memory_config.buffer_type == BufferType::DRAM && !slice_config;
    require(conv_config.weights_dtype || !in_slices,
            "get_cb_info expects conv_config.weights_dtype to be already set");
    const Tensor input = planned_input(*this);
    const Conv2dProblem problem = transposed_problem(input, tensor, device, has_bias, *this);
    return prepared_weights(convolved_weights(tensor, *this), problem.arguments,
                            carried_out_weights(problem, input), problem.weights_dtype, device);
}

template <>
Tensor PrepareConvTranspose2dBias::call() const {
    require(conv_config.weights_dtype.has_value(),
            "bad optional access: prepare_conv_transpose2d_bias: conv_config: expected a weights_dtype");
    const Tensor input = planned_input(*this);
    const Conv2dProblem problem = transposed_problem(input, tensor, device, true, *this);
    try_room_for_weights(problem, input, true);
    return prepared_bias(tensor, problem.arguments, carried_out_weights(problem, input),
                         problem.weights_dtype, device);
}

}  // namespace tilemeter
