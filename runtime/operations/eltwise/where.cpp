// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/where.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/shards_of_operand.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"
#include "runtime/operations/eltwise/internal/ternary_operation.hpp"
#include "runtime/operations/eltwise/internal/unary_program.hpp"

namespace tilemeter {

namespace {

/// The branches as the caller gave them: tensor or number.
struct Branches {
    std::optional<float> number_true;
    std::optional<float> number_false;
};

// Elements of the operands repeated to the result's shape, and chosen.
std::vector<HostArray> choose(std::span<const HostArray* const> inputs, const Branches& branches,
                              const TensorSpec& out) {
    std::size_t next = 0;
    const auto expand = [&](const std::optional<float>& number) {
        if (number) return std::vector<float>(out.shape.volume(), *number);
        const HostArray& array = *inputs[next++];
        return compute::broadcast_to<float>(array.to_floats(), array.shape(), out.shape);
    };
    const std::vector<float> condition = expand(std::nullopt);
    std::vector<float> chosen = expand(branches.number_true);
    const std::vector<float> otherwise = expand(branches.number_false);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (condition[i] == 0.0F) chosen[i] = otherwise[i];
    }
    return {HostArray::from_floats(chosen, out.dtype, out.shape)};
}

/// One branch a number: a binary operation of the condition and the other branch.
class WhereWithNumber : public DeviceOperationWith<WhereWithNumber> {
public:
    static constexpr std::string_view kName = "BinaryNgDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    WhereWithNumber(Branches branches, MemoryConfig memory_config, OptionalCores sub_core_grids)
        : branches_(branches),
          memory_config_(std::move(memory_config)),
          sub_core_grids_(std::move(sub_core_grids)) {}

    auto attributes() const {
        return std::make_tuple(type(), branches_.number_true, branches_.number_false, memory_config_,
                               sub_core_grids_);
    }

    void validate(std::span<const TensorSpec> inputs) const {
        common_shape_of(inputs, kName);
        require_tiles_of(inputs, kName);
        if (inputs[0].dtype != inputs[1].dtype) {
            throw RuntimeError("Mixed dtype is not supported for binary operation " + std::string(type()));
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const {
        return {TensorSpec{common_shape_of(inputs, kName), inputs[1].dtype, Layout::TILE, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const {
        return plan_binary(inputs, outputs, device, {}, sub_core_grids_);
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const {
        return choose(inputs, branches_, outputs[0]);
    }

private:
    std::string_view type() const {
        return branches_.number_true ? "BinaryOpType::WHERE_TST" : "BinaryOpType::WHERE_TTS";
    }

    Branches branches_;
    MemoryConfig memory_config_;
    OptionalCores sub_core_grids_;
};

/// Both branches numbers: a function of the condition.
class WhereOfNumbers : public DeviceOperationWith<WhereOfNumbers> {
public:
    static constexpr std::string_view kName = "UnaryDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    WhereOfNumbers(Branches branches, MemoryConfig memory_config, OptionalCores sub_core_grids)
        : branches_(branches),
          memory_config_(std::move(memory_config)),
          sub_core_grids_(std::move(sub_core_grids)) {}

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple("UnaryOpType::WHERE_TSS"sv, branches_.number_true, branches_.number_false,
                               memory_config_, sub_core_grids_);
    }

    void validate(std::span<const TensorSpec> inputs) const { require_tiles_of(inputs, kName); }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const {
        return plan_unary(inputs[0], outputs[0], device, sub_core_grids_);
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const {
        return choose(inputs, branches_, outputs[0]);
    }

private:
    Branches branches_;
    MemoryConfig memory_config_;
    OptionalCores sub_core_grids_;
};

Tensor launched(const DeviceOperation& operation, std::vector<Tensor> inputs, const OptionalTensor& output) {
    return output ? launch_into(operation, std::move(inputs), *output) : launch(operation, std::move(inputs));
}

std::optional<float> number_in(const TensorOrNumber& branch) {
    const float* number = std::get_if<float>(&branch);
    return number != nullptr ? std::optional<float>(*number) : std::nullopt;
}

OptionalTensor tensor_in(const TensorOrNumber& branch) {
    const Tensor* tensor = std::get_if<Tensor>(&branch);
    return tensor != nullptr ? OptionalTensor(*tensor) : std::nullopt;
}

}  // namespace

namespace unscoped {

Tensor where(const Tensor& condition, const TensorOrNumber& value_true, const TensorOrNumber& value_false,
             const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
             const OptionalCores& sub_core_grids) {
    const Branches branches{number_in(value_true), number_in(value_false)};
    const OptionalTensor when_true = tensor_in(value_true), when_false = tensor_in(value_false);
    // Numbers are chosen by a real condition, too.
    const bool of_32_bits = condition.dtype() == DataType::INT32 || condition.dtype() == DataType::UINT32;
    if (!when_true && !when_false && of_32_bits) {
        const ScopedTensor real(unscoped::typecast(condition, DataType::FLOAT32));
        return unscoped::where(*real, value_true, value_false, memory_config, output_tensor, sub_core_grids);
    }
    // An integer condition beside real numbers becomes one of them.
    const OptionalTensor& chosen = when_true ? when_true : when_false;
    if (chosen && !is_floating_point(condition.dtype()) && is_floating_point(chosen->dtype())) {
        const ScopedTensor real(unscoped::typecast(condition, chosen->dtype()));
        return unscoped::where(*real, value_true, value_false, memory_config, output_tensor, sub_core_grids);
    }
    // The result lies where the condition does, or, beside one number, where the only tensor to choose from
    // does.
    const Tensor& like = when_true && !when_false   ? *when_true
                         : when_false && !when_true ? *when_false
                                                    : condition;
    const MemoryConfig config = with_shards_of(
        memory_config.value_or(output_tensor ? output_tensor->memory_config() : like.memory_config()),
        condition.memory_config());
    if (when_true && when_false) {
        return launched(TernaryDeviceOperation(TernaryKind::kWhere, config).on(sub_core_grids),
                        {condition, *when_true, *when_false}, output_tensor);
    }
    if (!when_true && !when_false) {
        return launched(WhereOfNumbers(branches, config, sub_core_grids), {condition}, output_tensor);
    }
    return launched(WhereWithNumber(branches, config, sub_core_grids),
                    {condition, when_true ? *when_true : *when_false}, output_tensor);
}

}  // namespace unscoped

Tensor where(const Tensor& condition, const TensorOrNumber& value_true, const TensorOrNumber& value_false,
             const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
             const OptionalCores& sub_core_grids) {
    static const OperationName kName("where");
    const std::optional<float> number_true = number_in(value_true), number_false = number_in(value_false);
    const OptionalTensor when_true = tensor_in(value_true), when_false = tensor_in(value_false);
    return in_operation(kName,
                        std::tie(condition, when_true, number_true, when_false, number_false, memory_config,
                                 output_tensor, sub_core_grids),
                        [&] {
                            return unscoped::where(condition, value_true, value_false, memory_config,
                                                   output_tensor, sub_core_grids);
                        });
}

}  // namespace tilemeter
