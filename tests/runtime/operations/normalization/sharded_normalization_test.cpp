// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Norms and softmax of sharded tensors are those of interleaved ones; only memory differs.

#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/shards.hpp"

namespace tilemeter {
namespace {

using test::expect_as_interleaved;

TEST(ShardedNormalization, computes_the_same) {
    expect_as_interleaved(test::kColumnShards, [](const Tensor& x) { return layer_norm(x); });
    expect_as_interleaved(test::kColumnShards, [](const Tensor& x) { return rms_norm(x); });
    expect_as_interleaved(test::kAllShards, [](const Tensor& x) { return softmax(x, -1); });
}

TEST(Softmax, takes_rows_and_gives_tiles) {
    const test::OpenDevice device;
    const std::vector<float> values(2 * 33 * 40, 0.25F);
    const Tensor rows = from_vector(values, {1, 2, 33, 40}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const Tensor result = softmax(rows, -1);
    EXPECT_EQ(result.layout(), Layout::TILE);
    for (const float value : result.to_vector<float>())
        EXPECT_NEAR(value, 1.0 / 40, 1.0 / 40 / 128);
}

}  // namespace
}  // namespace tilemeter
