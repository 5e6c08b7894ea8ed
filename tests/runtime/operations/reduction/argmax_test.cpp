// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// argmax against plain loops, over random shapes, types and layouts.

#include "runtime/operations/reduction/argmax.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using test::on_device;

TEST(Argmax, finds_the_first_largest_element) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = test::some_shape_of_four();
        const Layout layout = test::one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
        const DataType dtype = test::one_of(bfloat16, float32);
        const int dim = test::in_range(-4, 4);
        const bool all = layout == ROW_MAJOR_LAYOUT && test::any_bool();
        const bool keepdim = test::any_bool();
        const std::vector<float> values = test::random_values(shape, -1, 1);
        const Tensor result = argmax(on_device(device, values, shape, dtype, layout),
                                     all ? std::nullopt : std::optional(dim), keepdim);
        PROPERTY_ASSERT(result.dtype() == uint32);
        PROPERTY_ASSERT(result.layout() == ROW_MAJOR_LAYOUT);
        const std::size_t axis = shape.position(dim);
        std::size_t inner = 1, along = all ? values.size() : shape.dimensions()[axis];
        for (std::size_t d = axis + 1; d < 4 && !all; ++d)
            inner *= shape.dimensions()[d];
        PROPERTY_ASSERT(result.shape().rank() == (keepdim ? 4U : all ? 0U : 3U));
        const std::vector<std::int64_t> ours = result.to_vector<std::int64_t>();
        PROPERTY_ASSERT(ours.size() * along == values.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const std::size_t first = i / inner * inner * along + i % inner;
            std::size_t best = 0;
            for (std::size_t k = 1; k < along; ++k)
                best = values[first + k * inner] > values[first + best * inner] ? k : best;
            PROPERTY_ASSERT(ours[i] == static_cast<std::int64_t>(best));
        }
    }));
}

TEST(Argmax, says_what_does_not_fit) {
    const test::OpenDevice device;
    const Tensor tiles = zeros({1, 1, 32, 32}, int32, TILE_LAYOUT, device.get());
    const Tensor rows = zeros({1, 1, 32, 32}, int32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(message_of([&] { argmax(tiles, -1); }),
              "Only BFLOAT16, FLOAT32 are supported for inputs with TILE layout, got DataType::INT32");
    EXPECT_EQ(message_of([&] { argmax(rows, -2); }),
              "ROW_MAJOR: only argmax on the last dim is supported. Got dim=-2 (normalized=2), expected 3");
    EXPECT_EQ(message_of([&] {
                  argmax(zeros({1, 1, 32, 32}, bfloat16, TILE_LAYOUT, device.get()));
              }),
              "For inputs with TILE layout, dim parameter must be specified!");
}

}  // namespace
}  // namespace tilemeter
