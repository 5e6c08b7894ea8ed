// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A window of a tensor, read or written, whose start is known when the graph runs: scalars, an operand for each dimension. The
// window is moved inside.

#include <algorithm>

#include "runtime/trace/primitives/internal/gather.hpp"
#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/words.hpp"

namespace tilemeter::trace::internal {

namespace {

void require_scalar_indices(const Site& site, std::size_t from, std::size_t count) {
    site.require(site.size() == from + count, ErrorKind::kBadArgument, [&] {
        return "found " + std::to_string(site.size() - from) + " start indices, expected " +
               std::to_string(count) + ", one for each dimension of " + text_of(site.type(0));
    });
    for (std::size_t i = from; i < site.size(); ++i) {
        require_domain(site, i, kIntegers);
        site.require(site.shape(i).rank() == 0, ErrorKind::kShapeMismatch, [&] {
            return "start index " + std::to_string(i - from) + ": found " + text_of(site.type(i)) +
                   ", expected a scalar";
        });
    }
}

// Starts are moved so that the window lies inside.
Integers clamped_starts(const KernelUse& use, std::size_t from, const Shape& whole, const Shape& window) {
    Integers starts(whole.rank());
    for (std::size_t i = 0; i < whole.rank(); ++i)
        starts[i] = std::clamp<std::int64_t>(use.operand(from + i).integer_at(0), 0, whole[i] - window[i]);
    return starts;
}

Integers limits_of(const Integers& starts, const Shape& window) {
    Integers limits = starts;
    for (std::size_t i = 0; i < limits.size(); ++i)
        limits[i] += window[i];
    return limits;
}

std::vector<ValueId> operands_with(std::span<const ValueId> first, std::span<const ValueId> starts) {
    std::vector<ValueId> all(first.begin(), first.end());
    all.insert(all.end(), starts.begin(), starts.end());
    return all;
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

// ---- dynamic_slice

void infer_dynamic_slice(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    require_scalar_indices(site, 1, from.rank());
    const Integers& sizes = site.integers("sizes");
    site.require(sizes.size() == from.rank(), ErrorKind::kBadArgument, [&] {
        return "found sizes " + text_of(sizes) + ", expected one for each of " + text_of(from);
    });
    for (std::size_t i = 0; i < from.rank(); ++i)
        for (const auto& [a, b] : {std::pair<Dim, Dim>(0, sizes[i]), std::pair<Dim, Dim>(sizes[i], from[i])})
            site.require_at_most(a, b, ErrorKind::kShapeMismatch, [&] {
                return "found sizes " + text_of(sizes) + ", expected at most " + text_of(from);
            });
    types.push_back({site.type(0).element, Shape(sizes), {}});
}

void dynamic_slice(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& window = use.types[0].shape;
    const Integers starts = clamped_starts(use, 1, use.shape(0), window);
    results.push_back(
        sliced(use.operand(0), use.types[0], starts, limits_of(starts, window), Integers(starts.size(), 1)));
}

void dynamic_slice_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    const ValueId both[] = {use.to.full_like(use[0], 0), use.cotangent()};
    cotangents[0] = use.to.op("dynamic_update_slice", operands_with(both, use.operands.subspan(1)));
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

// ---- dynamic_update_slice

void infer_dynamic_update_slice(const Site& site, Types& types) {
    const Shape& from = site.shape(0);
    const Shape& update = site.shape(1);
    const auto found = [&] {
        return "found " + text_of(site.type(0)) + " and an update of type " + text_of(site.type(1));
    };
    site.require(site.type(0).element == site.type(1).element, ErrorKind::kElementTypeMismatch,
                 [&] { return found() + ", expected one element type"; });
    site.require(update.rank() == from.rank(), ErrorKind::kShapeMismatch,
                 [&] { return found() + ", expected one rank"; });
    for (std::size_t i = 0; i < from.rank(); ++i)
        site.require_at_most(update[i], from[i], ErrorKind::kShapeMismatch,
                             [&] { return found() + ", expected the update to fit"; });
    require_scalar_indices(site, 2, from.rank());
    types.push_back(site.type(0));
}

void dynamic_update_slice(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& window = use.shape(1);
    const Integers starts = clamped_starts(use, 2, use.shape(0), window);
    if (window.rank() == 0) {
        results.push_back(use.operand(1));
        return;
    }
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        std::copy_n(reinterpret_cast<const Word*>(use.operand(0).bytes().data()), to.size(), to.data());
        if (window.elements() == 0) return;
        auto place =
            xt::strided_view(to, ranges(starts, limits_of(starts, window), Integers(starts.size(), 1)));
        xt::noalias(place) = view_of<Word>(use.operand(1));
    }));
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

void batch_dynamic_update(const BatchUse& use, std::vector<ValueId>& results) {
    FlatBuilder& to = use.to;
    const ValueId both[] = {use.mapped(0), use.mapped(1)};
    if (!has_mapped_index(use, 2)) {
        results.push_back(to.op("dynamic_update_slice", operands_with(both, starts_from_zero(use, 2))));
        return;
    }
    const std::size_t rank = use.lane_shape(0).rank();
    const GatherNumbers numbers{counted(rank, 1), {0}, counted(rank + 1), 1};
    const Shape shape = to.shape(both[0]);
    Integers sizes = integers_of(to.shape(both[1]));
    sizes[0] = 1;
    const ValueId at = inside(to, start_vectors(use, 2, true), numbers, shape, sizes);
    results.push_back(to.op("scatter", {both[0], at, both[1]}, numbers.for_scatter()));
}

}  // namespace

std::span<const Primitive> dynamic_slice_primitives() {
    static const Primitive kRows[] = {
        {.name = "dynamic_slice",
         .operands = {1},
         .attributes = {integers("sizes")},
         .infer = infer_dynamic_slice,
         .compute = dynamic_slice,
         .derivative = {linear_jvp, dynamic_slice_transpose, 0b1},
         .batch = batch_dynamic_slice,
         .text =
             [](const LineUse& use) { return use.line("dynamic_slice", ", sizes = " + use.list("sizes")); }},
        {.name = "dynamic_update_slice",
         .operands = {2},
         .infer = infer_dynamic_update_slice,
         .compute = dynamic_update_slice,
         .derivative = {linear_jvp, dynamic_update_transpose, 0b11},
         .batch = batch_dynamic_update,
         .text = [](const LineUse& use) { return use.line("dynamic_update_slice"); }},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
