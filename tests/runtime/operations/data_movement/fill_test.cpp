// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Filling by an index, and of the padding of tiles.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/index_fill.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using test::some_shape;

TEST(IndexFill, leaves_all_but_the_chosen_positions) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const auto dim = static_cast<std::size_t>(test::in_range<int>(0, static_cast<int>(shape.rank())));
        const std::uint32_t size = shape.dimensions()[dim];
        std::vector<std::int64_t> positions(test::in_range<std::size_t>(1, size + 1));
        for (std::int64_t& position : positions)
            position = test::in_range<std::int64_t>(0, size);
        std::vector<float> values = test::random_values(shape, -4, 4);
        const Tensor x = from_vector(values, shape, float32, ROW_MAJOR_LAYOUT, device.get());
        const Tensor index = from_vector(positions, Shape{static_cast<std::uint32_t>(positions.size())},
                                         DataType::UINT32, ROW_MAJOR_LAYOUT, device.get());
        const Tensor result = index_fill(x, static_cast<std::int64_t>(dim), index, 2.5);
        std::size_t inner = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            inner *= shape.dimensions()[i];
        for (std::size_t at = 0; at < values.size(); ++at) {
            const auto here = static_cast<std::int64_t>(at / inner % size);
            if (std::find(positions.begin(), positions.end(), here) != positions.end()) values[at] = 2.5F;
        }
        PROPERTY_ASSERT(result.to_vector<float>() == values);
    }));
    const Tensor x = zeros({4, 4}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const Tensor beyond =
        from_vector(std::vector<std::int64_t>{4}, {1}, DataType::UINT32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(message_of([&] { index_fill(x, 0, beyond, 1.0); }),
              "index_fill: index: expected positions below 4, got 4");
}

TEST(FillImplicitTilePadding, keeps_values_and_memory) {
    const test::OpenDevice device;
    const Tensor x = full({2, 40, 50}, 3, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(fill_implicit_tile_padding(x, 1.0F).shared_buffer(), x.shared_buffer());
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(4000, 3.0F));
    const Tensor whole = full({32, 32}, 3, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(fill_implicit_tile_padding(whole, 1.0F).id(), whole.id());
}

}  // namespace
}  // namespace tilemeter
