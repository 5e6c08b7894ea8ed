// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/compute/matmul.hpp"
#include "tests/property.hpp"

namespace tilemeter::compute {
namespace {

// Multiples of 1/16 below 4: sums of their products are exact in float32, in any order, and mostly not in bfloat16.
HostArray sixteenths(const Shape& shape, std::uint32_t seed) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i)
        values.push_back((static_cast<float>((i * 2654435761U + seed) >> 7U & 127U) - 63.0F) / 16.0F);
    return HostArray::from_floats(values, DataType::BFLOAT16, shape);
}

// The product in float32, a bias added, and rounded once.
std::vector<float> rounded_at_the_end(const MatrixOperand& a, const MatrixOperand& b,
                                      std::span<const float> bias) {
    std::vector<float> product = matmul(a, b);
    for (std::size_t i = 0; i < product.size() && !bias.empty(); ++i)
        product[i] += bias[i % bias.size()];
    return HostArray::from_floats(product, DataType::BFLOAT16, matmul_shape(a, b)).to_floats();
}

std::vector<float> in_bfloat16(const MatrixOperand& a, const MatrixOperand& b, std::span<const float> bias) {
    HostArray result = HostArray::unwritten(DataType::BFLOAT16, matmul_shape(a, b));
    const std::span<std::uint16_t> to(reinterpret_cast<std::uint16_t*>(result.bytes().data()), result.size());
    if (!matmul_to_bfloat16(a, b, bias, to))
        return rounded_at_the_end(a, b, bias);  // this processor has none
    return result.to_floats();
}

TEST(MatmulToBfloat16, rounds_the_sum_with_its_bias_once) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const auto upto = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most + 1)); };
        const std::uint32_t batch = upto(3), rows = upto(70), inner = upto(70), columns = upto(70);
        const bool transpose_a = test::any_bool(), transpose_b = test::any_bool(),
                   has_bias = test::any_bool();
        const std::uint32_t batch_b = test::any_bool() ? batch : 1;
        const HostArray a =
            sixteenths(transpose_a ? Shape{batch, inner, rows} : Shape{batch, rows, inner}, 1);
        const HostArray b =
            sixteenths(transpose_b ? Shape{batch_b, columns, inner} : Shape{batch_b, inner, columns}, 2);
        FloatBuffer a_room(0), b_room(0);
        const MatrixOperand left = matrix_operand(a, transpose_a, a_room);
        const MatrixOperand right = matrix_operand(b, transpose_b, b_room);
        const std::vector<float> bias =
            has_bias ? sixteenths({columns}, 3).to_floats() : std::vector<float>{};
        PROPERTY_ASSERT(in_bfloat16(left, right, bias) == rounded_at_the_end(left, right, bias));
    }));
}

TEST(MatmulToBfloat16, leaves_operands_in_float32_to_its_caller) {
    const HostArray a = sixteenths({4, 8}, 1), b = a.reshaped({8, 4}).converted(DataType::FLOAT32);
    FloatBuffer a_room(0), b_room(0);
    std::vector<std::uint16_t> to(16, 7);
    EXPECT_FALSE(
        matmul_to_bfloat16(matrix_operand(a, false, a_room), matrix_operand(b, false, b_room), {}, to));
    EXPECT_EQ(to, std::vector<std::uint16_t>(16, 7));
}

}  // namespace
}  // namespace tilemeter::compute
