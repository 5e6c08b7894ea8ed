// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/binary_operation.hpp"

#include <algorithm>
#include <span>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/broadcast.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/internal/binary_dtypes.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;

template <typename T>
std::vector<T> changed_by(const Activations& activations, std::vector<T> values) {
    for (const UnaryWithParam& each : activations)
        values = compute::unary(each.op_type, each.parameters, values);
    return values;
}

void change(const Activations& activations, std::span<float> values) {
    for (const UnaryWithParam& each : activations)
        compute::unary_in_place(each.op_type, each.parameters, values);
}

std::uint64_t steps_of(const Activations& activations) {
    std::uint64_t steps = 0;
    for (const UnaryWithParam& each : activations)
        steps += compute::steps_of(each.op_type);
    return steps;
}

// The operand's elements from a place of the result on, changed by its activations.
const float* changed(const Activations& activations, const compute::BroadcastOperand& operand,
                     std::uint64_t first, std::span<float> room) {
    const float* const values = operand.read(first, room);
    if (activations.empty()) return values;
    if (values != room.data()) std::copy_n(values, room.size(), room.begin());
    change(activations, room);
    return room.data();
}

bool take_integers(const Activations& activations) {
    return std::all_of(activations.begin(), activations.end(),
                       [](const UnaryWithParam& each) { return compute::takes_integers(each.op_type); });
}

// A core has two parts that compute: one on 32-bit numbers, whole, one by one; and a faster one on operands
// of 16 bits and less. Which of them a kind of operation uses, by the operands' dtypes.
bool on_32_bit_part(BinaryKind kind, SpecsView inputs) {
    const DataType dtype = inputs[0].dtype;
    const bool of_one_dtype = inputs.size() == 1 || inputs[1].dtype == dtype;
    const bool whole = dtype == DataType::FLOAT32 || !is_floating_point(dtype);
    switch (kind) {
        case BinaryKind::kAdd:
        case BinaryKind::kSubtract:
        case BinaryKind::kReverseSubtract:
        case BinaryKind::kSquaredDifference:
        case BinaryKind::kLogicalAnd:
        case BinaryKind::kLogicalOr:
        case BinaryKind::kLogicalXor:
        case BinaryKind::kLdexp:
        case BinaryKind::kBiasGelu:
        case BinaryKind::kHypot:
            return whole && of_one_dtype;
        case BinaryKind::kMultiply:
        case BinaryKind::kEqual:
        case BinaryKind::kNotEqual:
        case BinaryKind::kGreater:
        case BinaryKind::kGreaterOrEqual:
        case BinaryKind::kLess:
        case BinaryKind::kLessOrEqual:
            return !is_block_float(dtype) && of_one_dtype;
        default:
            return true;
    }
}

}  // namespace

void throw_not_repeatable(const Shape& a, const Shape& b) {
    const std::string both = std::string(BinaryNg::kName) + ": shapes " + a.to_string() + " and " +
                             b.to_string() + ": expected equal dimensions or 1";
    const std::size_t rank = std::max(a.rank(), b.rank());
    const Shape wide_a = a.to_rank(rank), wide_b = b.to_rank(rank);
    for (std::int64_t i = -1; i >= -static_cast<std::int64_t>(rank); --i) {
        if (wide_a[i] == wide_b[i] || wide_a[i] == 1 || wide_b[i] == 1) continue;
        require(i < -2 || rank <= 1, "Invalid subtile broadcast type: ", both);
        refuse_with("Broadcasting rule violation at dimension index ", i, " (output rank ", rank,
                    "), dim a: ", wide_a[i], ", dim b: ", wide_b[i], ": ", both);
    }
    refuse_with(both);
}

void BinaryNg::append_program_key(ProgramKey& key, const KeyedCall& call) const {
    key.append(kind_);
    key.append(left_activations_);
    key.append(right_activations_);
    key.append(activations_);
    key.append(fast_);
    key.append(number_side_);
    key.append(sub_core_grids_);
    append_binary_program_key(key, call, memory_config_);
}

void BinaryNg::validate(SpecsView inputs) const {
    const bool of_number = inputs.size() == 1;
    require_dtypes(kind_, inputs[0].dtype, of_number ? std::nullopt : std::optional(inputs[1].dtype));
    if (of_number) return;
    if (!compute::broadcast_shape(inputs[0].shape, inputs[1].shape)) {
        throw_not_repeatable(inputs[0].shape, inputs[1].shape);
    }
}

TensorSpecs BinaryNg::outputs_when_refused(SpecsView inputs, const DeviceDescription& /*device*/) const {
    if (inputs.size() != 2 || memory_config_.is_sharded() ||
        compute::broadcast_shape(inputs[0].shape, inputs[1].shape)) {
        return {};
    }
    // If the operands contradict each other, the left one's dimension unless it is 1.
    const std::size_t rank = std::max(inputs[0].shape.rank(), inputs[1].shape.rank());
    Shape shape = inputs[0].shape.to_rank(rank);
    const Shape right = inputs[1].shape.to_rank(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const int from_end = static_cast<int>(i) - static_cast<int>(rank);
        if (shape[from_end] == 1) shape.set(from_end, right[from_end]);
    }
    return {TensorSpec{shape, dtype_, inputs[0].layout, memory_config_}};
}

TensorSpecs BinaryNg::infer(SpecsView inputs) const {
    const Shape shape =
        inputs.size() == 1 ? inputs[0].shape : *compute::broadcast_shape(inputs[0].shape, inputs[1].shape);
    return {TensorSpec{shape, dtype_, inputs[0].layout, memory_config_}};
}

ChangedOperands BinaryNg::changed_operands(SpecsView inputs) const {
    const std::uint64_t left = tile_size(inputs[0].dtype);
    const std::uint64_t right =
        inputs.size() == 1 ? number_tile_size(inputs[0].dtype) : tile_size(inputs[1].dtype);
    constexpr std::uint64_t kTilesOf32Bits = 2, kTilesOf16Bits = 8;
    const bool in_32_bits = on_32_bit_part(kind_, inputs);
    ChangedOperands changed;
    changed.tiles_at_once = in_32_bits ? kTilesOf32Bits : kTilesOf16Bits;
    if (!left_activations_.empty()) changed.left = left;
    if (!right_activations_.empty()) changed.right = right;
    switch (kind_) {
        case BinaryKind::kLogicalAnd:
        case BinaryKind::kLogicalOr:
        case BinaryKind::kLogicalXor:
        case BinaryKind::kHypot:
            changed.left = left;
            changed.right = right;
            break;
        case BinaryKind::kLdexp:
            // Powers of blocks are kept outside of blocks.
            if (is_block_float(inputs[0].dtype)) changed.left = number_tile_size(inputs[0].dtype);
            changed.right = is_block_float(inputs[0].dtype) ? number_tile_size(inputs[0].dtype) : right;
            break;
        case BinaryKind::kReverseSubtract:
            if (!in_32_bits) changed.left = left;
            break;
        case BinaryKind::kDivide:
            if (fast_ && is_floating_point(inputs[0].dtype) && inputs[0].dtype != DataType::FLOAT32) {
                changed.right = right;
            }
            break;
        default:
            break;
    }
    return changed;
}

ProgramPlan BinaryNg::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
    return plan_binary(inputs, outputs, device, changed_operands(inputs), sub_core_grids_);
}

bool BinaryNg::computes_in_integers(ArraysView inputs) const {
    const bool integers = std::all_of(inputs.begin(), inputs.end(), [](const HostArray* input) {
        return !is_floating_point(input->dtype());
    });
    // The quotient of integers is a real number, unless integers are asked for.
    const bool real_quotient = kind_ == BinaryKind::kDivide && is_floating_point(dtype_);
    return integers && !real_quotient && take_integers(left_activations_) &&
           take_integers(right_activations_) && take_integers(activations_);
}

std::vector<HostArray> BinaryNg::compute(ArraysView inputs, SpecsView outputs) const {
    const TensorSpec& out = outputs[0];
    const HostArray number =
        number_ ? HostArray::from_floats({&*number_, 1}, DataType::FLOAT32, Shape{1}) : HostArray();
    const bool number_first = number_side_ == NumberSide::kLeft;
    const HostArray& a = number_first ? number : *inputs[0];
    const HostArray& b = number_ ? (number_first ? *inputs[0] : number) : *inputs[1];
    if (computes_in_integers(inputs)) {
        auto values = compute::binary(kind_, changed_by(left_activations_, a.to_integers()), a.shape(),
                                      changed_by(right_activations_, b.to_integers()), b.shape(), out.shape,
                                      parameters_);
        values = changed_by(activations_, std::move(values));
        return {HostArray::from_integers(values, out.dtype, out.shape)};
    }
    const compute::BroadcastOperand left(a, out.shape);
    const compute::BroadcastOperand right(b, out.shape);
    std::uint64_t steps = compute::steps_of(kind_);
    for (const Activations* each : {&left_activations_, &right_activations_, &activations_})
        steps += steps_of(*each);
    return {
        compute::by_blocks(out.dtype, out.shape, 1, steps, [&](std::uint64_t first, std::span<float> block) {
            const float* const x =
                changed(left_activations_, left, first, compute::block_room(0, block.size()));
            const float* const y =
                changed(right_activations_, right, first, compute::block_room(1, block.size()));
            compute::binary_each(kind_, x, y, block, parameters_);
            change(activations_, block);
        })};
}

}  // namespace tilemeter
