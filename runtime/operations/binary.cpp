// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/binary.hpp"

#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/elementwise.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/binary_program.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;

std::string_view name_of(BinaryKind kind) {
    switch (kind) {
        case BinaryKind::kAdd:
            return "BinaryOpType::ADD";
        case BinaryKind::kSubtract:
            return "BinaryOpType::SUB";
        case BinaryKind::kMultiply:
            return "BinaryOpType::MUL";
        case BinaryKind::kEqual:
            return "BinaryOpType::EQ";
        case BinaryKind::kNotEqual:
            return "BinaryOpType::NE";
        case BinaryKind::kGreater:
            return "BinaryOpType::GT";
        case BinaryKind::kGreaterOrEqual:
            return "BinaryOpType::GE";
        case BinaryKind::kLess:
            return "BinaryOpType::LT";
        case BinaryKind::kLessOrEqual:
            return "BinaryOpType::LE";
        case BinaryKind::kMaximum:
            return "BinaryOpType::MAXIMUM";
        case BinaryKind::kMinimum:
            return "BinaryOpType::MINIMUM";
        case BinaryKind::kDivide:
            break;
    }
    return "BinaryOpType::DIV";
}

class BinaryNg : public DeviceOperationWith<BinaryNg> {
public:
    static constexpr std::string_view kName = "BinaryNgDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    BinaryNg(BinaryKind kind, std::optional<float> scalar, MemoryConfig memory_config, DataType dtype)
        : kind_(kind), scalar_(scalar), memory_config_(std::move(memory_config)), dtype_(dtype) {}

    auto attributes() const { return std::make_tuple(name_of(kind_), scalar_, memory_config_, dtype_); }

    void validate(std::span<const TensorSpec> inputs) const override {
        if (inputs.size() == 1) return;
        if (!compute::broadcast_shape(inputs[0].shape, inputs[1].shape)) {
            throw RuntimeError(std::string(kName) + ": shapes " + inputs[0].shape.to_string() + " and " +
                               inputs[1].shape.to_string() + ": expected equal dimensions or 1");
        }
        if (inputs[0].layout != inputs[1].layout) {
            throw RuntimeError(std::string(kName) + ": expected inputs of one layout, got " +
                               std::string(tilemeter::name_of(inputs[0].layout)) + " and " +
                               std::string(tilemeter::name_of(inputs[1].layout)));
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        const Shape shape = inputs.size() == 1 ? inputs[0].shape
                                               : *compute::broadcast_shape(inputs[0].shape, inputs[1].shape);
        return {TensorSpec{shape, dtype_, inputs[0].layout, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override {
        return plan_binary(inputs, outputs, device);
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        const HostArray& a = *inputs[0];
        const HostArray b =
            scalar_ ? HostArray::from_floats({&*scalar_, 1}, DataType::FLOAT32, Shape{1}) : *inputs[1];
        const TensorSpec& out = outputs[0];
        if (!is_floating_point(a.dtype()) && !is_floating_point(b.dtype())) {
            return {HostArray::from_integers(
                compute::binary(kind_, a.to_integers(), a.shape(), b.to_integers(), b.shape(), out.shape),
                out.dtype, out.shape)};
        }
        return {HostArray::from_floats(
            compute::binary(kind_, a.to_floats(), a.shape(), b.to_floats(), b.shape(), out.shape), out.dtype,
            out.shape)};
    }

private:
    BinaryKind kind_;
    std::optional<float> scalar_;
    MemoryConfig memory_config_;
    DataType dtype_;
};

struct Options {
    const OptionalDataType& dtype;
    const OptionalMemoryConfig& memory_config;
    const OptionalTensor& output_tensor;
};

// An output tensor decides dtype and memory config where the caller leaves them open.
BinaryNg operation(BinaryKind kind, std::optional<float> scalar, const Tensor& a, const Options& options) {
    const Tensor& like = options.output_tensor ? *options.output_tensor : a;
    return {kind, scalar, options.memory_config.value_or(like.memory_config()),
            options.dtype.value_or(like.dtype())};
}

Tensor launched(const BinaryNg& operation, std::vector<Tensor> inputs, const OptionalTensor& output_tensor) {
    return output_tensor ? launch_into(operation, std::move(inputs), *output_tensor)
                         : launch(operation, std::move(inputs));
}

Tensor run(const OperationName& name, BinaryKind kind, const Tensor& a, const Tensor& b,
           const Options& options) {
    return in_operation(
        name, std::tie(a, b, options.dtype, options.memory_config, options.output_tensor), [&] {
            return launched(operation(kind, std::nullopt, a, options), {a, b}, options.output_tensor);
        });
}

// Sums of integers stay integers.
void require_representable(BinaryKind kind, const Tensor& a, float number) {
    if (kind != BinaryKind::kAdd && kind != BinaryKind::kSubtract) return;
    if (is_floating_point(a.dtype()) || number == std::trunc(number)) return;
    const std::string dtype = "DataType::" + std::string(tilemeter::name_of(a.dtype()));
    throw RuntimeError(
        "Binary operation " + std::string(name_of(kind)) + " with a " + dtype +
        " tensor cannot represent the scalar " + attribute_text(number) +
        ": only a finite integer within the range of " + dtype +
        " survives being packed as one, and this value would be changed silently. Typecast the input to "
        "a floating-point dtype first.");
}

Tensor run(const OperationName& name, BinaryKind kind, const Tensor& a, float b, const Options& options) {
    return in_operation(name, std::tie(a, b, options.dtype, options.memory_config, options.output_tensor),
                        [&] {
                            require_representable(kind, a, b);
                            return launched(operation(kind, b, a, options), {a}, options.output_tensor);
                        });
}

Tensor run_in_place(const OperationName& name, BinaryKind kind, const Tensor& a, const Tensor& b) {
    return in_operation(name, std::tie(a, b), [&] {
        return launch_into(BinaryNg(kind, std::nullopt, a.memory_config(), a.dtype()), {a, b}, a);
    });
}

Tensor run_in_place(const OperationName& name, BinaryKind kind, const Tensor& a, float b) {
    return in_operation(name, std::tie(a, b),
                        [&] { return launch_into(BinaryNg(kind, b, a.memory_config(), a.dtype()), {a}, a); });
}

const OperationName kAddName("add");
const OperationName kSubtractName("subtract");
const OperationName kMultiplyName("multiply");
const OperationName kDivideName("div");
const OperationName kEqName("eq");
const OperationName kNeName("ne");
const OperationName kGtName("gt");
const OperationName kGeName("ge");
const OperationName kLtName("lt");
const OperationName kLeName("le");
const OperationName kMaximumName("maximum");
const OperationName kMinimumName("minimum");
const OperationName kAddInPlaceName("add_");
const OperationName kSubtractInPlaceName("subtract_");
const OperationName kMultiplyInPlaceName("multiply_");
const OperationName kDivideInPlaceName("divide_");

}  // namespace

Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kAddName, BinaryKind::kAdd, a, b, {dtype, memory_config, output_tensor});
}
Tensor add(const Tensor& a, float b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output_tensor) {
    return run(kAddName, BinaryKind::kAdd, a, b, {dtype, memory_config, output_tensor});
}
Tensor subtract(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kSubtractName, BinaryKind::kSubtract, a, b, {dtype, memory_config, output_tensor});
}
Tensor subtract(const Tensor& a, float b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kSubtractName, BinaryKind::kSubtract, a, b, {dtype, memory_config, output_tensor});
}
Tensor multiply(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kMultiplyName, BinaryKind::kMultiply, a, b, {dtype, memory_config, output_tensor});
}
Tensor multiply(const Tensor& a, float b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kMultiplyName, BinaryKind::kMultiply, a, b, {dtype, memory_config, output_tensor});
}
Tensor divide(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
              const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kDivideName, BinaryKind::kDivide, a, b, {dtype, memory_config, output_tensor});
}
Tensor divide(const Tensor& a, float b, const OptionalDataType& dtype,
              const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kDivideName, BinaryKind::kDivide, a, b, {dtype, memory_config, output_tensor});
}
Tensor eq(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
          const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kEqName, BinaryKind::kEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor eq(const Tensor& a, float b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
          const OptionalTensor& output_tensor) {
    return run(kEqName, BinaryKind::kEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor ne(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
          const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kNeName, BinaryKind::kNotEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor ne(const Tensor& a, float b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
          const OptionalTensor& output_tensor) {
    return run(kNeName, BinaryKind::kNotEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor gt(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
          const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kGtName, BinaryKind::kGreater, a, b, {dtype, memory_config, output_tensor});
}
Tensor gt(const Tensor& a, float b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
          const OptionalTensor& output_tensor) {
    return run(kGtName, BinaryKind::kGreater, a, b, {dtype, memory_config, output_tensor});
}
Tensor ge(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
          const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kGeName, BinaryKind::kGreaterOrEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor ge(const Tensor& a, float b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
          const OptionalTensor& output_tensor) {
    return run(kGeName, BinaryKind::kGreaterOrEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor lt(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
          const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kLtName, BinaryKind::kLess, a, b, {dtype, memory_config, output_tensor});
}
Tensor lt(const Tensor& a, float b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
          const OptionalTensor& output_tensor) {
    return run(kLtName, BinaryKind::kLess, a, b, {dtype, memory_config, output_tensor});
}
Tensor le(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
          const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kLeName, BinaryKind::kLessOrEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor le(const Tensor& a, float b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
          const OptionalTensor& output_tensor) {
    return run(kLeName, BinaryKind::kLessOrEqual, a, b, {dtype, memory_config, output_tensor});
}
Tensor maximum(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
               const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kMaximumName, BinaryKind::kMaximum, a, b, {dtype, memory_config, output_tensor});
}
Tensor minimum(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
               const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    return run(kMinimumName, BinaryKind::kMinimum, a, b, {dtype, memory_config, output_tensor});
}

Tensor add_(const Tensor& a, const Tensor& b) {
    return run_in_place(kAddInPlaceName, BinaryKind::kAdd, a, b);
}
Tensor add_(const Tensor& a, float b) {
    return run_in_place(kAddInPlaceName, BinaryKind::kAdd, a, b);
}
Tensor subtract_(const Tensor& a, const Tensor& b) {
    return run_in_place(kSubtractInPlaceName, BinaryKind::kSubtract, a, b);
}
Tensor subtract_(const Tensor& a, float b) {
    return run_in_place(kSubtractInPlaceName, BinaryKind::kSubtract, a, b);
}
Tensor multiply_(const Tensor& a, const Tensor& b) {
    return run_in_place(kMultiplyInPlaceName, BinaryKind::kMultiply, a, b);
}
Tensor multiply_(const Tensor& a, float b) {
    return run_in_place(kMultiplyInPlaceName, BinaryKind::kMultiply, a, b);
}
Tensor divide_(const Tensor& a, const Tensor& b) {
    return run_in_place(kDivideInPlaceName, BinaryKind::kDivide, a, b);
}
Tensor divide_(const Tensor& a, float b) {
    return run_in_place(kDivideInPlaceName, BinaryKind::kDivide, a, b);
}

namespace untraced {

Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
           const OptionalMemoryConfig& memory_config) {
    return launch(operation(BinaryKind::kAdd, std::nullopt, a, {dtype, memory_config, std::nullopt}), {a, b});
}

Tensor multiply(const Tensor& a, float b, const OptionalMemoryConfig& memory_config) {
    return launch(operation(BinaryKind::kMultiply, b, a, {std::nullopt, memory_config, std::nullopt}), {a});
}

}  // namespace untraced

}  // namespace tilemeter
