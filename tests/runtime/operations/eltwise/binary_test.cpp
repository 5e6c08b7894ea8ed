// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/binary.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using Values = std::vector<float>;

double reference(int kind, double a, double b) {
    switch (kind) {
        case 0:
            return a + b;
        case 1:
            return a - b;
        case 2:
            return a * b;
        default:
            return a / b;
    }
}

Tensor call(int kind, const Tensor& a, const Tensor& b) {
    switch (kind) {
        case 0:
            return add(a, b);
        case 1:
            return subtract(a, b);
        case 2:
            return multiply(a, b);
        default:
            return divide(a, b);
    }
}

// Shapes that broadcast: some dimensions of either side are 1.
std::pair<Shape, Shape> random_shapes() {
    const int rank = test::in_range(1, 5);
    Shape a;
    Shape b;
    for (int i = 0; i < rank; ++i) {
        const auto size = static_cast<std::uint32_t>(test::in_range(1, 9));
        const int repeat = test::in_range(0, 4);
        a.push_back(repeat == 1 ? 1 : size);
        b.push_back(repeat == 2 ? 1 : size);
    }
    return {a, b};
}

std::vector<float> random_values(const Shape& shape, bool nonzero) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i) {
        const float value = static_cast<float>(test::in_range(-1000, 1000)) / 64.0F;
        values.push_back(nonzero && value == 0 ? 1.0F : value);
    }
    return values;
}

TEST(Binary, agrees_with_double_precision_within_the_bound_of_its_type) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto [a_shape, b_shape] = random_shapes();
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const Layout layout = test::one_of(Layout::TILE, Layout::ROW_MAJOR);
        const int kind = test::in_range(0, 4);
        const Tensor a = from_vector(random_values(a_shape, false), a_shape, dtype, layout, device.get());
        const Tensor b = from_vector(random_values(b_shape, true), b_shape, dtype, layout, device.get());
        const Tensor result = call(kind, a, b);

        const std::vector<double> left = a.to_vector<double>();
        const std::vector<double> right = b.to_vector<double>();
        const std::vector<double> ours = result.to_vector<double>();
        const auto left_sources = compute::broadcast_sources(a_shape, result.shape());
        const auto right_sources = compute::broadcast_sources(b_shape, result.shape());
        // Half a step of the result's type: 8 or 24 significant bits.
        const double bound = dtype == DataType::BFLOAT16 ? std::ldexp(1.0, -8) : std::ldexp(1.0, -22);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const double expected = reference(kind, left[left_sources[i]], right[right_sources[i]]);
            PROPERTY_ASSERT(std::fabs(ours[i] - expected) <= bound * std::fabs(expected) + 1e-30);
        }
    }));
}

TEST(Binary, of_integers_is_exact_and_wraps) {
    const test::OpenDevice device;
    const std::vector<std::int64_t> large = {16777217, -16777217, 2147483647, 5};
    const Tensor a = from_vector(large, {4}, int32, ROW_MAJOR_LAYOUT, device.get());
    const Tensor b =
        from_vector(std::vector<std::int64_t>{2, 2, 1, -3}, {4}, int32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(add(a, b).to_vector<std::int64_t>(),
              (std::vector<std::int64_t>{16777219, -16777215, -2147483648, 2}));
    EXPECT_EQ(multiply(a, b).to_vector<std::int64_t>(),
              (std::vector<std::int64_t>{33554434, -33554434, 2147483647, -15}));
}

TEST(Binary, with_a_number_uses_it_for_every_element) {
    const test::OpenDevice device;
    const Tensor a = full({2, 40}, 6, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(divide(a, 4.0F).to_vector<float>(), std::vector<float>(80, 1.5F));
}

TEST(Binary, of_shapes_that_do_not_broadcast_says_so) {
    const test::OpenDevice device;
    const Tensor a = zeros({2, 3}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor b = zeros({2, 4}, bfloat16, TILE_LAYOUT, device.get());
    try {
        add(a, b);
        FAIL() << "expected an error";
    } catch (const RuntimeError& error) {
        EXPECT_STREQ(error.what(),
                     "Invalid subtile broadcast type: BinaryNgDeviceOperation: shapes Shape([2, 3]) and "
                     "Shape([2, 4]): expected equal "
                     "dimensions or 1");
    }
}

TEST(Binary, of_different_layouts_tilizes_the_one_in_rows) {
    const test::OpenDevice device;
    const Tensor a = full({2, 3}, 1.0F, bfloat16, TILE_LAYOUT, device.get());
    const Tensor b = full({2, 3}, 2.0F, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    for (const Tensor& sum : {add(a, b), add(b, a)}) {
        EXPECT_EQ(sum.layout(), TILE_LAYOUT);
        EXPECT_EQ(sum.to_vector<float>(), std::vector<float>(6, 3.0F));
    }
}

TEST(Binary, compares_to_ones_and_zeros) {
    const test::OpenDevice device;
    const std::vector<float> left{1, 2, 3};
    const std::vector<float> right{1, 3, 2};
    for (const DataType dtype : {bfloat16, float32, int32}) {
        const Tensor a = from_vector(left, Shape{1, 3}, dtype, TILE_LAYOUT, device.get());
        const Tensor b = from_vector(right, Shape{1, 3}, dtype, TILE_LAYOUT, device.get());

        EXPECT_EQ(eq(a, b).to_vector<float>(), (Values{1, 0, 0}));
        EXPECT_EQ(ne(a, b).to_vector<float>(), (Values{0, 1, 1}));
        EXPECT_EQ(gt(a, b).to_vector<float>(), (Values{0, 0, 1}));
        EXPECT_EQ(ge(a, b).to_vector<float>(), (Values{1, 0, 1}));
        EXPECT_EQ(lt(a, b).to_vector<float>(), (Values{0, 1, 0}));
        EXPECT_EQ(le(a, b).to_vector<float>(), (Values{1, 1, 0}));
        EXPECT_EQ(maximum(a, b).to_vector<float>(), (Values{1, 3, 3}));
        EXPECT_EQ(minimum(a, b).to_vector<float>(), (Values{1, 2, 2}));
    }
}

// Without dimensions, as compilers place them.
TEST(Binary, takes_one_element_in_a_shard_or_beside_shards) {
    const test::OpenDevice device;
    const auto one_core = [](std::uint32_t width) {
        return MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                            ShardSpec{CoreRangeSet(CoreRange{{0, 0}, {0, 0}}), {32, width}}};
    };
    const Tensor one = from_vector(std::vector{3.0F}, Shape{}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor in_shard =
        from_vector(std::vector{5.0F}, Shape{}, bfloat16, TILE_LAYOUT, device.get(), one_core(32));
    const Tensor rows = from_vector(std::vector<float>(32 * 64, 2.0F), Shape{32, 64}, bfloat16, TILE_LAYOUT,
                                    device.get(), one_core(64));
    const Tensor sum = add(in_shard, one), product = multiply(rows, one);
    EXPECT_EQ(sum.to_vector<float>(), std::vector<float>{8.0F});
    EXPECT_EQ(sum.memory_config(), one_core(32));
    EXPECT_EQ(product.to_vector<float>(), std::vector<float>(32 * 64, 6.0F));
    EXPECT_EQ(product.memory_config(), one_core(64));
}

TEST(Binary, writes_in_place_and_into_a_tensor_given) {
    const test::OpenDevice device;
    const Tensor a = full(Shape{32, 32}, 6.0F, bfloat16, TILE_LAYOUT, device.get());
    const Tensor b = full(Shape{32, 32}, 2.0F, bfloat16, TILE_LAYOUT, device.get());
    const Tensor out = zeros(Shape{32, 32}, float32, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);

    const Tensor into = add(a, b, std::nullopt, std::nullopt, out);
    const Tensor same = multiply_(a, b);

    EXPECT_EQ(into.id(), out.id());
    EXPECT_EQ(out.to_vector<float>(), std::vector<float>(32 * 32, 8.0F));
    EXPECT_EQ(same.id(), a.id());
    EXPECT_EQ(a.to_vector<float>(), std::vector<float>(32 * 32, 12.0F));
    EXPECT_THROW(add_(b, zeros(Shape{2, 32, 32}, bfloat16, TILE_LAYOUT, device.get())), RuntimeError);
}

}  // namespace
}  // namespace tilemeter
