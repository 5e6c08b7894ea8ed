// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Inputs of functions whose gradients are tested.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tests/runtime/trace/device/lowering.hpp"

namespace tilemeter::test {

/// The values of an input.
struct Range {
    Shape shape;
    float low = -2;
    float high = 2;
    std::int64_t below = 0;  ///< above 0: integers up to it
};

inline Tensor input_of(const std::shared_ptr<Device>& device, const Range& range, DataType dtype,
                       unsigned seed) {
    if (range.below > 0) return counted_integers(device, range.shape, range.below);
    const std::vector<float> values = uneven_values(range.shape.volume(), range.low, range.high, seed);
    return from_vector(std::span<const float>(values), range.shape, dtype, TILE_LAYOUT, device);
}

}  // namespace tilemeter::test
