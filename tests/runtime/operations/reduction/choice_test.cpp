// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// where, argmax, topk against plain loops, over random shapes, types and layouts.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/sort.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/reduction/argmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/reduction/topk.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;

Tensor on_device(const test::OpenDevice& device, const std::vector<float>& values, const Shape& shape,
                 DataType dtype, Layout layout = TILE_LAYOUT) {
    return from_vector(values, shape, dtype, layout, device.get());
}

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

// More than a tile in the last two dimensions, few of the others.
Shape some_shape() {
    const auto up_to = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most + 1)); };
    return Shape{up_to(3), up_to(3), up_to(40), up_to(40)};
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
        const Shape shape = some_shape();
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
    EXPECT_NE(message_of([&] { where(rows, rows, rows); }).find("expected TILE layout"), std::string::npos);
}

TEST(Argmax, finds_the_first_largest_element) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
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

TEST(Topk, gives_the_best_in_order_and_where_they_were) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
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
