// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives that change shapes, take parts or make tensors.

#include <algorithm>
#include <numeric>

#include "runtime/trace/device/place/place_rule.hpp"

namespace tilemeter::trace::placement {

namespace {

void reshape(Use& use, Values& results) {
    results.push_back(use.to.reshape(use.elements(0), device_extents(use.result().shape)));
}

void transpose(Use& use, Values& results) {
    results.push_back(use.to.permute(use[0], use.integers("perm")));
}

void broadcast_in_dim(Use& use, Values& results) {
    const Value x = keeps_order(use.attributes()) ? use.elements(0) : use[0];
    results.push_back(use.to.expand(unexpanded(use.to, x, use.shape(0), use.attributes()),
                                    device_extents(use.result().shape)));
}

void slice(Use& use, Values& results) {
    if (use.shape(0).rank() == 0) return results.push_back(use[0]);
    results.push_back(use.to.slice(use[0], use.integers("starts"), use.integers("limits"),
                                   use.integers("strides", use.shape(0).rank(), 1)));
}

void concatenate(Use& use, Values& results) {
    Values parts;
    for (std::size_t i = 0; i < use.size(); ++i) {
        parts.push_back(use[i]);
        parts.back() = use.to.typecast(parts.back(), parts.front().tensor.dtype());  // bools
    }
    results.push_back(use.to.concat(parts, use.integer("axis")));
}

void reverse(Use& use, Values& results) {
    Value x = use[0];
    for (const std::int64_t dim : use.integers("dims")) {
        const auto axis = static_cast<std::size_t>(dim);
        const std::int64_t n = x.extent(axis);
        if (n > 1) x = take(use.to, x, axis, use.to.arange(n - 1, n, -1, DataType::UINT32));
    }
    results.push_back(x);
}

// Elements of the axis with `count` of the value behind each but the last.
Value spaced(Calls& to, const Value& x, std::size_t axis, std::int64_t count, double value) {
    Integers extents = x.extents();
    const Value around = to.around_axis(x, axis);
    const std::int64_t outer = around.extent(0);
    const std::int64_t n = around.extent(1);
    const std::int64_t inner = around.extent(2);
    const Value wide =
        to.pad(to.reshape(around, {outer, n, 1, inner}), {0, 0, 0, 0}, {0, 0, count, 0}, value);
    const Value rows = to.reshape(wide, {outer, n * (count + 1), inner});
    extents[axis] = n * (count + 1) - count;
    return to.reshape(to.slice(rows, {0, 0, 0}, {outer, extents[axis], inner}), extents);
}

Value padded(Calls& to, Value x, Integers low, Integers high, const Integers& interior, double value) {
    const std::size_t rank = x.shape().rank();
    for (std::size_t axis = 0; axis < rank; ++axis)
        if (interior[axis] > 0 && x.extent(axis) > 1) x = spaced(to, x, axis, interior[axis], value);
    Integers starts(rank, 0);
    Integers limits = x.extents();
    for (std::size_t i = 0; i < rank; ++i) {  // a negative extent is cut off
        starts[i] = std::max<std::int64_t>(-low[i], 0);
        limits[i] -= std::max<std::int64_t>(-high[i], 0);
        low[i] = std::max<std::int64_t>(low[i], 0);
        high[i] = std::max<std::int64_t>(high[i], 0);
    }
    return to.pad(to.slice(x, starts, limits), low, high, value);
}

void pad(Use& use, Values& results) {
    const std::size_t rank = use.shape(0).rank();
    if (rank == 0) return results.push_back(use[0]);
    const Integers low = use.integers("low", rank, 0);
    const Integers high = use.integers("high", rank, 0);
    const Integers interior = use.integers("interior", rank, 0);
    const Value x = use[0];
    if (const auto value = use.number(1)) {
        results.push_back(padded(use.to, x, low, high, interior, *value));
        return;
    }
    // TT-NN pads with numbers: where it has padded ones with zeros, the value is chosen.
    const Value ones = use.to.full(x.extents(), 1, use.to.dtype_of(ElementType::kF32));
    const Value is_inside = padded(use.to, ones, low, high, interior, 0);
    const Value with_zeros = padded(use.to, x, low, high, interior, 0);
    results.push_back(use.to.where(is_inside, with_zeros, use[1]));
}

void iota(Use& use, Values& results) {
    const Integers shape = integers_of(use.result().shape);
    const auto dim = static_cast<std::size_t>(use.integer("dim"));
    Integers line(shape.size(), 1);
    line[dim] = shape[dim];
    const Value numbers = use.to.arange(0, shape[dim], 1, use.to.dtype_of(use.result().element));
    results.push_back(use.to.expand(use.to.reshape(numbers, line), shape));
}

void full(Use& use, Values& results) {
    const double value = use.attributes().get<double>("value");
    const Integers shape = device_extents(use.result().shape);
    const DataType dtype = use.to.dtype_of(use.result().element);
    if (is_floating_point(dtype) || is_exact(value)) {
        results.push_back(use.to.full(shape, value, dtype));
        return;
    }
    const Value number =
        use.to.integers({static_cast<std::int64_t>(value)}, Integers(shape.size(), 1), dtype);
    results.push_back(use.to.expand(number, shape));
}

constexpr NamedRule kShapeRules[] = {
    {"reshape", kAll, reshape},
    {"transpose", kAll, transpose},
    {"broadcast_in_dim", kAll, broadcast_in_dim},
    {"slice", kAll, slice},
    {"pad", kAll, pad},
    {"concatenate", kAll, concatenate},
    {"reverse", kAll, reverse},
    {"iota", kNumbers, iota},
    {"full", kAll, full},
};

}  // namespace

std::span<const NamedRule> shape_rules() {
    return kShapeRules;
}

bool keeps_order(const ir::Attributes& attributes) {
    return std::ranges::is_sorted(attributes.get<Integers>("dims"));
}

Value unexpanded(Calls& to, const Value& x, const ir::Shape& from, const ir::Attributes& attributes) {
    const auto& dims = attributes.get<Integers>("dims");
    const auto& shape = attributes.get<Integers>("shape");
    if (shape.empty()) return to.reshape(x, {1});
    Integers extents(shape.size(), 1);
    for (std::size_t i = 0; i < dims.size(); ++i)
        extents[static_cast<std::size_t>(dims[i])] = from[i];
    if (keeps_order(attributes)) return to.reshape(x, extents);
    Integers order(dims.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::int64_t i) { return dims[static_cast<std::size_t>(i)]; });
    return to.reshape(to.permute(x, order), extents);
}

}  // namespace tilemeter::trace::placement
