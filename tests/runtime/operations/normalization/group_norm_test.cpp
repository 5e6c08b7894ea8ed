// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// group_norm: values against naive sums in double precision. That its programs are TT-NN's is held by the
// recorded rows (tests/data/oracle).

#include "runtime/operations/normalization/group_norm.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::between;
using test::values_of;

TEST(GroupNorm, values_are_those_of_naive_sums) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t columns = test::one_of(1U, 2U, 4U);
        const std::uint32_t groups = columns * between(1, 3);
        const std::uint32_t group = 8 * between(1, 5);  // others: rows of broken 16 bytes, refused
        const std::uint32_t channels = groups * group;
        const std::uint32_t width = channels / columns;
        const std::uint32_t images = between(1, 2);
        const std::uint32_t height = 32 * between(1, 2);
        const std::uint32_t rows = images * between(1, 3);
        const unsigned seed = test::any_unsigned();
        const Shape shape{images, 1, rows * height / images, channels};
        const MemoryConfig shards{
            TensorMemoryLayout::BLOCK_SHARDED, BufferType::L1,
            ShardSpec{
                CoreRange{{0, 0}, {columns - 1, rows - 1}}, {height, width}, ShardOrientation::ROW_MAJOR}};
        const std::vector<float> input = values_of(shape, seed);
        const std::vector<float> weight = values_of({channels}, seed + 1);
        const std::vector<float> bias = values_of({channels}, seed + 2);
        const std::uint32_t padded = (width + 31) / 32 * 32;
        const auto by_cores = [&](const std::vector<float>& values) {
            std::vector<float> spread(std::size_t{columns} * padded);
            for (std::uint32_t c = 0; c < channels; ++c)
                spread[c / width * padded + c % width] = values[c];
            return from_vector(spread, {1, 1, columns * padded / 32, 32}, DataType::BFLOAT16,
                               Layout::ROW_MAJOR, device.get());
        };
        std::uint32_t span = 0;
        for (std::uint32_t begin = 0; begin < width; begin += group)
            span = std::max(span, (begin + group - 1) / 32 - begin / 32 + 1);
        const Tensor mask = zeros({1, groups, 32, 32 * span}, bfloat16, TILE_LAYOUT, device.get());
        const Tensor x =
            from_vector(input, shape, DataType::BFLOAT16, Layout::ROW_MAJOR, device.get(), shards);
        const bool inplace = test::any_bool();
        const Tensor result = group_norm({.input_tensor = x,
                                          .num_groups = groups,
                                          .epsilon = 1e-5F,
                                          .input_mask = mask,
                                          .weight = by_cores(weight),
                                          .bias = by_cores(bias),
                                          .memory_config = shards,
                                          .inplace = inplace});

        const std::size_t per_image = input.size() / images;
        std::vector<double> expected(input.size());
        for (std::size_t g = 0; g < std::size_t{images} * groups; ++g) {
            std::vector<std::size_t> members;
            for (std::size_t i = g / groups * per_image; i < (g / groups + 1) * per_image; ++i) {
                if (i % channels / group == g % groups) members.push_back(i);
            }
            double mean = 0.0, variance = 0.0;
            for (const std::size_t i : members)
                mean += static_cast<double>(input[i]) / static_cast<double>(members.size());
            for (const std::size_t i : members)
                variance +=
                    std::pow(static_cast<double>(input[i]) - mean, 2) / static_cast<double>(members.size());
            for (const std::size_t i : members) {
                expected[i] = (static_cast<double>(input[i]) - mean) / std::sqrt(variance + 1e-5) *
                                  static_cast<double>(weight[i % channels]) +
                              static_cast<double>(bias[i % channels]);
            }
        }
        test::assert_close(result, expected, 1e-4);
        PROPERTY_ASSERT(!inplace || result.buffer().address() == x.buffer().address());
    }));
}

TEST(GroupNorm, of_interleaved_tensors_has_the_values_of_naive_sums) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t groups = test::one_of(1U, 2U, 4U, 8U);
        const std::uint32_t channels = 32 * groups * between(1, 2);
        const std::uint32_t images = between(1, 2);
        const Shape shape{images, 1, 64 * images * between(1, 3) - (images == 1 ? between(0, 20) : 0),
                          channels};
        const unsigned seed = test::any_unsigned();
        const std::vector<float> input = values_of(shape, seed);
        const std::vector<float> weight = values_of({channels}, seed + 1);
        const std::vector<float> bias = values_of({channels}, seed + 2);
        const auto in_rows = [&](const std::vector<float>& values) {
            return from_vector(values, {1, 1, channels / 32, 32}, DataType::BFLOAT16, Layout::ROW_MAJOR,
                               device.get());
        };
        const Tensor x = from_vector(input, shape, DataType::BFLOAT16, Layout::TILE, device.get());
        const Tensor result = group_norm({.input_tensor = x,
                                          .num_groups = groups,
                                          .epsilon = 1e-5F,
                                          .weight = in_rows(weight),
                                          .bias = in_rows(bias),
                                          .inplace = false,
                                          .use_welford = test::any_bool()});
        std::vector<double> expected(input.size());
        const std::size_t per_image = input.size() / images, group = channels / groups;
        for (std::size_t g = 0; g < std::size_t{images} * groups; ++g) {
            std::vector<std::size_t> members;
            for (std::size_t i = g / groups * per_image; i < (g / groups + 1) * per_image; ++i) {
                if (i % channels / group == g % groups) members.push_back(i);
            }
            double sum = 0.0, squares = 0.0;
            for (const std::size_t i : members)
                sum += static_cast<double>(input[i]) / static_cast<double>(members.size());
            for (const std::size_t i : members)
                squares +=
                    std::pow(static_cast<double>(input[i]) - sum, 2) / static_cast<double>(members.size());
            for (const std::size_t i : members) {
                expected[i] = (static_cast<double>(input[i]) - sum) / std::sqrt(squares + 1e-5) *
                                  static_cast<double>(weight[i % channels]) +
                              static_cast<double>(bias[i % channels]);
            }
        }
        test::assert_close(result, expected, 1e-4);
    }));
    const Tensor rows = zeros({1, 1, 64, 64}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] { group_norm(rows, 2); }),
              "inplace groupnorm not supported for unsharded tensors");
}

// The messages are TT-NN's.
TEST(GroupNorm, of_interleaved_tensors_refuses_what_its_program_has_no_room_for) {
    const test::OpenDevice device;
    const auto normed = [&](const Shape& shape, std::uint32_t groups, bool use_welford) {
        const Tensor x = zeros(shape, bfloat16, TILE_LAYOUT, device.get());
        group_norm({.input_tensor = x, .num_groups = groups, .inplace = false, .use_welford = use_welford});
    };
    EXPECT_EQ(test::message_of([&] {
                  normed({1, 1, 4096, 96}, 32, true);
              }),
              "num_groups_per_core (32) must be <= 16 when use_welfords is true.");
    EXPECT_EQ(test::message_of([&] { normed({1, 1, 4096, 96}, 32, false); }), "");
    EXPECT_EQ(test::message_of([&] { normed({1, 1, 4096, 96}, 16, true); }), "");
    EXPECT_EQ(
        test::message_of([&] {
            normed({1, 1, 9216, 1920}, 1, false);
        }),
        "num_out_blocks (8) must be in [1, block_h (6)]. Reduce num_out_blocks or increase input spatial "
        "dimensions.");
}

}  // namespace
}  // namespace tilemeter
