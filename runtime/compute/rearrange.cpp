// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/rearrange.hpp"

#include <algorithm>
#include <cstring>

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

template <typename T>
void copy_line(const T* from, std::uint64_t from_stride, T* to, std::uint64_t to_stride,
               std::uint64_t count) {
    if (from_stride == 1 && to_stride == 1) {
        std::memcpy(to, from, count * sizeof(T));
        return;
    }
    for (std::uint64_t i = 0; i < count; ++i)
        to[i * to_stride] = from[i * from_stride];
}

template <typename T>
void copy_box_of(const T* from, T* to, const Box& box) {
    const std::size_t outer = box.extents.size() - 1;
    std::vector<std::uint64_t> index(outer);
    while (true) {
        copy_line(from, box.source[outer], to, box.target[outer], box.extents[outer]);
        std::size_t i = outer;
        for (; i > 0; --i) {
            from += box.source[i - 1];
            to += box.target[i - 1];
            if (++index[i - 1] < box.extents[i - 1]) break;
            from -= box.source[i - 1] * box.extents[i - 1];
            to -= box.target[i - 1] * box.extents[i - 1];
            index[i - 1] = 0;
        }
        if (i == 0) return;
    }
}

void copy_box(const HostArray& source, std::uint64_t source_start, HostArray& target,
              std::uint64_t target_start, Box box) {
    if (std::find(box.extents.begin(), box.extents.end(), 0U) != box.extents.end()) return;
    if (box.extents.empty()) box = {{1}, {1}, {1}};
    const auto copy = [&](auto element) {
        using T = decltype(element);
        copy_box_of(reinterpret_cast<const T*>(source.bytes().data()) + source_start,
                    reinterpret_cast<T*>(target.bytes().data()) + target_start, box);
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
    copy_box(array, 0, result, 0, std::move(box));
    return rounded_again(std::move(result));
}

HostArray sliced(const HostArray& array, std::span<const std::uint32_t> begin,
                 std::span<const std::uint32_t> step, const Shape& shape) {
    const Strides from = strides_of(array.shape());
    Box box{extents_of(shape), from, strides_of(shape)};
    for (std::size_t i = 0; i < box.source.size(); ++i)
        box.source[i] *= step[i];
    HostArray result = HostArray::unwritten(array.dtype(), shape);
    copy_box(array, offset_of(begin, from), result, 0, std::move(box));
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
    copy_box(array, 0, result, 0, std::move(box));
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
