// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/reduce.hpp"

#include <algorithm>

namespace tilemeter::compute {

namespace {

template <typename Sum, typename T>
Sum combine(ReduceKind kind, Sum so_far, T value) {
    switch (kind) {
        case ReduceKind::kSum:
            return so_far + static_cast<Sum>(value);
        case ReduceKind::kMax:
            return std::max(so_far, static_cast<Sum>(value));
        case ReduceKind::kMin:
            break;
    }
    return std::min(so_far, static_cast<Sum>(value));
}

// `begin_of(part)`: its first element; of the part behind the last one, the dimension's extent.
template <typename Sum, typename T, typename BeginOf>
std::vector<T> reduce_in(ReduceKind kind, std::span<const T> values, const Shape& shape,
                         std::size_t dimension, BeginOf begin_of) {
    const std::uint64_t length = shape.dimensions()[dimension];
    std::uint64_t inner = 1;
    for (std::size_t i = dimension + 1; i < shape.rank(); ++i)
        inner *= shape.dimensions()[i];
    std::vector<T> result;
    std::vector<Sum> sums(inner);
    for (std::uint64_t slab = 0; slab < values.size(); slab += length * inner) {
        for (std::uint64_t part = 0, begin = 0, end = 0; begin < length; ++part, begin = end) {
            end = begin_of(part + 1);
            const T* row = values.data() + slab + begin * inner;
            for (std::uint64_t i = 0; i < inner; ++i)
                sums[i] = static_cast<Sum>(row[i]);
            for (std::uint64_t at = begin + 1; at < end; ++at) {
                row += inner;
                for (std::uint64_t i = 0; i < inner; ++i)
                    sums[i] = combine(kind, sums[i], row[i]);
            }
            for (const Sum sum : sums)
                result.push_back(static_cast<T>(sum));
        }
    }
    return result;
}

auto parts_of_length(std::uint64_t part_length, std::uint64_t extent) {
    return [=](std::uint64_t part) { return std::min(extent, part * part_length); };
}

}  // namespace

std::vector<float> reduce(ReduceKind kind, std::span<const float> values, const Shape& shape,
                          std::size_t dimension, std::uint64_t part_length) {
    return reduce_in<double, float>(kind, values, shape, dimension,
                                    parts_of_length(part_length, shape.dimensions()[dimension]));
}

std::vector<float> reduce_evenly(ReduceKind kind, std::span<const float> values, const Shape& shape,
                                 std::size_t dimension, std::uint64_t parts) {
    const std::uint64_t extent = shape.dimensions()[dimension];
    return reduce_in<double, float>(kind, values, shape, dimension,
                                    [=](std::uint64_t part) { return part * extent / parts; });
}

std::vector<std::int64_t> reduce(ReduceKind kind, std::span<const std::int64_t> values, const Shape& shape,
                                 std::size_t dimension, std::uint64_t part_length) {
    return reduce_in<std::int64_t, std::int64_t>(kind, values, shape, dimension,
                                                 parts_of_length(part_length, shape.dimensions()[dimension]));
}

}  // namespace tilemeter::compute
