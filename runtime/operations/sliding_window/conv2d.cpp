// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/conv2d.hpp"

#include <utility>

#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/sliding_window/conv2d_tensors.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_folding.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_plan.hpp"
#include "runtime/operations/sliding_window/internal/convolution_call.hpp"

namespace tilemeter {

namespace {

// A core that reads on from its row of the image has one copy of activations and weights.
Conv2dProblem forward_problem(const Tensor& input, const Tensor& weights,
                              const std::shared_ptr<Device>& device, bool has_bias,
                              const Conv2dArguments& arguments) {
    Conv2dProblem problem = conv2d_problem(input, weights, device, has_bias, arguments);
    Conv2dConfig& config = problem.arguments.conv_config;
    if (config.enable_activation_reuse)
        config.enable_act_double_buffer = config.enable_weights_double_buffer = false;
    return problem;
}

/// Facts about a convolution that preparation knows, and the layout of its weights.
struct Preparation {
    Conv2dProblem problem;
    WeightMatrix matrix;
    bool folds = false;
};

Preparation preparation(const ConvPreparation& call, bool has_bias, bool for_bias = false) {
    const Tensor input = planned_input(call);
    const bool folds = folds_stride(call, input);
    require(folds || call.groups != 0, "prepare_conv_weights: groups: expected at least 1, got 0");
    const Conv2dProblem problem = forward_problem(input, call.tensor, call.device, has_bias, call);
    require_supported_conv2d(problem);
    if (!folds) {
        try_room_for_weights(problem, input, for_bias);
        return {problem, carried_out_weights(problem, input)};
    }
    ConvPreparation folded = call;
    static_cast<Conv2dArguments&>(folded) = without_stride(call, input);
    folded.input_layout = Layout::ROW_MAJOR;
    folded.input_memory_config = folded_memory(call, input, call.device->description().compute_grid);
    const Tensor folded_input = planned_input(folded);
    Conv2dProblem left = forward_problem(folded_input, call.tensor, call.device, has_bias, folded);
    if (!input.is_sharded()) left.unfolded_kernel = call.kernel_size;
    try_room_for_weights(left, folded_input, for_bias);
    return {left, carried_out_weights(left, folded_input), true};
}

// `in_four`: brings input and weights into four dimensions, in the operation's scope.
template <typename Definition, typename InFour>
auto forward_convolution(const Definition& call, InFour in_four) {
    Tensor weights = call.weight_tensor;
    const auto place = [&](Tensor& input) { in_four(input, weights); };
    return convolution(
        call, "conv2d", place, [&](Tensor& input, const PreparedConv2d& prepared, Tensor& output) {
            const bool has_bias = call.bias_tensor.has_value();
            Conv2dProblem problem = forward_problem(input, weights, device_of(call, input), has_bias, call);
            require_supported_conv2d(problem);
            const SlidingWindow window = problem.window;
            ScopedTensor folded{Tensor()};
            if (folds_stride(call, input)) {
                const bool in_shards = input.is_sharded();
                FoldedConv2d without_stride = fold_stride(call, input, weights);
                input = without_stride.input;
                folded = std::move(without_stride.input);
                weights = std::move(without_stride.weights);
                problem = forward_problem(input, weights, input.shared_device(), has_bias,
                                          without_stride.arguments);
                if (!in_shards) problem.unfolded_kernel = call.kernel_size;
            }
            output = carry_out(problem, input, weights, call.bias_tensor, prepared);
            return window;
        });
}

}  // namespace

Conv2dResult Conv2d::call() const {
    return forward_convolution(*this, [](Tensor&, Tensor&) {});
}

Conv1dResult Conv1d::call() const {
    Conv1d image = *this;
    image.input_width = input_length;
    image.kernel_size = {1, kernel_length};
    image.stride = {1, stride_along};
    image.dilation = {1, dilation_along};
    const auto* both = std::get_if<std::uint32_t>(&padding_along);
    const auto [left, right] = both != nullptr ? Pair{*both, *both} : std::get<Pair>(padding_along);
    image.padding = {0, 0, left, right};
    return forward_convolution(image, [&](Tensor& input, Tensor& weights) {
        if (input.shape().rank() < 4) {
            const Shape rows{batch_size, 1, input_length, in_channels};
            require(input.shape().volume() == rows.volume(),
                    "Attempting to reshape between two shapes with different volumes: ", input.shape(),
                    " and ", rows);
            input = input.storage_type() == StorageType::HOST ? reshape_view(input, rows)
                                                              : unscoped::reshape(input, rows);
        }
        const Shape& shape = weights.shape();
        if (shape.rank() == 3) weights = reshape_view(weights, {shape[0], shape[1], 1, shape[2]});
    });
}

Tensor PrepareConvWeights::call() const {
    require_format(*this, kOperation.name, "OIHW");
    require(tensor.storage_type() == StorageType::HOST, "Host conv weights should be placed on host");
    require(tensor.layout() == Layout::ROW_MAJOR, "Host conv weights layout should be in row_major layout");
    const auto [problem, matrix, folds] = preparation(*this, has_bias);
    const Shape& shape = tensor.shape();
    const bool of_rows = shape.rank() == 3 && input_height == 1;  // a shape that conv1d takes
    const Tensor given = of_rows ? reshape_view(tensor, {shape[0], shape[1], 1, shape[2]}) : tensor;
    const Tensor weights = folds ? folded_weights(given, *this, problem.arguments) : given;
    return prepared_weights(weights, problem.arguments, matrix, problem.weights_dtype, device);
}

template <>
Tensor PrepareConvBias::call() const {
    require(conv_config.weights_dtype.has_value(),
            "bad optional access: prepare_conv_bias: conv_config: expected a weights_dtype");
    const Preparation found = preparation(*this, true, true);
    const Conv2dProblem& problem = found.problem;
    return prepared_bias(tensor, problem.arguments, found.matrix, problem.weights_dtype, device);
}

}  // namespace tilemeter
