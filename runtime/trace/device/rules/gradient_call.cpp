// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/gradient_call.hpp"

#include <algorithm>
#include <array>

#include "capture/ir/error.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter::trace::backward {

namespace {

template <typename Visit>
void for_each_name(std::string_view names, char separator, Visit visit) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(separator));
        visit(name);
        names.remove_prefix(std::min(names.size(), name.size() + 1));
    }
}

std::string with_points(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == ':') ++i;
        text += name[i] == ':' ? '.' : name[i];
    }
    return text;
}

Tensor kept_value(const CallValue& value, const Call& call, std::string_view what) {
    if (value.kept.is_allocated()) return value.kept;
    throw ir::Error(ir::ErrorKind::kNoRule, call.name() + ": found its " + std::string(what) +
                                                " freed, which its gradient needs, expected it until " +
                                                "backward() has run");
}

}  // namespace

std::string Call::name() const {
    return "ttnn." + with_points(recorded_.operation);
}

std::optional<std::size_t> Call::find(std::string_view parameters) const {
    std::optional<std::size_t> found;
    for_each_name(parameters, '|', [&](std::string_view name) {
        for (std::size_t i = 0; i < size() && !found; ++i)
            if (recorded_.operands[i].parameter == name) found = i;
    });
    return found;
}

std::size_t Call::at(std::string_view parameters) const {
    const std::optional<std::size_t> found = find(parameters);
    if (!found)
        throw ir::Error(ir::ErrorKind::kNoRule,
                        name() + ": no vjp rule for such a call: " + std::string(parameters) +
                            " is missing: it is not given, or lies on the host");
    return *found;
}

Tensor Call::operand(std::size_t operand) const {
    return kept_value(recorded_.operands.at(operand), *this, recorded_.operands[operand].parameter);
}

Tensor Call::result(std::size_t result) const {
    return kept_value(recorded_.results.at(result), *this, "result");
}

std::optional<double> Call::find_number(std::string_view arguments) const {
    std::optional<double> number;
    for_each_name(arguments, '|', [&](std::string_view name) {
        if (number) return;
        const std::optional<ir::Attribute> found = find_argument(name);
        if (!found) return;
        if (const auto* integer = std::get_if<std::int64_t>(&*found)) number = static_cast<double>(*integer);
        if (const auto* real = std::get_if<double>(&*found)) number = *real;
        if (const auto* truth = std::get_if<bool>(&*found)) number = *truth ? 1.0 : 0.0;
    });
    return number;
}

std::string Call::text(std::string_view argument) const {
    std::optional<ir::Attribute> found = find_argument(argument);
    auto* const text = found ? std::get_if<std::string>(&*found) : nullptr;
    return text == nullptr ? std::string() : std::move(*text);
}

std::optional<Integers> Call::integers(std::string_view argument) const {
    const std::optional<ir::Attribute> found = find_argument(argument);
    if (!found) return std::nullopt;
    if (const auto* list = std::get_if<ir::Integers>(&*found)) return Integers(list->begin(), list->end());
    if (const auto* one = std::get_if<std::int64_t>(&*found)) return Integers{*one};
    return std::nullopt;
}

std::int64_t Call::axis(std::string_view argument, std::int64_t otherwise, std::size_t rank) const {
    const auto axis = static_cast<std::int64_t>(number(argument, static_cast<double>(otherwise)));
    return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
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

const std::map<std::string, Rule, std::less<>>& all_rules() {
    static const auto kRules = [] {
        std::map<std::string, Rule, std::less<>> all;
        for (const auto& family :
             {elementwise_rules(), binary_rules(), movement_rules(), reduction_rules(), product_rules(),
              normalization_rules(), attention_rules(), selection_rules()})
            for (const Rule& each : family)
                all.emplace(each.name, each);
        return all;
    }();
    return kRules;
}

const Rule* find_rule(std::string_view operation) {
    const auto found = all_rules().find(with_points(operation));
    return found == all_rules().end() ? nullptr : &found->second;
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
    // Of two dimensions at least, and of no blocks of numbers.
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

bool are_alike(const Call& call) {
    const TensorSpec& result = call.result_spec();
    for (std::size_t i = 0; i < call.size(); ++i) {
        const TensorSpec& each = call.spec(i);
        if (each.shape != result.shape || each.layout != Layout::TILE || each.dtype != result.dtype)
            return false;
    }
    return result.layout == Layout::TILE && is_floating_point(result.dtype);
}

}  // namespace tilemeter::trace::backward
