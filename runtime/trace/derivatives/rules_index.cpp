// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives that move elements to places that indices say. gather and dynamic slices move a window inside,
// scatter drops one that is not inside: where one is the transpose of the other, this makes the difference.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "runtime/trace/derivatives/internal/rules.hpp"
#include "runtime/trace/primitives/internal/axes.hpp"

namespace tilemeter::trace::internal {

namespace {

// ---- dynamic_slice, dynamic_update_slice: start indices are scalars, from operand `first`

std::vector<ValueId> operands_with(std::span<const ValueId> first, std::span<const ValueId> starts) {
    std::vector<ValueId> all(first.begin(), first.end());
    all.insert(all.end(), starts.begin(), starts.end());
    return all;
}

void dynamic_slice_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const ValueId both[] = {use.to.full_like(use[0], 0), use.cotangent()};
    cotangents[0] = use.to.op("dynamic_update_slice", operands_with(both, use.operands.subspan(1)));
}

void dynamic_update_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const auto starts = use.operands.subspan(2);
    if (use.is_linear[0]) {
        const ValueId both[] = {use.cotangent(), use.to.full_like(use[1], 0)};
        cotangents[0] = use.to.op("dynamic_update_slice", operands_with(both, starts));
    }
    if (use.is_linear[1]) {
        const ValueId one[] = {use.cotangent()};
        cotangents[1] = use.to.op("dynamic_slice", operands_with(one, starts),
                                  {{"sizes", integers_of(use.to.shape(use[1]))}});
    }
}

bool has_mapped_index(const BatchUse& use, std::size_t first) {
    for (std::size_t i = first; i < use.operands.size(); ++i)
        if (use.is_mapped[i]) return true;
    return false;
}

// Start indices with one of the mapped axis in front.
std::vector<ValueId> starts_from_zero(const BatchUse& use, std::size_t first) {
    const bool has_starts = use.operands.size() > first;
    const ElementType element = has_starts ? use.to.element(use[first]) : ElementType::kI32;
    std::vector<ValueId> starts{use.to.scalar(element, 0)};
    starts.insert(starts.end(), use.operands.begin() + static_cast<std::ptrdiff_t>(first),
                  use.operands.end());
    return starts;
}

// Index vectors [lanes, rank] of the start indices, with the number of the lane first if asked for.
ValueId start_vectors(const BatchUse& use, std::size_t first, bool with_lane) {
    FlatBuilder& to = use.to;
    std::vector<ValueId> columns;
    if (with_lane)
        columns.push_back(to.op(
            "iota", {},
            {{"shape", Integers{use.size, 1}}, {"dim", std::int64_t{0}}, {"dtype", ElementType::kI64}}));
    for (std::size_t i = first; i < use.operands.size(); ++i)
        columns.push_back(to.convert(to.reshape(use.mapped(i), {use.size, 1}), ElementType::kI64));
    return to.op("concatenate", columns, {{"axis", std::int64_t{1}}});
}

void batch_dynamic_slice(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    Integers sizes = use.attributes.get<Integers>("sizes");
    const std::size_t rank = sizes.size();
    if (!has_mapped_index(use, 1)) {
        const ValueId one[] = {use[0]};
        sizes.insert(sizes.begin(), use.size);
        results.push_back(
            to.op("dynamic_slice", operands_with(one, starts_from_zero(use, 1)), {{"sizes", sizes}}));
        return;
    }
    const bool is_mapped = use.is_mapped[0];
    if (is_mapped) sizes.insert(sizes.begin(), 1);
    results.push_back(to.op("gather", {use[0], start_vectors(use, 1, is_mapped)},
                            {{"offset_dims", counted(rank, 1)},
                             {"collapsed_slice_dims", is_mapped ? Integers{0} : Integers{}},
                             {"start_index_map", counted(sizes.size())},
                             {"index_vector_dim", std::int64_t{1}},
                             {"slice_sizes", sizes}}));
}

// ---- gather and scatter, with StableHLO's dimension numbers

// How scatter, and gather in its words, sees its operands.
struct Numbers {
    Integers window;    // dimensions of the updates that are a window
    Integers inserted;  // dimensions of the operand that windows do not have
    Integers to_operand;
    std::int64_t vector_dim;

    static Numbers of_gather(const Attributes& attributes) {
        return {attributes.get<Integers>("offset_dims"), attributes.get<Integers>("collapsed_slice_dims"),
                attributes.get<Integers>("start_index_map"),
                attributes.get<std::int64_t>("index_vector_dim")};
    }
    static Numbers of_scatter(const Attributes& attributes) {
        return {attributes.get<Integers>("update_window_dims"),
                attributes.get<Integers>("inserted_window_dims"),
                attributes.get<Integers>("scatter_dims_to_operand_dims"),
                attributes.get<std::int64_t>("index_vector_dim")};
    }
    [[nodiscard]] Attributes for_gather(const Integers& sizes) const {
        return {{"offset_dims", window},
                {"collapsed_slice_dims", inserted},
                {"start_index_map", to_operand},
                {"index_vector_dim", vector_dim},
                {"slice_sizes", sizes}};
    }
    [[nodiscard]] Attributes for_scatter() const {
        return {{"update_window_dims", window},
                {"inserted_window_dims", inserted},
                {"scatter_dims_to_operand_dims", to_operand},
                {"index_vector_dim", vector_dim}};
    }
    // The extents of a window in each dimension of the operand.
    [[nodiscard]] Integers sizes(const Shape& operand, const Shape& updates) const {
        Integers all;
        std::size_t next = 0;
        for (std::size_t i = 0; i < operand.rank(); ++i)
            all.push_back(contains(inserted, static_cast<std::int64_t>(i))
                              ? 1
                              : updates[static_cast<std::size_t>(window[next++])]);
        return all;
    }
    // With a mapped axis that operand, updates and, if they are, indices have in front.
    [[nodiscard]] Numbers batched(bool operand, bool indices) const {
        Numbers numbers = *this;
        numbers.vector_dim += indices ? 1 : 0;
        if (operand) {
            numbers.inserted = indices ? shifted(0, inserted) : shifted(inserted);
            numbers.to_operand = indices ? shifted(0, to_operand) : shifted(to_operand);
        }
        numbers.window = operand && !indices ? shifted(0, window) : shifted(window);
        return numbers;
    }
};

// Indices moved to where windows of these sizes fit.
ValueId inside(FlatBuilder& to, ValueId indices, const Numbers& numbers, const Shape& operand,
               const Integers& sizes) {
    const Shape shape = to.shape(indices);
    const ElementType element = to.element(indices);
    Integers most;
    for (const std::int64_t axis : numbers.to_operand)
        most.push_back(
            (Dim(operand[static_cast<std::size_t>(axis)]) - sizes[static_cast<std::size_t>(axis)]).value());
    if (most.empty()) return indices;
    const bool is_one = std::ranges::all_of(most, [&](std::int64_t each) { return each == most[0]; });
    ValueId limit{};
    if (is_one) {
        limit = to.dimension(most[0], element);
    } else {
        for (const std::int64_t each : most)
            static_cast<void>(Dim(each).number());  // a constant holds numbers alone
        const ValueId limits = to.graph().add_const(ir::Constant::of(
            element, {static_cast<std::int64_t>(most.size())}, std::span<const std::int64_t>(most)));
        limit = to.op("broadcast_in_dim", {limits},
                      {{"shape", integers_of(shape)}, {"dims", Integers{numbers.vector_dim}}});
    }
    return to.op("clamp", {to.scalar(element, 0), indices, limit});
}

void gather_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const Numbers numbers = Numbers::of_gather(use.attributes);
    const Shape from = to.shape(use[0]);
    const ValueId indices = inside(to, use[1], numbers, from, use.attributes.get<Integers>("slice_sizes"));
    cotangents[0] =
        to.op("scatter_add", {to.full_like(use[0], 0), indices, use.cotangent()}, numbers.for_scatter());
}

struct GatheredBack {
    ValueId value;      // of the updates' shape
    ValueId is_inside;  // bool of the updates' shape: windows that scatter did not drop
};

GatheredBack gathered_back(FlatBuilder& to, ValueId from, ValueId indices, const Numbers& numbers,
                           const Shape& updates) {
    const Shape shape = to.shape(from);
    const Integers sizes = numbers.sizes(shape, updates);
    const ValueId moved = inside(to, indices, numbers, shape, sizes);
    ValueId same = to.compare("EQ", moved, indices);
    if (numbers.vector_dim < static_cast<std::int64_t>(to.shape(indices).rank()))
        same = to.op("reduce_and", {same}, {{"axes", Integers{numbers.vector_dim}}});
    const ValueId is_inside =
        to.op("broadcast_in_dim", {same},
              {{"shape", integers_of(updates)}, {"dims", other_axes(updates.rank(), numbers.window)}});
    return {to.op("gather", {from, moved}, numbers.for_gather(sizes)), is_inside};
}

void scatter_add_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    cotangents[0] = use.cotangent();
    if (!use.is_linear[2]) return;
    const auto back =
        gathered_back(to, use.cotangent(), use[1], Numbers::of_scatter(use.attributes), to.shape(use[2]));
    cotangents[2] = to.select(back.is_inside, back.value, to.full_like(back.value, 0));
}

// Of updates of one place only the one that stayed has a cotangent: found by scattering their numbers.
void scatter_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const Numbers numbers = Numbers::of_scatter(use.attributes);
    if (use.is_linear[0])
        cotangents[0] = to.op("scatter", {use.cotangent(), use[1], to.full_like(use[2], 0)}, use.attributes);
    if (!use.is_linear[2]) return;
    const Shape updates = to.shape(use[2]);
    const std::int64_t count = elements_of(updates).value();
    // Devices have no integers of 64 bits.
    const ElementType number =
        count <= std::numeric_limits<std::int32_t>::max() ? ElementType::kI32 : ElementType::kI64;
    const ValueId own = to.reshape(
        to.op("iota", {}, {{"shape", Integers{count}}, {"dim", std::int64_t{0}}, {"dtype", number}}),
        updates);
    const ValueId nobody = to.full({number, to.shape(use[0]), {}}, -1);
    const ValueId winners = to.op("scatter", {nobody, use[1], own}, use.attributes);
    const auto winner = gathered_back(to, winners, use[1], numbers, updates);
    const auto back = gathered_back(to, use.cotangent(), use[1], numbers, updates);
    const ValueId stayed = to.compare("EQ", winner.value, own);
    cotangents[2] = to.select(stayed, back.value, to.full_like(back.value, 0));
}

// Mapped index vectors, with the number of the lane as first component; the vectors stay where they are.
ValueId lane_indices(FlatBuilder& to, ValueId indices, std::int64_t vector_dim) {
    Shape shape = to.shape(indices);
    const auto axis = static_cast<std::size_t>(vector_dim) + 1;
    if (axis == shape.rank()) shape.push_back(1);
    const ValueId vectors = to.reshape(indices, shape);
    shape[axis] = 1;
    const ValueId lanes =
        to.op("iota", {},
              {{"shape", integers_of(shape)}, {"dim", std::int64_t{0}}, {"dtype", to.element(indices)}});
    return to.op("concatenate", {lanes, vectors}, {{"axis", static_cast<std::int64_t>(axis)}});
}

void batch_gather(const BatchUse& use, std::vector<ValueId>& results) {
    const Numbers numbers = Numbers::of_gather(use.attributes);
    Integers sizes = use.attributes.get<Integers>("slice_sizes");
    const bool operand = use.is_mapped[0];
    const bool indices = use.is_mapped[1];
    if (operand) sizes.insert(sizes.begin(), indices ? 1 : use.size);
    const ValueId at = operand && indices ? lane_indices(use.to, use[1], numbers.vector_dim) : use[1];
    results.push_back(use.to.op("gather", {use[0], at}, numbers.batched(operand, indices).for_gather(sizes)));
}

void batch_scatter(const BatchUse& use, std::vector<ValueId>& results) {
    const Numbers numbers = Numbers::of_scatter(use.attributes);
    const bool indices = use.is_mapped[1];
    const ValueId at = indices ? lane_indices(use.to, use[1], numbers.vector_dim) : use[1];
    results.push_back(use.to.op(use.rules.primitive, {use.mapped(0), at, use.mapped(2)},
                                numbers.batched(true, indices).for_scatter()));
}

void batch_dynamic_update(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    const ValueId both[] = {use.mapped(0), use.mapped(1)};
    if (!has_mapped_index(use, 2)) {
        results.push_back(to.op("dynamic_update_slice", operands_with(both, starts_from_zero(use, 2))));
        return;
    }
    const std::size_t rank = use.lane_shape(0).rank();
    const Numbers numbers{counted(rank, 1), {0}, counted(rank + 1), 1};
    const Shape shape = to.shape(both[0]);
    Integers sizes = integers_of(to.shape(both[1]));
    sizes[0] = 1;
    const ValueId at = inside(to, start_vectors(use, 2, true), numbers, shape, sizes);
    results.push_back(to.op("scatter", {both[0], at, both[1]}, numbers.for_scatter()));
}

constexpr DerivativeRules kIndexRules[] = {
    {"dynamic_slice", linear_jvp, dynamic_slice_transpose, batch_dynamic_slice, 0b1},
    {"dynamic_update_slice", linear_jvp, dynamic_update_transpose, batch_dynamic_update, 0b11},
    {"gather", linear_jvp, gather_transpose, batch_gather, 0b1},
    {"scatter", linear_jvp, scatter_transpose, batch_scatter, 0b101},
    {"scatter_add", linear_jvp, scatter_add_transpose, batch_scatter, 0b101},
};

}  // namespace

std::span<const DerivativeRules> index_rules() {
    return kIndexRules;
}

ValueId taken_along(FlatBuilder& to, ValueId value, ValueId indices, std::int64_t axis) {
    const Shape shape = to.shape(indices);
    const std::size_t rank = shape.rank();
    // A window of one element does not fit into nothing.
    if (std::ranges::find(shape, 0) != shape.end()) return to.full({to.element(value), shape, {}}, 0);
    Integers column = integers_of(shape);
    column.push_back(1);
    std::vector<ValueId> columns;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i)
        columns.push_back(
            i == axis ? to.reshape(indices, Shape(column))
                      : ValueId(to.op("iota", {},
                                      {{"shape", column}, {"dim", i}, {"dtype", to.element(indices)}})));
    const auto last = static_cast<std::int64_t>(rank);
    return to.op("gather", {value, to.op("concatenate", columns, {{"axis", last}})},
                 {{"offset_dims", Integers{}},
                  {"collapsed_slice_dims", counted(rank)},
                  {"start_index_map", counted(rank)},
                  {"index_vector_dim", last},
                  {"slice_sizes", Integers(rank, 1)}});
}

}  // namespace tilemeter::trace::internal
