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

template <typename Sum, typename T>
std::vector<T> reduce_in(ReduceKind kind, std::span<const T> values, const Shape& shape,
                         std::size_t dimension, std::uint64_t part_length) {
    const std::uint64_t length = shape.dimensions()[dimension];
    std::uint64_t inner = 1;
    for (std::size_t i = dimension + 1; i < shape.rank(); ++i)
        inner *= shape.dimensions()[i];
    std::vector<T> result;
    std::vector<Sum> sums(inner);
    for (std::uint64_t slab = 0; slab < values.size(); slab += length * inner) {
        for (std::uint64_t begin = 0; begin < length; begin += part_length) {
            const std::uint64_t end = std::min(length, begin + part_length);
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

}  // namespace

std::vector<float> reduce(ReduceKind kind, std::span<const float> values, const Shape& shape,
                          std::size_t dimension, std::uint64_t part_length) {
    return reduce_in<double, float>(kind, values, shape, dimension, part_length);
}

std::vector<std::int64_t> reduce(ReduceKind kind, std::span<const std::int64_t> values, const Shape& shape,
                                 std::size_t dimension, std::uint64_t part_length) {
    return reduce_in<std::int64_t, std::int64_t>(kind, values, shape, dimension, part_length);
}

}  // namespace tilemeter::compute
