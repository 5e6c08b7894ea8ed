// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reductions of sharded tensors are those of interleaved ones; only memory differs.

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/shards.hpp"

namespace tilemeter {
namespace {

using test::expect_as_interleaved;

TEST(ShardedReduction, computes_the_same) {
    for (const int dim : {-1, -2}) {
        expect_as_interleaved(test::kAllShards, [=](const Tensor& x) { return sum(x, dim, true); });
        expect_as_interleaved(test::kAllShards, [=](const Tensor& x) { return max(x, dim, true); });
    }
}

TEST(ShardedReduction, over_any_dimensions_computes_the_same) {
    expect_as_interleaved(test::kAllShards, [](const Tensor& x) {
        // The same for both of a pair of calls.
        const std::size_t which = x.shape().volume() / 1024;
        const ReduceDims some[] = {ReduceDims(0), ReduceDims(std::vector<int>{1, 2}),
                                   ReduceDims(std::vector<int>{2, 3}), ReduceDims(std::vector<int>{0, 3}),
                                   ReduceDims()};
        const ReduceDims& dims = some[which % std::size(some)];
        return which % 2 == 0 ? mean(x, dims, which % 4 == 0, DRAM_MEMORY_CONFIG)
                              : min(x, dims, which % 4 == 1, DRAM_MEMORY_CONFIG);
    });
}

}  // namespace
}  // namespace tilemeter
