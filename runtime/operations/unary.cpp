// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/unary.hpp"

#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/program_pieces.hpp"
#include "runtime/operations/refused_outputs.hpp"
#include "runtime/operations/shards_of_operand.hpp"
#include "runtime/operations/unary_program.hpp"

namespace tilemeter {

namespace {

class UnaryDeviceOperation : public DeviceOperationWith<UnaryDeviceOperation>,
                             public MakesInferredOutputsFirst<UnaryDeviceOperation> {
public:
    static constexpr std::string_view kName = "UnaryDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    UnaryDeviceOperation(std::vector<UnaryWithParam> functions, DataType dtype, MemoryConfig memory_config)
        : functions_(std::move(functions)), dtype_(dtype), memory_config_(std::move(memory_config)) {}

    auto attributes() const {
        return std::make_tuple(function_text(), dtype_, memory_config_, keeps_32_bits(), keeps_32_bits(),
                               false);
    }
    auto key_attributes() const { return std::tie(functions_, dtype_, memory_config_); }

    void validate(std::span<const TensorSpec> inputs) const override {
        if (functions_.empty()) throw RuntimeError("Unary: expected at least one function, got none");
        if (is_floating_point(inputs[0].dtype)) return;
        for (const UnaryWithParam& each : functions_) {
            const bool below_zero = each.op_type == UnaryOpType::NEG && inputs[0].dtype != DataType::INT32;
            if (compute::takes_integers(each.op_type) && !below_zero) continue;
            throw RuntimeError(
                "Unary: UnaryOpType::" + std::string(compute::name_of(each.op_type)) +
                " does not support integer input dtype DataType::" + std::string(name_of(inputs[0].dtype)));
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        return {TensorSpec{inputs[0].shape, dtype_, inputs[0].layout, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override {
        ProgramPlan plan = plan_unary(inputs[0], outputs[0], device);
        // Of the functions this one alone needs a place for what it has half done.
        if (functions_[0].op_type == UnaryOpType::LOGIT) {
            plan.memory.push_back(dataflow_buffer(2 * tile_size(inputs[0].dtype), plan.memory[0].cores));
        }
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        const HostArray& input = *inputs[0];
        const TensorSpec& out = outputs[0];
        if (!is_floating_point(input.dtype())) {
            std::vector<std::int64_t> values = input.to_integers();
            for (const UnaryWithParam& each : functions_)
                values = compute::unary(each.op_type, each.parameters, values);
            return {HostArray::from_integers(values, out.dtype, out.shape)};
        }
        std::vector<float> values = input.to_floats();
        for (const UnaryWithParam& each : functions_)
            values = compute::unary(each.op_type, each.parameters, values);
        return {HostArray::from_floats(values, out.dtype, out.shape)};
    }

private:
    std::string function_text() const {
        std::string text;
        for (const UnaryWithParam& each : functions_) {
            text += (text.empty() ? "{UnaryOpType::" : ", UnaryOpType::");
            text += compute::name_of(each.op_type);
            for (const double parameter : each.parameters) {
                if (parameter != 0.0) text += ", " + attribute_text(parameter);
            }
        }
        return text + "}";
    }

    bool keeps_32_bits() const {
        return dtype_ == DataType::FLOAT32 || dtype_ == DataType::INT32 || dtype_ == DataType::UINT32;
    }

    std::vector<UnaryWithParam> functions_;
    DataType dtype_;
    MemoryConfig memory_config_;
};

template <typename... Arguments>
Tensor run(const OperationName& name, const UnaryWithParam& function, const Tensor& input,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
           const Arguments&... own_arguments) {
    return in_operation(name, std::tie(input, own_arguments..., memory_config, output),
                        [&] { return untraced::unary(function, input, memory_config, output); });
}

UnaryWithParam function_of(GeluVariant variant) {
    switch (variant) {
        case GeluVariant::Accurate:
            return {UnaryOpType::GELU, {}};
        case GeluVariant::FastLut:
            return {UnaryOpType::GELU_TANH, {1.0F}};  // the parameter tells the programs apart
        case GeluVariant::Tanh:
            break;
    }
    return {UnaryOpType::GELU_TANH, {}};
}

UnaryWithParam clamp_between(std::optional<float> min, std::optional<float> max, std::string_view name) {
    if (!min && !max) throw RuntimeError(std::string(name) + ": min, max: expected one of them, got neither");
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return {UnaryOpType::CLAMP_TSS, {min.value_or(-kInfinity), max.value_or(kInfinity)}};
}

}  // namespace

UnaryWithParam gelu_function(GeluVariant variant) {
    return function_of(variant);
}

namespace untraced {

Tensor unary_chain(const std::vector<UnaryWithParam>& functions, const Tensor& input_tensor,
                   const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    const MemoryConfig& like = output_tensor ? output_tensor->memory_config() : input_tensor.memory_config();
    const UnaryDeviceOperation operation(
        functions, output_tensor ? output_tensor->dtype() : input_tensor.dtype(),
        with_shards_of(memory_config.value_or(like), input_tensor.memory_config()));
    return output_tensor ? launch_into(operation, {input_tensor}, *output_tensor)
                         : launch(operation, {input_tensor});
}

Tensor unary(const UnaryWithParam& function, const Tensor& input_tensor,
             const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return unary_chain({function}, input_tensor, memory_config, output_tensor);
}

}  // namespace untraced

std::string attribute_text(const UnaryWithParam& function) {
    std::string parameters;
    for (const double parameter : function.parameters) {
        if (parameter != 0.0) parameters += (parameters.empty() ? "" : ", ") + attribute_text(parameter);
    }
    return "BasicUnaryWithParam<float, int, unsigned "
           "int>(base=BasicUnaryWithParam<float>(op_type=UnaryOpType::" +
           std::string(compute::name_of(function.op_type)) + ",param={" + parameters + "}))";
}

UnaryWithParam string_to_unary_with_param(std::string_view name) {
    if (name == "relu") return {UnaryOpType::RELU, {}};
    if (name == "relu6") return {UnaryOpType::RELU6, {}};
    if (name == "gelu") return function_of(GeluVariant::Accurate);
    if (name == "gelu_approx") return function_of(GeluVariant::FastLut);
    if (name == "gelu_tanh") return function_of(GeluVariant::Tanh);
    if (name == "silu") return {UnaryOpType::SILU, {}};
    if (name == "sigmoid" || name == "sigmoid_approx") return {UnaryOpType::SIGMOID, {}};
    if (name == "sqrt") return {UnaryOpType::SQRT, {}};
    if (name == "exp") return {UnaryOpType::EXP, {}};
    if (name == "recip") return {UnaryOpType::RECIP, {}};
    if (name == "log") return {UnaryOpType::LOG, {}};
    if (name == "tanh") return {UnaryOpType::TANH, {}};
    if (name == "log2") return {UnaryOpType::LOG2, {}};
    if (name == "log10") return {UnaryOpType::LOG10, {}};
    if (name == "sin") return {UnaryOpType::SIN, {}};
    if (name == "cos") return {UnaryOpType::COS, {}};
    if (name == "abs") return {UnaryOpType::ABS, {}};
    if (name == "sign") return {UnaryOpType::SIGN, {}};
    if (name == "square") return {UnaryOpType::SQUARE, {}};
    if (name == "softplus") return {UnaryOpType::SOFTPLUS, {1.0F, 20.0F}};
    if (name == "mish") return {UnaryOpType::MISH, {}};
    if (name == "hardswish") return {UnaryOpType::HARDSWISH, {}};
    if (name == "hardsigmoid") return {UnaryOpType::HARDSIGMOID, {}};
    throw RuntimeError("activation: expected the name of an activation such as \"relu\", got \"" +
                       std::string(name) + "\"");
}

#define TILEMETER_DEFINE(name, type)                                                            \
    Tensor name(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config,          \
                const OptionalTensor& output_tensor) {                                          \
        static const OperationName kName(#name);                                                \
        return run(kName, {UnaryOpType::type, {}}, input_tensor, memory_config, output_tensor); \
    }
TILEMETER_PLAIN_UNARY_OPERATIONS(TILEMETER_DEFINE)
#undef TILEMETER_DEFINE

#define TILEMETER_DEFINE(name, type)                                                                    \
    Tensor name(const Tensor& input_tensor, bool fast_and_approximate_mode,                             \
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {       \
        static const OperationName kName(#name);                                                        \
        return run(kName, {UnaryOpType::type, {fast_and_approximate_mode ? 1.0F : 0.0F}}, input_tensor, \
                   memory_config, output_tensor, fast_and_approximate_mode);                            \
    }
TILEMETER_APPROXIMABLE_UNARY_OPERATIONS(TILEMETER_DEFINE)
#undef TILEMETER_DEFINE

Tensor gelu(const Tensor& input_tensor, GeluVariant variant, const OptionalMemoryConfig& memory_config,
            const OptionalTensor& output_tensor) {
    static const OperationName kName("gelu");
    return run(kName, function_of(variant), input_tensor, memory_config, output_tensor,
               static_cast<int>(variant));
}

Tensor gelu(const Tensor& input_tensor, bool fast_and_approximate_mode,
            const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("gelu");
    return run(kName, function_of(fast_and_approximate_mode ? GeluVariant::FastLut : GeluVariant::Accurate),
               input_tensor, memory_config, output_tensor, fast_and_approximate_mode);
}

Tensor round(const Tensor& input_tensor, int decimals, const OptionalMemoryConfig& memory_config,
             const OptionalTensor& output_tensor) {
    static const OperationName kName("round");
    return run(kName, {UnaryOpType::ROUND, {static_cast<float>(decimals)}}, input_tensor, memory_config,
               output_tensor, decimals);
}

Tensor hardtanh(const Tensor& input_tensor, float min_val, float max_val,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("hardtanh");
    return run(kName, {UnaryOpType::HARDTANH, {min_val, max_val}}, input_tensor, memory_config, output_tensor,
               min_val, max_val);
}

Tensor selu(const Tensor& input_tensor, float scale, float alpha, const OptionalMemoryConfig& memory_config,
            const OptionalTensor& output_tensor) {
    static const OperationName kName("selu");
    return run(kName, {UnaryOpType::SELU, {scale, alpha}}, input_tensor, memory_config, output_tensor, scale,
               alpha);
}

Tensor softplus(const Tensor& input_tensor, float beta, float threshold,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("softplus");
    return run(kName, {UnaryOpType::SOFTPLUS, {beta, threshold}}, input_tensor, memory_config, output_tensor,
               beta, threshold);
}

Tensor threshold(const Tensor& input_tensor, float threshold, float value,
                 const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("threshold");
    return run(kName, {UnaryOpType::THRESHOLD, {threshold, value}}, input_tensor, memory_config,
               output_tensor, threshold, value);
}

#define TILEMETER_DEFINE(name, type, parameter)                                                         \
    Tensor name(const Tensor& input_tensor, float parameter, const OptionalMemoryConfig& memory_config, \
                const OptionalTensor& output_tensor) {                                                  \
        static const OperationName kName(#name);                                                        \
        return run(kName, {UnaryOpType::type, {parameter}}, input_tensor, memory_config, output_tensor, \
                   parameter);                                                                          \
    }
TILEMETER_DEFINE(celu, CELU, alpha)
TILEMETER_DEFINE(elu, ELU, alpha)
TILEMETER_DEFINE(fill, FILL, fill_value)
TILEMETER_DEFINE(hardshrink, HARDSHRINK, lambd)
TILEMETER_DEFINE(heaviside, HEAVISIDE, value)
TILEMETER_DEFINE(leaky_relu, LEAKY_RELU, negative_slope)
TILEMETER_DEFINE(pow, POWER, exponent)
TILEMETER_DEFINE(rpow, RPOW, exponent)
TILEMETER_DEFINE(relu_max, RELU_MAX, upper_limit)
TILEMETER_DEFINE(relu_min, RELU_MIN, lower_limit)
TILEMETER_DEFINE(softshrink, SOFTSHRINK, lambd)
#undef TILEMETER_DEFINE

Tensor rdiv(const Tensor& input_tensor, float value, const std::optional<std::string>& rounding_mode,
            const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("rdiv");
    double mode = 0.0;
    if (rounding_mode) {
        if (*rounding_mode != "floor" && *rounding_mode != "trunc") {
            throw RuntimeError("rdiv: rounding_mode: expected floor, trunc or none, got " + *rounding_mode);
        }
        mode = *rounding_mode == "floor" ? 1.0 : 2.0;
    }
    return run(kName, {UnaryOpType::RDIV, {value, mode}}, input_tensor, memory_config, output_tensor, value);
}

Tensor logit(const Tensor& input_tensor, std::optional<float> eps, const OptionalMemoryConfig& memory_config,
             const OptionalTensor& output_tensor) {
    static const OperationName kName("logit");
    constexpr float kNone = -1.0F;
    return run(kName, {UnaryOpType::LOGIT, {eps.value_or(kNone)}}, input_tensor, memory_config, output_tensor,
               eps);
}

Tensor polygamma(const Tensor& input_tensor, int k, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("polygamma");
    if (k < 1 || k > 10) throw RuntimeError("polygamma: k: expected 1 to 10, got " + std::to_string(k));
    return run(kName, {UnaryOpType::POLYGAMMA, {static_cast<double>(k)}}, input_tensor, memory_config,
               std::nullopt, k);
}

Tensor prelu(const Tensor& input_tensor, float weight, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("prelu");
    return run(kName, {UnaryOpType::PRELU_SFPU, {weight}}, input_tensor, memory_config, std::nullopt, weight);
}

Tensor unary_chain(const Tensor& input_tensor, const std::vector<UnaryWithParam>& ops_chain,
                   const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("unary_chain");
    return in_operation(kName, std::tie(input_tensor, ops_chain, memory_config, output_tensor), [&] {
        return untraced::unary_chain(ops_chain, input_tensor, memory_config, output_tensor);
    });
}

Tensor logical_not_(const Tensor& input_tensor) {
    static const OperationName kName("logical_not_");
    return in_operation(kName, std::tie(input_tensor), [&] {
        return untraced::unary({UnaryOpType::LOGICAL_NOT_UNARY, {}}, input_tensor, std::nullopt,
                               input_tensor);
    });
}

Tensor clamp(const Tensor& input_tensor, std::optional<float> min, std::optional<float> max,
             const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("clamp");
    return run(kName, clamp_between(min, max, "clamp"), input_tensor, memory_config, output_tensor, min, max);
}

Tensor clip(const Tensor& input_tensor, std::optional<float> min, std::optional<float> max,
            const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("clip");
    return run(kName, clamp_between(min, max, "clip"), input_tensor, memory_config, std::nullopt, min, max);
}

}  // namespace tilemeter
