// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/batch_norm.hpp"

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/program_pieces.hpp"

namespace tilemeter {

namespace {

/// Inputs: the tensor, mean, variance, then weight and bias where they are there.
class BatchNorm : public DeviceOperationWith<BatchNorm> {
public:
    static constexpr std::string_view kName = "BatchNormOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    BatchNorm(float eps, MemoryConfig memory_config, DataType dtype,
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

    void validate(std::span<const TensorSpec> inputs) const {
        const TensorSpec& input = inputs[0];
        if (input.layout != Layout::TILE) throw RuntimeError("Input tensor must be must be tilized");
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const TensorSpec& each = inputs[i];
            require_real(each);
            if (i == 0) continue;
            if (each.layout != Layout::TILE || each.memory_config.is_sharded()) {
                throw RuntimeError("batch_norm: " + name_at(i) + ": expected interleaved TILE, got " +
                                   std::string(name_of(each.layout)) + " in " +
                                   each.memory_config.to_string());
            }
            if (each.shape.rank() != 4 || each.shape[1] != input.shape[1]) {
                throw RuntimeError("batch_mean_shape[1] must be the same as input's channel size.");
            }
            if (each.shape.volume() != input.shape[1]) {
                throw RuntimeError("batch_norm: " + name_at(i) + ": expected [1, " +
                                   std::to_string(input.shape[1]) + ", 1, 1], got " + each.shape.to_string());
            }
            if (each.dtype != inputs[1].dtype) {
                throw RuntimeError("batch_norm: " + name_at(i) +
                                   " dtype (DataType::" + std::string(name_of(each.dtype)) +
                                   ") must match other parameter tensors dtype (DataType::" +
                                   std::string(name_of(inputs[1].dtype)) + ")");
            }
        }
        if (input.memory_config.is_sharded() || memory_config_.is_sharded()) {
            throw RuntimeError("batch_norm: input, memory_config: expected INTERLEAVED, got " +
                               input.memory_config.to_string() + " and " + memory_config_.to_string());
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const {
        return {TensorSpec{inputs[0].shape, dtype_, Layout::TILE, memory_config_}};
    }

    // Two tiles of each; what is computed has the wider of the dtypes. All cores have the buffers.
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const {
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
        ProgramPlan plan{"ttnn::operations::normalization::BatchNormOperation::BatchNormFactory", 0, {}, {}};
        for (const std::uint64_t tile : tiles)
            plan.memory.push_back(dataflow_buffer(2 * tile, whole_grid(device.compute_grid)));
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const {
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
    std::string name_at(std::size_t input) const {
        if (input == 1) return "running_mean";
        if (input == 2) return "running_var";
        return input == 3 && has_weight_ ? "weight" : "bias";
    }
    static void require_real(const TensorSpec& spec) {
        if (spec.dtype == DataType::BFLOAT16 || spec.dtype == DataType::FLOAT32) return;
        throw RuntimeError("batch_norm only supports bfloat16, float32. Got: DataType::" +
                           std::string(name_of(spec.dtype)));
    }

    float eps_;
    MemoryConfig memory_config_;
    DataType dtype_;
    DeviceComputeKernelConfig kernels_;
    bool has_weight_;
    bool has_bias_;
};

}  // namespace

Tensor batch_norm(const Tensor& input, const OptionalTensor& running_mean, const OptionalTensor& running_var,
                  bool training, float eps, const OptionalTensor& weight, const OptionalTensor& bias,
                  const OptionalTensor& output, const OptionalMemoryConfig& memory_config,
                  const OptionalComputeKernelConfig& compute_kernel_config) {
    static const OperationName kName("batch_norm");
    return in_operation(
        kName, std::tie(input, running_mean, running_var, training, eps, weight, bias, memory_config), [&] {
            require_on_device(input, "batch_norm", "input");
            const std::size_t rank = input.shape().rank();
            if (rank < 4) {
                throw RuntimeError("batch_norm not supported for tensors with rank < 4. (rank=" +
                                   std::to_string(rank) + ")");
            }
            if (rank > 4)
                throw RuntimeError("batch_norm: input: expected [N, C, H, W], got " +
                                   input.shape().to_string());
            if (training)
                throw RuntimeError(
                    "batch_norm: training: expected False, statistics of a batch are not there");
            if (!running_mean || !running_var)
                throw RuntimeError("running_mean and running_var must be defined in evaluation mode");
            std::vector<Tensor> inputs = {input, *running_mean, *running_var};
            for (const OptionalTensor* each : {&weight, &bias}) {
                if (*each) inputs.push_back(**each);
            }
            const BatchNorm operation(eps, memory_config.value_or(input.memory_config()), input.dtype(),
                                      compute_kernel_config, weight.has_value(), bias.has_value());
            return output ? launch_into(operation, std::move(inputs), *output)
                          : launch(operation, std::move(inputs));
        });
}

}  // namespace tilemeter
