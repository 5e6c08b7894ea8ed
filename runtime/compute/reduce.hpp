// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions along one dimension, on the host.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

enum class ReduceKind : std::uint8_t { kSum, kMax, kMin };

/// `dimension` cut into parts of `part_length` (the last one may be shorter), each reduced to one element:
/// [..., n, ...] -> [..., parts, ...]. Sums in double. REQUIRES: part_length >= 1.
std::vector<float> reduce(ReduceKind kind, std::span<const float> values, const Shape& shape,
                          std::size_t dimension, std::uint64_t part_length);

/// `dimension` cut into `parts`, as many elements in each as in any other or one more: none is empty.
/// REQUIRES: 1 <= parts <= the dimension's extent.
std::vector<float> reduce_evenly(ReduceKind kind, std::span<const float> values, const Shape& shape,
                                 std::size_t dimension, std::uint64_t parts);

/// The same in integers.
std::vector<std::int64_t> reduce(ReduceKind kind, std::span<const std::int64_t> values, const Shape& shape,
                                 std::size_t dimension, std::uint64_t part_length);

}  // namespace tilemeter::compute
