// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Moving elements without changing them: exact for every dtype. The block formats are rounded again, since
// their elements share an exponent with their new neighbours.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/types/host_array.hpp"

namespace tilemeter::compute {

/// The dimensions in another order: dimension i of the result is dimension order[i] of `array`.
HostArray permuted(const HostArray& array, std::span<const std::uint32_t> order);

/// Elements begin, begin + step, ... of each dimension, up to the extents of `shape`. REQUIRES: they are there.
HostArray sliced(const HostArray& array, std::span<const std::uint32_t> begin,
                 std::span<const std::uint32_t> step, const Shape& shape);

/// `shape` filled with `value`, with `array` at the place `begin`. REQUIRES: equal ranks, `array` fits.
HostArray padded(const HostArray& array, std::span<const std::uint32_t> begin, const Shape& shape,
                 float value);

/// `array` side by side times[i] times along dimension i. REQUIRES: equal ranks.
HostArray repeated(const HostArray& array, std::span<const std::uint32_t> times);

/// The arrays one after the other along a dimension. REQUIRES: equal in all others and in dtype.
HostArray concatenated(std::span<const HostArray* const> arrays, std::size_t dimension);

}  // namespace tilemeter::compute
