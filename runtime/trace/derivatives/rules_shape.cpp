// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives that move elements to places that do not depend on values. All of them are linear.

#include <algorithm>

#include "runtime/trace/derivatives/internal/rules.hpp"

namespace tilemeter::trace::internal {

namespace {

void reshape_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.reshape(use.cotangent(), use.to.shape(use[0]));
}

void transpose_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = with_axes_at(use.to, use.cotangent(), use.attributes.get<Integers>("perm"));
}

// Sums over the axes that are new or repeat an extent of 1.
void broadcast_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const auto& dims = use.attributes.get<Integers>("dims");
    const Shape from = to.shape(use[0]);
    const Shape shape = to.shape(use.cotangent());
    Integers kept;      // axes of the result that are summed over by no one
    Integers operands;  // and the operand's axes behind them
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (from[i] == 1 && shape[static_cast<std::size_t>(dims[i])] != 1) continue;
        kept.push_back(dims[i]);
        operands.push_back(static_cast<std::int64_t>(i));
    }
    ValueId sum = to.reduce("reduce_sum", use.cotangent(), other_axes(shape.rank(), kept), false);
    if (!std::ranges::is_sorted(kept)) {
        // The kept axes come in the result's order, the operand has its own.
        Integers sorted = kept;
        std::ranges::sort(sorted);
        Integers perm;
        for (const std::int64_t axis : kept)
            perm.push_back(std::ranges::find(sorted, axis) - sorted.begin());
        sum = to.transpose(sum, perm);
    }
    cotangents[0] = to.reshape(sum, from);
}

// The cotangent with zeros in between and around.
void slice_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const Shape from = to.shape(use[0]);
    const Shape part = to.shape(use.cotangent());
    const auto& starts = use.attributes.get<Integers>("starts");
    const Integers strides = use.attributes.get_or<Integers>("strides", Integers(from.rank(), 1));
    Integers high;
    Integers interior;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const Dim covered = dilated(part[i], strides[i]);
        high.push_back((Dim(from[i]) - starts[i] - covered).value());
        interior.push_back((Dim(strides[i]) - 1).value());
    }
    cotangents[0] = to.op("pad", {use.cotangent(), to.scalar(to.element(use[0]), 0)},
                          {{"low", starts}, {"high", high}, {"interior", interior}});
}

// The part of a padded tensor that the operand's elements went to.
ValueId unpadded(FlatBuilder& to, ValueId padded, const Shape& from, const Attributes& attributes) {
    const auto& low = attributes.get<Integers>("low");
    const auto& high = attributes.get<Integers>("high");
    const Integers interior = attributes.get_or<Integers>("interior", Integers(low.size(), 0));
    const auto is_negative = [](Dim count) { return count.is_negative_number(); };
    ValueId value = padded;
    Integers starts = low;
    if (std::ranges::any_of(low, is_negative) || std::ranges::any_of(high, is_negative)) {
        Integers opposite[2];
        for (std::size_t i = 0; i < low.size(); ++i) {
            opposite[0].push_back((-Dim(low[i])).value());
            opposite[1].push_back((-Dim(high[i])).value());
        }
        value = to.op("pad", {padded, to.scalar(to.element(padded), 0)},
                      {{"low", opposite[0]}, {"high", opposite[1]}});
        starts.assign(low.size(), 0);
    }
    Integers limits;
    Integers strides;
    for (std::size_t i = 0; i < low.size(); ++i) {
        const Dim stride = Dim(interior[i]) + 1;
        limits.push_back((Dim(starts[i]) + dilated(from[i], stride)).value());
        strides.push_back(stride.value());
    }
    return to.op("slice", {value}, {{"starts", starts}, {"limits", limits}, {"strides", strides}});
}

void pad_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const ValueId inside = unpadded(to, use.cotangent(), to.shape(use[0]), use.attributes);
    cotangents[0] = inside;
    if (!use.is_linear[1]) return;
    const auto sum = [&](ValueId value) {
        return to.reduce("reduce_sum", value, counted(to.shape(value).rank()), false);
    };
    cotangents[1] = to.sub(sum(use.cotangent()), sum(inside));
}

void concatenate_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const auto axis = static_cast<std::size_t>(use.attributes.get<std::int64_t>("axis"));
    const Shape shape = to.shape(use.cotangent());
    Dim start(0);
    for (std::size_t i = 0; i < use.operands.size(); ++i) {
        Integers starts(shape.rank(), 0);
        Integers limits = integers_of(shape);
        starts[axis] = start.value();
        start += to.shape(use[i])[axis];
        limits[axis] = start.value();
        if (use.is_linear[i])
            cotangents[i] =
                to.op("slice", {use.cotangent()},
                      {{"starts", starts}, {"limits", limits}, {"strides", Integers(shape.rank(), 1)}});
    }
}

void reverse_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.op("reverse", {use.cotangent()}, use.attributes);
}

// ---- with a mapped axis in front

void batch_reshape(const BatchUse& use, std::vector<ValueId>& results) {
    Integers shape{use.size};
    const auto& lane = use.attributes.get<Integers>("shape");
    shape.insert(shape.end(), lane.begin(), lane.end());
    results.push_back(use.again(use.operands, {{"shape", shape}}));
}

void batch_transpose(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"perm", shifted(0, use.attributes.get<Integers>("perm"))}}));
}

void batch_broadcast(const BatchUse& use, std::vector<ValueId>& results) {
    Integers shape{use.size};
    const auto& lane = use.attributes.get<Integers>("shape");
    shape.insert(shape.end(), lane.begin(), lane.end());
    results.push_back(use.again(
        use.operands, {{"shape", shape}, {"dims", shifted(0, use.attributes.get<Integers>("dims"))}}));
}

Integers prefixed(std::int64_t first, Integers numbers) {
    numbers.insert(numbers.begin(), first);
    return numbers;
}

void batch_slice(const BatchUse& use, std::vector<ValueId>& results) {
    const std::size_t rank = use.lane_shape(0).rank();
    results.push_back(
        use.again(use.operands,
                  {{"starts", prefixed(0, use.attributes.get<Integers>("starts"))},
                   {"limits", prefixed(use.size, use.attributes.get<Integers>("limits"))},
                   {"strides", prefixed(1, use.attributes.get_or<Integers>("strides", Integers(rank, 1)))}}));
}

// A value of each lane goes where none of the operand's elements went.
void batch_pad(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    const std::size_t rank = use.lane_shape(0).rank();
    const Attributes attributes{
        {"low", prefixed(0, use.attributes.get<Integers>("low"))},
        {"high", prefixed(0, use.attributes.get<Integers>("high"))},
        {"interior", prefixed(0, use.attributes.get_or<Integers>("interior", Integers(rank, 0)))}};
    const ValueId x = use.mapped(0);
    if (!use.is_mapped[1]) {
        results.push_back(to.op("pad", {x, use[1]}, attributes));
        return;
    }
    const ValueId padded = to.op("pad", {x, to.scalar(to.element(x), 0)}, attributes);
    const ValueId inside = to.full({ElementType::kBool, to.shape(x), {}}, 1);
    const ValueId is_inside = to.op("pad", {inside, to.scalar(ElementType::kBool, 0)}, attributes);
    const ValueId values = to.op("broadcast_in_dim", {use[1]},
                                 {{"shape", integers_of(to.shape(padded))}, {"dims", Integers{0}}});
    results.push_back(to.select(is_inside, padded, values));
}

void batch_concatenate(const BatchUse& use, std::vector<ValueId>& results) {
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < use.operands.size(); ++i)
        operands.push_back(use.mapped(i));
    results.push_back(
        use.again(operands, with(use.attributes, "axis", use.attributes.get<std::int64_t>("axis") + 1)));
}

void batch_reverse(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"dims", shifted(use.attributes.get<Integers>("dims"))}}));
}

// iota, full and dimension have no operands: nothing of them is mapped.
constexpr DerivativeRules kShapeRules[] = {
    {"reshape", linear_jvp, reshape_transpose, batch_reshape, kAllOperands},
    {"transpose", linear_jvp, transpose_transpose, batch_transpose, kAllOperands},
    {"broadcast_in_dim", linear_jvp, broadcast_transpose, batch_broadcast, kAllOperands},
    {"slice", linear_jvp, slice_transpose, batch_slice, kAllOperands},
    {"pad", linear_jvp, pad_transpose, batch_pad, kAllOperands},
    {"concatenate", linear_jvp, concatenate_transpose, batch_concatenate, kAllOperands},
    {"reverse", linear_jvp, reverse_transpose, batch_reverse, kAllOperands},
    {"iota", zero_jvp, nullptr, batch_elementwise},
    {"full", zero_jvp, nullptr, batch_elementwise},
    {"dimension", zero_jvp, nullptr, batch_elementwise},
};

}  // namespace

std::span<const DerivativeRules> shape_rules() {
    return kShapeRules;
}

}  // namespace tilemeter::trace::internal
