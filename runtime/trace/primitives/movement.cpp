// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements moved to places that do not depend on values: all are linear.

#include <algorithm>
#include <numeric>

#include <xtensor/xmanipulation.hpp>

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/words.hpp"

namespace tilemeter::trace::internal {

namespace {

Integers prefixed(std::int64_t first, Integers numbers) {
    numbers.insert(numbers.begin(), first);
    return numbers;
}

// ---- reshape

void infer_reshape(const Site& site, Types& types) {
    TensorType type{site.type(0).element, Shape(site.integers("shape")), {}};
    for (const std::int64_t dim : type.shape)
        site.require_at_most(0, dim, ErrorKind::kBadArgument, [&] {
            return "found shape " + text_of(type.shape) + ", expected dimensions from 0";
        });
    site.require_equal(elements_of(site.shape(0)), elements_of(type.shape), ErrorKind::kShapeMismatch, [&] {
        return found_shapes(site.shape(0), type.shape) + ", expected as many elements in both";
    });
    types.push_back(type);
}

void reshape_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.reshape(use.cotangent(), use.to.shape(use[0]));
}

// The extents of one lane behind the number of lanes.
Integers all_lanes(const BatchUse& use, std::string_view attribute) {
    return prefixed(use.size, use.attributes.get<Integers>(attribute));
}

void batch_reshape(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"shape", all_lanes(use, "shape")}}));
}

// ---- transpose

void infer_transpose(const Site& site, Types& types) {
    const Integers& perm = site.integers("perm");
    site.require(perm.size() == site.shape(0).rank(), ErrorKind::kBadArgument, [&] {
        return "found perm " + text_of(perm) + ", expected one axis for each of " + text_of(site.shape(0));
    });
    require_axes(site, perm, site.shape(0).rank(), "perm");
    TensorType type{site.type(0).element, {}, {}};
    for (const std::int64_t axis : perm)
        type.shape.push_back(site.shape(0)[static_cast<std::size_t>(axis)]);
    types.push_back(type);
}

void transpose(const KernelUse& use, std::vector<Constant>& results) {
    results.push_back(transposed(use.operand(0), use.attributes.get<Integers>("perm")));
}

void transpose_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = with_axes_at(use.to, use.cotangent(), use.attributes.get<Integers>("perm"));
}

void batch_transpose(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"perm", shifted(0, use.attributes.get<Integers>("perm"))}}));
}

// ---- broadcast_in_dim

void infer_broadcast_in_dim(const Site& site, Types& types) {
    const Shape shape(site.integers("shape"));
    const Integers& dims = site.integers("dims");
    const Shape& from = site.shape(0);
    site.require(dims.size() == from.rank(), ErrorKind::kBadArgument, [&] {
        return "found dims " + text_of(dims) + ", expected one for each of " + text_of(from);
    });
    require_axes(site, dims, shape.rank(), "dims");
    for (std::size_t i = 0; i < from.rank(); ++i)
        if (from[i] != 1)
            site.require_equal(Dim(from[i]), shape[static_cast<std::size_t>(dims[i])],
                               ErrorKind::kShapeMismatch, [&] {
                                   return found_shapes(from, shape) + " with dims " + text_of(dims) +
                                          ", expected extents that are 1 or equal";
                               });
    types.push_back({site.type(0).element, shape, {}});
}

void broadcast_in_dim(const KernelUse& use, std::vector<Constant>& results) {
    const auto& dims = use.attributes.get<Integers>("dims");
    const Shape& shape = use.types[0].shape;
    if (use.shape(0) == shape && std::ranges::is_sorted(dims)) {
        results.emplace_back(use.types[0], use.operand(0).storage());
        return;
    }
    // Axes in the order of their places, then 1 for each dimension that is new.
    Integers order(dims.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::int64_t i) { return dims[static_cast<std::size_t>(i)]; });
    Extents spread(shape.rank(), 1);
    for (std::size_t i = 0; i < dims.size(); ++i)
        spread[static_cast<std::size_t>(dims[i])] = static_cast<std::size_t>(use.shape(0)[i]);
    const Constant sorted = std::ranges::is_sorted(dims) ? use.operand(0) : transposed(use.operand(0), order);
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        const auto view = xt::adapt(reinterpret_cast<const Word*>(sorted.bytes().data()),
                                    sorted.bytes().size() / sizeof(Word), xt::no_ownership(), spread);
        xt::noalias(to) = xt::broadcast(view, extents_of(shape));
    }));
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

void batch_broadcast(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"shape", all_lanes(use, "shape")},
                                               {"dims", shifted(0, use.attributes.get<Integers>("dims"))}}));
}

// ---- slice

void infer_slice(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    const Integers starts = per_dimension(site, "starts", from.rank(), 0, 0);
    const Integers limits = per_dimension(site, "limits", from.rank(), 0, 0);
    const Integers strides = per_dimension(site, "strides", from.rank(), 1, 1);
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i) {
        const auto found = [&] {
            return "found starts " + text_of(starts) + " and limits " + text_of(limits) +
                   ", expected start <= limit <= extent of " + text_of(from);
        };
        site.require_at_most(starts[i], limits[i], ErrorKind::kBadArgument, found);
        site.require_at_most(limits[i], from[i], ErrorKind::kBadArgument, found);
        type.shape.push_back(ceildiv(Dim(limits[i]) - starts[i], strides[i]).value());
    }
    types.push_back(type);
}

void slice(const KernelUse& use, std::vector<Constant>& results) {
    const std::size_t rank = use.shape(0).rank();
    results.push_back(sliced(use.operand(0), use.types[0], use.integers("starts", rank, 0),
                             use.attributes.get<Integers>("limits"), use.integers("strides", rank, 1)));
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

void batch_slice(const BatchUse& use, std::vector<ValueId>& results) {
    const std::size_t rank = use.lane_shape(0).rank();
    results.push_back(
        use.again(use.operands,
                  {{"starts", prefixed(0, use.attributes.get<Integers>("starts"))},
                   {"limits", prefixed(use.size, use.attributes.get<Integers>("limits"))},
                   {"strides", prefixed(1, use.attributes.get_or<Integers>("strides", Integers(rank, 1)))}}));
}

std::string slice_text(const LineUse& use) {
    const std::size_t rank = use.operand_types[0].shape.rank();
    const Integers starts = use.integers("starts");
    const Integers limits = use.integers("limits");
    const Integers strides = use.integers("strides", rank, 1);
    std::string bounds;
    for (std::size_t i = 0; i < rank; ++i)
        bounds += (i != 0 ? ", " : "") + std::to_string(starts[i]) + ":" + std::to_string(limits[i]) + ":" +
                  std::to_string(strides[i]);
    return use.line("slice", " [" + bounds + "]");
}

// ---- pad

void infer_pad(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    const Integers low = per_dimension(site, "low", from.rank(), 0, kNoBound);
    const Integers high = per_dimension(site, "high", from.rank(), 0, kNoBound);
    const Integers interior = per_dimension(site, "interior", from.rank(), 0, 0);
    site.require(site.type(1).element == site.type(0).element, ErrorKind::kElementTypeMismatch, [&] {
        return "found " + text_of(site.type(0)) + " and a padding value of type " + text_of(site.type(1)) +
               ", expected one element type";
    });
    site.require(site.shape(1).rank() == 0, ErrorKind::kShapeMismatch, [&] {
        return "found a padding value of type " + text_of(site.type(1)) + ", expected a scalar";
    });
    TensorType type{site.type(0).element, {}, {}};
    for (std::size_t i = 0; i < from.rank(); ++i) {
        Dim extent = Dim(low[i]) + high[i] + from[i];
        if (interior[i] != 0) extent += max(Dim(from[i]) - 1, 0) * interior[i];
        site.require_at_most(0, extent, ErrorKind::kBadArgument, [&] {
            return "found low " + text_of(low) + " and high " + text_of(high) +
                   ", expected to leave something of " + text_of(from);
        });
        type.shape.push_back(extent.value());
    }
    types.push_back(type);
}

void pad(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& from = use.shape(0);
    const Shape& shape = use.types[0].shape;
    const std::size_t rank = from.rank();
    const Integers low = use.integers("low", rank, 0);
    const Integers interior = use.integers("interior", rank, 0);
    // In each dimension the elements that have a place in the result, and that place.
    Integers first(rank);
    Integers last(rank);
    Integers steps(rank);
    Integers starts(rank);
    Integers limits(rank);
    bool is_empty = from.elements() == 0;
    for (std::size_t i = 0; i < rank; ++i) {
        steps[i] = interior[i] + 1;
        first[i] = low[i] >= 0 ? 0 : (-low[i] + steps[i] - 1) / steps[i];
        const std::int64_t room = shape[i] - 1 - low[i];
        last[i] = room < 0 ? 0 : std::min(from[i], room / steps[i] + 1);
        is_empty = is_empty || first[i] >= last[i];
        if (is_empty) continue;
        starts[i] = low[i] + first[i] * steps[i];
        limits[i] = low[i] + (last[i] - 1) * steps[i] + 1;
    }
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        to.fill(*reinterpret_cast<const Word*>(use.operand(1).bytes().data()));
        if (is_empty) return;
        const auto view = view_of<Word>(use.operand(0));
        if (rank == 0) {
            xt::noalias(to) = view;
            return;
        }
        auto place = xt::strided_view(to, ranges(starts, limits, steps));
        xt::noalias(place) = xt::strided_view(view, ranges(first, last, Integers(rank, 1)));
    }));
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

std::string pad_text(const LineUse& use) {
    return use.line("pad", ", low = " + use.list("low") + ", high = " + use.list("high") +
                               ", interior = " + use.list("interior", use.operand_types[0].shape.rank()));
}

// ---- concatenate

void infer_concatenate(const Site& site, Types& types) {
    TensorType type = site.type(0);
    const std::size_t axis = checked_axis(site, site.integer("axis"), type.shape.rank());
    for (std::size_t i = 1; i < site.size(); ++i) {
        const TensorType& next = site.type(i);
        const auto found = [&] {
            return "axis " + std::to_string(axis) + ": found " + text_of(site.type(0)) + " and " +
                   text_of(next);
        };
        site.require(next.element == type.element, ErrorKind::kElementTypeMismatch,
                     [&] { return found() + ", expected one element type"; });
        site.require(next.shape.rank() == type.shape.rank(), ErrorKind::kShapeMismatch,
                     [&] { return found() + ", expected one rank"; });
        for (std::size_t k = 0; k < type.shape.rank(); ++k)
            if (k != axis)
                site.require_equal(Dim(next.shape[k]), type.shape[k], ErrorKind::kShapeMismatch,
                                   [&] { return found() + ", expected equal extents of the other axes"; });
        type.shape[axis] = (Dim(type.shape[axis]) + next.shape[axis]).value();
    }
    types.push_back(type);
}

void concatenate(const KernelUse& use, std::vector<Constant>& results) {
    const auto axis = static_cast<std::size_t>(use.attributes.get<std::int64_t>("axis"));
    const Shape& shape = use.types[0].shape;
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        Integers starts(shape.rank(), 0);
        Integers limits(shape.begin(), shape.end());
        for (const Constant* const part : use.operands) {
            const std::int64_t extent = part->type().shape[axis];
            limits[axis] = starts[axis] + extent;
            if (extent != 0) {
                auto place = xt::strided_view(to, ranges(starts, limits, Integers(shape.rank(), 1)));
                xt::noalias(place) = view_of<Word>(*part);
            }
            starts[axis] = limits[axis];
        }
    }));
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

// ---- reverse

void infer_reverse(const Site& site, Types& types) {
    require_axes(site, site.integers("dims"), site.shape(0).rank(), "dims");
    types.push_back(site.type(0));
}

void reverse(const KernelUse& use, std::vector<Constant>& results) {
    const auto& dims = use.attributes.get<Integers>("dims");
    Constant value = use.operand(0);
    for (const std::int64_t dim : dims)
        value = moved(use.types[0], [&]<class Word>(auto& to, Word) {
            xt::noalias(to) = xt::flip(view_of<Word>(value), static_cast<std::size_t>(dim));
        });
    results.push_back(std::move(value));
}

void reverse_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.op("reverse", {use.cotangent()}, use.attributes);
}

void batch_reverse(const BatchUse& use, std::vector<ValueId>& results) {
    results.push_back(use.again(use.operands, {{"dims", shifted(use.attributes.get<Integers>("dims"))}}));
}

std::string reverse_text(const LineUse& use) {
    return "stablehlo.reverse " + use.operands[0] + ", dims = " + use.list("dims") + " : " +
           stablehlo_type(use.result_types[0]);
}

}  // namespace

std::span<const Primitive> movement_primitives() {
    static const Primitive kRows[] = {
        {.name = "reshape",
         .attributes = {integers("shape")},
         .infer = infer_reshape,
         .compute = same_bytes,
         .derivative = {linear_jvp, reshape_transpose, kAllOperands},
         .batch = batch_reshape,
         .text = [](const LineUse& use) { return use.line("reshape"); }},
        {.name = "transpose",
         .attributes = {integers("perm")},
         .infer = infer_transpose,
         .compute = transpose,
         .derivative = {linear_jvp, transpose_transpose, kAllOperands},
         .batch = batch_transpose,
         .text = [](const LineUse& use) { return use.line("transpose", ", dims = " + use.list("perm")); }},
        {.name = "broadcast_in_dim",
         .attributes = {integers("shape"), integers("dims")},
         .infer = infer_broadcast_in_dim,
         .compute = broadcast_in_dim,
         .derivative = {linear_jvp, broadcast_transpose, kAllOperands},
         .batch = batch_broadcast,
         .text =
             [](const LineUse& use) { return use.line("broadcast_in_dim", ", dims = " + use.list("dims")); }},
        {.name = "slice",
         .attributes = {integers("starts"), integers("limits"), optional(integers("strides"))},
         .infer = infer_slice,
         .compute = slice,
         .derivative = {linear_jvp, slice_transpose, kAllOperands},
         .batch = batch_slice,
         .text = slice_text},
        {.name = "pad",
         .operands = {2, 2},
         .attributes = {integers("low"), integers("high"), optional(integers("interior"))},
         .infer = infer_pad,
         .compute = pad,
         .derivative = {linear_jvp, pad_transpose, kAllOperands},
         .batch = batch_pad,
         .text = pad_text},
        {.name = "concatenate",
         .operands = {1},
         .attributes = {integer("axis")},
         .infer = infer_concatenate,
         .compute = concatenate,
         .derivative = {linear_jvp, concatenate_transpose, kAllOperands},
         .batch = batch_axis,
         .text =
             [](const LineUse& use) {
                 return use.line("concatenate", ", dim = " + std::to_string(use.integer("axis")));
             }},
        {.name = "reverse",
         .attributes = {integers("dims")},
         .infer = infer_reverse,
         .compute = reverse,
         .derivative = {linear_jvp, reverse_transpose, kAllOperands},
         .batch = batch_reverse,
         .text = reverse_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
