// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// where against plain loops, over random shapes that broadcast and types.

#include "runtime/operations/eltwise/where.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
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

// The element of `from` that repeating it to `to` puts at `index`.
std::size_t source_of(std::size_t index, const Shape& from, const Shape& to) {
    std::size_t source = 0, stride = 1;
    for (std::size_t d = to.rank(); d-- > 0;) {
        const std::size_t at = index % to.dimensions()[d];
        index /= to.dimensions()[d];
        if (from.dimensions()[d] != 1) source += at * stride;
        stride *= from.dimensions()[d];
    }
    return source;
}

Shape with_some_ones(const Shape& shape) {
    Shape result;
    for (const std::uint32_t dimension : shape.dimensions())
        result.push_back(test::any_bool() ? dimension : 1);
    return result;
}

TEST(Where, takes_each_element_from_the_branch_that_the_condition_names) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = test::some_shape_of_four();
        const Shape c = with_some_ones(shape), x = with_some_ones(shape);
        std::vector<float> condition = test::random_values(c, -1, 2);
        for (float& value : condition)
            value = value < 0.5F ? 0.0F : value;
        const std::vector<float> a = test::random_values(x, -2, 2), b = test::random_values(shape, -2, 2);
        const DataType dtype = test::one_of(bfloat16, float32);
        const bool a_number = test::any_bool(), b_number = test::any_bool();
        const Tensor tensor_c = on_device(device, condition, c, dtype);
        const Tensor tensor_a = on_device(device, a, x, dtype), tensor_b = on_device(device, b, shape, dtype);
        const Tensor result = where(tensor_c, a_number ? TensorOrNumber(0.5F) : TensorOrNumber(tensor_a),
                                    b_number ? TensorOrNumber(-1.5F) : TensorOrNumber(tensor_b));
        Shape expected_shape = c;
        for (std::size_t d = 0; d < shape.rank(); ++d) {
            const auto axis = static_cast<std::int64_t>(d);
            if (!a_number) expected_shape.set(axis, std::max(expected_shape[axis], x[axis]));
            if (!b_number) expected_shape.set(axis, shape[axis]);
        }
        PROPERTY_ASSERT(result.shape() == expected_shape);
        const std::vector<float> ours = result.to_vector<float>();
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const bool yes = condition[source_of(i, c, expected_shape)] != 0.0F;
            const float expected = yes ? (a_number ? 0.5F : a[source_of(i, x, expected_shape)])
                                       : (b_number ? -1.5F : b[source_of(i, shape, expected_shape)]);
            PROPERTY_ASSERT(ours[i] == expected);  // values are multiples of 1/64 below 2: exact in each type
        }
    }));
}

TEST(Where, says_what_does_not_fit) {
    const test::OpenDevice device;
    const Tensor a = zeros({1, 1, 32, 32}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor b = zeros({1, 1, 64, 32}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor c = zeros({1, 1, 32, 32}, float32, TILE_LAYOUT, device.get());
    const Tensor rows = zeros({1, 1, 32, 32}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_NE(message_of([&] { where(a, a, b); }).find("expected equal dimensions or 1"), std::string::npos);
    EXPECT_NE(message_of([&] { where(a, c, 1.0F); }).find("Mixed dtype is not supported"), std::string::npos);
    EXPECT_NE(message_of([&] {
                  where(rows, rows, rows);
              }).find("Ternary operation requires tensor to be in Tile layout"),
              std::string::npos);
}

}  // namespace
}  // namespace tilemeter
