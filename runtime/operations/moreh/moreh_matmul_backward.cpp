// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_matmul_backward.hpp"

#include <string>
#include <tuple>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"
#include "runtime/operations/moreh/moreh_matmul.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"

namespace tilemeter {

namespace {

/// Sums of all rows, or of all elements where the bias is one.
struct MorehBiasAddBackward {
    static constexpr std::string_view kName = "MorehBiasAddBackwardOperation";

    Shape bias;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::tie(bias, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_moreh_dtype(inputs[0], "output_grad", {DataType::BFLOAT16});
        require(bias.volume() == 1 || bias.volume() == inputs[0].shape[-1], [&] {
            return "bias: expected [1, 1] or [1, " + std::to_string(inputs[0].shape[-1]) + "], got " +
                   bias.to_string();
        });
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{bias, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        if (bias.volume() == 1) {
            std::vector<std::uint64_t> sizes{2 * tile, tile, tile, tile, sum};
            // The padding is masked.
            if (inputs[0].shape != inputs[0].padded_shape()) sizes.insert(sizes.begin() + 2, 2 * tile);
            return moreh_plan(
                "ttnn::operations::moreh::moreh_linear_backward::MorehBiasAddBackwardOperation::"
                "SingleCoreProgramFactory",
                0, 1, sizes, device);
        }
        return moreh_plan(
            "ttnn::operations::moreh::moreh_linear_backward::MorehBiasAddBackwardOperation::"
            "MultiCoreProgramFactory",
            1, num_tiles(outputs[0]), {2 * tile, tile, 2 * tile, tile, tile, sum}, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> grad = inputs[0]->to_floats();
        std::vector<double> sums(outputs[0].shape.volume());
        for (std::size_t i = 0; i < grad.size(); ++i)
            sums[i % sums.size()] += grad[i];
        return {HostArray::from_floats(std::vector<float>(sums.begin(), sums.end()), outputs[0].dtype,
                                       outputs[0].shape)};
    }
};

/// Two rows' gradients: the other row times one number.
struct MorehDotBackwardOperation {
    static constexpr std::string_view kName = "MorehDotBackwardOperation";

    MemoryConfig memory_config;
    std::vector<bool> required;
    std::vector<TensorSpec> given;  ///< the tensors for the gradients that are required

    auto attributes() const { return std::tie(memory_config); }
    auto key_attributes() const {
        return std::make_tuple(memory_config, static_cast<bool>(required[0]), static_cast<bool>(required[1]));
    }

    void validate(SpecsView inputs) const {
        const auto is_row = [](const TensorSpec& spec) {
            return spec.shape.rank() == 4 && spec.shape.volume() == spec.shape[-1];
        };
        require(inputs[0].shape.rank() == 4 && inputs[0].shape.volume() == 1, "Invalid value type");
        require(is_row(inputs[1]) && is_row(inputs[2]), "Invalid input tensor dimensions.");
        require(inputs[1].shape == inputs[2].shape, "Tensor A and B should have the same shape.");
        require(inputs[1].dtype == DataType::BFLOAT16 || inputs[1].dtype == DataType::BFLOAT8_B,
                "Unsupported data format");
        for (const TensorSpec& each : given) {
            require(each.shape == inputs[1].shape, "Tensor shape and grad tensor shape should be the same.");
        }
        for (const TensorSpec& input : inputs)
            require(input.layout == Layout::TILE, "moreh_dot_backward only supports TILE layout.");
    }
    TensorSpecs infer(SpecsView inputs) const {
        TensorSpecs gradients;
        for (const std::size_t i : {0, 1}) {
            if (required[i]) gradients.push_back(inputs[1 + i]);
        }
        return gradients;
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::vector<std::uint64_t> sizes(5, 2 * tile_size(inputs[0].dtype));
        return moreh_plan(
            "ttnn::operations::moreh::moreh_dot_backward::MorehDotBackwardOperation::ProgramFactory", 0, 1,
            sizes, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const float grad = inputs[0]->to_floats()[0];
        std::vector<HostArray> gradients;
        for (const std::size_t i : {0, 1}) {
            if (!required[i]) continue;
            std::vector<float> values = inputs[2 - i]->to_floats();
            for (float& value : values)
                value *= grad;
            const TensorSpec& out = outputs[gradients.size()];
            gradients.push_back(HostArray::from_floats(values, out.dtype, out.shape));
        }
        return gradients;
    }
};

void require_given(bool required, const OptionalTensor& tensor, const char* what) {
    require(!required || tensor, what, " gradient is marked required but not provided.");
}

void require_count(const std::vector<bool>& required, std::size_t count) {
    require(required.size() == count, "are_required_outputs: expected ", count, ", got ", required.size());
}

// The leading dimensions that `to` does not have, or has once.
std::vector<int> repeated_dims(const Shape& from, const Shape& to) {
    std::vector<int> dims;
    const std::size_t missing = from.rank() - to.rank();
    for (std::size_t i = 0; i + 2 < from.rank(); ++i) {
        if (i < missing || (to.dimensions()[i - missing] == 1 && from.dimensions()[i] != 1))
            dims.push_back(static_cast<int>(i));
    }
    return dims;
}

Shape product_batches(const Tensor& a, const Tensor& b) {
    return a.shape().rank() >= b.shape().rank() ? a.shape() : b.shape();
}

// A product into `into`, summed where that is repeated in it.
void product_into(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b, const Tensor& into,
                  const OptionalMemoryConfig& memory_config, const OptionalComputeKernelConfig& kernels) {
    Shape batches = product_batches(a, b);
    for (const Tensor* each : {&a, &b}) {
        const std::size_t missing = batches.rank() - each->shape().rank();
        for (std::size_t i = missing; i + 2 < batches.rank(); ++i) {
            const int from_end = static_cast<int>(i) - static_cast<int>(batches.rank());
            if (batches[from_end] == 1) batches.set(from_end, each->shape()[from_end]);
        }
    }
    const std::vector<int> dims = repeated_dims(batches, into.shape());
    if (dims.empty()) {
        unscoped::moreh_matmul(a, b, transpose_a, transpose_b, into, memory_config, kernels);
        return;
    }
    const ScopedTensor whole(
        unscoped::moreh_matmul(a, b, transpose_a, transpose_b, std::nullopt, memory_config, kernels));
    unscoped::moreh_sum(*whole, dims, into.shape().rank() == batches.rank(), into, memory_config, kernels);
}

bool is_row(const Tensor& tensor) {
    return tensor.shape().rank() == 4 && tensor.shape().volume() == tensor.shape()[-1];
}

// Into the gradients that are given.
std::vector<OptionalTensor> dot_backward(const Tensor& grad, const Tensor& a, const Tensor& b,
                                         const std::vector<OptionalTensor>& gradients,
                                         const OptionalMemoryConfig& memory_config) {
    MorehDotBackwardOperation operation{memory_config.value_or(a.memory_config()), {}, {}};
    std::vector<Tensor> into;
    for (const OptionalTensor& each : gradients) {
        operation.required.push_back(each.has_value());
        if (!each) continue;
        into.push_back(*each);
        operation.given.push_back(each->spec());
    }
    launch_all(operation, {grad, a, b}, into);
    return gradients;
}

std::vector<OptionalTensor> backward(const Tensor& grad, const Tensor& a, const Tensor& b,
                                     const std::vector<bool>& required, const OptionalTensor& a_grad,
                                     const OptionalTensor& b_grad, const OptionalMemoryConfig& memory_config,
                                     const OptionalComputeKernelConfig& kernels) {
    require_count(required, 2);
    require_given(required[0], a_grad, "Input");
    require_given(required[1], b_grad, "Other");
    std::vector<OptionalTensor> gradients(2);
    if (required[0]) gradients[0] = a_grad;
    if (required[1]) gradients[1] = b_grad;
    if (grad.shape().volume() == 1 && is_row(a) && is_row(b)) {
        return dot_backward(grad, a, b, gradients, memory_config);
    }
    if (required[0]) product_into(grad, b, false, true, *a_grad, memory_config, kernels);
    if (required[1]) product_into(a, grad, true, false, *b_grad, memory_config, kernels);
    return gradients;
}

}  // namespace

std::vector<OptionalTensor> MorehDotBackward::body() const {
    return dot_backward(output_grad, input, other, {input_grad, other_grad}, memory_config);
}

std::vector<OptionalTensor> MorehMatmulBackward::body() const {
    return backward(output_grad, input_a, input_b, are_required_outputs, input_a_grad, input_b_grad,
                    memory_config, compute_kernel_config);
}

std::vector<OptionalTensor> MorehBmmBackward::body() const {
    return backward(output_grad, input, mat2, are_required_outputs, input_grad, mat2_grad, std::nullopt,
                    compute_kernel_config);
}

std::vector<OptionalTensor> MorehLinearBackward::body() const {
    require_count(are_required_outputs, 3);
    std::vector<OptionalTensor> gradients(3);
    if (are_required_outputs[0]) {
        require_given(true, input_grad, "Input");
        unscoped::moreh_matmul(output_grad, weight, false, false, input_grad, std::nullopt,
                               compute_kernel_config);
        gradients[0] = input_grad;
    }
    if (are_required_outputs[1]) {
        require_given(true, weight_grad, "Weight");
        product_into(output_grad, input, true, false, *weight_grad, weight_grad_memory_config,
                     compute_kernel_config);
        gradients[1] = weight_grad;
    }
    if (are_required_outputs[2] && (bias || bias_grad)) {
        require_given(true, bias_grad, "Bias");
        const MorehBiasAddBackward operation{bias_grad->shape(), bias_grad->memory_config(),
                                             compute_kernel_config};
        launch_into(operation, {output_grad}, *bias_grad);
        gradients[2] = bias_grad;
    }
    return gradients;
}

}  // namespace tilemeter
