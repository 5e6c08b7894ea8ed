// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// sparse_matmul against products of single batches.

#include "runtime/operations/matmul/sparse_matmul.hpp"

#include <cstdint>
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

struct SparseCase {
    Shape a;
    Shape b;
    Shape sparsity;
    bool a_sparse;
    bool b_sparse;
    Shape result;
};

// Small whole numbers, so that sums are exact.
std::vector<float> numbered(const Shape& shape, std::uint64_t period) {
    std::vector<float> values(shape.volume());
    for (std::uint64_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % period) - 3.0F;
    return values;
}

TEST(SparseMatmul, makes_the_products_of_the_batches_that_are_named_and_zeros_else) {
    const std::vector<SparseCase> cases = {
        {{2, 1, 32, 64}, {1, 3, 64, 32}, {2, 1, 1, 3}, false, true, {2, 1, 1, 3, 32, 32}},
        {{1, 3, 32, 64}, {1, 3, 64, 32}, {1, 1, 1, 3}, true, true, {1, 3, 32, 32}},
        {{2, 3, 32, 64}, {1, 3, 64, 32}, {1, 1, 2, 3}, true, false, {2, 3, 32, 32}}};
    for (const SparseCase& each : cases) {
        // given
        const test::OpenDevice device;
        const auto tensor = [&](const std::vector<float>& values, const Shape& shape, Layout layout) {
            return from_vector(values, shape, DataType::FLOAT32, layout, device.get());
        };
        const std::vector<float> a = numbered(each.a, 7), b = numbered(each.b, 5);
        std::vector<float> made(each.sparsity.volume(), 1.0F);
        made[1] = 0.0F;
        MatmulMultiCoreReuseMultiCast1DProgramConfig config;
        config.compute_with_storage_grid_size = {1, 1};
        config.fuse_batch = false;

        // when
        const Tensor result = sparse_matmul({.input_tensor_a = tensor(a, each.a, Layout::TILE),
                                             .input_tensor_b = tensor(b, each.b, Layout::TILE),
                                             .sparsity = tensor(made, each.sparsity, Layout::ROW_MAJOR),
                                             .program_config = config,
                                             .is_input_a_sparse = each.a_sparse,
                                             .is_input_b_sparse = each.b_sparse});

        // then
        ASSERT_EQ(result.shape(), each.result);
        const std::vector<float> found = result.to_vector<float>();
        const std::uint64_t m = 32, k = 64, n = 32;
        for (std::uint64_t pair = 0; pair < made.size(); ++pair) {
            const std::uint64_t of_a = each.a_sparse ? pair : pair / 3, of_b = pair % 3;
            for (std::uint64_t i = 0; i < m * n; ++i) {
                double sum = 0.0;
                for (std::uint64_t j = 0; j < k; ++j)
                    sum += static_cast<double>(a[of_a * m * k + i / n * k + j]) *
                           b[of_b * k * n + j * n + i % n];
                ASSERT_EQ(found[pair * m * n + i], made[pair] == 0.0F ? 0.0 : sum)
                    << "pair " << pair << ", " << i;
            }
        }
    }
}

TEST(SparseMatmul, says_which_of_its_arguments_do_not_fit_each_other) {
    const test::OpenDevice device;
    const auto tensor = [&](const Shape& shape, Layout layout) {
        return full(shape, 1.0F, bfloat16, layout, device.get());
    };
    const Tensor a = tensor({1, 2, 32, 64}, Layout::TILE), b = tensor({1, 3, 64, 64}, Layout::TILE);
    MatmulMultiCoreReuseMultiCast1DProgramConfig config;
    config.compute_with_storage_grid_size = {1, 1};
    const auto call = [&](const Shape& sparsity, const OptionalProgramConfig& program) {
        return message_of([&] {
            sparse_matmul({.input_tensor_a = a,
                           .input_tensor_b = b,
                           .sparsity = tensor(sparsity, Layout::ROW_MAJOR),
                           .program_config = program});
        });
    };
    EXPECT_EQ(call({1, 1, 1, 4}, config),
              "sparsity logical_volume (4) must equal batch_length (6) [sparsity_shape=Shape([1, 1, 1, 4]), "
              "is_input_a_sparse=false, is_input_b_sparse=true]");
    EXPECT_EQ(call({1, 2, 1, 3}, config),
              "Number of blocks exceeds number of cores available: 2 blocks > 1 cores");
    EXPECT_EQ(call({1, 2, 1, 3}, MatmulMultiCoreProgramConfig{}),
              "sparse_matmul: program_config: expected MatmulMultiCoreReuseMultiCast1DProgramConfig");
}

}  // namespace
}  // namespace tilemeter
