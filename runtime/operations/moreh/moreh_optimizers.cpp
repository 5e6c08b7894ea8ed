// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_optimizers.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/column_cores.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"

namespace tilemeter {

namespace {

struct SgdStep {
    float lr, momentum, dampening, weight_decay;
    bool nesterov, momentum_initialized;
};

struct AdamStep {
    float lr, beta1, beta2, eps, weight_decay;
    std::uint32_t step;
    bool amsgrad;
};

ProgramPlan optimizer_plan(StaticName factory, const TensorSpec& parameters,
                           const std::vector<std::uint64_t>& sizes, const DeviceDescription& device) {
    ProgramPlan plan{factory, 0, {}, {}};
    const CoreRangeSet cores = whole_columns_and_rest(num_tiles(parameters), device);
    for (const std::uint64_t size : sizes)
        plan.memory.push_back(circular_buffer(size, cores));
    return plan;
}

void require_alike(std::span<const TensorSpec> inputs, std::string_view operation) {
    for (const TensorSpec& input : inputs) {
        require_moreh_dtype(input, std::string(operation) + " params_in", {DataType::BFLOAT16});
        if (input.shape == inputs[0].shape) continue;
        throw RuntimeError(std::string(operation) + ": expected tensors of the parameters' shape " +
                           inputs[0].shape.to_string() + ", got " + input.shape.to_string());
    }
}

class MorehSgdOperation : public DeviceOperationWith<MorehSgdOperation> {
public:
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehSgdOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    MorehSgdOperation(const SgdStep& step, MemoryConfig of_parameters, MemoryConfig of_momentum,
                      const OptionalComputeKernelConfig& kernels)
        : step_(step),
          of_parameters_(std::move(of_parameters)),
          of_momentum_(std::move(of_momentum)),
          kernels_(kernels) {}
    auto attributes() const {
        return std::tie(step_.lr, step_.momentum, step_.dampening, step_.weight_decay, step_.nesterov,
                        step_.momentum_initialized, of_parameters_, of_momentum_, kernels_);
    }

    void validate(std::span<const TensorSpec> inputs) const { require_alike(inputs, "moreh_sgd"); }
    TensorSpecs infer(std::span<const TensorSpec> inputs) const {
        TensorSpecs outputs{{inputs[0].shape, inputs[0].dtype, Layout::TILE, of_parameters_}};
        if (step_.momentum != 0.0F)
            outputs.push_back({inputs[0].shape, inputs[0].dtype, Layout::TILE, of_momentum_});
        return outputs;
    }
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec>,
                     const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels_);
        return optimizer_plan(
            "ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::moreh::moreh_sgd::MorehSgdOperation>::DirectDescriptorFactory",
            inputs[0], {2 * tile, 2 * tile, 2 * tile, 2 * tile, 2 * tile, 5 * sum, sum, sum, sum, sum},
            device);
    }
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const {
        std::vector<float> parameters = inputs[0]->to_floats(), buffer(parameters.size());
        const std::vector<float> grad = inputs[1]->to_floats();
        if (inputs.size() > 2) buffer = inputs[2]->to_floats();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            float direction = grad[i] + step_.weight_decay * parameters[i];
            if (step_.momentum != 0.0F) {
                buffer[i] = step_.momentum_initialized
                                ? step_.momentum * buffer[i] + (1.0F - step_.dampening) * direction
                                : direction;
                direction = step_.nesterov ? direction + step_.momentum * buffer[i] : buffer[i];
            }
            parameters[i] -= step_.lr * direction;
        }
        std::vector<HostArray> results{
            HostArray::from_floats(parameters, outputs[0].dtype, outputs[0].shape)};
        if (outputs.size() > 1)
            results.push_back(HostArray::from_floats(buffer, outputs[1].dtype, outputs[1].shape));
        return results;
    }

private:
    SgdStep step_;
    MemoryConfig of_parameters_;
    MemoryConfig of_momentum_;
    OptionalComputeKernelConfig kernels_;
};

// Weight decay: part of the gradient (Adam), or of the parameters by themselves (AdamW).
enum class Decay : std::uint8_t { kInGradient, kApart };

template <typename Derived, Decay kDecay>
class AdamOperation : public DeviceOperationWith<Derived> {
public:
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    AdamOperation(const AdamStep& step, MemoryConfig memory_config,
                  const OptionalComputeKernelConfig& kernels)
        : step_(step), memory_config_(std::move(memory_config)), kernels_(kernels) {}
    auto attributes() const {
        return std::tie(step_.lr, step_.beta1, step_.beta2, step_.eps, step_.weight_decay, step_.step,
                        step_.amsgrad, memory_config_, kernels_);
    }

    void validate(std::span<const TensorSpec> inputs) const { require_alike(inputs, "moreh_adam"); }
    TensorSpecs infer(std::span<const TensorSpec> inputs) const {
        constexpr std::size_t kPlain = 3, kWithLargest = 4;
        return TensorSpecs(step_.amsgrad ? kWithLargest : kPlain,
                           {inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config_});
    }
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec>,
                     const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels_);
        std::vector<std::uint64_t> sizes(5, tile);
        sizes.push_back(5 * sum);
        sizes.insert(sizes.end(), 9, sum);
        sizes.insert(sizes.end(), 4, tile);
        return optimizer_plan(Derived::kFactory, inputs[0], sizes, device);
    }
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const {
        std::vector<std::vector<float>> values;
        for (const std::size_t input : {0, 2, 3})
            values.push_back(inputs[input]->to_floats());
        if (step_.amsgrad) values.push_back(inputs[4]->to_floats());
        const std::vector<float> grad = inputs[1]->to_floats();
        for (std::size_t i = 0; i < grad.size(); ++i)
            take_step(grad[i], values[0][i], values[1][i], values[2][i],
                      step_.amsgrad ? &values[3][i] : nullptr);
        std::vector<HostArray> results;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            results.push_back(HostArray::from_floats(values[i], outputs[i].dtype, outputs[i].shape));
        return results;
    }

private:
    void take_step(double grad, float& parameter, float& average, float& square, float* largest) const {
        const double decay = step_.weight_decay;
        if (kDecay == Decay::kInGradient) grad += decay * parameter;
        double moved = kDecay == Decay::kApart ? parameter * (1.0 - step_.lr * decay) : parameter;
        average = static_cast<float>(step_.beta1 * average + (1.0 - step_.beta1) * grad);
        square = static_cast<float>(step_.beta2 * square + (1.0 - step_.beta2) * grad * grad);
        if (largest != nullptr) *largest = std::max(*largest, square);
        const double average_correction = 1.0 - std::pow(step_.beta1, step_.step);
        const double square_correction = 1.0 - std::pow(step_.beta2, step_.step);
        const double spread =
            std::sqrt((largest != nullptr ? *largest : square) / square_correction) + step_.eps;
        moved -= step_.lr * average / average_correction / spread;
        parameter = static_cast<float>(moved);
    }

    AdamStep step_;
    MemoryConfig memory_config_;
    OptionalComputeKernelConfig kernels_;
};

class MorehAdamOperation : public AdamOperation<MorehAdamOperation, Decay::kInGradient> {
public:
    static constexpr std::string_view kName = "MorehAdamOperation";
    static constexpr std::string_view kFactory =
        "ttnn::operations::moreh::moreh_adam::MorehAdamOperation::MorehAdamProgramFactory";
    using AdamOperation::AdamOperation;
};

class MorehAdamWOperation : public AdamOperation<MorehAdamWOperation, Decay::kApart> {
public:
    static constexpr std::string_view kName = "MorehAdamWDeviceOperation";
    static constexpr std::string_view kFactory =
        "ttnn::operations::moreh::moreh_adamw::MorehAdamWDeviceOperation::MorehAdamWProgramFactory";
    using AdamOperation::AdamOperation;
};

// Given ones: all that the step leaves, or none.
std::vector<Tensor> given_of(std::initializer_list<const OptionalTensor*> outputs, std::size_t count) {
    std::vector<Tensor> given;
    for (const OptionalTensor* each : outputs) {
        if (*each) given.push_back(**each);
    }
    require(given.empty() || given.size() == count, [&] {
        return "outputs: expected all " + std::to_string(count) + " or none, got " +
               std::to_string(given.size());
    });
    return given;
}

std::vector<OptionalTensor> listed(std::vector<Tensor> made, std::size_t count) {
    std::vector<OptionalTensor> results;
    for (Tensor& each : made)
        results.emplace_back(std::move(each));
    results.resize(count);
    return results;
}

}  // namespace

std::vector<OptionalTensor> MorehSgd::call() const {
    return in_operation(*this, [&] {
        require(!momentum_initialized || momentum_buffer_in,
                "momentum_buffer_in: expected a tensor with momentum_initialized, got none");
        std::vector<Tensor> inputs{param_in, grad};
        if (momentum_buffer_in) inputs.push_back(*momentum_buffer_in);
        const MorehSgdOperation operation(
            {lr, momentum, dampening, weight_decay, nesterov, momentum_initialized},
            param_out_memory_config.value_or(param_in.memory_config()),
            momentum_buffer_out_memory_config.value_or(param_in.memory_config()), compute_kernel_config);
        constexpr std::size_t kOutputs = 2;
        return listed(
            launch_all(operation, inputs,
                       given_of({&param_out, &momentum_buffer_out}, momentum != 0.0F ? kOutputs : 1)),
            kOutputs);
    });
}

template <std::size_t Row>
std::vector<OptionalTensor> MorehAdamStep<Row>::call() const {
    using Program =
        std::conditional_t<std::is_same_v<MorehAdamStep, MorehAdam>, MorehAdamOperation, MorehAdamWOperation>;
    return in_operation(*this, [&] {
        require(!amsgrad || max_exp_avg_sq_in, "max_exp_avg_sq_in: expected a tensor with amsgrad, got none");
        std::vector<Tensor> inputs{param_in, grad, exp_avg_in, exp_avg_sq_in};
        if (amsgrad) inputs.push_back(*max_exp_avg_sq_in);
        const Program operation({lr, beta1, beta2, eps, weight_decay, step, amsgrad},
                                memory_config.value_or(param_in.memory_config()), compute_kernel_config);
        constexpr std::size_t kOutputs = 4;
        return listed(launch_all(operation, inputs,
                                 given_of({&param_out, &exp_avg_out, &exp_avg_sq_out, &max_exp_avg_sq_out},
                                          amsgrad ? kOutputs : kOutputs - 1)),
                      kOutputs);
    });
}
template struct MorehAdamStep<0>;
template struct MorehAdamStep<1>;

}  // namespace tilemeter
