// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_matmul.hpp"

#include <algorithm>
#include <tuple>

#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/matmul.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"

namespace tilemeter {

namespace {

struct MorehMatmulOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehMatmulOperation";

    bool transpose_input;
    bool transpose_other;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const { return std::tie(transpose_input, transpose_other, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs)
            require_moreh_dtype(input, "moreh_matmul input", {DataType::BFLOAT16});
        const std::uint32_t inner_input = inputs[0].shape[transpose_input ? -2 : -1];
        const std::uint32_t inner_other = inputs[1].shape[transpose_other ? -1 : -2];
        require(inner_input == inner_other, "k must be the same. input_k ", inner_input, ", other_k ",
                inner_other);
        if (inputs.size() < 3) return;
        require(inputs[2].shape.rank() == 2, "bias rank ", inputs[2].shape.rank(), " must be 2 (tilized).");
        const std::uint32_t columns = inputs[1].shape[transpose_other ? -2 : -1];
        require(inputs[2].shape[-2] == 1 && (inputs[2].shape[-1] == 1 || inputs[2].shape[-1] == columns),
                "bias: expected [1, 1] or [1, ", columns, "], got ", inputs[2].shape);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const std::size_t rank = std::max<std::size_t>({inputs[0].shape.rank(), inputs[1].shape.rank(), 2});
        const Shape a = inputs[0].shape.to_rank(rank), b = inputs[1].shape.to_rank(rank);
        Shape shape = a;
        for (std::size_t i = 0; i + 2 < rank; ++i) {
            const int from_end = static_cast<int>(i) - static_cast<int>(rank);
            shape.set(from_end, std::max(a[from_end], b[from_end]));
        }
        shape.set(-2, a[transpose_input ? -1 : -2]);
        shape.set(-1, b[transpose_other ? -2 : -1]);
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_matmul::MorehMatmulOperation::MultiCoreProgramFactory", 0,
            num_tiles(outputs[0]),
            {2 * tile, 2 * tile, 3 * tile, 3 * tile, 2 * tile, sum, 2 * tile, 2 * tile, sum, 2 * tile},
            device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const TensorSpec& out = outputs[0];
        const std::vector<float> a = inputs[0]->to_floats(), b = inputs[1]->to_floats();
        std::vector<float> values = compute::matmul({a, inputs[0]->shape(), transpose_input},
                                                    {b, inputs[1]->shape(), transpose_other});
        if (inputs.size() == 3) {
            const auto bias =
                compute::broadcast_to<float>(inputs[2]->to_floats(), inputs[2]->shape(), out.shape);
            std::transform(values.begin(), values.end(), bias.begin(), values.begin(), std::plus<>());
        }
        return {HostArray::from_floats(values, out.dtype, out.shape)};
    }
};

struct MorehDotOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehDotOperation";

    std::optional<DataType> dtype;
    MemoryConfig memory_config;
    /// The dtype of an output that the caller gives, which may be any.
    std::optional<DataType> output_dtype;

    auto attributes() const { return std::tie(dtype, memory_config); }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs) {
            require_moreh_dtype(input, "moreh_dot input", {DataType::BFLOAT16, DataType::BFLOAT8_B});
            require(input.shape.volume() == input.shape[-1] && input.shape == inputs[0].shape,
                    "moreh_dot: expected two rows of one length, got ", input.shape);
        }
    }
    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(-1, 1);
        // Whatever `dtype` says: TT-NN's operation does not ask it.
        return {TensorSpec{shape, output_dtype.value_or(inputs[0].dtype), Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype);
        return moreh_plan("ttnn::operations::moreh::moreh_dot::MorehDotOperation::ProgramFactory", 0, 1,
                          {2 * tile, 2 * tile, tile, 2 * tile, tile, tile}, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> a = inputs[0]->to_floats(), b = inputs[1]->to_floats();
        double sum = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += static_cast<double>(a[i]) * b[i];
        return {HostArray::from_floats(std::vector<float>{static_cast<float>(sum)}, outputs[0].dtype,
                                       outputs[0].shape)};
    }
};

Tensor product(const Tensor& input, const Tensor& other, bool transpose_input, bool transpose_other,
               const OptionalTensor& output, const OptionalTensor& bias,
               const OptionalMemoryConfig& memory_config, const OptionalComputeKernelConfig& kernels) {
    const MorehMatmulOperation operation{transpose_input, transpose_other,
                                         memory_config.value_or(input.memory_config()), kernels};
    std::vector<Tensor> inputs{input, other};
    if (bias) inputs.push_back(*bias);
    return launch(operation, inputs, output);
}

}  // namespace

Tensor unscoped::moreh_matmul(const Tensor& input, const Tensor& other, bool transpose_input,
                              bool transpose_other, const OptionalTensor& output,
                              const OptionalMemoryConfig& memory_config,
                              const OptionalComputeKernelConfig& compute_kernel_config) {
    return product(input, other, transpose_input, transpose_other, output, std::nullopt, memory_config,
                   compute_kernel_config);
}

Tensor MorehMatmul::body() const {
    return product(input, other, transpose_input, transpose_other, output, bias, memory_config,
                   compute_kernel_config);
}

Tensor MorehBmm::body() const {
    require(input.shape().rank() == 3 && mat2.shape().rank() == 3,
            "moreh_bmm: expected three dimensions, got ", input.shape(), " and ", mat2.shape());
    return product(input, mat2, false, false, output, std::nullopt, memory_config, compute_kernel_config);
}

Tensor MorehLinear::body() const {
    return product(input, weight, false, true, output, bias, memory_config, compute_kernel_config);
}

Tensor MorehDot::body() const {
    const MorehDotOperation operation{dtype, memory_config.value_or(input_tensor_a.memory_config()),
                                      output ? std::optional<DataType>(output->dtype()) : std::nullopt};
    return launch(operation, {input_tensor_a, input_tensor_b}, output);
}

}  // namespace tilemeter
