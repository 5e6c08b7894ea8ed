// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/where.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/elementwise.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"
#include "runtime/operations/eltwise/internal/ternary_operation.hpp"
#include "runtime/operations/eltwise/internal/unary_program.hpp"
#include "runtime/operations/work/shards_over.hpp"

namespace tilemeter {

namespace {

/// The branches as the caller gave them: tensor or number.
struct Choice {
    std::optional<float> number_true;
    std::optional<float> number_false;
};

std::vector<HostArray> choose(ArraysView inputs, const Choice& branches, const TensorSpec& out) {
    const auto array_of = [](float number) {
        return HostArray::from_floats({&number, 1}, DataType::FLOAT32, Shape{1});
    };
    const HostArray number_true = array_of(branches.number_true.value_or(0.0F));
    const HostArray number_false = array_of(branches.number_false.value_or(0.0F));
    std::size_t next = 0;
    const HostArray* const condition = inputs[next++];
    const HostArray* const when_true = branches.number_true ? &number_true : inputs[next++];
    const HostArray* const when_false = branches.number_false ? &number_false : inputs[next++];
    constexpr std::uint64_t kSteps = 4;
    return {compute::by_blocks(out.dtype, out.shape, kSteps, {condition, when_true, when_false},
                               compute::choose_each)};
}

/// With one number a binary operation of the predicate and the other branch, with two a function of the
/// predicate.
template <bool kTwoNumbers>
struct WhereWithNumbers {
    static constexpr std::string_view kName =
        kTwoNumbers ? "UnaryDeviceOperation" : "BinaryNgDeviceOperation";

    static constexpr bool kTakesNdShards = true;  // where the result's place does not depend on them

    Choice branches;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;

    auto attributes() const {
        return std::make_tuple(type(), branches.number_true, branches.number_false, memory_config,
                               sub_core_grids);
    }

    /// One program serves all shapes; of one number all numbers, too.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(type());
        key.append(sub_core_grids);
        if constexpr (kTwoNumbers) {
            key.append(branches.number_true);
            key.append(branches.number_false);
            append_unary_program_key(key, call, memory_config);
        } else {
            append_binary_program_key(key, call, memory_config);
        }
    }

    void validate(SpecsView inputs) const {
        common_shape_of(inputs, kName);
        require(!kTwoNumbers || is_floating_point(inputs[0].dtype), [&] {
            return "Unary: UnaryOpType::WHERE_TSS does not support integer input dtype " +
                   attribute_text(inputs[0].dtype);
        });
        require(inputs.front().dtype == inputs.back().dtype,
                [&] { return "Mixed dtype is not supported for binary operation " + std::string(type()); });
    }

    TensorSpecs infer(SpecsView inputs) const {
        // Rows beside tiles give tiles; TT-NN converts neither.
        const bool by_rows =
            inputs.front().layout == Layout::ROW_MAJOR && inputs.back().layout == Layout::ROW_MAJOR;
        return {TensorSpec{common_shape_of(inputs, kName), inputs.back().dtype,
                           by_rows ? Layout::ROW_MAJOR : Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return kTwoNumbers ? plan_unary(inputs[0], outputs[0], device, sub_core_grids)
                           : plan_binary(inputs, outputs, device, {}, sub_core_grids);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return choose(inputs, branches, outputs[0]);
    }

private:
    std::string_view type() const {
        return kTwoNumbers            ? "UnaryOpType::WHERE_TSS"
               : branches.number_true ? "BinaryOpType::WHERE_TST"
                                      : "BinaryOpType::WHERE_TTS";
    }
};

}  // namespace

namespace unscoped {

Tensor where(const Tensor& predicate, const TensorOrNumber& true_value, const TensorOrNumber& false_value,
             const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
             const OptionalCores& sub_core_grids) {
    const Choice branches{number_of(true_value), number_of(false_value)};
    const OptionalTensor when_true = tensor_of(true_value), when_false = tensor_of(false_value);
    // Numbers are chosen by a real condition, too.
    const bool of_32_bits = predicate.dtype() == DataType::INT32 || predicate.dtype() == DataType::UINT32;
    if (!when_true && !when_false && of_32_bits) {
        const ScopedTensor real(unscoped::typecast(predicate, DataType::FLOAT32));
        return unscoped::where(*real, true_value, false_value, memory_config, output_tensor, sub_core_grids);
    }
    // An integer condition beside real numbers becomes one of them.
    const OptionalTensor& chosen = when_true ? when_true : when_false;
    if (chosen && !is_floating_point(predicate.dtype()) && is_floating_point(chosen->dtype())) {
        const ScopedTensor real(unscoped::typecast(predicate, chosen->dtype()));
        return unscoped::where(*real, true_value, false_value, memory_config, output_tensor, sub_core_grids);
    }
    std::vector<Tensor> operands{predicate};
    for (const OptionalTensor* each : {&when_true, &when_false})
        if (*each) operands.push_back(**each);
    // The result of three tensors lies where most cores are. Beside one number it lies where the only tensor to choose
    // from does, whatever output is given; beside two as the given output, whatever is asked for, or as the condition.
    const auto place = [&] {
        if (when_true && when_false) return place_on_most_cores(memory_config, output_tensor, operands);
        const bool of_two_numbers = !when_true && !when_false;
        if (of_two_numbers && output_tensor) return output_tensor->memory_config();
        if (memory_config && memory_config->nd_shard_spec) return *memory_config;
        if (memory_config) return place_of_ternary(memory_config, std::nullopt, operands);
        if (of_two_numbers) return predicate.memory_config();
        const auto shape = compute::broadcast_shape(predicate.shape(), operands.back().shape());
        return stretched_shards(operands.back().spec(), shape.value_or(predicate.shape()));
    };
    const MemoryConfig config = place();
    if (when_true && when_false) {
        require_sizes(operands);
        return launch(TernaryDeviceOperation(TernaryKind::kWhere, config).on(sub_core_grids),
                      {predicate, *when_true, *when_false}, output_tensor);
    }
    if (!when_true && !when_false) {
        return launch(WhereWithNumbers<true>{branches, config, sub_core_grids}, {predicate}, output_tensor);
    }
    return launch(WhereWithNumbers<false>{branches, config, sub_core_grids},
                  {predicate, when_true ? *when_true : *when_false}, output_tensor);
}

}  // namespace unscoped

Tensor Where::body() const {
    return unscoped::where(predicate, true_value, false_value, memory_config, output_tensor, sub_core_grids);
}

}  // namespace tilemeter
