// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Calls that change shapes, take parts or make tensors.

#include <numeric>

#include "runtime/trace/calls/internal/call.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

ValueId reshape(const CallUse& use) {
    return use.to.reshape(use[0], use.type.shape);
}

ValueId transpose(const CallUse& use) {
    const std::size_t rank = use.type.shape.rank();
    Integers perm(rank);
    std::iota(perm.rbegin(), perm.rend(), 0);
    if (use.attributes.find("perm") != nullptr) perm = use.attributes.get<Integers>("perm");
    for (std::int64_t& axis : perm)
        axis = normal_axis(axis, rank);
    return use.to.transpose(use[0], perm);
}

ValueId broadcast_to(const CallUse& use) {
    return use.to.broadcast(use[0], use.type.shape);
}

ValueId concat(const CallUse& use) {
    std::vector<ValueId> parts;
    for (const ValueId operand : use.operands)
        parts.push_back(use.to.convert(operand, use.type.element));
    const std::int64_t axis = normal_axis(use.attributes.get<std::int64_t>("axis"), use.type.shape.rank());
    return use.to.op("concatenate", parts, {{"axis", axis}});
}

ValueId slice(const CallUse& use) {
    const auto [starts, limits, strides] =
        slice_bounds(use.attributes, use.to.shape(use[0]), use.to.graph().constraints());
    return use.to.op("slice", {use[0]}, {{"starts", starts}, {"limits", limits}, {"strides", strides}});
}

ValueId pad(const CallUse& use) {
    const ValueId value = use.to.scalar(use.type.element, use.attributes.get_or("value", 0.0));
    return use.to.op(
        "pad", {use[0], value},
        {{"low", use.attributes.get<Integers>("low")}, {"high", use.attributes.get<Integers>("high")}});
}

ValueId flip(const CallUse& use) {
    Integers axes = use.attributes.get_or<Integers>("axes", {});
    if (use.attributes.find("axes") == nullptr) axes = reduced_axes(use.attributes, use.type.shape.rank());
    for (std::int64_t& axis : axes)
        axis = normal_axis(axis, use.type.shape.rank());
    return axes.empty() ? use[0] : ValueId(use.to.op("reverse", {use[0]}, {{"dims", axes}}));
}

// Negative indices count from the end.
ValueId from_the_end(FlatBuilder& to, ValueId indices, Dim extent) {
    if (ir::is_unsigned_integer(to.element(indices))) return indices;
    if (ir::element_bytes(to.element(indices)) < 4) indices = to.convert(indices, ElementType::kI32);
    const ValueId count = to.dimension(extent, to.element(indices));
    const ValueId wrapped = to.add(indices, to.broadcast(count, to.shape(indices)));
    return to.select(to.compare("LT", indices, to.full_like(indices, 0)), wrapped, indices);
}

// Slices of the table along one axis, one for each index.
ValueId take(const CallUse& use, ValueId table, ValueId indices, std::int64_t axis, bool from_end) {
    const Shape from = use.to.shape(table);
    const auto index_rank = static_cast<std::int64_t>(use.to.shape(indices).rank());
    Integers offsets;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(use.type.shape.rank()); ++i)
        if (i < axis || i >= axis + index_rank) offsets.push_back(i);
    Integers sizes = integers_of(from);
    sizes[static_cast<std::size_t>(axis)] = 1;
    // No element is taken from an axis without elements.
    const Dim extent(from[static_cast<std::size_t>(axis)]);
    if (extent == Dim(0)) return use.to.full(use.type, 0);
    if (from_end) indices = from_the_end(use.to, indices, extent);
    return use.to.op("gather", {table, indices},
                     {{"offset_dims", offsets},
                      {"collapsed_slice_dims", Integers{axis}},
                      {"start_index_map", Integers{axis}},
                      {"index_vector_dim", index_rank},
                      {"slice_sizes", sizes}});
}

ValueId gather(const CallUse& use) {
    const std::size_t rank = use.to.shape(use[0]).rank();
    return take(use, use[0], use[1], normal_axis(use.attributes.get<std::int64_t>("axis"), rank),
                use.attributes.get_or("from_end", false));
}

ValueId embedding(const CallUse& use) {
    return take(use, use[1], use[0], 0, true);
}

ValueId dynamic_slice(const CallUse& use) {
    return use.to.op("dynamic_slice", use.operands, {{"sizes", use.attributes.get<Integers>("sizes")}});
}

ValueId dynamic_update(const CallUse& use) {
    return use.to.op("dynamic_update_slice", use.operands);
}

ValueId one_hot(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ElementType index = to.element(use[0]);
    const Shape from = to.shape(use[0]);
    Integers dims(from.rank());
    std::iota(dims.begin(), dims.end(), 0);
    const Integers shape = integers_of(use.type.shape);
    const ValueId spread = to.op("broadcast_in_dim", {use[0]}, {{"shape", shape}, {"dims", dims}});
    const ValueId places = to.op(
        "iota", {}, {{"shape", shape}, {"dim", static_cast<std::int64_t>(from.rank())}, {"dtype", index}});
    const ValueId is_there = to.compare("EQ", spread, places);
    return to.convert(is_there, use.type.element);
}

ValueId iota(const CallUse& use) {
    return use.to.op("iota", {},
                     {{"shape", integers_of(use.type.shape)}, {"dim", 0}, {"dtype", use.type.element}});
}

// A number and its spreading, as StableHLO has it, instead of a constant of all elements.
ValueId full(const CallUse& use) {
    const ValueId number = use.to.scalar(use.type.element, use.attributes.get<double>("value"));
    return use.to.broadcast(number, use.type.shape);
}

ValueId dimension(const CallUse& use) {
    return use.to.dimension(use.attributes.get<std::int64_t>("of"), use.type.element);
}

ValueId sort(const CallUse& use) {
    const std::int64_t axis = normal_axis(use.attributes.get<std::int64_t>("axis"), use.type.shape.rank());
    return use.to.op("sort", {use[0]}, {{"axis", axis}});
}

}  // namespace

std::vector<CallDefinition> shape_calls() {
    // A call that is the primitive of this name has its types.
    const auto as = [](std::string_view primitive) { return find_primitive(primitive)->infer.function(); };
    const ir::AttributeRule dtype = element_type();
    const ir::AttributeRule value{"value", AttributeKind::kFloat};
    return {
        {"reshape", {1, 1}, {integers("shape")}, infer_call_reshape, reshape},
        {"transpose", {1, 1}, {optional(integers("perm"))}, infer_call_transpose, transpose},
        {"broadcast_to", {1, 1}, {integers("shape")}, infer_broadcast_to, broadcast_to},
        {"concat", {1}, {integer("axis")}, infer_concat, concat},
        {"slice",
         {1, 1},
         {integers("starts"), integers("limits"), optional(integers("strides"))},
         infer_call_slice,
         slice},
        {"pad",
         {1, 1},
         {integers("low"), integers("high"), {"value", AttributeKind::kFloat, false}},
         infer_call_pad,
         pad},
        {"flip", {1, 1}, {optional(integers("axes"))}, infer_flip, flip},
        {"sort", {1, 1}, {integer("axis")}, infer_call_sort, sort},
        // from_end: negative indices count from the end, as NumPy's; without it they are clamped to 0.
        {"gather",
         {2, 2},
         {integer("axis"), {"from_end", AttributeKind::kBool, false}},
         infer_call_gather,
         gather},
        {"embedding", {2, 2}, {}, infer_embedding, embedding},
        {"dynamic_slice", {1}, {integers("sizes")}, as("dynamic_slice"), dynamic_slice},
        {"dynamic_update", {2}, {}, as("dynamic_update_slice"), dynamic_update},
        {"one_hot",
         {1, 1},
         {integer("depth"), {"dtype", AttributeKind::kElementType, false}},
         infer_one_hot,
         one_hot},
        {"iota", {0, 0}, {integer("n"), dtype}, infer_call_iota, iota},
        {"full", {0, 0}, {integers("shape"), value, dtype}, as("full"), full},
        {"dimension", {0, 0}, {integer("of"), dtype}, as("dimension"), dimension},
    };
}

}  // namespace tilemeter::trace::internal
