// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/matmul.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

struct Operands {
    std::uint32_t batch;
    std::uint32_t m;
    std::uint32_t k;
    std::uint32_t n;
    bool transpose_a;
    bool transpose_b;
    bool b_has_batches;
};

Operands random_operands() {
    const auto size = [] { return static_cast<std::uint32_t>(test::in_range(1, 41)); };
    return {static_cast<std::uint32_t>(test::in_range(1, 4)),
            size(),
            size(),
            size(),
            test::any_bool(),
            test::any_bool(),
            test::any_bool()};
}

std::vector<double> exact(const Operands& o, const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (std::uint32_t batch = 0; batch < o.batch; ++batch) {
        const std::size_t a_at = std::size_t{batch} * o.m * o.k;
        const std::size_t b_at = o.b_has_batches ? std::size_t{batch} * o.k * o.n : 0;
        for (std::uint32_t m = 0; m < o.m; ++m) {
            for (std::uint32_t n = 0; n < o.n; ++n) {
                double sum = 0.0;
                for (std::uint32_t k = 0; k < o.k; ++k) {
                    sum += a[a_at + (o.transpose_a ? k * o.m + m : m * o.k + k)] *
                           b[b_at + (o.transpose_b ? n * o.k + k : k * o.n + n)];
                }
                out.push_back(sum);
            }
        }
    }
    return out;
}

TEST(Matmul, agrees_with_double_precision_within_the_bound_of_its_type) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Operands o = random_operands();
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B);
        const Shape a_shape = o.transpose_a ? Shape{o.batch, o.k, o.m} : Shape{o.batch, o.m, o.k};
        const std::uint32_t b_batch = o.b_has_batches ? o.batch : 1;
        const Shape b_shape = o.transpose_b ? Shape{b_batch, o.n, o.k} : Shape{b_batch, o.k, o.n};
        const Tensor a =
            from_vector(test::random_values(a_shape, -3, 3), a_shape, dtype, TILE_LAYOUT, device.get());
        const Tensor b =
            from_vector(test::random_values(b_shape, -3, 3), b_shape, dtype, TILE_LAYOUT, device.get());
        const Tensor result = matmul(a, b, o.transpose_a, o.transpose_b);
        PROPERTY_ASSERT(result.shape() == (Shape{o.batch, o.m, o.n}));
        // Sums of up to 40 products of at most 9, in float32.
        test::assert_close(result, exact(o, a.to_vector<double>(), b.to_vector<double>()), 1e-4);
    }));
}

TEST(Matmul, of_vectors_drops_their_dimension) {
    const test::OpenDevice device;
    const Tensor row = full({64}, 2, bfloat16, TILE_LAYOUT, device.get());
    const Tensor matrix = full({64, 96}, 0.5F, bfloat16, TILE_LAYOUT, device.get());
    const Tensor result = matmul(row, matrix);
    EXPECT_EQ(result.shape(), Shape{96});
    EXPECT_EQ(result.to_vector<float>(), std::vector<float>(96, 64.0F));
    const Tensor column = matmul(matrix, full({96}, 1, bfloat16, TILE_LAYOUT, device.get()));
    EXPECT_EQ(column.shape(), Shape{64});
    EXPECT_EQ(column.to_vector<float>(), std::vector<float>(64, 48.0F));
    const Tensor output = full({64}, 5, bfloat16, TILE_LAYOUT, device.get());
    const Tensor written = matmul(Matmul{.input_tensor_a = matrix,
                                         .input_tensor_b = full({96}, 2, bfloat16, TILE_LAYOUT, device.get()),
                                         .optional_output_tensor = output});
    EXPECT_EQ(written.shape(), Shape{64});
    EXPECT_EQ(written.buffer().id(), output.buffer().id());
    EXPECT_EQ(written.to_vector<float>(), std::vector<float>(64, 96.0F));
    EXPECT_EQ(output.to_vector<float>(), std::vector<float>(64, 96.0F));
}

TEST(Linear, adds_the_bias_and_applies_the_activation_wherever_operands_lie) {
    const test::OpenDevice device;
    for (const MemoryConfig& config : {DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG}) {
        const Tensor a = full({2, 33, 64}, 1, bfloat16, TILE_LAYOUT, device.get(), config);
        const Tensor b = full({64, 40}, -0.5F, bfloat16, TILE_LAYOUT, device.get());
        const Tensor bias = full({1, 40}, 40, bfloat16, TILE_LAYOUT, device.get());
        const Tensor plain = linear(a, b, bias, false, false, config);
        EXPECT_EQ(plain.to_vector<float>(), std::vector<float>(2 * 33 * 40, 8.0F));
        EXPECT_EQ(plain.memory_config(), config);
        const Tensor low = full({1, 40}, 30, bfloat16, TILE_LAYOUT, device.get());
        const Tensor cut = linear(a, b, low, false, false, config, std::nullopt, std::nullopt, "relu");
        EXPECT_EQ(cut.to_vector<float>(), std::vector<float>(2 * 33 * 40, 0.0F));
    }
}

// All of the programs that a product takes write to it.
TEST(Linear, writes_to_the_output_that_is_given) {
    const test::OpenDevice device;
    const auto filled = [&](const Shape& shape, float value) {
        return full(shape, value, bfloat16, TILE_LAYOUT, device.get());
    };
    const Tensor a = filled({2, 33, 64}, 1), bias = filled({1, 40}, 30);
    for (const Shape& of_b :
         {Shape{64, 40}, Shape{2, 64, 40}}) {  // of batches the bias is a program of its own
        for (const std::optional<std::string>& activation : {std::optional<std::string>("relu"), {}}) {
            const Tensor output = filled({2, 33, 40}, 5);
            const Tensor result = linear(Linear{.input_tensor_a = a,
                                                .input_tensor_b = filled(of_b, -0.5F),
                                                .bias = bias,
                                                .activation = activation,
                                                .optional_output_tensor = output});
            EXPECT_EQ(result.buffer().id(), output.buffer().id());
            EXPECT_EQ(output.to_vector<float>(), std::vector<float>(2 * 33 * 40, activation ? 0.0F : -2.0F));
        }
    }
}

TEST(Linear, over_a_core_grid_fuses_the_activation) {
    const test::OpenDevice device;
    const Tensor a = full({256, 512}, 1, bfloat16, TILE_LAYOUT, device.get());
    const Tensor b = full({512, 256}, -1, bfloat16, TILE_LAYOUT, device.get());
    const Tensor result = linear(a, b, std::nullopt, false, false, std::nullopt, std::nullopt, std::nullopt,
                                 "relu", std::nullopt, CoreGrid{4, 4});
    EXPECT_EQ(result.to_vector<float>(), std::vector<float>(256 * 256, 0.0F));
}

TEST(Matmul, keeps_the_dtype_asked_for) {
    const test::OpenDevice device;
    const Tensor a = full({32, 32}, 1, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(matmul(a, a, false, false, std::nullopt, float32).dtype(), float32);
}

TEST(Matmul, with_sharded_operands_gives_the_same_values) {
    const test::OpenDevice device;
    const MemoryConfig rows{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                            ShardSpec{first_cores(8, {8, 8}, true), {32, 512}, ShardOrientation::ROW_MAJOR}};
    const Tensor a = full({256, 512}, 0.25F, bfloat16, TILE_LAYOUT, device.get(), rows);
    const Tensor b = full({512, 256}, 1, bfloat16, TILE_LAYOUT, device.get());
    const MemoryConfig wanted{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, std::nullopt};
    const Tensor result = matmul(a, b, false, false, wanted);
    EXPECT_EQ(result.memory_config().shard_spec->shape, (std::array<std::uint32_t, 2>{32, 256}));
    EXPECT_EQ(result.memory_config().shard_spec->grid.to_string(), "{[0-0 - 7-0]}");
    EXPECT_EQ(result.to_vector<float>(), std::vector<float>(256 * 256, 128.0F));
}

TEST(Matmul, by_a_given_program_config_gives_the_same_values) {
    const test::OpenDevice device;
    const Tensor a = full({256, 512}, 1, bfloat16, TILE_LAYOUT, device.get());
    const Tensor b = full({512, 256}, 0.5F, bfloat16, TILE_LAYOUT, device.get());
    const MatmulMultiCoreReuseMultiCastProgramConfig two{{4, 4}, 4, 1, 2, 0, 0, 2, 2, false};
    const MatmulMultiCoreReuseMultiCast1DProgramConfig one{{8, 8}, 2, 1, 1, 0, 0, 8, 1, true};
    for (const MatmulProgramConfig& config : {MatmulProgramConfig(two), MatmulProgramConfig(one),
                                              MatmulProgramConfig(MatmulMultiCoreProgramConfig{})}) {
        const Tensor result = matmul(a, b, false, false, std::nullopt, std::nullopt, config);
        EXPECT_EQ(result.to_vector<float>(), std::vector<float>(256 * 256, 256.0F)) << to_string(config);
    }
}

// Weights in one shard per bank of DRAM, `k` and `n` in tiles.
Tensor dram_sharded(const std::vector<float>& values, std::uint32_t k, std::uint32_t n, DataType dtype,
                    const test::OpenDevice& device) {
    const auto banks = static_cast<std::uint32_t>(device.get()->description().dram_banks);
    const MemoryConfig config{TensorMemoryLayout::WIDTH_SHARDED, BufferType::DRAM,
                              ShardSpec{CoreRange{{0, 0}, {banks - 1, 0}},
                                        {k * kTileHeight, (n + banks - 1) / banks * kTileWidth},
                                        ShardOrientation::ROW_MAJOR}};
    return from_vector(values, Shape{1, 1, k * kTileHeight, n * kTileWidth}, dtype, TILE_LAYOUT, device.get(),
                       config);
}

MemoryConfig in_columns(std::uint32_t cores, std::uint32_t width) {
    return {TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1,
            ShardSpec{first_cores(cores, {8, 8}, true), {kTileHeight, width}, ShardOrientation::ROW_MAJOR}};
}

const MemoryConfig kSomeColumns{TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1, std::nullopt};

TEST(Matmul, from_weights_in_shards_in_dram_agrees_with_double_precision) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto cores = test::in_range<std::uint32_t>(1, 5);
        const auto k = cores * test::in_range<std::uint32_t>(1, 3);
        const auto per_core = test::in_range<std::uint32_t>(1, 4);
        const auto n = test::in_range<std::uint32_t>(1, per_core * cores + 1);
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::BFLOAT8_B);
        const Operands o{1, kTileHeight, k * kTileHeight, n * kTileWidth, false, false, false};
        const Shape a_shape{1, 1, o.m, o.k};
        const Tensor a = from_vector(test::random_values(a_shape, -3, 3), a_shape, DataType::BFLOAT16,
                                     TILE_LAYOUT, device.get(), in_columns(cores, o.k / cores));
        const Tensor b = dram_sharded(test::random_values(Shape{1, 1, o.k, o.n}, -3, 3), k, n, dtype, device);
        const Tensor result = matmul(a, b, false, false, kSomeColumns, DataType::FLOAT32,
                                     MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig{1, 1, per_core});
        PROPERTY_ASSERT(result.memory_config().shard_spec->grid.num_cores() == (n + per_core - 1) / per_core);
        // Sums of up to 256 products of at most 9, in float32.
        test::assert_close(result, exact(o, a.to_vector<double>(), b.to_vector<double>()), 1e-3);
    }));
}

TEST(Linear, from_weights_in_shards_in_dram_adds_the_bias_before_its_activation) {
    const test::OpenDevice device;
    const Tensor a = full({1, 1, 32, 128}, 1, bfloat16, TILE_LAYOUT, device.get(), in_columns(4, 32));
    const Tensor b = dram_sharded(std::vector<float>(128 * 256, -0.5F), 4, 8, DataType::BFLOAT16, device);
    const Tensor bias = full({1, 1, 1, 256}, 60, bfloat16, TILE_LAYOUT, device.get());
    const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig config{1, 1, 2,
                                                                       UnaryWithParam{UnaryOpType::RELU}};
    const Tensor cut =
        linear(a, b, bias, false, false, kSomeColumns, std::nullopt, MatmulProgramConfig(config));
    EXPECT_EQ(cut.to_vector<float>(), std::vector<float>(32 * 256, 0.0F));
}

TEST(Matmul, from_weights_in_shards_in_dram_refuses_what_ttnn_refuses) {
    const test::OpenDevice device;
    const Tensor a = full({1, 1, 32, 128}, 1, bfloat16, TILE_LAYOUT, device.get(), in_columns(4, 32));
    const Tensor b = dram_sharded(std::vector<float>(128 * 256, 1), 4, 8, DataType::BFLOAT16, device);
    using Config = MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig;
    const auto message = [&](const Tensor& left, const Tensor& right, const Config& config,
                             const OptionalMemoryConfig& out = kSomeColumns) {
        return test::message_of([&] { matmul(left, right, false, false, out, std::nullopt, config); });
    };
    const std::string name = "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig: ";
    EXPECT_EQ(message(a, b, {3, 1, 2}), name + "K (4) must be divisible by in0_block_w (3)");
    EXPECT_EQ(message(a, b, {1, 1, 2, std::nullopt, 2}),
              name + "num_workers_per_dram_bank > 1 is currently supported only on Blackhole");
    EXPECT_EQ(message(a, b, {1, 1, 2}, std::nullopt),
              name + "Output memory config must be sharded for DRAM sharded program config");
    const MemoryConfig tall{TensorMemoryLayout::WIDTH_SHARDED, BufferType::L1,
                            ShardSpec{first_cores(4, {8, 8}, true), {64, 32}, ShardOrientation::ROW_MAJOR}};
    // The result's shards are one tile high by per_core_m.
    EXPECT_EQ(message(full({1, 1, 64, 128}, 1, bfloat16, TILE_LAYOUT, device.get(), tall), b, {1, 1, 2}),
              "Shard height 32 must match physical height 64 for width sharded");
    const Tensor flat = full({1, 1, 128, 256}, 1, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_NE(message(a, flat, {1, 1, 2}), "");
}

TEST(Matmul, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const Tensor a = zeros({64, 64}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor wrong = zeros({96, 64}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(
        test::message_of([&] { matmul(a, wrong); }),
        "matmul: The width of the first tensor must be equal to the height of the second tensor. Mismatch: "
        "width=64 height=96, of Shape([64, 64]) and Shape([96, 64])");
    const Tensor rows = zeros({64, 64}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(
        test::message_of([&] { matmul(a, rows); }),
        "matmul: Inputs to matmul must be tilized: input_tensor_b: expected TILE layout, got ROW_MAJOR");
    const Tensor integers = zeros({64, 64}, int32, TILE_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] { matmul(a, integers); }),
              "matmul: input_tensor_b: expected a floating point dtype, got INT32");
    const Tensor two = zeros({2, 64, 64}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor three = zeros({3, 64, 64}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(
        test::message_of([&] { matmul(two, three); }),
        "matmul: bmm (non-bcast matmul) expects input tensors of shapes BCMK*BCKN=BCMN, got Shape([2, 64, 64]) and Shape([3, 64, 64])");
    EXPECT_EQ(
        test::message_of([&] {
            matmul(a, zeros({64, 64}, bfloat16, TILE_LAYOUT));
        }),
        "Device Operations expect device tensors as inputs: MatmulDeviceOperation: input tensor Shape([64, 64]): expected on a device, is on the host");
    const MatmulMultiCoreReuseMultiCastProgramConfig wide{{9, 4}, 1, 1, 1, 0, 0, 1, 1, false};
    EXPECT_EQ(
        test::message_of([&] { matmul(a, a, false, false, std::nullopt, std::nullopt, wide); }),
        "MatmulMultiCoreReuseMultiCastProgramConfig: compute_with_storage_grid_size (9, 4) must fit within device grid (8, 8)");
    EXPECT_EQ(test::message_of([&] {
                  linear(a, a, std::nullopt, false, false, std::nullopt, std::nullopt, std::nullopt, "foo");
              }),
              "activation: expected the name of an activation such as \"relu\", got \"foo\"");
}

}  // namespace
}  // namespace tilemeter
