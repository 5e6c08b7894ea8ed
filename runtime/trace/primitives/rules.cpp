// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/rules.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

ir::ValueRange JvpUse::again(std::span<const ValueId> with) const {
    return to.op(primitive.name, with, attributes);
}

ValueId BatchUse::mapped(std::size_t i) const {
    if (is_mapped[i]) return operands[i];
    const Shape lane = to.shape(operands[i]);
    Integers shape{size};
    shape.insert(shape.end(), lane.begin(), lane.end());
    return to.op("broadcast_in_dim", {operands[i]}, {{"shape", shape}, {"dims", counted(lane.rank(), 1)}});
}

Shape BatchUse::lane_shape(std::size_t i) const {
    const Shape shape = to.shape(operands[i]);
    return is_mapped[i] ? Shape(shape.dims().subspan(1)) : shape;
}

ir::ValueRange BatchUse::again(std::span<const ValueId> with, const Attributes& others) const {
    return to.op(primitive.name, with, others);
}

void zero_jvp(const JvpUse&, std::span<Tangent>) {}

void linear_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    const std::uint32_t linear = use.primitive.derivative.linear;
    const auto is_linear = [&](std::size_t i) { return linear == kAllOperands || ((linear >> i) & 1) != 0; };
    std::vector<ValueId> operands(use.operands.begin(), use.operands.end());
    bool is_any = false;
    for (std::size_t i = 0; i < operands.size(); ++i)
        is_any = is_any || (is_linear(i) && use.tangents[i].has_value());
    if (!is_any) return;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (is_linear(i)) operands[i] = materialized(use.to, use.tangents[i], use.to.type(operands[i]));
    const ir::ValueRange results = use.again(operands);
    for (std::size_t i = 0; i < tangents.size(); ++i)
        tangents[i] = results[i];
}

void product_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    std::vector<ValueId> operands(use.operands.begin(), use.operands.end());
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!use.tangents[i]) continue;
        operands[i] = *use.tangents[i];
        tangents[0] = sum_of(use.to, tangents[0], ValueId(use.again(operands)));
        operands[i] = use.operands[i];
    }
}

void batch_elementwise(const BatchUse& use, std::vector<ValueId>& results) {
    batch_mapped(use, use.attributes, results);
}

void batch_mapped(const BatchUse& use, const Attributes& attributes, std::vector<ValueId>& results) {
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < use.operands.size(); ++i)
        operands.push_back(use.mapped(i));
    const ir::ValueRange range = use.again(operands, attributes);
    for (std::size_t i = 0; i < range.size(); ++i)
        results.push_back(range[i]);
}

void batch_axis(const BatchUse& use, std::vector<ValueId>& results) {
    batch_mapped(use, with(use.attributes, "axis", use.attributes.get<std::int64_t>("axis") + 1), results);
}

Integers counted(std::size_t count, std::int64_t first) {
    Integers numbers(count);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

Integers other_axes(std::size_t rank, const Integers& axes) {
    Integers others;
    for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(rank); ++axis)
        if (!contains(axes, axis)) others.push_back(axis);
    return others;
}

Integers shifted(const Integers& numbers) {
    Integers all;
    for (const std::int64_t number : numbers)
        all.push_back(number + 1);
    return all;
}

Integers shifted(std::int64_t before, const Integers& numbers) {
    Integers all = shifted(numbers);
    all.insert(all.begin(), before);
    return all;
}

Attributes with(Attributes attributes, std::string_view name, ir::Attribute value) {
    attributes.set(name, std::move(value));
    return attributes;
}

Tangent sum_of(FlatBuilder& to, Tangent a, Tangent b) {
    if (!a) return b;
    if (!b) return a;
    return to.add(*a, *b);
}

ValueId materialized(FlatBuilder& to, Tangent tangent, const TensorType& type) {
    return tangent ? *tangent : to.full(type, 0);
}

ValueId with_axes_at(FlatBuilder& to, ValueId value, const Integers& to_axis) {
    Integers perm(to_axis.size());
    for (std::size_t i = 0; i < to_axis.size(); ++i)
        perm[static_cast<std::size_t>(to_axis[i])] = static_cast<std::int64_t>(i);
    return to.transpose(value, perm);
}

}  // namespace tilemeter::trace::internal
