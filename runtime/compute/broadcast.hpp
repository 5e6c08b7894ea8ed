// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Broadcasting as in NumPy: dimensions of 1 are repeated, shorter shapes get leading dimensions of 1.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

/// The common shape, or nothing if the shapes don't broadcast.
std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b);

/// For each element of `to`, in row-major order, the index of its source element in `from`.
/// REQUIRES: broadcast_shape(from, to) == to.
std::vector<std::uint64_t> broadcast_sources(const Shape& from, const Shape& to);

/// `values` of shape `from` repeated to shape `to`.
template <typename T>
std::vector<T> broadcast_to(std::span<const T> values, const Shape& from, const Shape& to) {
    if (from.volume() == to.volume()) return {values.begin(), values.end()};
    std::vector<T> repeated;
    repeated.reserve(to.volume());
    for (const std::uint64_t source : broadcast_sources(from, to))
        repeated.push_back(values[source]);
    return repeated;
}

}  // namespace tilemeter::compute
