// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// sort against the standard library, over random shapes.

#include "runtime/operations/data_movement/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
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

using test::for_each_line;
using test::message_of;
using test::on_device;
using test::some_dim;
using test::some_shape;

TEST(Sort, puts_each_line_in_order_and_says_where_elements_were) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const bool descending = test::any_bool();
        const std::vector<float> values = test::random_values(shape, -2, 2);
        std::vector<double> expected(values.size()), places(values.size());
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            std::vector<std::size_t> order(length);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                const float left = values[first + a * stride], right = values[first + b * stride];
                return descending ? left > right : left < right;
            });
            for (std::size_t i = 0; i < length; ++i) {
                expected[first + i * stride] = values[first + order[i] * stride];
                places[first + i * stride] = static_cast<double>(order[i]);
            }
        });
        const std::vector<Tensor> result =
            sort(on_device(device, values, shape), static_cast<std::int64_t>(dim), descending);
        test::assert_close(result[0], expected, 0.0);
        PROPERTY_ASSERT(result[1].to_vector<double>() == places);
    }));
}

TEST(Sort, counts_have_indices_of_32_bits) {
    const test::OpenDevice device;
    const Tensor counts = from_vector(std::vector<float>{3, 65535, 0, 7, 7}, {1, 5}, DataType::UINT16,
                                      Layout::TILE, device.get());
    const std::vector<Tensor> up = sort({.input_tensor = counts}), down = sort({counts, -1, true});
    EXPECT_EQ(up[0].to_vector<float>(), (std::vector<float>{0, 3, 7, 7, 65535}));
    EXPECT_EQ(up[1].dtype(), DataType::UINT32);
    EXPECT_EQ(up[1].to_vector<float>(), (std::vector<float>{2, 0, 3, 4, 1}));
    EXPECT_EQ(down[0].to_vector<float>(), (std::vector<float>{65535, 7, 7, 3, 0}));
    const Tensor number =
        from_vector(std::vector<float>{3}, Shape{}, DataType::UINT16, Layout::TILE, device.get());
    const std::vector<Tensor> one = sort({.input_tensor = number});
    EXPECT_EQ(one[0].to_vector<float>(), (std::vector<float>{3}));
    EXPECT_EQ(one[1].dtype(), DataType::UINT32);
    EXPECT_EQ(test::message_of([&] { sort({number, 1}); }), "Sort dim 1 is out of range for rank-0 tensor");
}

TEST(Sort, puts_rows_in_order_that_cores_cannot_share) {
    DeviceOptions options;
    options.description = "p150";
    const test::OpenDevice device(options);
    constexpr std::uint32_t kWidth = 16384;
    std::vector<float> falling(kWidth), rising(kWidth);
    for (std::uint32_t i = 0; i < kWidth; ++i) {
        rising[i] = static_cast<float>(i);
        falling[i] = static_cast<float>(kWidth - 1 - i);
    }
    for (const DataType dtype : {DataType::FLOAT32, DataType::UINT16}) {
        const Tensor row = from_vector(falling, {1, kWidth}, dtype, Layout::TILE, device.get());
        EXPECT_EQ(sort({.input_tensor = row})[0].to_vector<float>(), rising);
    }
}

TEST(Sort, writes_into_what_is_given_or_refuses_it) {
    const test::OpenDevice device;
    const auto given = [&](const Shape& shape) {
        return std::vector<Tensor>{zeros(shape, bfloat16, TILE_LAYOUT, device.get()),
                                   zeros(shape, uint16, TILE_LAYOUT, device.get())};
    };
    std::vector<float> values(32 * 64);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i * 37 % 101);
    const Tensor wide = on_device(device, values, Shape{32, 64}, bfloat16);
    const std::vector<Tensor> out = given({32, 64});
    const std::vector<Tensor> expected = sort(wide);
    sort(Sort{.input_tensor = wide, .out = out});
    for (std::size_t i = 0; i < out.size(); ++i)
        EXPECT_EQ(out[i].to_vector<float>(), expected[i].to_vector<float>());
    EXPECT_EQ(
        message_of([&] { sort(Sort{.input_tensor = wide, .dim = 0, .out = out}); }),
        "sort: out: expected it with the last dimension alone, of 2, 4, 8, 16 ... tiles, found dim 0 of "
        "Shape([32, 64]); leave it out, and take what is returned");
    const Tensor narrow = zeros(Shape{32, 96}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(
        message_of([&] {
            sort(Sort{.input_tensor = narrow, .out = given({32, 96})});
        }),
        "sort: out: expected it with the last dimension alone, of 2, 4, 8, 16 ... tiles, found dim -1 of "
        "Shape([32, 96]); leave it out, and take what is returned");
}

}  // namespace
}  // namespace tilemeter
