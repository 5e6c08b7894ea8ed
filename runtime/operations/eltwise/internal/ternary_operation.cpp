// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/ternary_operation.hpp"

#include <algorithm>
#include <vector>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"

namespace tilemeter {

namespace {

// All as wide as the result, some of one row only: those are repeated in a place of their own.
bool repeats_rows(SpecsView inputs, const Shape& full) {
    const auto size = [](const Shape& shape, int dimension) {
        return shape.to_rank(std::max<std::size_t>(shape.rank(), 2))[dimension];
    };
    bool some_row = false;
    for (const TensorSpec& input : inputs) {
        if (size(input.shape, -1) != size(full, -1)) return false;
        some_row = some_row || size(input.shape, -2) != size(full, -2);
    }
    return some_row;
}

double result_of(TernaryKind kind, double a, double b, double c, double value) {
    switch (kind) {
        case TernaryKind::kWhere:
            return a != 0.0 ? b : c;
        case TernaryKind::kLerp:
            return a + c * (b - a);
        case TernaryKind::kMac:
            return a * b + c;
        case TernaryKind::kAddcmul:
            return a + value * b * c;
        case TernaryKind::kAddcdiv:
            break;
    }
    return a + value * b / c;
}

}  // namespace

Shape common_shape_of(SpecsView inputs, std::string_view operation) {
    Shape shape = inputs[0].shape;
    for (const TensorSpec& input : inputs) {
        const auto both = compute::broadcast_shape(shape, input.shape);
        require(both.has_value(), operation, ": shapes ", shape, " and ", input.shape,
                ": expected equal dimensions or 1");
        shape = *both;
    }
    return shape;
}

void require_tiles_of(SpecsView inputs, std::string_view operation) {
    for (const TensorSpec& input : inputs) {
        require(input.layout == Layout::TILE, operation, ": expected TILE layout, got ",
                name_of(input.layout));
    }
}

std::string_view TernaryDeviceOperation::type() const {
    switch (kind_) {
        case TernaryKind::kWhere:
            return "TernaryOpType::WHERE";
        case TernaryKind::kLerp:
            return "TernaryOpType::LERP";
        case TernaryKind::kMac:
            return "TernaryOpType::MAC";
        case TernaryKind::kAddcmul:
            return "TernaryOpType::ADDCMUL";
        case TernaryKind::kAddcdiv:
            break;
    }
    return "TernaryOpType::ADDCDIV";
}

std::string_view TernaryDeviceOperation::variant() const {
    switch (place_) {
        case NumberOperand::kSecond:
            return "TernaryVariant::TST";
        case NumberOperand::kThird:
            return "TernaryVariant::TTS";
        case NumberOperand::kNone:
            break;
    }
    return "TernaryVariant::TTT";
}

void TernaryDeviceOperation::validate(SpecsView inputs) const {
    common_shape_of(inputs, kName);
    require_tiles_of(inputs, kName);
    if (kind_ != TernaryKind::kAddcmul) return;
    for (const TensorSpec& input : inputs) {
        if (input.dtype == inputs[0].dtype) continue;
        refuse_with("Addcmul TTT requires all input tensors to have the same dtype. Got input_a=",
                    attribute_text(inputs[0].dtype), ", input_b=", attribute_text(inputs[1].dtype),
                    ", input_c=", attribute_text(inputs[2].dtype));
    }
}

TensorSpecs TernaryDeviceOperation::infer(SpecsView inputs) const {
    const DataType dtype = inputs[kind_ == TernaryKind::kWhere ? 1 : 0].dtype;
    return {TensorSpec{common_shape_of(inputs, kName), dtype, Layout::TILE, memory_config_}};
}

ProgramPlan TernaryDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
                                         const DeviceDescription& device) const {
    ProgramPlan plan{{"ttnn::operations::ternary::TernaryDeviceOperation::TernaryProgramFactory", 0}};
    const CoreRangeSet cores = sub_core_grids_.value_or(whole_grid(device.compute_grid));
    const auto take = [&](std::uint64_t size, int shared_with = ProgramMemory::kOwn) {
        plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, cores, shared_with});
    };
    if (all_sharded_alike(inputs, outputs)) {
        int index = 0;
        for (const TensorSpec& input : inputs)
            take(buffer_geometry(input, device).size_per_bank_bytes, index++);
        take(buffer_geometry(outputs[0], device).size_per_bank_bytes, index);
        return plan;
    }
    for (const TensorSpec& input : inputs)
        take(2 * tile_size(input.dtype));
    if (inputs.size() == 3 && repeats_rows(inputs, outputs[0].shape)) {
        for (const TensorSpec& input : inputs)
            take(2 * tile_size(input.dtype));
    }
    take(2 * tile_size(outputs[0].dtype));
    return plan;
}

std::vector<HostArray> TernaryDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const TensorSpec& out = outputs[0];
    std::size_t next = 0;
    const auto operand = [&](NumberOperand place) {
        if (place != NumberOperand::kNone && place == place_)
            return std::vector<double>(out.shape.volume(), *number_);
        const HostArray& array = *inputs[next++];
        // Real numbers of double precision hold integers of 32 bits as well.
        if (is_floating_point(array.dtype())) {
            const std::vector<float> values = array.to_floats();
            const std::vector<double> exact(values.begin(), values.end());
            return compute::broadcast_to<double>(exact, array.shape(), out.shape);
        }
        const std::vector<std::int64_t> values = array.to_integers();
        const std::vector<double> exact(values.begin(), values.end());
        return compute::broadcast_to<double>(exact, array.shape(), out.shape);
    };
    std::vector<double> a = operand(NumberOperand::kNone);
    const std::vector<double> b = operand(NumberOperand::kSecond);
    const std::vector<double> c = operand(NumberOperand::kThird);
    const double value = number_.value_or(1.0F);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = result_of(kind_, a[i], b[i], c[i], value);
    if (is_floating_point(out.dtype))
        return {HostArray::from_floats(std::vector<float>(a.begin(), a.end()), out.dtype, out.shape)};
    return {HostArray::from_integers(std::vector<std::int64_t>(a.begin(), a.end()), out.dtype, out.shape)};
}

}  // namespace tilemeter
