// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/batch_norm.hpp"

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

/// Inputs: the tensor, mean, variance, then weight and bias where they are there.
class BatchNormDeviceOperation {
public:
    static constexpr std::string_view kName = "BatchNormOperation";

    BatchNormDeviceOperation(float eps, MemoryConfig memory_config, DataType dtype,
                             const OptionalComputeKernelConfig& kernels, bool has_weight, bool has_bias)
        : eps_(eps),
          memory_config_(std::move(memory_config)),
          dtype_(dtype),
          kernels_(
              kernels.value_or(DeviceComputeKernelConfig{MathFidelity::HiFi3, false, true, true, false})),
          has_weight_(has_weight),
          has_bias_(has_bias) {}

    auto attributes() const {
        return std::make_tuple(eps_, memory_config_, kernels_, dtype_, "std::nullopt");
    }
    auto key_attributes() const {
        return std::tie(eps_, memory_config_, kernels_, dtype_, has_weight_, has_bias_);
    }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::TILE, "Input tensor must be must be tilized");
        require_real(input);
        for (std::size_t i = 1; i < inputs.size(); ++i)
            require_parameter(inputs[i], name_at(i), input, inputs[1].dtype);
        if (input.memory_config.is_sharded() || memory_config_.is_sharded()) {
            refuse("batch_norm", "input, memory_config", "INTERLEAVED",
                   input.memory_config.to_string() + " and " + memory_config_.to_string());
        }
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype_, Layout::TILE, memory_config_}};
    }

    // Two tiles of each; what is computed has the wider of the dtypes. All cores have the buffers.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t parameter = tile_size(inputs[1].dtype);
        const bool wide = inputs[0].dtype == DataType::FLOAT32 || inputs[1].dtype == DataType::FLOAT32;
        const std::uint64_t narrow = tile_size(DataType::BFLOAT16);
        const std::uint64_t computed = wide ? tile_size(DataType::FLOAT32) : narrow;
        std::vector<std::uint64_t> tiles = {tile_size(inputs[0].dtype),
                                            parameter,
                                            computed,
                                            parameter,
                                            computed,
                                            has_weight_ ? parameter : narrow,
                                            has_bias_ ? parameter : narrow,
                                            computed,
                                            computed};
        if (tile_size(outputs[0].dtype) != computed) tiles.push_back(tile_size(outputs[0].dtype));
        ProgramPlan plan{{"ttnn::operations::normalization::BatchNormOperation::BatchNormFactory", 0}};
        for (const std::uint64_t tile : tiles)
            plan.memory.push_back(dataflow_buffer(2 * tile, whole_grid(device.compute_grid)));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const std::vector<float> mean = inputs[1]->to_floats();
        const std::vector<float> variance = inputs[2]->to_floats();
        const std::vector<float> weight = has_weight_ ? inputs[3]->to_floats() : std::vector<float>();
        const std::vector<float> bias = has_bias_ ? inputs.back()->to_floats() : std::vector<float>();
        const Shape& shape = outputs[0].shape;
        const std::uint64_t channel_size = std::uint64_t{shape[2]} * shape[3];
        for (std::uint64_t at = 0; at < values.size(); ++at) {
            const std::uint64_t c = at / channel_size % shape[1];
            float& value = values[at];
            value = (value - mean[c]) / std::sqrt(variance[c] + eps_);
            if (has_weight_) value *= weight[c];
            if (has_bias_) value += bias[c];
        }
        return {HostArray::from_floats(values, outputs[0].dtype, shape)};
    }

private:
    const char* name_at(std::size_t input) const {
        if (input == 1) return "running_mean";
        if (input == 2) return "running_var";
        return input == 3 && has_weight_ ? "weight" : "bias";
    }
    static void require_real(const TensorSpec& spec) {
        require(spec.dtype == DataType::BFLOAT16 || spec.dtype == DataType::FLOAT32,
                "batch_norm only supports bfloat16, float32. Got: DataType::", name_of(spec.dtype));
    }
    static void require_parameter(const TensorSpec& each, const char* name, const TensorSpec& input,
                                  DataType dtype) {
        require_real(each);
        if (each.layout != Layout::TILE || each.memory_config.is_sharded()) {
            refuse("batch_norm", name, "interleaved TILE",
                   std::string(name_of(each.layout)) + " in " + each.memory_config.to_string());
        }
        require(each.shape.rank() == 4 && each.shape[1] == input.shape[1],
                "batch_mean_shape[1] must be the same as input's channel size.");
        if (each.shape.volume() != input.shape[1]) {
            refuse("batch_norm", name, "[1, " + std::to_string(input.shape[1]) + ", 1, 1]",
                   each.shape.to_string());
        }
        require(each.dtype == dtype, "batch_norm: ", name, " dtype (DataType::", name_of(each.dtype),
                ") must match other parameter tensors dtype (DataType::", name_of(dtype), ")");
    }

    float eps_;
    MemoryConfig memory_config_;
    DataType dtype_;
    DeviceComputeKernelConfig kernels_;
    bool has_weight_;
    bool has_bias_;
};

}  // namespace

Tensor BatchNorm::body() const {
    require_on_device(input, "batch_norm", "input");
    const std::size_t rank = input.shape().rank();
    require(rank >= 4, "batch_norm not supported for tensors with rank < 4. (rank=", rank, ")");
    if (rank > 4) refuse("batch_norm", "input", "[N, C, H, W]", input.shape().to_string());
    require(!training, "batch_norm: training: expected False, statistics of a batch are not there");
    require(running_mean && running_var, "running_mean and running_var must be defined in evaluation mode");
    std::vector<Tensor> inputs = {input, *running_mean, *running_var};
    for (const OptionalTensor* each : {&weight, &bias}) {
        if (*each) inputs.push_back(**each);
    }
    const BatchNormDeviceOperation operation(eps, memory_config.value_or(input.memory_config()),
                                             input.dtype(), compute_kernel_config, weight.has_value(),
                                             bias.has_value());
    return launch(operation, inputs, output);
}

}  // namespace tilemeter
