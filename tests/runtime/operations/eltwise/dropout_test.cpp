// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// dropout.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/creation/random.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

TEST(Dropout, leaves_zeros_and_scaled_values) {
    const test::OpenDevice device;
    const Tensor input = ones(Shape{64, 64}, bfloat16, TILE_LAYOUT, device.get());
    const std::vector<float> values = experimental::dropout(input, 0.25F, 2.0F, 3).to_vector<float>();
    const auto kept = std::count(values.begin(), values.end(), 2.0F);
    EXPECT_EQ(kept + std::count(values.begin(), values.end(), 0.0F), 4096);
    EXPECT_NEAR(static_cast<double>(kept) / 4096.0, 0.75, 0.05);
}

}  // namespace
}  // namespace tilemeter
