// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Windows read from places that index vectors say, or written there, with StableHLO's dimension numbers. gather moves a window
// inside, scatter drops one that is not inside: where one is the transpose of the other, this makes the difference.

#include "runtime/trace/primitives/internal/gather.hpp"

#include <algorithm>
#include <limits>

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

// The shape of the indices without the dimension that holds the index vector, and the length of that vector.
std::pair<Shape, std::int64_t> index_parts(const Site& site) {
    require_domain(site, 1, kIntegers);
    const Shape& indices = site.shape(1);
    const std::int64_t vector_dim = site.integer("index_vector_dim");
    site.require(vector_dim >= 0 && vector_dim <= site.rank(1), ErrorKind::kBadArgument, [&] {
        return "found index_vector_dim " + std::to_string(vector_dim) + ", expected 0 to the rank of " +
               text_of(site.type(1));
    });
    std::pair<Shape, std::int64_t> parts{{}, 1};
    for (std::size_t i = 0; i < indices.rank(); ++i)
        if (static_cast<std::int64_t>(i) == vector_dim)
            parts.second = indices[i];
        else
            parts.first.push_back(indices[i]);
    return parts;
}

// Index vectors by the index of the batch, which is that of the indices without the dimension of the vector.
class IndexVectors {
public:
    explicit IndexVectors(const KernelUse& use)
        : indices_(use.operand(1)),
          strides_(strides_of(use.shape(1))),
          vector_dim_(static_cast<std::size_t>(use.attributes.get<std::int64_t>("index_vector_dim"))) {}

    [[nodiscard]] std::int64_t at(const Integers& batch, std::size_t component) const {
        std::int64_t place = 0;
        std::size_t next = 0;
        for (std::size_t i = 0; i < strides_.size(); ++i)
            place += strides_[i] * (i == vector_dim_ ? static_cast<std::int64_t>(component) : batch[next++]);
        return indices_.integer_at(static_cast<std::size_t>(place));
    }

private:
    const Constant& indices_;
    Integers strides_;
    std::size_t vector_dim_;
};

// An index of the gathered result or of updates, in its two parts.
struct Parts {
    Integers batch;
    Integers window;  ///< one for each dimension of the large operand, 0 where the window has none

    void set(const std::vector<std::int64_t>& index, const Integers& window_dims, const Integers& absent,
             std::size_t rank) {
        batch.clear();
        window.assign(rank, 0);
        std::size_t next = 0;
        for (std::size_t i = 0; i < index.size(); ++i) {
            if (!contains(window_dims, i)) {
                batch.push_back(index[i]);
                continue;
            }
            while (contains(absent, next))
                ++next;
            window[next++] = index[i];
        }
    }
};

// ---- gather

void infer_gather(const Site& site, Types& types) {
    const std::pair<Shape, std::int64_t> parts = index_parts(site);
    const Shape& batch = parts.first;
    const std::int64_t length = parts.second;
    const Shape& from = site.shape(0);
    const Integers& offsets = site.integers("offset_dims");
    const Integers& collapsed = site.integers("collapsed_slice_dims");
    const Integers& start_map = site.integers("start_index_map");
    const Integers& sizes = site.integers("slice_sizes");
    require_axes(site, collapsed, from.rank(), "collapsed_slice_dims");
    require_axes(site, start_map, from.rank(), "start_index_map");
    site.require(static_cast<std::int64_t>(start_map.size()) == length, ErrorKind::kShapeMismatch, [&] {
        return "found start_index_map " + text_of(start_map) + " and indices of type " +
               text_of(site.type(1)) + ", expected vectors of as many indices";
    });
    site.require(sizes.size() == from.rank(), ErrorKind::kBadArgument, [&] {
        return "found slice_sizes " + text_of(sizes) + ", expected one for each of " + text_of(from);
    });
    Integers kept;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        site.require(site.at_most(0, sizes[i]) && site.at_most(sizes[i], from[i]) &&
                         (sizes[i] == 1 || !contains(collapsed, i)),
                     ErrorKind::kBadArgument, [&] {
                         return "found slice_sizes " + text_of(sizes) + ", expected at most " +
                                text_of(from) + " and 1 where collapsed";
                     });
        if (!contains(collapsed, i)) kept.push_back(sizes[i]);
    }
    const std::size_t rank = batch.rank() + kept.size();
    require_axes(site, offsets, rank, "offset_dims");
    site.require(offsets.size() == kept.size() && std::ranges::is_sorted(offsets), ErrorKind::kBadArgument,
                 [&] {
                     return "found offset_dims " + text_of(offsets) + ", expected " +
                            std::to_string(kept.size()) + " in order";
                 });
    TensorType type{site.type(0).element, {}, {}};
    std::size_t next_batch = 0;
    std::size_t next_kept = 0;
    for (std::size_t i = 0; i < rank; ++i)
        type.shape.push_back(contains(offsets, i) ? kept[next_kept++] : batch[next_batch++]);
    types.push_back(type);
}

void gather(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& from = use.shape(0);
    const auto& offsets = use.attributes.get<Integers>("offset_dims");
    const auto& collapsed = use.attributes.get<Integers>("collapsed_slice_dims");
    const auto& start_map = use.attributes.get<Integers>("start_index_map");
    const auto& sizes = use.attributes.get<Integers>("slice_sizes");
    const Integers strides = strides_of(from);
    const IndexVectors vectors(use);
    const std::size_t width = ir::element_bytes(use.types[0].element);
    const auto storage = std::make_shared<std::byte[]>(ir::byte_size(use.types[0]));
    std::byte* to = storage.get();
    Parts parts;
    for_each_index(use.types[0].shape, [&](const auto& index) {
        parts.set(index, offsets, collapsed, from.rank());
        for (std::size_t k = 0; k < start_map.size(); ++k) {
            const auto dim = static_cast<std::size_t>(start_map[k]);
            parts.window[dim] +=
                std::clamp<std::int64_t>(vectors.at(parts.batch, k), 0, from[dim] - sizes[dim]);
        }
        std::int64_t place = 0;
        for (std::size_t i = 0; i < from.rank(); ++i)
            place += parts.window[i] * strides[i];
        std::copy_n(use.operand(0).bytes().data() + static_cast<std::size_t>(place) * width, width, to);
        to += width;
    });
    results.emplace_back(use.types[0], storage);
}

void gather_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const GatherNumbers numbers = GatherNumbers::of_gather(use.attributes);
    const Shape from = to.shape(use[0]);
    const ValueId indices = inside(to, use[1], numbers, from, use.attributes.get<Integers>("slice_sizes"));
    cotangents[0] =
        to.op("scatter_add", {to.full_like(use[0], 0), indices, use.cotangent()}, numbers.for_scatter());
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
    const GatherNumbers numbers = GatherNumbers::of_gather(use.attributes);
    Integers sizes = use.attributes.get<Integers>("slice_sizes");
    const bool operand = use.is_mapped[0];
    const bool indices = use.is_mapped[1];
    if (operand) sizes.insert(sizes.begin(), indices ? 1 : use.size);
    const ValueId at = operand && indices ? lane_indices(use.to, use[1], numbers.vector_dim) : use[1];
    results.push_back(use.to.op("gather", {use[0], at}, numbers.batched(operand, indices).for_gather(sizes)));
}

std::string gather_text(const LineUse& use) {
    const std::string dims = "offset_dims = " + use.list("offset_dims") +
                             ", collapsed_slice_dims = " + use.list("collapsed_slice_dims") +
                             ", start_index_map = " + use.list("start_index_map") +
                             ", index_vector_dim = " + std::to_string(use.integer("index_vector_dim"));
    return "\"stablehlo.gather\"(" + use.names() + ") <{dimension_numbers = #stablehlo.gather<" + dims +
           ">, indices_are_sorted = false, slice_sizes = " + stablehlo_array(use.integers("slice_sizes")) +
           "}> : " + use.signature();
}

// ---- scatter, scatter_add

std::vector<ir::AttributeRule> scatter_attributes() {
    return {integers("update_window_dims"), integers("inserted_window_dims"),
            integers("scatter_dims_to_operand_dims"), integer("index_vector_dim")};
}

void infer_scatter(const Site& site, Types& types) {
    const std::pair<Shape, std::int64_t> parts = index_parts(site);
    const Shape& batch = parts.first;
    const std::int64_t length = parts.second;
    const Shape& to = site.shape(0);
    const Shape& updates = site.shape(2);
    const Integers& window = site.integers("update_window_dims");
    const Integers& inserted = site.integers("inserted_window_dims");
    const Integers& to_operand = site.integers("scatter_dims_to_operand_dims");
    site.require(site.type(0).element == site.type(2).element, ErrorKind::kElementTypeMismatch, [&] {
        return "found " + text_of(site.type(0)) + " and updates of type " + text_of(site.type(2)) +
               ", expected one element type";
    });
    require_axes(site, inserted, to.rank(), "inserted_window_dims");
    require_axes(site, to_operand, to.rank(), "scatter_dims_to_operand_dims");
    site.require(static_cast<std::int64_t>(to_operand.size()) == length, ErrorKind::kShapeMismatch, [&] {
        return "found scatter_dims_to_operand_dims " + text_of(to_operand) + " and indices of type " +
               text_of(site.type(1)) + ", expected vectors of as many indices";
    });
    require_axes(site, window, updates.rank(), "update_window_dims");
    site.require(window.size() + inserted.size() == to.rank() && std::ranges::is_sorted(window) &&
                     window.size() + batch.rank() == updates.rank(),
                 ErrorKind::kShapeMismatch, [&] {
                     return "found updates of type " + text_of(site.type(2)) + ", expected " +
                            std::to_string(batch.rank()) + " dimensions of indices and " +
                            std::to_string(to.rank() - inserted.size()) + " of a window";
                 });
    std::vector<std::int64_t> extents;  // of the operand's dimensions that are not inserted
    for (std::size_t i = 0; i < to.rank(); ++i)
        if (!contains(inserted, i)) extents.push_back(to[i]);
    std::size_t next_batch = 0;
    std::size_t next_window = 0;
    for (std::size_t i = 0; i < updates.rank(); ++i) {
        const bool fits = contains(window, i) ? site.at_most(updates[i], extents[next_window++])
                                              : site.equal(Dim(updates[i]), Dim(batch[next_batch++]));
        site.require(fits, ErrorKind::kShapeMismatch, [&] {
            return "found " + text_of(site.type(0)) + ", indices of type " + text_of(site.type(1)) +
                   " and updates of type " + text_of(site.type(2)) + ", expected updates that fit both";
        });
    }
    types.push_back(site.type(0));
}

template <bool kAdd>
void scatter(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& shape = use.shape(0);
    const Shape& updates = use.shape(2);
    const auto& window_dims = use.attributes.get<Integers>("update_window_dims");
    const auto& inserted = use.attributes.get<Integers>("inserted_window_dims");
    const auto& to_operand = use.attributes.get<Integers>("scatter_dims_to_operand_dims");
    const Integers strides = strides_of(shape);
    const IndexVectors vectors(use);
    // The extent of the window in each dimension of the operand: it has to fit as a whole.
    Integers extents(shape.rank(), 1);
    std::size_t next_dim = 0;
    for (const std::int64_t dim : window_dims) {
        while (contains(inserted, next_dim))
            ++next_dim;
        extents[next_dim++] = updates[static_cast<std::size_t>(dim)];
    }
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        const Numbers<T> u(use.operand(2));
        Result<T> y(use.types[0]);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = x[i];
        // For floats the part beyond the rounded sum is kept until the end: there are often more elements than updates.
        std::vector<T> lost(kAdd && std::is_floating_point_v<T> ? y.size() : 0);
        Parts parts;
        std::size_t next = 0;
        for_each_index(updates, [&](const auto& index) {
            const T update = u[next++];
            parts.set(index, window_dims, inserted, shape.rank());
            for (std::size_t k = 0; k < to_operand.size(); ++k) {
                const auto dim = static_cast<std::size_t>(to_operand[k]);
                const std::int64_t start = vectors.at(parts.batch, k);
                if (start < 0 || start > shape[dim] - extents[dim]) return;
                parts.window[dim] += start;
            }
            std::int64_t place = 0;
            for (std::size_t i = 0; i < shape.rank(); ++i)
                place += parts.window[i] * strides[i];
            T& to = y[static_cast<std::size_t>(place)];
            if constexpr (!kAdd) {
                to = update;
            } else if constexpr (std::is_floating_point_v<T>) {
                const T sum = to + update;
                lost[static_cast<std::size_t>(place)] += rounded_off(to, update, sum);
                to = sum;
            } else {
                to = static_cast<T>(static_cast<std::uint64_t>(to) + static_cast<std::uint64_t>(update));
            }
        });
        for (std::size_t i = 0; i < lost.size(); ++i)
            if (lost[i] != 0) y[i] += lost[i];
        results.push_back(y.finish());
    });
}

struct GatheredBack {
    ValueId value;      // of the updates' shape
    ValueId is_inside;  // bool of the updates' shape: windows that scatter did not drop
};

GatheredBack gathered_back(FlatBuilder& to, ValueId from, ValueId indices, const GatherNumbers& numbers,
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
    const auto back = gathered_back(to, use.cotangent(), use[1], GatherNumbers::of_scatter(use.attributes),
                                    to.shape(use[2]));
    cotangents[2] = to.select(back.is_inside, back.value, to.full_like(back.value, 0));
}

// Among updates of one place only the one that stayed has a cotangent: found by scattering their numbers.
void scatter_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    FlatBuilder& to = use.to;
    const GatherNumbers numbers = GatherNumbers::of_scatter(use.attributes);
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

void batch_scatter(const BatchUse& use, std::vector<ValueId>& results) {
    const GatherNumbers numbers = GatherNumbers::of_scatter(use.attributes);
    const bool indices = use.is_mapped[1];
    const ValueId at = indices ? lane_indices(use.to, use[1], numbers.vector_dim) : use[1];
    results.push_back(use.to.op(use.primitive.name, {use.mapped(0), at, use.mapped(2)},
                                numbers.batched(true, indices).for_scatter()));
}

std::string scatter_text(const LineUse& use) {
    const ElementType element = use.result_types[0].element;
    const std::string type = stablehlo_type(scalar_type(element));
    const std::string dims = "update_window_dims = " + use.list("update_window_dims") +
                             ", inserted_window_dims = " + use.list("inserted_window_dims") +
                             ", scatter_dims_to_operand_dims = " + use.list("scatter_dims_to_operand_dims") +
                             ", index_vector_dim = " + std::to_string(use.integer("index_vector_dim"));
    const std::string region =
        use.equation.operation() == "scatter_add"
            ? binary_region("add", element)
            : "({ ^bb0(%lhs: " + type + ", %rhs: " + type + "): stablehlo.return %rhs : " + type + " }";
    return "\"stablehlo.scatter\"(" + use.names() +
           ") <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<" + dims +
           ">, unique_indices = false}> " + region + ") : " + use.signature();
}

}  // namespace

ValueId inside(FlatBuilder& to, ValueId indices, const GatherNumbers& numbers, const Shape& operand,
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

std::span<const Primitive> gather_primitives() {
    static const Primitive kRows[] = {
        {.name = "gather",
         .operands = {2, 2},
         .attributes = {integers("offset_dims"), integers("collapsed_slice_dims"),
                        integers("start_index_map"), integer("index_vector_dim"), integers("slice_sizes")},
         .infer = infer_gather,
         .compute = gather,
         .derivative = {linear_jvp, gather_transpose, 0b1},
         .batch = batch_gather,
         .text = gather_text},
        {.name = "scatter",
         .operands = {3, 3},
         .attributes = scatter_attributes(),
         .infer = infer_scatter,
         .compute = scatter<false>,
         .derivative = {linear_jvp, scatter_transpose, 0b101},
         .batch = batch_scatter,
         .text = scatter_text},
        {.name = "scatter_add",
         .operands = {3, 3},
         .attributes = scatter_attributes(),
         .infer = infer_scatter,
         .compute = scatter<true>,
         .derivative = {linear_jvp, scatter_add_transpose, 0b101},
         .batch = batch_scatter,
         .text = scatter_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
