// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_optimizers.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"
#include "runtime/operations/work/column_cores.hpp"

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
    return {{factory, 0}, circular_buffers(sizes, whole_columns_and_rest(num_tiles(parameters), device))};
}

void require_alike(SpecsView inputs, std::string_view operation) {
    for (const TensorSpec& input : inputs) {
        require_moreh_dtype(input, std::string(operation) + " params_in", {DataType::BFLOAT16});
        require(input.shape == inputs[0].shape, operation, ": expected tensors of the parameters' shape ",
                inputs[0].shape, ", got ", input.shape);
    }
}

struct MorehSgdOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehSgdOperation";

    SgdStep step;
    MemoryConfig of_parameters;
    MemoryConfig of_momentum;
    OptionalComputeKernelConfig kernels;

    auto attributes() const {
        return std::tie(step.lr, step.momentum, step.dampening, step.weight_decay, step.nesterov,
                        step.momentum_initialized, of_parameters, of_momentum, kernels);
    }

    void validate(SpecsView inputs) const { require_alike(inputs, "moreh_sgd"); }
    TensorSpecs infer(SpecsView inputs) const {
        TensorSpecs outputs{{inputs[0].shape, inputs[0].dtype, Layout::TILE, of_parameters}};
        if (step.momentum != 0.0F)
            outputs.push_back({inputs[0].shape, inputs[0].dtype, Layout::TILE, of_momentum});
        return outputs;
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        return optimizer_plan(
            "ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::moreh::moreh_sgd::MorehSgdOperation>::DirectDescriptorFactory",
            inputs[0], {2 * tile, 2 * tile, 2 * tile, 2 * tile, 2 * tile, 5 * sum, sum, sum, sum, sum},
            device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> parameters = inputs[0]->to_floats(), buffer(parameters.size());
        const std::vector<float> grad = inputs[1]->to_floats();
        if (inputs.size() > 2) buffer = inputs[2]->to_floats();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            float direction = grad[i] + step.weight_decay * parameters[i];
            if (step.momentum != 0.0F) {
                buffer[i] = step.momentum_initialized
                                ? step.momentum * buffer[i] + (1.0F - step.dampening) * direction
                                : direction;
                direction = step.nesterov ? direction + step.momentum * buffer[i] : buffer[i];
            }
            parameters[i] -= step.lr * direction;
        }
        std::vector<HostArray> results{
            HostArray::from_floats(parameters, outputs[0].dtype, outputs[0].shape)};
        if (outputs.size() > 1)
            results.push_back(HostArray::from_floats(buffer, outputs[1].dtype, outputs[1].shape));
        return results;
    }
};

// Weight decay: part of the gradient (Adam), or of the parameters by themselves (AdamW).
enum class Decay : std::uint8_t { kInGradient, kApart };

template <Decay kDecay>
struct AdamOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName =
        kDecay == Decay::kApart ? "MorehAdamWDeviceOperation" : "MorehAdamOperation";
    static constexpr std::string_view kFactory =
        kDecay == Decay::kApart
            ? "ttnn::operations::moreh::moreh_adamw::MorehAdamWDeviceOperation::MorehAdamWProgramFactory"
            : "ttnn::operations::moreh::moreh_adam::MorehAdamOperation::MorehAdamProgramFactory";

    AdamStep step;
    MemoryConfig memory_config;
    OptionalComputeKernelConfig kernels;

    auto attributes() const {
        return std::tie(step.lr, step.beta1, step.beta2, step.eps, step.weight_decay, step.step, step.amsgrad,
                        memory_config, kernels);
    }

    void validate(SpecsView inputs) const { require_alike(inputs, "moreh_adam"); }
    TensorSpecs infer(SpecsView inputs) const {
        constexpr std::size_t kPlain = 3, kWithLargest = 4;
        return TensorSpecs(step.amsgrad ? kWithLargest : kPlain,
                           {inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config});
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        std::vector<std::uint64_t> sizes(5, tile);
        sizes.push_back(5 * sum);
        sizes.insert(sizes.end(), 9, sum);
        sizes.insert(sizes.end(), 4, tile);
        return optimizer_plan(kFactory, inputs[0], sizes, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<std::vector<float>> values;
        for (const std::size_t input : {0, 2, 3})
            values.push_back(inputs[input]->to_floats());
        if (step.amsgrad) values.push_back(inputs[4]->to_floats());
        const std::vector<float> grad = inputs[1]->to_floats();
        for (std::size_t i = 0; i < grad.size(); ++i)
            take_step(grad[i], values[0][i], values[1][i], values[2][i],
                      step.amsgrad ? &values[3][i] : nullptr);
        std::vector<HostArray> results;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            results.push_back(HostArray::from_floats(values[i], outputs[i].dtype, outputs[i].shape));
        return results;
    }

private:
    void take_step(double grad, float& parameter, float& average, float& square, float* largest) const {
        const double decay = step.weight_decay;
        if (kDecay == Decay::kInGradient) grad += decay * parameter;
        double moved = kDecay == Decay::kApart ? parameter * (1.0 - step.lr * decay) : parameter;
        average = static_cast<float>(step.beta1 * average + (1.0 - step.beta1) * grad);
        square = static_cast<float>(step.beta2 * square + (1.0 - step.beta2) * grad * grad);
        if (largest != nullptr) *largest = std::max(*largest, square);
        const double average_correction = 1.0 - std::pow(step.beta1, step.step);
        const double square_correction = 1.0 - std::pow(step.beta2, step.step);
        const double spread =
            std::sqrt((largest != nullptr ? *largest : square) / square_correction) + step.eps;
        moved -= step.lr * average / average_correction / spread;
        parameter = static_cast<float>(moved);
    }
};

// Given ones: all that the step leaves, or none.
std::vector<Tensor> given_of(std::initializer_list<const OptionalTensor*> outputs, std::size_t count) {
    std::vector<Tensor> given;
    for (const OptionalTensor* each : outputs) {
        if (*each) given.push_back(**each);
    }
    require(given.empty() || given.size() == count, "outputs: expected all ", count, " or none, got ",
            given.size());
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

std::vector<OptionalTensor> MorehSgd::body() const {
    require(!momentum_initialized || momentum_buffer_in,
            "momentum_buffer_in: expected a tensor with momentum_initialized, got none");
    std::vector<Tensor> inputs{param_in, grad};
    if (momentum_buffer_in) inputs.push_back(*momentum_buffer_in);
    const MorehSgdOperation operation{{lr, momentum, dampening, weight_decay, nesterov, momentum_initialized},
                                      param_out_memory_config.value_or(param_in.memory_config()),
                                      momentum_buffer_out_memory_config.value_or(param_in.memory_config()),
                                      compute_kernel_config};
    constexpr std::size_t kOutputs = 2;
    return listed(launch_all(operation, inputs,
                             given_of({&param_out, &momentum_buffer_out}, momentum != 0.0F ? kOutputs : 1)),
                  kOutputs);
}

template <std::size_t Row>
std::vector<OptionalTensor> MorehAdamStep<Row>::call() const {
    constexpr Decay kDecay = std::is_same_v<MorehAdamStep, MorehAdam> ? Decay::kInGradient : Decay::kApart;
    return in_operation(*this, [&] {
        require(!amsgrad || max_exp_avg_sq_in, "max_exp_avg_sq_in: expected a tensor with amsgrad, got none");
        std::vector<Tensor> inputs{param_in, grad, exp_avg_in, exp_avg_sq_in};
        if (amsgrad) inputs.push_back(*max_exp_avg_sq_in);
        const AdamOperation<kDecay> operation{{lr, beta1, beta2, eps, weight_decay, step, amsgrad},
                                              memory_config.value_or(param_in.memory_config()),
                                              compute_kernel_config};
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
