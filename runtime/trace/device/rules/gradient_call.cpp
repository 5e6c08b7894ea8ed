// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/gradient_call.hpp"

#include "capture/ir/error.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter::trace::rules {

namespace {

Tensor kept_value(const CallValue& value, const Call& call, std::string_view what) {
    if (value.kept.is_allocated()) return value.kept;
    throw ir::Error(ir::ErrorKind::kNoRule, call.name() + ": found its " + std::string(what) +
                                                " freed, which its gradient needs, expected it until " +
                                                "backward() has run");
}

}  // namespace

Tensor Call::operand(std::size_t operand) const {
    return kept_value(recorded_.operands.at(operand), *this, recorded_.operands[operand].parameter);
}

Tensor Call::result(std::size_t result) const {
    return kept_value(recorded_.results.at(result), *this, "result");
}

void Call::set_gradients(std::vector<std::optional<Tensor>> of_results) {
    gradients_ = std::move(of_results);
    given_.assign(size(), std::nullopt);
}

Tensor Call::gradient(std::size_t result) const {
    if (gradients_[result]) return *gradients_[result];
    const CallValue& value = recorded_.results[result];
    return filled(value.spec().shape, value.spec().dtype, value.device(), 0.0F);
}

void Call::give(std::size_t operand, Tensor gradient) {
    if (wants(operand)) given_[operand] = std::move(gradient);
}

// ---- what many rules do

Tensor sum_to(const Tensor& gradient, const Shape& shape) {
    const Shape& from = gradient.shape();
    if (from == shape) return gradient;
    // The last dimensions are each other's, whichever has more.
    std::vector<int> dims;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const std::size_t behind = from.rank() - i;
        const bool is_repeated = behind > shape.rank() || shape.dimensions()[shape.rank() - behind] == 1;
        if (from.dimensions()[i] != 1 && is_repeated) dims.push_back(static_cast<int>(i));
    }
    return reshaped(
        dims.empty() ? gradient : sum(Sum{.input_tensor = gradient, .dim = dims, .keepdim = true}), shape);
}

Tensor reshaped(const Tensor& tensor, const Shape& shape) {
    if (tensor.shape() == shape) return tensor;
    return reshape(Reshape{.input_tensor = tensor, .shape = shape});
}

Tensor as_dtype(const Tensor& tensor, DataType dtype) {
    if (tensor.dtype() == dtype) return tensor;
    return typecast(Typecast{.input_tensor = tensor, .dtype = dtype});
}

Tensor as_tiles(const Tensor& tensor) {
    if (tensor.layout() == Layout::TILE) return tensor;
    return to_layout(ToLayout{.tensor = tensor, .layout = Layout::TILE});
}

Tensor filled(const Shape& shape, DataType dtype, const std::shared_ptr<Device>& device, float value) {
    // Tensors of two dimensions at least, and no blocks of numbers.
    const bool is_block = dtype != DataType::FLOAT32 && dtype != DataType::BFLOAT16;
    const Tensor made = moreh_full(
        MorehFull{.shape = shape.rank() < 2 ? Shape{1, static_cast<std::uint32_t>(shape.volume())} : shape,
                  .fill_value = value,
                  .device = device,
                  .dtype = is_block ? DataType::BFLOAT16 : dtype});
    return as_dtype(reshaped(made, shape), dtype);
}

Tensor interleaved(const Tensor& tensor) {
    if (!tensor.is_sharded()) return tensor;
    return to_memory_config(ToMemoryConfig{.tensor = tensor, .memory_config = DRAM_MEMORY_CONFIG});
}

Integers extents_of(const Shape& shape) {
    return {shape.dimensions().begin(), shape.dimensions().end()};
}

Tensor part_of(const Tensor& tensor, std::size_t axis, std::int64_t begin, std::int64_t end) {
    Integers begins(tensor.shape().rank(), 0);
    Integers ends = extents_of(tensor.shape());
    begins[axis] = begin;
    ends[axis] = end;
    return slice(Slice{.input_tensor = tensor, .slice_start = begins, .slice_end = ends});
}

bool is_in_tiles(const TensorSpec& spec) {
    return spec.layout == Layout::TILE &&
           (spec.dtype == DataType::BFLOAT16 || spec.dtype == DataType::FLOAT32) &&
           !spec.memory_config.is_sharded();
}

bool are_alike(const Call& call) {
    const TensorSpec& result = call.result_spec();
    for (std::size_t i = 0; i < call.size(); ++i) {
        const TensorSpec& each = call.spec(i);
        if (each.shape != result.shape || each.layout != Layout::TILE || each.dtype != result.dtype)
            return false;
    }
    return result.layout == Layout::TILE && is_floating_point(result.dtype);
}

bool keeps_shape(const Call& call) {
    return call.shape(0) == call.result_spec().shape && is_floating_point(call.spec(0).dtype) &&
           is_floating_point(call.result_spec().dtype);
}

void pass_on(Call& call) {
    call.give(0, call.gradient());
}

void give_all(Call& call, const std::vector<std::optional<Tensor>>& gradients, std::size_t first) {
    for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i]) call.give(first + i, *gradients[i]);
}

}  // namespace tilemeter::trace::rules
