// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/reduce.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "runtime/types/vectorized.hpp"

namespace tilemeter::compute {

namespace {

// As many parts of a row as a few vectors have, so that one step need not wait for the one before.
constexpr std::size_t kLanes = 32;

TILEMETER_VECTORIZED double sum_of_row(const float* row, std::size_t count) {
    std::array<double, kLanes> lanes{};
    const std::size_t in_lanes = count - count % kLanes;
    for (std::size_t i = 0; i < in_lanes; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] += static_cast<double>(row[i + lane]);
    }
    for (std::size_t i = in_lanes; i < count; ++i)
        lanes[i - in_lanes] += static_cast<double>(row[i]);
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

TILEMETER_VECTORIZED void add_row(double* sums, const float* row, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        sums[i] += static_cast<double>(row[i]);
}

// A NaN stays where it is the first of its row, and is passed over elsewhere: in each lane, too.
template <typename IsBetter>
[[gnu::always_inline]] inline float best_of_row(const float* row, std::size_t count, IsBetter is_better) {
    const auto better = [&](float kept, float value) { return is_better(value, kept) ? value : kept; };
    std::array<float, kLanes> lanes{};
    lanes.fill(row[0]);
    const std::size_t in_lanes = count - count % kLanes;
    for (std::size_t i = 0; i < in_lanes; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] = better(lanes[lane], row[i + lane]);
    }
    for (std::size_t i = in_lanes; i < count; ++i)
        lanes[i - in_lanes] = better(lanes[i - in_lanes], row[i]);
    return std::accumulate(lanes.begin() + 1, lanes.end(), lanes[0], better);
}

template <typename IsBetter>
[[gnu::always_inline]] inline void keep_better(float* kept, const float* row, std::size_t count,
                                               IsBetter is_better) {
    for (std::size_t i = 0; i < count; ++i)
        kept[i] = is_better(row[i], kept[i]) ? row[i] : kept[i];
}

TILEMETER_VECTORIZED float largest_of_row(const float* row, std::size_t count) {
    return best_of_row(row, count, std::greater<>());
}
TILEMETER_VECTORIZED float smallest_of_row(const float* row, std::size_t count) {
    return best_of_row(row, count, std::less<>());
}
TILEMETER_VECTORIZED void keep_larger(float* kept, const float* row, std::size_t count) {
    keep_better(kept, row, count, std::greater<>());
}
TILEMETER_VECTORIZED void keep_smaller(float* kept, const float* row, std::size_t count) {
    keep_better(kept, row, count, std::less<>());
}

/// The Result that is kept of a row of T, or of each of its columns.
template <typename T, typename Result>
struct Reduction {
    Result (*of_row)(const T* row, std::size_t count);                   ///< count >= 1
    void (*take_row)(Result* columns, const T* row, std::size_t count);  ///< into what is kept of those above
};

constexpr Reduction<float, double> kFloatSum{sum_of_row, add_row};
constexpr Reduction<float, float> kFloatMax{largest_of_row, keep_larger};
constexpr Reduction<float, float> kFloatMin{smallest_of_row, keep_smaller};

template <ReduceKind kKind>
constexpr std::int64_t combine(std::int64_t a, std::int64_t b) {
    return kKind == ReduceKind::kSum ? a + b : kKind == ReduceKind::kMax ? std::max(a, b) : std::min(a, b);
}

template <ReduceKind kKind>
constexpr Reduction<std::int64_t, std::int64_t> kOfIntegers{
    [](const std::int64_t* row, std::size_t count) {
        return std::accumulate(row + 1, row + count, row[0], combine<kKind>);
    },
    [](std::int64_t* columns, const std::int64_t* row, std::size_t count) {
        std::transform(columns, columns + count, row, columns, combine<kKind>);
    }};

// `begin_of(part)`: its first element; of the part behind the last one, the dimension's extent.
template <typename T, typename Result, typename BeginOf>
std::vector<T> reduce_in(const Reduction<T, Result>& reduction, std::span<const T> values, const Shape& shape,
                         std::size_t dimension, BeginOf begin_of) {
    const std::uint64_t length = shape.dimensions()[dimension];
    std::uint64_t inner = 1;
    for (std::size_t i = dimension + 1; i < shape.rank(); ++i)
        inner *= shape.dimensions()[i];
    std::vector<T> result;
    std::vector<Result> columns(inner);
    for (std::uint64_t slab = 0; slab < values.size(); slab += length * inner) {
        for (std::uint64_t part = 0, begin = 0, end = 0; begin < length; ++part, begin = end) {
            end = begin_of(part + 1);
            const T* row = values.data() + slab + begin * inner;
            if (inner == 1) {
                result.push_back(static_cast<T>(reduction.of_row(row, end - begin)));
                continue;
            }
            columns.assign(row, row + inner);
            for (std::uint64_t at = begin + 1; at < end; ++at)
                reduction.take_row(columns.data(), row += inner, inner);
            for (const Result each : columns)
                result.push_back(static_cast<T>(each));
        }
    }
    return result;
}

template <typename BeginOf>
std::vector<float> reduce_floats(ReduceKind kind, std::span<const float> values, const Shape& shape,
                                 std::size_t dimension, BeginOf begin_of) {
    if (kind == ReduceKind::kSum) return reduce_in(kFloatSum, values, shape, dimension, begin_of);
    return reduce_in(kind == ReduceKind::kMax ? kFloatMax : kFloatMin, values, shape, dimension, begin_of);
}

auto parts_of_length(std::uint64_t part_length, std::uint64_t extent) {
    return [=](std::uint64_t part) { return std::min(extent, part * part_length); };
}

}  // namespace

std::vector<float> reduce(ReduceKind kind, std::span<const float> values, const Shape& shape,
                          std::size_t dimension, std::uint64_t part_length) {
    return reduce_floats(kind, values, shape, dimension,
                         parts_of_length(part_length, shape.dimensions()[dimension]));
}

std::vector<float> reduce_evenly(ReduceKind kind, std::span<const float> values, const Shape& shape,
                                 std::size_t dimension, std::uint64_t parts) {
    const std::uint64_t extent = shape.dimensions()[dimension];
    return reduce_floats(kind, values, shape, dimension,
                         [=](std::uint64_t part) { return part * extent / parts; });
}

std::vector<std::int64_t> reduce(ReduceKind kind, std::span<const std::int64_t> values, const Shape& shape,
                                 std::size_t dimension, std::uint64_t part_length) {
    const auto& reduction = kind == ReduceKind::kSum   ? kOfIntegers<ReduceKind::kSum>
                            : kind == ReduceKind::kMax ? kOfIntegers<ReduceKind::kMax>
                                                       : kOfIntegers<ReduceKind::kMin>;
    return reduce_in(reduction, values, shape, dimension,
                     parts_of_length(part_length, shape.dimensions()[dimension]));
}

}  // namespace tilemeter::compute
