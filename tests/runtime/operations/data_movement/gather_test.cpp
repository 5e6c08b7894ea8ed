// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements picked by an index and written where an index says, against plain loops.

#include "runtime/operations/data_movement/gather.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::for_each_line;
using test::indices_on_device;
using test::on_device;
using test::some_dim;
using test::some_shape;

TEST(Gather, takes_the_elements_that_an_index_names) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        Shape shape = some_shape();
        if (shape.rank() < 2) shape = shape.to_rank(2);  // TT-NN takes no single rows of tiles
        const std::size_t dim = some_dim(shape);
        Shape picked = shape;
        picked.set(static_cast<std::int64_t>(dim), static_cast<std::uint32_t>(test::in_range(1, 40)));
        std::vector<std::int64_t> index;
        for (std::size_t i = 0; i < picked.volume(); ++i)
            index.push_back(test::in_range<std::int64_t>(0, shape.dimensions()[dim]));
        const std::vector<float> values = test::random_values(shape, -2, 2);
        std::vector<double> expected(picked.volume());
        std::size_t stride = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            stride *= shape.dimensions()[i];
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::size_t outer = i / stride / picked.dimensions()[dim];
            const auto place = static_cast<std::size_t>(index[i]);
            expected[i] = values[(outer * shape.dimensions()[dim] + place) * stride + i % stride];
        }
        const DataType dtype = test::one_of(bfloat16, float32);
        const Tensor result = gather(on_device(device, values, shape, dtype), static_cast<std::int64_t>(dim),
                                     indices_on_device(device, index, picked));
        PROPERTY_ASSERT(result.shape() == picked);
        test::assert_close(result, expected, 0.0);
    }));
}

TEST(Scatter, writes_where_an_index_says) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const std::vector<float> values = test::random_values(shape, -2, 2),
                                 written = test::random_values(shape, 4, 8);
        std::vector<double> expected(values.begin(), values.end());
        std::vector<std::int64_t> index(shape.volume());
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            const std::size_t shift = static_cast<std::size_t>(test::in_range(0, 40));
            for (std::size_t i = 0; i < length; ++i) {
                const std::size_t place = (i + shift) % length;
                index[first + i * stride] = static_cast<std::int64_t>(place);
                expected[first + place * stride] = written[first + i * stride];
            }
        });
        // In rows: TT-NN takes no tiles of float32.
        const auto rows = [&](const std::vector<float>& numbers) {
            return to_layout(on_device(device, numbers, shape), ROW_MAJOR_LAYOUT);
        };
        const Tensor result = scatter(rows(values), static_cast<std::int64_t>(dim),
                                      indices_on_device(device, index, shape), rows(written));
        test::assert_close(result, expected, 0.0);
    }));
}

TEST(TosaGather, takes_and_writes_whole_rows) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto size = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most)); };
        const std::uint32_t batches = size(4), rows = size(40), channels = size(40),
                            taken = 1 + size(40) % rows;
        const Shape shape{batches, rows, channels}, part{batches, taken, channels};
        const std::vector<float> values = test::random_values(shape, -2, 2),
                                 over = test::random_values(part, 4, 8);
        const std::size_t first = test::in_range<std::size_t>(0, rows);
        std::vector<std::int64_t> index;
        std::vector<double> gathered, scattered(values.begin(), values.end());
        for (std::size_t i = 0; i < std::size_t{batches} * taken; ++i) {
            const std::size_t row = (first + i % taken) % rows;
            index.push_back(static_cast<std::int64_t>(row));
            for (std::size_t c = 0; c < channels; ++c) {
                const std::size_t place = (i / taken * rows + row) * channels + c;
                gathered.push_back(values[place]);
                scattered[place] = over[i * channels + c];
            }
        }
        const auto as_rows = [&](const std::vector<float>& numbers, const Shape& of) {
            return to_layout(on_device(device, numbers, of), ROW_MAJOR_LAYOUT);
        };
        const Tensor places = indices_on_device(device, index, {batches, taken});
        const Tensor picked = tosa_gather(on_device(device, values, shape), places);
        PROPERTY_ASSERT(picked.shape() == part);
        test::assert_close(picked, gathered, 0.0);
        test::assert_close(tosa_scatter(as_rows(values, shape), places, as_rows(over, part)), scattered, 0.0);
    }));
}

}  // namespace
}  // namespace tilemeter
