// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors repeated, stacked, rolled, cut to triangles and copied, against plain loops.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/repeat_interleave.hpp"
#include "runtime/operations/data_movement/roll.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/stack.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/sliding_window/fold.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;

struct Sample {
    Shape shape;
    std::vector<float> values;
    Tensor tensor;
};

Sample some_tensor(const test::OpenDevice& device, int least_rank = 1) {
    Sample sample;
    const int rank = test::in_range(least_rank, 5);
    for (int i = 0; i < rank; ++i)
        sample.shape.push_back(static_cast<std::uint32_t>(test::in_range(1, i + 2 < rank ? 4 : 40)));
    sample.values = test::random_values(sample.shape, -2, 2);
    const Layout layout = test::one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
    const DataType dtype = test::one_of(bfloat16, float32);
    sample.tensor = from_vector(sample.values, sample.shape, dtype, layout, device.get());
    return sample;
}

std::size_t behind(const Shape& shape, std::size_t dim) {
    std::size_t stride = 1;
    for (std::size_t i = dim + 1; i < shape.rank(); ++i)
        stride *= shape.dimensions()[i];
    return stride;
}

TEST(RepeatInterleave, repeats_each_slice_in_a_row) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_tensor(device, 2);
        const auto dim = static_cast<std::size_t>(test::in_range(0, static_cast<int>(sample.shape.rank())));
        const auto repeats = static_cast<std::uint32_t>(test::in_range(1, 4));
        std::vector<double> expected;
        const std::size_t slice = behind(sample.shape, dim);
        for (std::size_t at = 0; at < sample.values.size(); at += slice) {
            for (std::uint32_t i = 0; i < repeats; ++i)
                expected.insert(expected.end(), sample.values.begin() + static_cast<std::ptrdiff_t>(at),
                                sample.values.begin() + static_cast<std::ptrdiff_t>(at + slice));
        }
        test::assert_close(repeat_interleave(sample.tensor, repeats, static_cast<std::int64_t>(dim)),
                           expected, 0.0);
    }));
}

TEST(Expand, repeats_dimensions_of_one) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto columns = static_cast<std::uint32_t>(test::in_range(1, 40));
        const std::vector<float> row = test::random_values(Shape{1, columns}, -2, 2);
        const Layout layout = test::one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
        const Tensor input = from_vector(row, Shape{1, columns}, bfloat16, layout, device.get());
        const std::int64_t rows = test::in_range<std::int64_t>(1, 40), batch = test::in_range(1, 4);
        std::vector<double> expected;
        for (std::int64_t i = 0; i < rows * batch; ++i)
            expected.insert(expected.end(), row.begin(), row.end());
        test::assert_close(expand(input, {batch, rows, -1}), expected, 0.0);
    }));
    const Tensor input = zeros(Shape{3, 32}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(message_of([&] {
                  expand(input, {4, 32});
              }),
              "Only size 1 dimensions can be expanded in the output shape: expected -1 or 3 for dimension 0 "
              "of Shape([3, 32]), found 4");
}

TEST(Stack, puts_tensors_along_a_new_dimension) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_tensor(device);
        const auto dim =
            static_cast<std::size_t>(test::in_range(0, static_cast<int>(sample.shape.rank()) + 1));
        const std::size_t slice = dim == 0 ? sample.values.size() : behind(sample.shape, dim - 1);
        std::vector<double> expected;
        for (std::size_t at = 0; at < sample.values.size(); at += slice) {
            for (int i = 0; i < 2; ++i)
                expected.insert(expected.end(), sample.values.begin() + static_cast<std::ptrdiff_t>(at),
                                sample.values.begin() + static_cast<std::ptrdiff_t>(at + slice));
        }
        const Tensor result = stack({sample.tensor, sample.tensor}, static_cast<std::int64_t>(dim));
        PROPERTY_ASSERT(result.shape().rank() == sample.shape.rank() + 1);
        test::assert_close(result, expected, 0.0);
    }));
}

TEST(Roll, shifts_what_leaves_at_one_end_in_at_the_other) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_tensor(device, 2);
        const auto dim = static_cast<std::size_t>(test::in_range(0, static_cast<int>(sample.shape.rank())));
        const std::int64_t shift = test::in_range(-50, 50);
        const auto size = static_cast<std::int64_t>(sample.shape.dimensions()[dim]);
        const std::size_t stride = behind(sample.shape, dim);
        std::vector<double> expected(sample.values.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i / stride) % size;
            const std::int64_t to = ((at + shift) % size + size) % size;
            expected[i + static_cast<std::size_t>(to - at) * stride] = sample.values[i];
        }
        test::assert_close(roll(sample.tensor, {shift}, {static_cast<std::int64_t>(dim)}), expected, 0.0);
    }));
}

TEST(Triangle, keeps_one_side_of_a_diagonal) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_tensor(device, 2);
        const std::int64_t diagonal = test::in_range(-40, 40);
        const std::int64_t columns = sample.shape[-1], rows = sample.shape[-2];
        std::vector<double> below(sample.values.size()), above(sample.values.size());
        for (std::size_t i = 0; i < below.size(); ++i) {
            const auto place = static_cast<std::int64_t>(i);
            const std::int64_t offset = place % columns - place / columns % rows;
            below[i] = offset <= diagonal ? sample.values[i] : 0.0F;
            above[i] = offset >= diagonal ? sample.values[i] : 0.0F;
        }
        test::assert_close(tril(sample.tensor, diagonal), below, 0.0);
        test::assert_close(triu(sample.tensor, diagonal), above, 0.0);
    }));
}

TEST(Copy, writes_over_a_tensor_in_its_dtype_and_place) {
    const test::OpenDevice device;
    const std::vector<float> values(64 * 32, 1.5F);
    const Tensor source = from_vector(values, Shape{64, 32}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor target = zeros(Shape{64, 32}, float32, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const Tensor result = copy(source, target);
    EXPECT_EQ(result.id(), target.id());
    EXPECT_EQ(target.to_vector<float>(), values);
    EXPECT_EQ(target.dtype(), float32);
    const Tensor other = assign(source, L1_MEMORY_CONFIG, float32);
    EXPECT_EQ(other.to_vector<float>(), values);
    EXPECT_EQ(message_of([&] {
                  copy(source, zeros(Shape{32, 32}, bfloat16, TILE_LAYOUT, device.get()));
              }),
              "copy: output: expected Shape([64, 32]), got Shape([32, 32])");
}

TEST(Addmm, adds_a_scaled_product_to_a_scaled_tensor) {
    const test::OpenDevice device;
    const Tensor input = full(Shape{32, 64}, 3.0F, float32, TILE_LAYOUT, device.get());
    const Tensor a = full(Shape{32, 32}, 0.5F, float32, TILE_LAYOUT, device.get());
    const Tensor b = full(Shape{32, 64}, 0.25F, float32, TILE_LAYOUT, device.get());
    EXPECT_FLOAT_EQ(addmm(input, a, b, 2.0F, 0.5F).to_vector<float>().front(), 9.5F);
    EXPECT_FLOAT_EQ(addmm(input, a, b).to_vector<float>().front(), 7.0F);
    EXPECT_EQ(message_of([&] { addmm(input, a, b, 0.0F); }), "alpha parameter cannot be 0");
}

TEST(Fold, makes_channels_of_blocks_of_pixels) {
    const test::OpenDevice device;
    const Shape shape{2, 4, 6, 8};
    std::vector<float> values(shape.volume());
    std::iota(values.begin(), values.end(), 0.0F);
    const MemoryConfig shards{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                              ShardSpec{CoreRange{{0, 0}, {7, 0}}, {6, 8}, ShardOrientation::ROW_MAJOR}};
    for (const auto& [layout, memory] : {std::pair{Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG},
                                         {Layout::TILE, DRAM_MEMORY_CONFIG},
                                         {Layout::ROW_MAJOR, shards}}) {
        const Tensor x = from_vector(values, shape, DataType::FLOAT32, layout, device.get(), memory);
        const Tensor result = fold(x, 2, 3);
        ASSERT_EQ(result.shape(), (Shape{2, 2, 2, 48}));
        const std::vector<float> folded = result.to_vector<float>();
        for (std::size_t i = 0; i < folded.size(); ++i) {
            const std::size_t channel = i % 8, x_in = i / 8 % 3, y_in = i / 24 % 2, column = i / 48 % 2,
                              row = i / 96;
            ASSERT_EQ(folded[i], values[((row * 2 + y_in) * 6 + column * 3 + x_in) * 8 + channel]) << i;
        }
        EXPECT_EQ(fold({.input = x, .stride_h = 2, .stride_w = 3, .collapse_output = true}).shape(),
                  (Shape{1, 1, 8, 48}));
    }
    const Tensor x = from_vector(values, shape, DataType::FLOAT32, Layout::ROW_MAJOR, device.get());
    EXPECT_EQ(
        fold({.input = x, .stride_h = 3, .stride_w = 4, .padding = std::array<std::uint32_t, 4>{1, 1, 2, 0}})
            .shape(),
        (Shape{2, 2, 2, 96}));
    EXPECT_EQ(
        test::message_of([&] { fold(x, 3, 3); }),
        "fold: expected interleaved images whose height and width are multiples of 3 and 3, in tiles only with whole 16 bytes of channels, found ROW_MAJOR Shape([2, 4, 6, 8]) INTERLEAVED");
}

}  // namespace
}  // namespace tilemeter
