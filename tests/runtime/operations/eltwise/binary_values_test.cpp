// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The values of all elementwise operations of two operands against double precision, over shapes that
// broadcast, layouts, dtypes and shards; activations, integers, numbers on either side, dtypes refused.

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/clamp.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::gelu_of;
using test::row_on_device;

using Pair = Tensor (*)(const Tensor&, const Tensor&);
template <const auto& kOperation>
Tensor call(const Tensor& a, const Tensor& b) {
    return kOperation(a, b);
}
using Reference = double (*)(double, double);

struct BinaryCase {
    const char* name;
    Pair operation;
    Reference reference;
    bool positive = false;  ///< operands have to be
};

// Kept apart from the table that computes: written down from the definitions.
const BinaryCase kBinaryCases[] = {
    {"add", &call<add>, [](double a, double b) { return a + b; }},
    {"subtract", &call<subtract>, [](double a, double b) { return a - b; }},
    {"multiply", &call<multiply>, [](double a, double b) { return a * b; }},
    {"divide", &call<divide>, [](double a, double b) { return a / b; }, true},
    {"rsub", &call<rsub>, [](double a, double b) { return b - a; }},
    {"squared_difference", &call<squared_difference>,
     [](double a, double b) { return std::pow(a - b, 2.0); }},
    {"logical_and", &call<logical_and>, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
    {"logical_or", &call<logical_or>, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
    {"logical_xor", &call<logical_xor>, [](double a, double b) { return (a != 0) != (b != 0) ? 1.0 : 0.0; }},
    {"logaddexp", &call<logaddexp>, [](double a, double b) { return std::log(std::exp(a) + std::exp(b)); }},
    {"logaddexp2", &call<logaddexp2>,
     [](double a, double b) { return std::log2(std::exp2(a) + std::exp2(b)); }},
    {"ldexp", &call<ldexp>, [](double a, double b) { return a * std::pow(2.0, b); }},
    {"bias_gelu", &call<bias_gelu>, [](double a, double b) { return gelu_of(a + b); }},
    {"xlogy", &call<xlogy>, [](double a, double b) { return a * std::log(b); }, true},
    {"remainder", &call<remainder>, [](double a, double b) { return a - b * std::floor(a / b); }, true},
    {"fmod", &call<fmod>, [](double a, double b) { return a - b * std::trunc(a / b); }, true},
    {"maximum", &call<maximum>, [](double a, double b) { return a > b ? a : b; }},
    {"minimum", &call<minimum>, [](double a, double b) { return a < b ? a : b; }},
    {"eq", &call<eq>, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {"ge", &call<ge>, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {"lt", &call<lt>, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {"atan2", &call<atan2>, [](double a, double b) { return std::atan2(a, b); }},
    {"hypot", &call<hypot>, [](double a, double b) { return std::sqrt(a * a + b * b); }},
    {"pow", &call<pow>, [](double a, double b) { return std::exp(b * std::log(a)); }, true},
};

std::vector<double> expected_of(const BinaryCase& each, const Tensor& a, const Tensor& b, const Shape& out) {
    const std::vector<double> left = a.to_vector<double>();
    const std::vector<double> right = b.to_vector<double>();
    const auto from_left = compute::broadcast_sources(a.shape(), out);
    const auto from_right = compute::broadcast_sources(b.shape(), out);
    std::vector<double> values;
    for (std::size_t i = 0; i < from_left.size(); ++i)
        values.push_back(each.reference(left[from_left[i]], right[from_right[i]]));
    return values;
}

class BinaryFamily : public testing::TestWithParam<BinaryCase> {};

TEST_P(BinaryFamily, agrees_with_double_precision) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const BinaryCase& each = GetParam();
        const auto [a_shape, b_shape] = test::shapes_that_broadcast();
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const Layout layout = test::one_of(Layout::TILE, Layout::ROW_MAJOR);
        const int low = each.positive ? 1 : -4;
        const Tensor a =
            from_vector(test::random_values(a_shape, low, 5), a_shape, dtype, layout, device.get());
        const Tensor b =
            from_vector(test::random_values(b_shape, low, 5), b_shape, dtype, layout, device.get());
        const Tensor result = each.operation(a, b);
        test::assert_close(result, expected_of(each, a, b, result.shape()), 1e-6);
    }));
}

TEST_P(BinaryFamily, agrees_with_double_precision_on_shards) {
    const test::OpenDevice device;
    const BinaryCase& each = GetParam();
    const Shape shape{1, 1, 128, 64};
    const MemoryConfig rows{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                            ShardSpec{CoreRangeSet(CoreRange{{0, 0}, {3, 0}}), {32, 64}}};
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const int low = each.positive ? 1 : -4;
        const Shape b_shape = test::one_of(shape, Shape{1, 1, 128, 1}, Shape{1, 1, 1, 64});
        const std::vector<float> some = test::random_values(Shape{64}, low, 5);
        const auto filled = [&](const Shape& of, std::size_t from) {
            std::vector<float> values;
            for (std::uint64_t i = 0; i < of.volume(); ++i)
                values.push_back(some[(from + i * 7) % some.size()]);
            return values;
        };
        const Tensor a = from_vector(filled(shape, 0), shape, bfloat16, TILE_LAYOUT, device.get(), rows);
        const Tensor b = from_vector(filled(b_shape, 3), b_shape, bfloat16, TILE_LAYOUT, device.get(),
                                     b_shape == shape ? rows : DRAM_MEMORY_CONFIG);
        const Tensor result = each.operation(a, b);
        PROPERTY_ASSERT(result.memory_config() == rows);
        test::assert_close(result, expected_of(each, a, b, result.shape()), 1e-6);
    }));
}

INSTANTIATE_TEST_SUITE_P(Values, BinaryFamily, testing::ValuesIn(kBinaryCases),
                         [](const auto& each) { return std::string(each.param.name); });

using Values = std::vector<float>;

TEST(Activations, change_operands_before_and_the_result_after) {
    const test::OpenDevice device;
    const Tensor a = row_on_device(device, {-1.0, 2.0, -3.0});
    const Tensor b = row_on_device(device, {4.0, -5.0, 2.0});
    const Activations relu{{UnaryOpType::RELU, {}}}, square{{UnaryOpType::SQUARE, {}}};
    const Activations both{{UnaryOpType::RELU, {}}, {UnaryOpType::NEG, {}}};
    const auto nothing = std::nullopt;
    EXPECT_EQ(add(a, b, nothing, nothing, nothing, relu).to_vector<float>(), (Values{3, 0, 0}));
    EXPECT_EQ(add(a, b, nothing, nothing, nothing, {}, relu).to_vector<float>(), (Values{4, -3, 2}));
    EXPECT_EQ(add(a, b, nothing, nothing, nothing, {}, {}, square).to_vector<float>(), (Values{15, 27, 1}));
    EXPECT_EQ(add(a, b, nothing, nothing, nothing, both).to_vector<float>(), (Values{-3, 0, 0}));
    EXPECT_EQ(multiply(a, 2.0F, nothing, nothing, nothing, {}, relu, square).to_vector<float>(),
              (Values{0, 8, 0}));
}

TEST(Numbers, stand_on_either_side) {
    const test::OpenDevice device;
    const Tensor a = row_on_device(device, {1.0, 2.0, 4.0});
    EXPECT_EQ(subtract(10.0F, a).to_vector<float>(), (Values{9, 8, 6}));
    EXPECT_EQ(divide(8.0F, a).to_vector<float>(), (Values{8, 4, 2}));
    EXPECT_EQ(rsub(a, 10.0F).to_vector<float>(), (Values{9, 8, 6}));
    EXPECT_EQ(rdiv(a, 8.0F).to_vector<float>(), (Values{8, 4, 2}));
    EXPECT_EQ(rdiv(a, 3.0F, "floor").to_vector<float>(), (Values{3, 1, 0}));
    EXPECT_EQ(rpow(a, 2.0F).to_vector<float>(), (Values{2, 4, 16}));
    EXPECT_EQ(pow(2.0F, a).to_vector<float>(), (Values{2, 4, 16}));
    EXPECT_EQ(maximum(a, 2.5F).to_vector<float>(), (Values{2.5, 2.5, 4}));
    EXPECT_EQ(minimum(a, 2.5F).to_vector<float>(), (Values{1, 2, 2.5}));
    EXPECT_EQ(remainder(row_on_device(device, {-7.0, 7.0}), 3.0F).to_vector<float>(), (Values{2, 1}));
    EXPECT_EQ(fmod(row_on_device(device, {-7.0, 7.0}), 3.0F).to_vector<float>(), (Values{-1, 1}));
}

TEST(Integers, stay_exact_or_become_real_as_the_operation_says) {
    const test::OpenDevice device;
    const auto integers = [&](const std::vector<std::int64_t>& values, DataType dtype = int32) {
        return from_vector(values, Shape{static_cast<std::uint32_t>(values.size())}, dtype, ROW_MAJOR_LAYOUT,
                           device.get());
    };
    using Integers = std::vector<std::int64_t>;
    const Tensor a = integers({-7, 7, 12, 16777217}), b = integers({2, -2, 18, 3});
    EXPECT_EQ(squared_difference(a, b).to_vector<std::int64_t>()[0], 81);
    EXPECT_EQ(remainder(a, b).to_vector<std::int64_t>(), (Integers{1, -1, 12, 2}));
    EXPECT_EQ(fmod(a, b).to_vector<std::int64_t>(), (Integers{-1, 1, 12, 2}));
    EXPECT_EQ(gcd(a, b).to_vector<std::int64_t>(), (Integers{1, 1, 6, 1}));
    EXPECT_EQ(lcm(integers({4, 6}), integers({6, 4})).to_vector<std::int64_t>(), (Integers{12, 12}));
    EXPECT_EQ(bitwise_and(a, 0xFF0000FF).to_vector<std::int64_t>()[3], 0x01000001 & 0xFF0000FF);
    EXPECT_EQ(bitwise_or(a, b).to_vector<std::int64_t>(), (Integers{-7 | 2, 7 | -2, 12 | 18, 16777217 | 3}));
    EXPECT_EQ(bitwise_xor(a, b).to_vector<std::int64_t>()[2], 12 ^ 18);
    EXPECT_EQ(bitwise_left_shift(b, 3).to_vector<std::int64_t>(), (Integers{16, -16, 144, 24}));
    EXPECT_EQ(bitwise_right_shift(a, 1).to_vector<std::int64_t>(), (Integers{-4, 3, 6, 8388608}));
    EXPECT_EQ(logical_right_shift(a, 1).to_vector<std::int64_t>()[0], 0x7FFFFFFC);
    EXPECT_EQ(div(a, b, false, "floor").to_vector<std::int64_t>(), (Integers{-4, -4, 0, 5592405}));
    EXPECT_EQ(div(a, b, false, "trunc").to_vector<std::int64_t>(), (Integers{-3, -3, 0, 5592405}));
    EXPECT_EQ(divide(a, b).dtype(), float32);
    EXPECT_EQ(divide(a, b).to_vector<float>()[0], -3.5F);
    EXPECT_EQ(multiply(a, 2).dtype(), int32);
    EXPECT_EQ(multiply(a, 2.5F).dtype(), float32);
    EXPECT_EQ(multiply(a, 2.5F).to_vector<float>()[1], 17.5F);
    EXPECT_EQ(eq(integers({1, 2}, uint8), integers({1, 3}, uint8)).dtype(), uint16);
}

TEST(Refusals, say_which_dtype_and_which_operation) {
    const test::OpenDevice device;
    const Tensor real = row_on_device(device, {1.0}), whole = typecast(real, int32);
    EXPECT_EQ(test::message_of([&] { gcd(real, real); }),
              "Input tensor A dtype DataType::FLOAT32 is not supported for binary operation "
              "BinaryOpType::GCD");
    EXPECT_EQ(test::message_of([&] { maximum(real, row_on_device(device, {1.0}, bfloat16)); }),
              "Mixed dtype is not supported for binary operation BinaryOpType::MAXIMUM, dtype A: "
              "DataType::FLOAT32, dtype B: DataType::BFLOAT16");
    EXPECT_NE(test::message_of([&] { add(whole, 2.5F); }).find("cannot represent the scalar 2.5"),
              std::string::npos);
    EXPECT_NE(test::message_of([&] { div(real, real, false, "up"); }).find("rounding_mode"),
              std::string::npos);
    EXPECT_EQ(test::message_of([&] { glu(row_on_device(device, std::vector<double>(64)), 0); }),
              "glu-family ops only support the last dimension, got dim=0");
}

}  // namespace
}  // namespace tilemeter
