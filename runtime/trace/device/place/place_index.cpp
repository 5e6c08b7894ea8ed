// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives whose operands say where elements are.

#include <algorithm>

#include "runtime/trace/device/place/place_rule.hpp"

namespace tilemeter::trace::placement {

namespace {

bool contains(const Integers& axes, std::int64_t axis) {
    return std::ranges::find(axes, axis) != axes.end();
}

Integers strides_of(const ir::Shape& shape) {
    Integers strides(shape.rank());
    std::int64_t step = 1;
    for (std::size_t i = shape.rank(); i-- > 0; step *= shape[i])
        strides[i] = step;
    return strides;
}

Value clamped(Calls& to, const Value& x, std::int64_t high) {
    return to.binary(tilemeter::minimum, to.binary(tilemeter::maximum, x, 0.0), static_cast<double>(high));
}

// The beginning of the window of `size` elements, as the primitive has it: so that it fits.
Value start_of(Use& use, std::size_t operand, std::int64_t extent, std::int64_t size) {
    return clamped(use.to, use.to.typecast(use[operand], DataType::INT32), extent - size);
}

// ---- windows that begin where scalars say

void dynamic_slice(Use& use, Values& results) {
    Calls& to = use.to;
    const Integers sizes = use.integers("sizes");
    const Integers extents = integers_of(use.shape(0));
    // Known places first, by one call.
    Integers starts(sizes.size(), 0);
    Integers limits = extents;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto number = use.number(i + 1);
        if (!number) continue;
        starts[i] = std::clamp<std::int64_t>(static_cast<std::int64_t>(*number), 0, extents[i] - sizes[i]);
        limits[i] = starts[i] + sizes[i];
    }
    Value x = sizes.empty() ? use[0] : to.slice(use[0], starts, limits);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (x.extent(i) == sizes[i]) continue;
        const Value start = start_of(use, i + 1, extents[i], sizes[i]);
        const Value places = to.add(to.arange(0, sizes[i], 1, DataType::INT32), start);
        x = take(to, x, i, to.typecast(places, DataType::UINT32));
    }
    results.push_back(x);
}

// The update stretched to the whole shape, chosen where the window is.
void dynamic_update_slice(Use& use, Values& results) {
    Calls& to = use.to;
    const Integers extents = integers_of(use.shape(0));
    Value update = use[1];
    std::optional<Value> is_inside;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::int64_t size = use.shape(1)[i];
        if (size == extents[i]) continue;
        const Value start = start_of(use, i + 2, extents[i], size);
        const Value place = to.subtract(to.arange(0, extents[i], 1, DataType::INT32), start);
        const Value here = to.binary(tilemeter::logical_and, to.binary(tilemeter::ge, place, 0.0),
                                     to.binary(tilemeter::lt, place, static_cast<double>(size)));
        Integers line(extents.size(), 1);
        line[i] = extents[i];
        const Value along = to.reshape(here, line);
        is_inside = is_inside ? to.binary(tilemeter::logical_and, *is_inside, along) : along;
        update = take(to, update, i, to.typecast(clamped(to, place, size - 1), DataType::UINT32));
    }
    const Value x = use[0];
    results.push_back(is_inside ? to.where(*is_inside, to.typecast(update, x.tensor.dtype()), x) : update);
}

// ---- windows that begin where vectors of indices say

/// The vectors of indices: one column for each operand dimension that they index.
struct Starts {
    std::vector<Value> columns;  ///< [count, 1], INT32
    std::int64_t count;
};

Starts starts_of(Use& use, std::size_t components) {
    Calls& to = use.to;
    const Integers extents = integers_of(use.shape(1));
    const auto vector_dim = static_cast<std::size_t>(use.integer("index_vector_dim"));
    Integers order;
    std::int64_t count = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (i == vector_dim) continue;
        order.push_back(static_cast<std::int64_t>(i));
        count *= extents[i];
    }
    Value indices = to.typecast(use[1], DataType::INT32);
    if (vector_dim < extents.size()) {
        order.push_back(static_cast<std::int64_t>(vector_dim));
        indices = to.permute(indices, order);
    }
    const auto width = static_cast<std::int64_t>(components);
    const Value rows = to.reshape(indices, {count, width});
    Starts starts{{}, count};
    for (std::int64_t i = 0; i < width; ++i)
        starts.columns.push_back(to.slice(rows, {0, i}, {count, i + 1}));
    return starts;
}

// Numbers of the elements of a window, from that of its first; dimensions in order.
std::vector<std::int64_t> offsets_of(const Integers& window, const Integers& strides) {
    std::vector<std::int64_t> offsets{0};
    for (std::size_t i = 0; i < window.size(); ++i) {
        std::vector<std::int64_t> next;
        for (const std::int64_t offset : offsets)
            for (std::int64_t at = 0; at < window[i]; ++at)
                next.push_back(offset + at * strides[i]);
        offsets = std::move(next);
    }
    return offsets;
}

// [count, window elements]: numbers of the elements in the whole tensor.
Value element_numbers(Calls& to, const Starts& starts, const Integers& dims, const Integers& window,
                      const Integers& strides) {
    std::optional<Value> first;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto stride = static_cast<double>(strides[static_cast<std::size_t>(dims[i])]);
        const Value term =
            stride == 1 ? starts.columns[i] : to.binary(tilemeter::multiply, starts.columns[i], stride);
        first = first ? to.add(*first, term) : term;
    }
    const std::vector<std::int64_t> offsets = offsets_of(window, strides);
    const auto width = static_cast<std::int64_t>(offsets.size());
    if (!first) first = to.full({starts.count, 1}, 0, DataType::INT32);
    if (width == 1) return *first;
    return to.add(to.expand(*first, {starts.count, width}),
                  to.reshape(to.integers(offsets, {width}), {1, width}));
}

// The order of a value that has dimensions `inner` where the result has `outer`'s: dimensions not in `of_window` are of
// the indices.
Integers order_of_result(std::size_t rank, const Integers& of_window, std::size_t index_rank) {
    Integers order(rank);
    auto next_index = std::int64_t{0};
    auto next_window = static_cast<std::int64_t>(index_rank);
    for (std::size_t i = 0; i < rank; ++i)
        order[i] = contains(of_window, static_cast<std::int64_t>(i)) ? next_window++ : next_index++;
    return order;
}

Integers index_extents(Use& use) {
    Integers extents = integers_of(use.shape(1));
    const auto vector_dim = use.integer("index_vector_dim");
    if (vector_dim < static_cast<std::int64_t>(extents.size())) extents.erase(extents.begin() + vector_dim);
    return extents;
}

// Whole slices along one axis.
bool takes_slices(Use& use, const Integers& map, const Integers& collapsed, const Integers& sizes) {
    if (map.size() != 1 || collapsed != map) return false;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (static_cast<std::int64_t>(i) != map[0] && sizes[i] != use.shape(0)[i]) return false;
    return true;
}

void gather(Use& use, Values& results) {
    Calls& to = use.to;
    const Integers map = use.integers("start_index_map");
    const Integers sizes = use.integers("slice_sizes");
    const Integers collapsed = use.integers("collapsed_slice_dims");
    const Integers offset_dims = use.integers("offset_dims");
    const Integers batch = index_extents(use);
    Starts starts = starts_of(use, map.size());
    for (std::size_t i = 0; i < map.size(); ++i) {
        const auto dim = static_cast<std::size_t>(map[i]);
        starts.columns[i] = clamped(to, starts.columns[i], use.shape(0)[dim] - sizes[dim]);
    }
    Integers extents = batch;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (!contains(collapsed, static_cast<std::int64_t>(i))) extents.push_back(sizes[i]);
    const std::size_t rank = use.result().shape.rank();
    Value found;
    if (takes_slices(use, map, collapsed, sizes)) {
        const auto axis = static_cast<std::size_t>(map[0]);
        const Value places = to.typecast(to.reshape(starts.columns[0], {starts.count}), DataType::UINT32);
        const Value slices = take(to, use[0], axis, places);
        // The axis becomes the first, as the indices' dimensions are.
        Integers order{map[0]};
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(slices.shape().rank()); ++i)
            if (i != map[0]) order.push_back(i);
        const Integers wanted = order_of_result(rank, offset_dims, batch.size());
        if (batch.size() == 1) {  // by one exchange
            Integers both;
            for (const std::int64_t i : wanted)
                both.push_back(order[static_cast<std::size_t>(i)]);
            results.push_back(to.permute(slices, both));
            return;
        }
        Integers in_place = device_extents(use.result().shape);
        const bool stays = [&] {
            for (std::size_t i = 0; i < batch.size(); ++i)
                if (i + axis >= wanted.size() || wanted[i + axis] != static_cast<std::int64_t>(i))
                    return false;
            return true;
        }();
        if (stays) return results.push_back(to.reshape(slices, in_place));
        found = to.permute(slices, order);
    } else {
        const std::int64_t all = use.shape(0).elements();
        const Value numbers = element_numbers(to, starts, map, sizes, strides_of(use.shape(0)));
        const std::int64_t count = numbers.extent(0) * numbers.extent(1);
        const Value places = to.typecast(to.reshape(numbers, {1, count}), DataType::UINT32);
        found = to.gather(to.reshape(use[0], {1, all}), 1, places);
    }
    if (rank == 0) return results.push_back(found);
    results.push_back(
        to.permute(to.reshape(found, extents), order_of_result(rank, offset_dims, batch.size())));
}

// Elements of windows that do not fit go behind the last element, and are cut off.
template <bool kAdds>
void scatter(Use& use, Values& results) {
    Calls& to = use.to;
    const Integers map = use.integers("scatter_dims_to_operand_dims");
    const Integers window_dims = use.integers("update_window_dims");
    const Integers inserted = use.integers("inserted_window_dims");
    const ir::Shape& shape = use.shape(0);
    Integers window(shape.rank(), 1);
    for (std::size_t i = 0, next = 0; i < shape.rank(); ++i)
        if (!contains(inserted, static_cast<std::int64_t>(i)))
            window[i] = use.shape(2)[static_cast<std::size_t>(window_dims[next++])];
    const Starts starts = starts_of(use, map.size());
    std::optional<Value> fits;
    for (std::size_t i = 0; i < map.size(); ++i) {
        const auto dim = static_cast<std::size_t>(map[i]);
        const Value& column = starts.columns[i];
        const Value here =
            to.binary(tilemeter::logical_and, to.binary(tilemeter::ge, column, 0.0),
                      to.binary(tilemeter::le, column, static_cast<double>(shape[dim] - window[dim])));
        fits = fits ? to.binary(tilemeter::logical_and, *fits, here) : here;
    }
    const std::int64_t all = shape.elements();
    Value numbers = element_numbers(to, starts, map, window, strides_of(shape));
    const std::int64_t count = numbers.extent(0) * numbers.extent(1);
    if (fits) numbers = to.where(*fits, numbers, to.integers({all}, {1, 1}));
    const Value places = to.to_layout(to.reshape(numbers, {1, count}), Layout::ROW_MAJOR);
    // The updates in the order of the numbers: dimensions of the indices before those of the window.
    Integers order;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(use.shape(2).rank()); ++i)
        if (!contains(window_dims, i)) order.push_back(i);
    order.insert(order.end(), window_dims.begin(), window_dims.end());
    const Value updates = to.reshape(order.empty() ? use[2] : to.permute(use[2], order), {1, count});
    const Value x = to.pad(to.reshape(use[0], {1, all}), {0, 0}, {0, 1}, 0);
    const Value written =
        to.scatter(to.to_layout(x, Layout::ROW_MAJOR), 1, places,
                   to.to_layout(to.typecast(updates, x.tensor.dtype()), Layout::ROW_MAJOR), kAdds);
    results.push_back(to.slice(to.to_layout(written, Layout::TILE), {0, 0}, {1, all}));
}

constexpr NamedRule kIndexRules[] = {
    {"dynamic_slice", kAll, dynamic_slice},
    {"dynamic_update_slice", kAll, dynamic_update_slice},
    {"gather", kAll, gather},
    {"scatter", kAll, scatter<false>},
    {"scatter_add", kNumbers, scatter<true>},
};

}  // namespace

std::span<const NamedRule> index_rules() {
    return kIndexRules;
}

Value take(Calls& to, const Value& x, std::size_t axis, const Value& places) {
    Integers extents = x.extents();
    extents[axis] = places.extent(0);
    // TT-NN's gather has four dimensions at most, and two at least.
    const bool is_deep = extents.size() > 4, is_line = extents.size() == 1;
    const Value source = is_deep ? to.around_axis(x, axis) : is_line ? to.reshape(x, {1, x.extent(0)}) : x;
    const std::size_t along = is_deep || is_line ? 1 : axis;
    Integers line(source.shape().rank(), 1);
    line[along] = places.extent(0);
    Integers whole = source.extents();
    whole[along] = places.extent(0);
    const Value index = to.expand(to.reshape(places, line), whole);
    return to.reshape(to.gather(source, static_cast<std::int64_t>(along), index), extents);
}

}  // namespace tilemeter::trace::placement
