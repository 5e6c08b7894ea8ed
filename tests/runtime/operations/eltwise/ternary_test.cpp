// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations of three operands, tensors or numbers, against double precision.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/device.hpp"
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

TEST(Ternary, of_a_tensor_and_numbers) {
    const test::OpenDevice device;
    const Tensor a = row_on_device(device, {1.0, 2.0}), c = row_on_device(device, {10.0, 20.0});
    EXPECT_EQ(mac(a, 2.0F, c).to_vector<float>(), (Values{12, 24}));
    EXPECT_EQ(mac(a, 2.0F, 3.0F).to_vector<float>(), (Values{5, 7}));
}

}  // namespace
}  // namespace tilemeter
