// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/embedding.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/transformer/embedding_backward.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

TEST(Embedding, gives_the_rows_of_the_table) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto batch = static_cast<std::uint32_t>(test::in_range(1, 4));
        const auto count = static_cast<std::uint32_t>(test::one_of(3, 32, 64));
        const auto width = static_cast<std::uint32_t>(test::one_of(8, 32, 96));
        const Layout layout = test::one_of(Layout::TILE, Layout::ROW_MAJOR);
        const std::uint32_t rows = 17;
        std::vector<std::int64_t> indices;
        for (std::uint32_t i = 0; i < batch * count; ++i)
            indices.push_back(test::in_range(0, static_cast<int>(rows)));
        const Tensor ids = from_vector(indices, {batch, count}, uint32, ROW_MAJOR_LAYOUT, device.get());
        const Tensor table = from_vector(test::random_values({rows, width}, -4, 4), {rows, width}, bfloat16,
                                         ROW_MAJOR_LAYOUT, device.get());
        const Tensor result = embedding(ids, table, std::nullopt, layout);
        PROPERTY_ASSERT(result.shape() == (Shape{batch, count, width}));
        PROPERTY_ASSERT(result.layout() == layout);
        const std::vector<float> source = table.to_vector<float>();
        const std::vector<float> ours = result.to_vector<float>();
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const auto row = static_cast<std::size_t>(indices[i / width]);
            PROPERTY_ASSERT(ours[i] == source[row * width + i % width]);
        }
    }));
}

TEST(Embedding, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const Tensor ids = zeros({1, 32}, uint32, ROW_MAJOR_LAYOUT, device.get());
    const Tensor table = zeros({10, 64}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] {
                  embedding(zeros({1, 32}, int32, ROW_MAJOR_LAYOUT, device.get()), table);
              }),
              "embedding: input_tensor: expected UINT32 or BFLOAT16, got INT32");
    EXPECT_EQ(test::message_of([&] {
                  embedding(ids, zeros({10, 64}, float32, ROW_MAJOR_LAYOUT, device.get()));
              }),
              "Weights tensor must have BFLOAT16 dtype");
    const Tensor far = full({1, 32}, 10, uint32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] { embedding(far, table); }),
              "embedding: input_tensor: expected indices below 10, got 10");
    EXPECT_EQ(
        test::message_of([&] {
            embedding(zeros({1, 32}, uint32), table);
        }),
        "Device Operations expect device tensors as inputs: embedding: input_tensor Shape([1, 32]): expected on a device, is on the host");
}

TEST(EmbeddingGradient, sums_the_gradients_of_each_row_of_the_table) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto batch = test::in_range(1U, 4U);
        const auto count = test::one_of(32U, 64U);
        const auto width = test::one_of(8U, 32U, 96U);
        const std::uint32_t rows = 17;
        std::vector<std::int64_t> indices;
        for (std::uint32_t i = 0; i < batch * count; ++i)
            indices.push_back(test::in_range<std::int64_t>(0, rows));
        const Shape shape{1, 1, batch * count, width};
        const std::vector<float> values = test::random_values(shape, -4, 4);
        const Tensor grad = from_vector(values, shape, bfloat16, TILE_LAYOUT, device.get());
        const Tensor ids = from_vector(indices, {batch, count}, uint32, ROW_MAJOR_LAYOUT, device.get());
        const Tensor table = zeros({rows, 5}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
        const Tensor result = embedding_bw(ids, table, grad);
        PROPERTY_ASSERT(result.shape() == (Shape{1, 1, rows, width}));
        const std::vector<float> rounded = grad.to_vector<float>();
        std::vector<double> expected(std::size_t{rows} * width, 0.0);
        for (std::size_t i = 0; i < rounded.size(); ++i)
            expected[static_cast<std::size_t>(indices[i / width]) * width + i % width] += rounded[i];
        test::assert_close(result, expected, 1e-4);
    }));
}

TEST(EmbeddingGradient, that_can_not_be_is_refused_in_TT_NNs_words) {
    const test::OpenDevice device;
    const auto sized = [&](const Shape& shape, DataType dtype, Layout layout) {
        return zeros(shape, dtype, layout, device.get());
    };
    const Tensor ids = sized({2, 32}, uint32, ROW_MAJOR_LAYOUT),
                 table = sized({9, 8}, bfloat16, ROW_MAJOR_LAYOUT);
    const Tensor grad = sized({1, 1, 64, 40}, bfloat16, TILE_LAYOUT);
    const auto error = [&](const Tensor& indices, const Tensor& of_rows) {
        return test::message_of([&] { embedding_bw(indices, table, of_rows); });
    };
    const DeviceMemory before = device->memory();
    EXPECT_EQ(error(sized({2, 32}, int32, ROW_MAJOR_LAYOUT), grad),
              "Index tensor must be UINT32 or BFLOAT16");
    EXPECT_EQ(error(sized({2, 30}, uint32, ROW_MAJOR_LAYOUT), grad),
              "Number of columns in the index tensor must be divisible by tile width");
    EXPECT_EQ(error(ids, sized({1, 1, 64, 40}, bfloat16, ROW_MAJOR_LAYOUT)),
              "Gradient tensor layout must be TILE but got Layout::ROW_MAJOR");
    EXPECT_EQ(error(ids, sized({1, 1, 64, 40}, float32, TILE_LAYOUT)),
              "Output gradient tensor must be BFLOAT16 or BFLOAT8_B");
    EXPECT_EQ(error(ids, sized({2, 32, 32, 40}, bfloat16, TILE_LAYOUT)),
              "First two dimensions for the gradient tensor must be 1, but found 2 && 32.");
    EXPECT_EQ(error(ids, sized({1, 1, 32, 40}, bfloat16, TILE_LAYOUT)),
              "Number of rows in gradient tensor must be equal to number of indices in index tensor");
    EXPECT_EQ(test::message_of([&] { embedding_bw(ids, table, grad, float32); }),
              "Output and input gradient tensors must have the same dtype");
    EXPECT_EQ(error(full({2, 32}, 9, uint32, ROW_MAJOR_LAYOUT, device.get()), grad),
              "embedding_bw: input_tensor: expected indices below 9, got 9");
    EXPECT_EQ(device->memory(), before);
}

}  // namespace
}  // namespace tilemeter
