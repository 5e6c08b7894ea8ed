// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// topk against plain loops, over random shapes.

#include "runtime/operations/reduction/topk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

TEST(Topk, gives_the_best_in_order_and_where_they_were) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = test::some_shape_of_four();
        const int dim = test::one_of(-1, -2);
        const bool largest = test::any_bool();
        const std::uint32_t k =
            static_cast<std::uint32_t>(test::in_range<int>(1, static_cast<int>(shape[dim]) + 1));
        const std::vector<float> values = test::random_values(shape, -1, 1);
        const std::vector<Tensor> results = topk(on_device(device, values, shape, bfloat16), k, dim, largest);
        PROPERTY_ASSERT(results.size() == 2U);
        Shape expected_shape = shape;
        expected_shape.set(dim, k);
        PROPERTY_ASSERT(results[0].shape() == expected_shape);
        PROPERTY_ASSERT(results[1].shape() == expected_shape);
        PROPERTY_ASSERT(results[1].dtype() == uint16);
        const std::vector<float> best = results[0].to_vector<float>();
        const std::vector<std::int64_t> places = results[1].to_vector<std::int64_t>();
        const std::size_t inner = dim == -1 ? 1 : shape[-1], along = shape[dim];
        for (std::size_t line = 0; line < values.size() / along; ++line) {
            const auto at = [&](std::size_t i, std::size_t count) {
                return line / inner * inner * count + i * inner + line % inner;
            };
            std::vector<float> sorted;
            for (std::size_t i = 0; i < along; ++i)
                sorted.push_back(values[at(i, along)]);
            std::sort(sorted.begin(), sorted.end());
            if (largest) std::reverse(sorted.begin(), sorted.end());
            for (std::size_t i = 0; i < k; ++i) {
                PROPERTY_ASSERT(best[at(i, k)] == sorted[i]);
                PROPERTY_ASSERT(values[at(static_cast<std::size_t>(places[at(i, k)]), along)] == sorted[i]);
            }
        }
    }));
}

TEST(Topk, says_what_does_not_fit) {
    const test::OpenDevice device;
    const Tensor a = zeros({1, 1, 32, 64}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(message_of([&] { topk(a, 65); }),
              "K cannot be larger than the dimension size! K=65, dimension size=64");
    EXPECT_EQ(message_of([&] { topk(a, 0); }), "topk: k: expected at least 1, got 0");
    EXPECT_EQ(message_of([&] {
                  topk(zeros({1, 1, 32, 64}, int32, TILE_LAYOUT, device.get()), 1);
              }),
              "topk: input_tensor: expected BFLOAT16, BFLOAT8_B or FLOAT32, got INT32");
}

}  // namespace
}  // namespace tilemeter
