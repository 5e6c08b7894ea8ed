// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives along axes. Ties of reduce_max and reduce_min share equally.

#include "runtime/trace/derivatives/internal/rules.hpp"

namespace tilemeter::trace::internal {

namespace {

// A reduced value, repeated along the axes that it was reduced over.
ValueId repeated(FlatBuilder& to, ValueId reduced, const Shape& shape, const Integers& axes) {
    return to.op("broadcast_in_dim", {reduced},
                 {{"shape", integers_of(shape)}, {"dims", other_axes(shape.rank(), axes)}});
}

void sum_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] =
        repeated(use.to, use.cotangent(), use.to.shape(use[0]), use.attributes.get<Integers>("axes"));
}

// The tangents' sum, each with its weight.
Tangent weighted_sum(const JvpUse& use, ValueId weights) {
    return use.to.op("reduce_sum", {use.to.mul(*use.tangents[0], weights)}, use.attributes);
}

void extreme_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const Shape shape = to.shape(use[0]);
    const auto& axes = use.attributes.get<Integers>("axes");
    const ValueId is_there = to.compare("EQ", use[0], repeated(to, use.result(), shape, axes));
    const ValueId places = to.convert(is_there, to.element(use[0]));
    const ValueId count = to.op("reduce_sum", {places}, use.attributes);
    tangents[0] = weighted_sum(use, to.div(places, repeated(to, count, shape, axes)));
}

// Rows of elements [..., count], each element with the product of all others of its row: products of pairs down to
// one element, and back. No division: elements may be 0.
ValueId products_of_others(FlatBuilder& to, ValueId rows) {
    const Shape shape = to.shape(rows);
    const std::size_t rank = shape.rank();
    const auto last = static_cast<std::int64_t>(rank) - 1;
    const auto part = [&](ValueId value, std::int64_t start, std::int64_t limit) -> ValueId {
        Integers limits = integers_of(to.shape(value));
        Integers starts(rank, 0);
        starts.back() = start;
        limits.back() = limit;
        return to.op("slice", {value},
                     {{"starts", starts}, {"limits", limits}, {"strides", Integers(rank, 1)}});
    };
    const std::int64_t count = shape[rank - 1];
    if (count <= 1) return to.full_like(rows, 1);
    const std::int64_t half = count / 2;
    const ValueId first = part(rows, 0, half);
    const ValueId second = part(rows, half, 2 * half);
    const bool has_rest = count % 2 != 0;
    const ValueId products = to.mul(first, second);
    const auto together = [&](std::vector<ValueId> parts) -> ValueId {
        return to.op("concatenate", parts, {{"axis", last}});
    };
    const ValueId others =
        products_of_others(to, has_rest ? together({products, part(rows, 2 * half, count)}) : products);
    const ValueId of_pairs = has_rest ? part(others, 0, half) : others;
    std::vector<ValueId> parts{to.mul(of_pairs, second), to.mul(of_pairs, first)};
    if (has_rest) parts.push_back(part(others, half, half + 1));
    return together(parts);
}

void prod_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const Shape shape = to.shape(use[0]);
    const auto& axes = use.attributes.get<Integers>("axes");
    if (axes.empty()) {
        tangents[0] = *use.tangents[0];
        return;
    }
    const Integers kept = other_axes(shape.rank(), axes);
    Integers perm = kept;
    perm.insert(perm.end(), axes.begin(), axes.end());
    Shape rows;
    std::int64_t count = 1;
    for (const std::int64_t axis : kept)
        rows.push_back(shape[static_cast<std::size_t>(axis)]);
    for (const std::int64_t axis : axes)
        count *= Dim(shape[static_cast<std::size_t>(axis)]).number();  // the formula depends on it
    rows.push_back(count);
    const ValueId moved = to.transpose(use[0], perm);
    const ValueId others = products_of_others(to, to.reshape(moved, rows));
    tangents[0] = weighted_sum(use, with_axes_at(to, to.reshape(others, to.shape(moved)), perm));
}

void cumsum_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const bool reverse = use.attributes.get_or("reverse", false);
    cotangents[0] = use.to.op("cumsum", {use.cotangent()}, with(use.attributes, "reverse", !reverse));
}

// The places that elements come from, found by sorting them as well.
void sort_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    FlatBuilder& to = use.to;
    const auto axis = use.attributes.get<std::int64_t>("axis");
    std::vector<ValueId> operands(use.operands.begin(), use.operands.end());
    operands.push_back(to.op(
        "iota", {}, {{"shape", integers_of(to.shape(use[0]))}, {"dim", axis}, {"dtype", ElementType::kI32}}));
    const ir::ValueRange sorted = use.again(operands);
    const ValueId places = sorted[sorted.size() - 1];
    for (std::size_t i = 0; i < tangents.size(); ++i)
        if (use.tangents[i]) tangents[i] = taken_along(to, *use.tangents[i], places, axis);
}

void top_k_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    const auto last = static_cast<std::int64_t>(use.to.shape(use[0]).rank()) - 1;
    tangents[0] = taken_along(use.to, *use.tangents[0], use.results[1], last);
}

// ---- with a mapped axis in front

void batch_axes(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"axes", shifted(use.attributes.get<Integers>("axes"))}}));
}

void batch_axis(const BatchUse& use, std::vector<ValueId>& results) {
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < use.operands.size(); ++i)
        operands.push_back(use.mapped(i));
    const auto axis = use.attributes.get<std::int64_t>("axis");
    const ir::ValueRange range = use.again(operands, with(use.attributes, "axis", axis + 1));
    for (std::size_t i = 0; i < range.size(); ++i)
        results.push_back(range[i]);
}

constexpr DerivativeRules kReductionRules[] = {
    {"reduce_sum", linear_jvp, sum_transpose, batch_axes, kAllOperands},
    {"reduce_max", extreme_jvp, nullptr, batch_axes},
    {"reduce_min", extreme_jvp, nullptr, batch_axes},
    {"reduce_prod", prod_jvp, nullptr, batch_axes},
    {"reduce_and", zero_jvp, nullptr, batch_axes},
    {"reduce_or", zero_jvp, nullptr, batch_axes},
    {"arg_max", zero_jvp, nullptr, batch_axis},
    {"arg_min", zero_jvp, nullptr, batch_axis},
    {"cumsum", linear_jvp, cumsum_transpose, batch_axis, kAllOperands},
    {"sort", sort_jvp, nullptr, batch_axis},
    // Along the last axis, mapped or not.
    {"top_k", top_k_jvp, nullptr, batch_elementwise},
};

}  // namespace

std::span<const DerivativeRules> reduction_rules() {
    return kReductionRules;
}

}  // namespace tilemeter::trace::internal
