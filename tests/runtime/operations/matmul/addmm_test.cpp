// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// addmm.

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;

TEST(Addmm, adds_a_scaled_product_to_a_scaled_tensor) {
    const test::OpenDevice device;
    const Tensor input = full(Shape{32, 64}, 3.0F, float32, TILE_LAYOUT, device.get());
    const Tensor a = full(Shape{32, 32}, 0.5F, float32, TILE_LAYOUT, device.get());
    const Tensor b = full(Shape{32, 64}, 0.25F, float32, TILE_LAYOUT, device.get());
    EXPECT_FLOAT_EQ(addmm(input, a, b, 2.0F, 0.5F).to_vector<float>().front(), 9.5F);
    EXPECT_FLOAT_EQ(addmm(input, a, b).to_vector<float>().front(), 7.0F);
    EXPECT_EQ(message_of([&] { addmm(input, a, b, 0.0F); }), "alpha parameter cannot be 0");
}

}  // namespace
}  // namespace tilemeter
