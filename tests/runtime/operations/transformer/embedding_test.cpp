// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/embedding.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
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
              "embedding: weight: expected BFLOAT16, got FLOAT32");
    const Tensor far = full({1, 32}, 10, uint32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] { embedding(far, table); }),
              "embedding: input_tensor: expected indices below 10, got 10");
    EXPECT_NE(test::message_of([&] { embedding(zeros({1, 32}, uint32), table); }), "");
}

}  // namespace
}  // namespace tilemeter
