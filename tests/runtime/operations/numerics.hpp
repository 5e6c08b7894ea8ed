// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of the numerics tests of operations: random values, and how far a result may be from the exact one.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "tests/property.hpp"

namespace tilemeter::test {

/// In steps of 1/64, between `low` and `high`.
inline std::vector<float> random_values(const Shape& shape, int low, int high) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i)
        values.push_back(static_cast<float>(test::in_range(low * 64, high * 64)) / 64.0F);
    return values;
}

inline std::uint32_t random_size(std::uint32_t least, std::uint32_t most) {
    return test::in_range(least, most + 1);
}

/// In tiles, of values between -2 and 2.
inline Tensor random_tensor(const Shape& shape, DataType dtype, const std::shared_ptr<Device>& device,
                            const MemoryConfig& config = DRAM_MEMORY_CONFIG) {
    return from_vector(random_values(shape, -2, 2), shape, dtype, TILE_LAYOUT, device, config);
}

inline Shape random_shape(int least_rank, int most_rank, int most_size) {
    const int rank = test::in_range(least_rank, most_rank + 1);
    Shape shape;
    for (int i = 0; i < rank; ++i)
        shape.push_back(static_cast<std::uint32_t>(test::in_range(1, most_size + 1)));
    return shape;
}

/// Half a step of the type at `expected`; for block formats, which share an exponent among 16 neighbours, at
/// `largest`, the largest value near it.
inline double rounding_bound(DataType dtype, double expected, double largest) {
    switch (dtype) {
        case DataType::FLOAT32:
            return std::ldexp(std::fabs(expected), -22) + 1e-30;
        case DataType::BFLOAT8_B:
            return std::ldexp(largest, -6) + 1e-30;
        default:
            return std::ldexp(std::fabs(expected), -8) + 1e-30;
    }
}

/// Each element of `result` within its type's bound of `expected`, plus `slack` for what was lost on the way.
inline void assert_close(const Tensor& result, const std::vector<double>& expected, double slack) {
    const std::vector<double> ours = result.to_vector<double>();
    PROPERTY_ASSERT(ours.size() == expected.size());
    double largest = 0.0;
    for (const double value : expected)
        largest = std::max(largest, std::fabs(value));
    for (std::size_t i = 0; i < ours.size(); ++i) {
        PROPERTY_ASSERT(std::fabs(ours[i] - expected[i]) <=
                        rounding_bound(result.dtype(), expected[i], largest) + slack);
    }
}

/// Without approximation.
inline double gelu_of(double x) {
    return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

/// The message of the RuntimeError that `call` throws; "" if it throws none.
template <typename Call>
std::string message_of(Call call) {
    try {
        call();
    } catch (const RuntimeError& error) {
        return error.what();
    }
    return "";
}

}  // namespace tilemeter::test
