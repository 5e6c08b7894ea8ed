// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/rearrange.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/compute/parallel.hpp"

namespace tilemeter::compute {

namespace {

using Strides = std::vector<std::uint64_t>;

// A box of elements: how far apart its neighbours lie in the source and in the target, per dimension.
struct Box {
    Strides extents;
    Strides source;
    Strides target;
};

Strides strides_of(const Shape& shape) {
    Strides strides(shape.rank());
    std::uint64_t stride = 1;
    for (std::size_t i = shape.rank(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape.dimensions()[i];
    }
    return strides;
}

Strides extents_of(const Shape& shape) {
    return {shape.dimensions().begin(), shape.dimensions().end()};
}

// Without dimensions of one element, neighbours that lie alike in source and target as one.
Box merged(const Box& box) {
    Box result;
    for (std::size_t i = 0; i < box.extents.size(); ++i) {
        const std::uint64_t extent = box.extents[i];
        if (extent == 1) continue;
        if (!result.extents.empty() && result.source.back() == extent * box.source[i] &&
            result.target.back() == extent * box.target[i]) {
            result.extents.back() *= extent;
            result.source.back() = box.source[i];
            result.target.back() = box.target[i];
            continue;
        }
        result.extents.push_back(extent);
        result.source.push_back(box.source[i]);
        result.target.push_back(box.target[i]);
    }
    if (result.extents.empty()) return {{1}, {1}, {1}};
    return result;
}

// A Box in one dimension.
struct Line {
    std::uint64_t extent, source, target;
};

template <typename T>
void copy_line(const T* from, std::uint64_t from_stride, T* to, std::uint64_t to_stride,
               std::uint64_t count) {
    if (to_stride == 1) {
        for (std::uint64_t i = 0; i < count; ++i, from += from_stride)
            to[i] = *from;
        return;
    }
    for (std::uint64_t i = 0; i < count; ++i)
        to[i * to_stride] = from[i * from_stride];
}

// The plane of two dimensions, the target's neighbours in the inner one.
template <typename T>
void copy_plane(const T* from, T* to, const Line& outer, const Line& inner) {
    if (inner.source == 1 && inner.target == 1) {
        for (std::uint64_t i = 0; i < outer.extent; ++i)
            std::memcpy(to + i * outer.target, from + i * outer.source, inner.extent * sizeof(T));
        return;
    }
    // Some rows and columns at a time: what is read of a line of the cache is used before it leaves.
    constexpr std::uint64_t kRows = 32, kColumns = 64;
    for (std::uint64_t row = 0; row < outer.extent; row += kRows) {
        const std::uint64_t last_row = std::min(outer.extent, row + kRows);
        for (std::uint64_t column = 0; column < inner.extent; column += kColumns) {
            const std::uint64_t last_column = std::min(inner.extent, column + kColumns);
            for (std::uint64_t i = row; i < last_row; ++i) {
                copy_line(from + i * outer.source + column * inner.source, inner.source,
                          to + i * outer.target + column * inner.target, inner.target, last_column - column);
            }
        }
    }
}

template <typename T>
void copy_box_of(const T* from, T* to, const Box& box) {
    const auto line = [&](std::size_t i) { return Line{box.extents[i], box.source[i], box.target[i]}; };
    // A plane is the last dimension and that in which the source's elements lie closest, of the others.
    const std::size_t inner = box.extents.size() - 1;
    std::size_t beside = inner;
    for (std::size_t i = 0; i < inner; ++i)
        if (beside == inner || box.source[i] <= box.source[beside]) beside = i;
    const Line plane = beside == inner ? Line{1, 0, 0} : line(beside);
    std::vector<Line> around;
    std::uint64_t planes = 1;
    for (std::size_t i = 0; i < inner; ++i) {
        if (i == beside) continue;
        around.push_back(line(i));
        planes *= box.extents[i];
    }
    // Parts of so many elements each: some rows of a plane, or some columns of one row.
    constexpr std::uint64_t kElementsOfPart = 1U << 14U;
    const Line whole = line(inner);
    const std::uint64_t columns = std::min(whole.extent, kElementsOfPart);
    const std::uint64_t rows = std::clamp<std::uint64_t>(kElementsOfPart / columns, 1, plane.extent);
    const std::uint64_t parts_of_row = (whole.extent + columns - 1) / columns;
    const std::uint64_t parts_of_plane = (plane.extent + rows - 1) / rows * parts_of_row;
    const std::uint64_t steps_of_element = whole.source == 1 && whole.target == 1 ? (sizeof(T) + 1) / 2 : 4;
    const std::uint64_t steps = planes * plane.extent * whole.extent * steps_of_element;
    parallel_for(planes * parts_of_plane, steps, [&](std::size_t part) {
        const std::uint64_t column = part % parts_of_row * columns;
        const std::uint64_t row = part % parts_of_plane / parts_of_row * rows;
        std::uint64_t source = row * plane.source + column * whole.source;
        std::uint64_t target = row * plane.target + column * whole.target;
        std::uint64_t rest = part / parts_of_plane;
        for (std::size_t i = around.size(); i-- > 0; rest /= around[i].extent) {
            source += rest % around[i].extent * around[i].source;
            target += rest % around[i].extent * around[i].target;
        }
        copy_plane(from + source, to + target,
                   {std::min(rows, plane.extent - row), plane.source, plane.target},
                   {std::min(columns, whole.extent - column), whole.source, whole.target});
    });
}

void copy_box(const HostArray& source, std::uint64_t source_start, HostArray& target,
              std::uint64_t target_start, const Box& box) {
    if (std::find(box.extents.begin(), box.extents.end(), 0U) != box.extents.end()) return;
    const auto copy = [&](auto element) {
        using T = decltype(element);
        copy_box_of(reinterpret_cast<const T*>(source.bytes().data()) + source_start,
                    reinterpret_cast<T*>(target.bytes().data()) + target_start, merged(box));
    };
    switch (source.stored_element_size()) {
        case 1:
            return copy(std::uint8_t{});
        case 2:
            return copy(std::uint16_t{});
        default:
            return copy(std::uint32_t{});
    }
}

HostArray rounded_again(HostArray array) {
    if (!is_block_float(array.dtype())) return array;
    return HostArray::from_floats(array.to_floats(), array.dtype(), array.shape());
}

std::uint64_t offset_of(std::span<const std::uint32_t> index, const Strides& strides) {
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < strides.size(); ++i)
        offset += index[i] * strides[i];
    return offset;
}

}  // namespace

HostArray permuted(const HostArray& array, std::span<const std::uint32_t> order) {
    const Strides from = strides_of(array.shape());
    Shape shape;
    Box box;
    for (const std::uint32_t dimension : order) {
        shape.push_back(array.shape().dimensions()[dimension]);
        box.source.push_back(from[dimension]);
    }
    HostArray result = HostArray::unwritten(array.dtype(), shape);
    box.extents = extents_of(shape);
    box.target = strides_of(shape);
    copy_box(array, 0, result, 0, box);
    return rounded_again(std::move(result));
}

HostArray sliced(const HostArray& array, std::span<const std::uint32_t> begin,
                 std::span<const std::uint32_t> step, const Shape& shape) {
    const Strides from = strides_of(array.shape());
    Box box{extents_of(shape), from, strides_of(shape)};
    for (std::size_t i = 0; i < box.source.size(); ++i)
        box.source[i] *= step[i];
    HostArray result = HostArray::unwritten(array.dtype(), shape);
    copy_box(array, offset_of(begin, from), result, 0, box);
    return rounded_again(std::move(result));
}

HostArray padded(const HostArray& array, std::span<const std::uint32_t> begin, const Shape& shape,
                 float value) {
    HostArray result =
        value == 0 ? HostArray(array.dtype(), shape)
                   : HostArray::from_floats(std::vector<float>(shape.volume(), value), array.dtype(), shape);
    const Strides to = strides_of(shape);
    copy_box(array, 0, result, offset_of(begin, to),
             {extents_of(array.shape()), strides_of(array.shape()), to});
    return rounded_again(std::move(result));
}

HostArray repeated(const HostArray& array, std::span<const std::uint32_t> times) {
    const std::span<const std::uint32_t> dimensions = array.shape().dimensions();
    const Strides from = strides_of(array.shape());
    Shape shape;
    for (std::size_t i = 0; i < dimensions.size(); ++i)
        shape.push_back(dimensions[i] * times[i]);
    const Strides to = strides_of(shape);
    // Each dimension becomes two: the repetitions, all from the same source, and the elements.
    Box box;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        box.extents.insert(box.extents.end(), {times[i], dimensions[i]});
        box.source.insert(box.source.end(), {0, from[i]});
        box.target.insert(box.target.end(), {to[i] * dimensions[i], to[i]});
    }
    HostArray result = HostArray::unwritten(array.dtype(), shape);
    copy_box(array, 0, result, 0, box);
    return rounded_again(std::move(result));
}

HostArray concatenated(std::span<const HostArray* const> arrays, std::size_t dimension) {
    Shape shape = arrays.front()->shape();
    const auto axis = static_cast<std::int64_t>(dimension);
    for (const HostArray* array : arrays.subspan(1))
        shape.set(axis, shape[axis] + array->shape()[axis]);
    HostArray result = HostArray::unwritten(arrays.front()->dtype(), shape);
    const Strides to = strides_of(shape);
    std::uint64_t start = 0;
    for (const HostArray* array : arrays) {
        copy_box(*array, 0, result, start, {extents_of(array->shape()), strides_of(array->shape()), to});
        start += array->shape()[axis] * to[dimension];
    }
    return rounded_again(std::move(result));
}

}  // namespace tilemeter::compute
