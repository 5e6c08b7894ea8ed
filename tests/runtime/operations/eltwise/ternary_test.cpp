// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations of three operands, tensors or numbers, against double precision.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/clamp.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::row_on_device;

using Values = std::vector<float>;

TEST(Ternary, agrees_with_double_precision) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto [a_shape, b_shape] = test::shapes_that_broadcast();
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const auto some = [&](const Shape& shape) {
            return from_vector(test::random_values(shape, 1, 5), shape, dtype, TILE_LAYOUT, device.get());
        };
        const Tensor a = some(a_shape), b = some(b_shape), c = some(a_shape);
        const Shape out = *compute::broadcast_shape(a_shape, b_shape);
        const auto sources_a = compute::broadcast_sources(a_shape, out);
        const auto sources_b = compute::broadcast_sources(b_shape, out);
        const auto x = a.to_vector<double>(), y = b.to_vector<double>(), z = c.to_vector<double>();
        const auto expected = [&](auto reference) {
            std::vector<double> values;
            for (std::size_t i = 0; i < sources_a.size(); ++i)
                values.push_back(reference(x[sources_a[i]], y[sources_b[i]], z[sources_a[i]]));
            return values;
        };
        using D = double;
        test::assert_close(lerp(a, b, c), expected([](D p, D q, D r) { return p + r * (q - p); }), 1e-5);
        test::assert_close(lerp(a, b, 0.25F), expected([](D p, D q, D) { return p + 0.25 * (q - p); }), 1e-5);
        test::assert_close(mac(a, b, c), expected([](D p, D q, D r) { return p * q + r; }), 1e-5);
        test::assert_close(mac(a, b, 3.0F), expected([](D p, D q, D) { return p * q + 3.0; }), 1e-5);
        test::assert_close(addcmul(a, b, c, 2.0F), expected([](D p, D q, D r) { return p + 2.0 * q * r; }),
                           1e-5);
        test::assert_close(addcdiv(a, b, c, 2.0F), expected([](D p, D q, D r) { return p + 2.0 * q / r; }),
                           1e-5);
        test::assert_close(clamp(a, OptionalTensor(b), OptionalTensor(c)),
                           expected([](D p, D q, D r) { return std::max(std::min(p, r), std::min(q, r)); }),
                           1e-5);
        test::assert_close(clamp(a, OptionalTensor(b), std::nullopt),
                           expected([](D p, D q, D) { return std::max(p, q); }), 1e-5);
        test::assert_close(clip(a, std::nullopt, OptionalTensor(b)),
                           expected([](D p, D q, D) { return std::min(p, q); }), 1e-5);
    }));
}

// Values from `low` on, in steps that no other operand has.
Tensor stepped(const test::OpenDevice& device, const Shape& shape, float low, float step,
               DataType dtype = DataType::FLOAT32) {
    std::vector<float> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = low + step * static_cast<float>(i % 37);
    return from_vector(values, shape, dtype, TILE_LAYOUT, device.get());
}

TEST(Ternary, snake_beta_has_a_number_for_each_column) {
    const test::OpenDevice device;
    const Tensor x = stepped(device, {2, 3, 5, 40}, -4, 0.21F);
    const Tensor alpha = stepped(device, {40}, 0.9F, 0.013F), beta = stepped(device, {1, 40}, 1, 0.017F);
    const auto values = x.to_vector<double>(), a = alpha.to_vector<double>(), b = beta.to_vector<double>();
    std::vector<double> expected;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double sine = std::sin(values[i] * a[i % 40]);
        expected.push_back(values[i] + sine * sine / b[i % 40]);
    }
    const auto found = snake_beta(x, alpha, beta).to_vector<double>();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-5) << i;
}

TEST(Ternary, snake_beta_refuses_other_operands_in_ttnns_words) {
    const test::OpenDevice device;
    const auto some = [&](const Shape& shape, DataType dtype = DataType::FLOAT32) {
        return stepped(device, shape, 1, 0.01F, dtype);
    };
    const Tensor x = some({2, 32, 64}), row = some({64}), one = some({1, 1});
    const auto refused = [&](const Tensor& input, const Tensor& alpha, const Tensor& beta, const char* why) {
        EXPECT_THAT([&] { (void)snake_beta(input, alpha, beta); },
                    testing::ThrowsMessage<RuntimeError>(testing::HasSubstr(why)));
    };
    refused(some({32, 64}, DataType::BFLOAT8_B), row, row, "got DataType::BFLOAT8_B");
    refused(x, some({64}, DataType::BFLOAT16), row, "alpha.dtype == beta.dtype == input.dtype");
    refused(row, row, row, "requires input rank >= 2, got rank 1");
    refused(x, some({32, 64}), row, "got Shape([32, 64]) vs Shape([1, 64])");
    refused(x, one, one, "requires input.W == alpha.W, got 64 vs 1");
    refused(x, some({32, 64}), some({32, 64}), "got dim 0 = 32");
}

TEST(Ternary, of_a_tensor_and_numbers) {
    const test::OpenDevice device;
    const Tensor a = row_on_device(device, {1.0, 2.0}), c = row_on_device(device, {10.0, 20.0});
    EXPECT_EQ(mac(a, 2.0F, c).to_vector<float>(), (Values{12, 24}));
    EXPECT_EQ(mac(a, 2.0F, 3.0F).to_vector<float>(), (Values{5, 7}));
}

}  // namespace
}  // namespace tilemeter
