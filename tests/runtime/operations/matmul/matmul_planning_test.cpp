// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs of matrix products as TT-NN 0.81.1 planned them on an n150, recorded with nothing else in L1: the
// configurations that the shared oracle tables do not have.

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/operations/matmul/matmul_config_choice.hpp"
#include "runtime/operations/matmul/matmul_program.hpp"

namespace tilemeter {
namespace {

MemoryConfig sharded(TensorMemoryLayout::Value layout, std::uint32_t columns, std::uint32_t rows,
                     std::array<std::uint32_t, 2> shape) {
    return {layout, BufferType::L1,
            ShardSpec{CoreRange{{0, 0}, {columns - 1, rows - 1}}, shape, ShardOrientation::ROW_MAJOR}};
}

TensorSpec tiled(const Shape& shape, DataType dtype = DataType::BFLOAT16,
                 const MemoryConfig& config = DRAM_MEMORY_CONFIG) {
    return {shape, dtype, Layout::TILE, config};
}

MatmulProblem problem_of(const TensorSpec& a, const TensorSpec& b,
                         const MemoryConfig& output = DRAM_MEMORY_CONFIG) {
    MatmulProblem problem;
    problem.a = a;
    problem.b = b;
    problem.output_memory_config = output;
    problem.output_dtype = a.dtype;
    problem.accumulates_in_fp32 = a.dtype == DataType::FLOAT32;
    return problem;
}

// "4096 8192* on {[0-0 - 3-3]}": sizes in order, * for those that lie in a tensor.
std::string text_of(const ProgramPlan& plan) {
    std::string text;
    for (const ProgramMemory& piece : plan.memory) {
        text += std::to_string(piece.size_bytes) + (piece.shared_with == ProgramMemory::kOwn ? " " : "* ");
        EXPECT_EQ(piece.cores, plan.memory.front().cores);
    }
    return text + "on " + plan.memory.front().cores.to_string();
}

std::string planned(const MatmulProblem& problem, const MatmulProgramConfig& config) {
    const DeviceDescription device = load_device_description("n150");
    require_valid(problem);
    require_fitting(problem, config, device);
    return text_of(plan_matmul(problem, config, output_spec(problem, config, device), device));
}

std::string chosen(const MatmulProblem& problem, std::optional<CoreGrid> core_grid = std::nullopt,
                   bool run_batched = false) {
    const DeviceDescription device = load_device_description("n150");
    return planned(problem, choose_matmul_program_config(
                                problem, {core_grid, std::nullopt, run_batched, device.compute_grid,
                                          device.l1_size - device.l1_unreserved_base}));
}

const Shape kLeft{1, 1, 256, 512};
const Shape kRight{1, 1, 512, 256};

TEST(MatmulPlanning, of_interleaved_operands_is_as_recorded) {
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled(kRight))), "8192 8192 2048 on {[0-0 - 7-7]}");
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled({1, 1, 512, 1024}))), "8192 32768 8192 on {[0-0 - 7-7]}");
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled({1, 1, 512, 1024}), L1_MEMORY_CONFIG)),
              "65536 8192 16384 on {[0-0 - 7-3]}");
    EXPECT_EQ(chosen(problem_of(tiled({1, 1, 1024, 512}), tiled(kRight), L1_MEMORY_CONFIG)),
              "8192 65536 16384 on {[0-0 - 7-3]}");
    EXPECT_EQ(chosen(problem_of(tiled({1, 1, 640, 64}), tiled({1, 1, 64, 640}))),
              "12288 12288 18432 on {[0-0 - 6-6]}");
    EXPECT_EQ(chosen(problem_of(tiled({1, 1, 640, 64}), tiled({1, 1, 64, 640}), L1_MEMORY_CONFIG)),
              "65536 65536 524288 on {[0-0 - 1-1]}");
    EXPECT_EQ(chosen(problem_of(tiled({512}), tiled(kRight))), "8192 8192 2048 on {[0-0 - 7-0]}");
}

TEST(MatmulPlanning, of_batches_is_as_recorded) {
    const TensorSpec a = tiled({4, 8, 128, 64});
    const TensorSpec b = tiled({4, 8, 64, 128});
    EXPECT_EQ(chosen(problem_of(a, b), std::nullopt, true), "4096 4096 2048 on {[0-0 - 3-3]}");
    EXPECT_EQ(chosen(problem_of(a, b, L1_MEMORY_CONFIG), std::nullopt, true),
              "4096 4096 4096 on {[0-0 - 7-7]}");
    EXPECT_EQ(chosen(problem_of(a, b), CoreGrid{8, 8}, true), "16384 16384 32768 on {[0-0 - 3-7]}");
    EXPECT_EQ(chosen(problem_of(a, tiled({64, 128})), CoreGrid{8, 8}), "8192 16384 16384 on {[0-0 - 7-7]}");
    EXPECT_EQ(chosen(problem_of(tiled({1, 1, 128, 64}), tiled({1, 8, 64, 128})), std::nullopt, true),
              "4096 32768 8192 on {[0-0 - 3-0]}");
}

TEST(MatmulPlanning, over_a_core_grid_is_as_recorded) {
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled(kRight)), CoreGrid{4, 4}),
              "32768 32768 8192 on {[0-0 - 3-3]}");
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled(kRight)), CoreGrid{8, 8}),
              "16384 16384 2048 on {[0-0 - 7-7]}");
}

TEST(MatmulPlanning, with_a_transposed_left_operand_keeps_it_beside) {
    MatmulProblem problem = problem_of(tiled(kLeft), tiled(kLeft));
    problem.transpose_a = true;
    EXPECT_EQ(chosen(problem), "8192 8192 8192 8192 on {[0-0 - 7-7]}");
    problem.output_memory_config = L1_MEMORY_CONFIG;
    EXPECT_EQ(chosen(problem), "65536 65536 131072 65536 on {[0-0 - 1-1]}");
}

TEST(MatmulPlanning, of_mixed_types_is_as_recorded) {
    MatmulProblem problem = problem_of(tiled(kLeft), tiled(kRight));
    problem.output_dtype = DataType::BFLOAT8_B;
    EXPECT_EQ(chosen(problem), "8192 8192 1088 2048 on {[0-0 - 7-7]}");
    problem.output_dtype = DataType::FLOAT32;
    problem.accumulates_in_fp32 = true;
    problem.packs_into_l1 = false;
    EXPECT_EQ(chosen(problem), "8192 8192 4096 on {[0-0 - 7-7]}");
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled(kRight, DataType::BFLOAT4_B))),
              "8192 2304 2048 on {[0-0 - 7-7]}");
    MatmulProblem with_bias =
        problem_of(tiled(kLeft, DataType::BFLOAT8_B), tiled(kRight, DataType::BFLOAT8_B));
    with_bias.bias = tiled({1, 256}, DataType::BFLOAT8_B);
    EXPECT_EQ(chosen(with_bias), "4352 4352 1088 2048 1088 on {[0-0 - 7-7]}");
}

TEST(MatmulPlanning, of_sharded_operands_is_as_recorded) {
    const TensorSpec rows =
        tiled(kLeft, DataType::BFLOAT16, sharded(TensorMemoryLayout::HEIGHT_SHARDED, 8, 1, {32, 512}));
    const TensorSpec columns =
        tiled(kLeft, DataType::BFLOAT16, sharded(TensorMemoryLayout::WIDTH_SHARDED, 8, 1, {256, 64}));
    const TensorSpec blocks =
        tiled(kLeft, DataType::BFLOAT16, sharded(TensorMemoryLayout::BLOCK_SHARDED, 4, 4, {64, 128}));
    EXPECT_EQ(chosen(problem_of(rows, tiled(kRight))), "32768* 262144 16384 on {[0-0 - 7-0]}");
    EXPECT_EQ(chosen(problem_of(columns, tiled(kRight))), "65536 8192 32768* 16384 on {[0-0 - 7-0]}");
    EXPECT_EQ(chosen(problem_of(blocks, tiled(kRight))), "32768 32768 16384* 8192 on {[0-0 - 3-3]}");
    const auto without_shards = [](TensorMemoryLayout::Value layout) {
        return MemoryConfig{layout, BufferType::L1, std::nullopt};
    };
    EXPECT_EQ(chosen(problem_of(rows, tiled(kRight), without_shards(TensorMemoryLayout::HEIGHT_SHARDED))),
              "32768* 262144 16384* on {[0-0 - 7-0]}");
    EXPECT_EQ(chosen(problem_of(columns, tiled(kRight), without_shards(TensorMemoryLayout::WIDTH_SHARDED))),
              "65536 8192 32768* 16384* on {[0-0 - 7-0]}");
    EXPECT_EQ(chosen(problem_of(blocks, tiled(kRight), without_shards(TensorMemoryLayout::BLOCK_SHARDED))),
              "32768 32768 16384* 8192* on {[0-0 - 3-3]}");
    const TensorSpec batches = tiled({4, 8, 128, 64}, DataType::BFLOAT16,
                                     sharded(TensorMemoryLayout::HEIGHT_SHARDED, 8, 4, {128, 64}));
    EXPECT_EQ(chosen(problem_of(batches, tiled({4, 8, 64, 128})), std::nullopt, true),
              "16384* 32768 32768 on {[0-0 - 7-3]}");
}

TEST(MatmulPlanning, to_a_sharded_result_is_as_recorded) {
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled(kRight),
                                sharded(TensorMemoryLayout::HEIGHT_SHARDED, 8, 1, {32, 256}))),
              "8192 65536 16384* on {[0-0 - 7-0]}");
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled(kRight),
                                sharded(TensorMemoryLayout::WIDTH_SHARDED, 8, 1, {256, 32}))),
              "65536 8192 16384* on {[0-0 - 7-0]}");
    EXPECT_EQ(chosen(problem_of(tiled(kLeft), tiled(kRight),
                                sharded(TensorMemoryLayout::BLOCK_SHARDED, 4, 4, {64, 64}))),
              "65536 65536 131072* on {[0-0 - 0-0]}");
}

// The weights' banks are read by the cores next to them: the rectangle reaches to the last in use.
TEST(MatmulPlanning, from_shards_in_dram_is_as_recorded) {
    const auto product = [](std::uint32_t k, std::uint32_t n, std::uint32_t in_bank) {
        return problem_of(tiled({1, 1, 32, 32 * k}, DataType::BFLOAT16,
                                sharded(TensorMemoryLayout::WIDTH_SHARDED, 4, 1, {32, 8 * k})),
                          tiled({1, 1, 32 * k, 32 * n}, DataType::BFLOAT8_B,
                                MemoryConfig{TensorMemoryLayout::WIDTH_SHARDED, BufferType::DRAM,
                                             ShardSpec{CoreRange{{0, 0}, {11, 0}},
                                                       {32 * k, 32 * in_bank},
                                                       ShardOrientation::ROW_MAJOR}}),
                          MemoryConfig{TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1, std::nullopt});
    };
    using Config = MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig;
    EXPECT_EQ(planned(product(24, 64, 6), Config{3, 1, 8}), "12288 58752 12288 on {[0-0 - 7-7]}");
    EXPECT_EQ(planned(product(8, 4, 1), Config{1, 1, 1}), "4096 3264 2048 on {[0-0 - 3-7]}");
    // 43 columns of a bank are made as 48, in subblocks of 8; 22 in 32 bits as 24, in subblocks of 4.
    EXPECT_EQ(planned(product(8, 509, 43), Config{1, 1, 16}), "4096 140352 98304 on {[0-0 - 7-7]}");
    MatmulProblem wide = product(8, 255, 22);
    wide.accumulates_in_fp32 = true;
    wide.output_dtype = DataType::FLOAT32;
    EXPECT_EQ(planned(wide, Config{1, 1, 16}), "4096 71808 98304 on {[0-0 - 7-7]}");
}

TEST(MatmulPlanning, of_given_configs_is_as_recorded) {
    const MatmulProblem plain = problem_of(tiled(kLeft), tiled(kRight));
    MatmulProblem with_bias = plain;
    with_bias.bias = tiled({1, 256});
    EXPECT_EQ(
        planned(with_bias, MatmulMultiCoreReuseMultiCast1DProgramConfig{{8, 8}, 2, 1, 1, 0, 0, 8, 1, true}),
        "65536 8192 16384 2048 on {[0-0 - 7-0]}");
    EXPECT_EQ(planned(plain,
                      MatmulMultiCoreReuseMultiCast1DProgramConfig{
                          {8, 8}, 4, 1, 4, 0, 0, 1, 8, true, std::nullopt, false}),
              "16384 131072 16384 on {[0-0 - 7-0]}");
    EXPECT_EQ(planned(plain, MatmulMultiCoreReuseMultiCastProgramConfig{{4, 4}, 4, 1, 2, 0, 0, 2, 2}),
              "32768 32768 8192 on {[0-0 - 3-3]}");
    EXPECT_EQ(planned(plain, MatmulMultiCoreReuseMultiCastProgramConfig{{2, 2}, 4, 1, 2, 2, 2, 4, 4}),
              "32768 32768 8192 on {[0-0 - 1-1]}");
    EXPECT_EQ(planned(plain, MatmulMultiCoreReuseMultiCastProgramConfig{{4, 4}, 4, 1, 2, 0, 0, 2, 4, true}),
              "32768 65536 16384 on {[0-0 - 3-1]}");
    const MatmulProblem batches = problem_of(tiled({4, 8, 128, 64}), tiled({4, 8, 64, 128}));
    EXPECT_EQ(planned(batches, MatmulMultiCoreReuseProgramConfig{{8, 8}, 2, 2, 2, 4, 4}),
              "32768 32768 32768 on {[0-0 - 3-7]}");
    EXPECT_EQ(planned(batches, MatmulMultiCoreReuseProgramConfig{{8, 8}, 2, 2, 2, 8, 4}),
              "32768 32768 65536 on {[0-0 - 1-7]}");
}

}  // namespace
}  // namespace tilemeter
