// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// copy and assign.

#include "runtime/operations/data_movement/copy.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;

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

}  // namespace
}  // namespace tilemeter
