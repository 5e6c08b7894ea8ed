// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/sharding.hpp"

#include <gtest/gtest.h>

#include "runtime/operations/creation/creation.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using test::OpenDevice;

// Rows in a bank are aligned to more than rows in L1, which TT-NN's message does not say.
TEST(Reshard, tells_the_alignment_of_the_memory_that_refuses) {
    const OpenDevice device;
    const auto shards = [](BufferType::Value where) {
        return MemoryConfig{TensorMemoryLayout::WIDTH_SHARDED, where,
                            ShardSpec{CoreRange{{0, 0}, {3, 0}}, {32, 8}}};
    };
    const Tensor input =
        zeros({1, 1, 32, 32}, bfloat16, ROW_MAJOR_LAYOUT, device.get(), shards(BufferType::DRAM));
    EXPECT_EQ(
        message_of([&] { reshard(input, shards(BufferType::L1)); }),
        "Input row-major shard width 8 with data type DataType::BFLOAT16 gives page size 16 bytes, which "
        "must be aligned to 32 bytes for reshard");
}

}  // namespace
}  // namespace tilemeter
