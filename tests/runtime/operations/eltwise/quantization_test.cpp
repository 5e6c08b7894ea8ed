// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/quantization.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using Values = std::vector<float>;

class QuantizationTest : public testing::Test {
protected:
    Tensor row(const Values& values, DataType dtype = DataType::FLOAT32) {
        return from_vector(values, Shape{1, static_cast<std::uint32_t>(values.size())}, dtype, Layout::TILE,
                           device_.get());
    }

private:
    test::OpenDevice device_;
};

TEST_F(QuantizationTest, divides_by_the_scale_and_rounds) {
    const Tensor quantized = quantize(row({1.0F, -0.5F, 0.3F, 100.0F}), 0.25F, 3);
    EXPECT_EQ(quantized.dtype(), DataType::INT32);
    EXPECT_EQ(quantized.to_vector<float>(), (Values{7, 1, 4, 403}));
    EXPECT_EQ(quantize(row({1.0F, -5.0F, 100.0F}), 0.25F, 3, {}, DataType::UINT8).to_vector<float>(),
              (Values{7, 0, 255}));
}

TEST_F(QuantizationTest, and_back) {
    const Tensor quantized = row({7, 1, -3}, DataType::INT32);
    EXPECT_EQ(dequantize(quantized, 0.25F, 3).to_vector<float>(), (Values{1.0F, -0.5F, -1.5F}));
    EXPECT_EQ(dequantize(quantized, 0.25F, 3, {}, DataType::FLOAT32).dtype(), DataType::FLOAT32);
    EXPECT_EQ(requantize(quantized, 0.25F, 3, 0.5F, 10).to_vector<float>(), (Values{12, 9, 7}));
}

TEST_F(QuantizationTest, of_what_is_no_such_tensor_says_so) {
    const Tensor real = row({1}), integer = row({1}, DataType::INT32);
    EXPECT_EQ(test::message_of([&] { quantize(integer, 0.5F, 0); }),
              "Quantize only takes floating-point number inputs");
    EXPECT_EQ(test::message_of([&] { quantize(real, 0.5F, 0, {}, DataType::UINT32); }),
              "Quantize only supports int32, int8 or uint8 outputs for now, got DataType::UINT32");
    EXPECT_EQ(test::message_of([&] { dequantize(real, 0.5F, 0); }),
              "Dequantize only supports int32, int8 or uint8 inputs for now, got DataType::FLOAT32");
    EXPECT_EQ(test::message_of([&] { dequantize(integer, 0.5F, 0, {}, DataType::BFLOAT8_B); }),
              "Dequantize only supports bf16/f32 outputs for now");
}

TEST_F(QuantizationTest, gates_with_limits_and_multivariate_gammas) {
    const auto silu = [](double x) { return x / (1 + std::exp(-x)); };
    const Values gated =
        clamped_silu_glu(row({9.0F, -1.0F, 0.5F}), row({2.0F, 8.0F, -8.0F}), 7.0F).to_vector<float>();
    EXPECT_NEAR(gated[0], silu(7) * 2, 1e-4);
    EXPECT_NEAR(gated[1], silu(-1) * 7, 1e-4);
    EXPECT_NEAR(gated[2], silu(0.5) * -7, 1e-4);
    double expected = 3 * std::log(std::acos(-1.0));
    for (const double less : {0.0, 0.5, 1.0, 1.5})
        expected += std::lgamma(4.25 - less);
    EXPECT_NEAR(multigammaln(row({4.25F})).to_vector<float>()[0], expected, 1e-4);
    EXPECT_EQ(test::message_of([&] { clamped_silu_glu(row({1}), row({1}), 0.0F); }),
              "clamped_silu_glu: limit: expected a positive one, got 0");
}

}  // namespace
}  // namespace tilemeter
