// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random tensors on a device, and loops over their lines.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::test {

inline Tensor on_device(const OpenDevice& device, const std::vector<float>& values, const Shape& shape,
                        DataType dtype = float32, Layout layout = TILE_LAYOUT) {
    return from_vector(values, shape, dtype, layout, device.get());
}

/// A row of these values, in tiles.
inline Tensor row_on_device(const OpenDevice& device, const std::vector<double>& values,
                            DataType dtype = float32) {
    return on_device(device, {values.begin(), values.end()},
                     Shape{1, static_cast<std::uint32_t>(values.size())}, dtype);
}

inline Tensor indices_on_device(const OpenDevice& device, const std::vector<std::int64_t>& values,
                                const Shape& shape) {
    return from_vector(values, shape, DataType::UINT32, TILE_LAYOUT, device.get());
}

/// Up to a tile and a bit in the last two dimensions, few of the others; of rank 4 at most.
inline Shape some_shape(int least_rank = 1) {
    Shape shape;
    const int rank = in_range(least_rank, 5);
    for (int i = 0; i < rank; ++i)
        shape.push_back(static_cast<std::uint32_t>(in_range(1, i + 2 < rank ? 4 : 40)));
    return shape;
}

/// More than a tile in the last two dimensions of four, few of the others.
inline Shape some_shape_of_four() {
    const auto up_to = [](int most) { return static_cast<std::uint32_t>(in_range(1, most + 1)); };
    return Shape{up_to(3), up_to(3), up_to(40), up_to(40)};
}

/// Two shapes that broadcast: some dimensions of either are 1.
inline std::pair<Shape, Shape> shapes_that_broadcast() {
    const Shape full = random_shape(1, 4, 8);
    Shape a, b;
    for (const std::uint32_t size : full.dimensions()) {
        const int repeated = in_range(0, 5);
        a.push_back(repeated == 1 ? 1 : size);
        b.push_back(repeated == 2 ? 1 : size);
    }
    return {a, b};
}

inline std::size_t some_dim(const Shape& shape) {
    return static_cast<std::size_t>(in_range(0, static_cast<int>(shape.rank())));
}

/// The number of elements between neighbours along `dim`.
inline std::size_t stride_of(const Shape& shape, std::size_t dim) {
    std::size_t stride = 1;
    for (std::size_t i = dim + 1; i < shape.rank(); ++i)
        stride *= shape.dimensions()[i];
    return stride;
}

/// Calls `visit(first, stride, length)` for each line of elements along `dim`.
inline void for_each_line(const Shape& shape, std::size_t dim,
                          const std::function<void(std::size_t, std::size_t, std::size_t)>& visit) {
    const std::size_t stride = stride_of(shape, dim), length = shape.dimensions()[dim];
    for (std::size_t i = 0; i < shape.volume(); ++i) {
        if (i / stride % length == 0) visit(i, stride, length);
    }
}

/// Random values in a random layout and dtype.
struct Sample {
    Shape shape;
    std::vector<float> values;
    Tensor tensor;
};

inline Sample some_sample(const OpenDevice& device, int least_rank = 1) {
    Sample sample;
    sample.shape = some_shape(least_rank);
    sample.values = random_values(sample.shape, -2, 2);
    const Layout layout = one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
    const DataType dtype = one_of(bfloat16, float32);
    sample.tensor = from_vector(sample.values, sample.shape, dtype, layout, device.get());
    return sample;
}

}  // namespace tilemeter::test
