// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of collectives and of experts' weights that clients call by themselves; the figures are those of TT-NN 0.81.1 on a mock
// n150.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ttnn/core.hpp"
#include "ttnn/device.hpp"
#include "ttnn/distributed/distributed_tensor.hpp"
#include "ttnn/operations/ccl/all_gather/all_gather.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/experimental/ccl/moe_compute/moe_compute_utils.hpp"

namespace collective_helpers {
namespace {

namespace metal = tt::tt_metal;
namespace experimental = ttnn::experimental;

metal::CoreRange range(std::uint32_t x, std::uint32_t y, std::uint32_t end_x, std::uint32_t end_y) {
    return {{x, y}, {end_x, end_y}};
}

TEST(Workers, AreTheFirstCoresOfEachRectangle) {
    const metal::CoreRangeSet available(std::vector<metal::CoreRange>{range(1, 2, 3, 4), range(5, 0, 5, 1)});
    const auto [some, in_order] = ttnn::ar_choose_worker_cores(2, 2, available);
    EXPECT_EQ(in_order, (std::vector<metal::CoreCoord>{{1, 2}, {2, 2}, {3, 2}, {1, 3}}));
    EXPECT_EQ(some, metal::CoreRangeSet(std::vector<metal::CoreRange>{range(1, 2, 3, 2), range(1, 3, 1, 3)}));
    const auto [all, every] = ttnn::ar_choose_worker_cores(4, 5, available);
    EXPECT_EQ(all, available);
    EXPECT_EQ(every.size(), 11U);
}

TEST(Gather, GrowsAlongItsDimension) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor tensor =
        ttnn::zeros(ttnn::Shape({2, 64, 40}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device);
    const metal::TensorSpec spec =
        ttnn::operations::ccl::compute_output_specs_helper(tensor, -2, 4, ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(spec.logical_shape(), ttnn::Shape({2, 256, 40}));
    EXPECT_EQ(spec.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(ttnn::use_composite_all_gather(tensor, 1, std::nullopt, std::nullopt),
              std::pair(false, std::string()));
    // 40 columns are padded to 64.
    EXPECT_TRUE(ttnn::use_composite_all_gather(tensor, -1, std::nullopt, std::nullopt).first);
    EXPECT_THROW(ttnn::use_composite_all_gather(tensor, 3, std::nullopt, std::nullopt), std::runtime_error);
    EXPECT_THROW(ttnn::use_composite_all_gather(tensor.cpu(), 0, std::nullopt, std::nullopt),
                 std::runtime_error);
}

TEST(Gather, CutsRowsThatAreNoMultiple) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor rows =
        ttnn::zeros(ttnn::Shape({4, 24}), ttnn::DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR, *device);
    // Rows of 48 bytes lie 64 apart in DRAM, and 48 in L1.
    const auto [is_composite, why] =
        ttnn::use_composite_all_gather(rows, 0, ttnn::L1_MEMORY_CONFIG, std::nullopt);
    EXPECT_TRUE(is_composite);
    EXPECT_NE(why.find("64 bytes"), std::string::npos) << why;
}

TEST(ReduceToRoot, PutsShardsBesideEachOther) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const metal::CoreRangeSet cores(range(0, 0, 3, 0));
    const auto tensor = [&](std::uint32_t width) {
        const ttnn::MemoryConfig config(
            ttnn::TensorMemoryLayout::WIDTH_SHARDED, ttnn::BufferType::L1,
            ttnn::ShardSpec(cores, {32, width}, ttnn::ShardOrientation::ROW_MAJOR));
        return ttnn::zeros(ttnn::Shape({32, 4 * width}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE,
                           *device, config);
    };
    const std::vector<metal::TensorSpec> specs =
        ttnn::reduce_to_root_tensor_spec(tensor(128), tensor(32), tensor(32), ttnn::MeshCoordinate(0, 0),
                                         1.0F, tt::tt_fabric::Topology::Linear);
    ASSERT_EQ(specs.size(), 1U);
    EXPECT_EQ(specs[0].logical_shape(), ttnn::Shape({32, 4 * 192}));
    EXPECT_EQ(specs[0].memory_config().shard_spec()->shape, (std::array<std::uint32_t, 2>{32, 192}));
}

TEST(ExpertWeights, AreSharedOutOverTheRing) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const experimental::WeightCoreShardMaps maps =
        experimental::get_weight_core_shard_maps(device.get(), 2560, 640);
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    EXPECT_EQ(maps.w0_w1_shard_map, (std::vector<std::uint32_t>{2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2}));
    EXPECT_EQ(
        maps.w2_shard_map,
        (Pairs{
            {3, 1}, {2, 2}, {3, 1}, {3, 1}, {2, 2}, {3, 1}, {3, 1}, {2, 2}, {3, 1}, {3, 1}, {2, 2}, {3, 1}}));
    std::vector<std::size_t> banks;
    for (const metal::CoreRange& each : maps.dram_core_range_set.ranges())
        banks.push_back(each.start_coord.x);
    EXPECT_EQ(banks, (std::vector<std::size_t>{5, 0, 7, 8, 10, 2, 11, 9, 6, 3, 4, 1}));
    const auto heights = [&](std::uint32_t hidden, std::uint32_t intermediate, bool has_bias) {
        const auto configs =
            experimental::get_weight_mem_configs(device.get(), 2, 3, hidden, intermediate, has_bias);
        EXPECT_EQ(configs.w2.shard_spec()->shape[1], 128U);
        return std::pair(configs.w0_w1.shard_spec()->shape[0], configs.w2.shard_spec()->shape[0]);
    };
    EXPECT_EQ(heights(2560, 640, false), std::pair(13440U, 8064U));
    EXPECT_EQ(heights(7168, 2048, false), std::pair(129024U, 67200U));
    EXPECT_EQ(heights(7168, 2048, true), std::pair(133056U, 67200U));
    EXPECT_EQ(heights(512, 96, true), std::pair(1344U, 1344U));
    EXPECT_THROW(experimental::get_weight_mem_configs(device.get(), 1, 1, 100, 64, false),
                 std::runtime_error);
}

ttnn::Tensor counted(const ttnn::Shape& shape, ttnn::MeshDevice& device) {
    std::vector<float> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % 251);
    return ttnn::Tensor::from_vector<float>(
               values,
               metal::TensorSpec(shape, metal::TensorLayout(ttnn::DataType::FLOAT32,
                                                            metal::PageConfig(ttnn::Layout::ROW_MAJOR),
                                                            ttnn::DRAM_MEMORY_CONFIG)))
        .to_device(&device);
}

// 512 x 96: sixteen tiles of hidden size, three of intermediate size, on the cores 0, 4 and 8 of twelve.
TEST(ExpertWeights, OfGatesLieInRowsOfTwo) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor w0 = counted({1, 2, 512, 96}, *device), w1 = counted({1, 2, 512, 96}, *device);
    const ttnn::Tensor packed = experimental::prepare_w0_w1_tensor_for_moe_compute(w0, w1, 1, 2, 512, 96);
    EXPECT_EQ(packed.logical_shape(), ttnn::Shape({12, 1, 2, 1, 224, 128}));
    EXPECT_EQ(packed.layout(), ttnn::Layout::TILE);
    const std::vector<float> from = w0.to_vector<float>(), to = packed.to_vector<float>();
    // An odd column takes two blocks, so that banks 0 to 5 have all: a stored row has rows of tiles 2 k and 2 k + 1.
    const auto at = [&](std::size_t bank, std::size_t expert, std::size_t row, std::size_t column) {
        return to[((bank * 2 + expert) * 224 + row) * 128 + column];
    };
    const auto weight = [&](std::size_t expert, std::size_t row, std::size_t column) {
        return row < 512 ? from[(expert * 512 + row) * 96 + column] : 0.0F;
    };
    for (const std::size_t stored : {0U, 33U, 224U, 300U}) {
        for (std::size_t expert = 0; expert < 2; ++expert) {
            for (std::size_t column = 0; column < 128; column += 17) {
                const std::size_t row = (stored / 32 * 2 + column / 64) * 32 + stored % 32;
                EXPECT_EQ(at(2 * 1 + stored / 224, expert, stored % 224, column),
                          weight(expert, row, 32 + column % 32))
                    << stored << ' ' << column;
            }
        }
    }
    EXPECT_EQ(at(6, 0, 0, 0), 0.0F);
    const ttnn::Tensor bias = counted({1, 2, 96}, *device);
    EXPECT_EQ(experimental::prepare_w0_w1_tensor_with_bias(w0, w1, bias, bias, 1, 2, 512, 96).logical_shape(),
              ttnn::Shape({12, 1, 2, 1, 224, 128}));
}

TEST(ExpertWeights, OfProductsBeginWithWhatACoreHas) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor w2 = counted({1, 2, 96, 512}, *device);
    const ttnn::Tensor packed = experimental::prepare_w2_tensor_for_moe_compute(w2, 1, 2, 96, 512);
    EXPECT_EQ(packed.logical_shape(), ttnn::Shape({12, 1, 2, 1, 224, 128}));
    const std::vector<float> from = w2.to_vector<float>(), to = packed.to_vector<float>();
    // Core 4 makes tiles 6 and 7 of sixteen (2 1 1 2 | 1 ...), and has the second of three rows of tiles itself.
    const std::size_t first_column = (2 + 1 + 1 + 2) * 32;
    for (const auto& [stored, row] :
         {std::pair(0U, 32U), std::pair(31U, 63U), std::pair(32U, 0U), std::pair(64U, 64U)})
        EXPECT_EQ(to[(4U * 2 + 1) * 224 * 128 + stored * 128 + 5], from[(96 + row) * 512 + first_column + 5]);
    EXPECT_EQ(to[(4U * 2 + 1) * 224 * 128 + 40], 0.0F);  // one tile of four
    const ttnn::Tensor bias = counted({1, 2, 512}, *device);
    const std::vector<float> with_bias =
        experimental::prepare_w2_tensor_with_bias(w2, bias, 1, 2, 96, 512).to_vector<float>();
    EXPECT_EQ(with_bias[(4U * 2 + 1) * 224 * 128 + 96 * 128 + 5],
              static_cast<float>((512 + first_column + 5) % 251));
}

TEST(ExpertWeights, ChangeTheirTypeOnTheHost) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor weights =
        ttnn::ones(ttnn::Shape({32, 32}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device);
    const ttnn::Tensor there =
        experimental::quantize_weights_via_host(weights, ttnn::DataType::BFLOAT4_B, ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(there.dtype(), ttnn::DataType::BFLOAT4_B);
    EXPECT_EQ(there.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(experimental::quantize_weights_via_host(weights, ttnn::DataType::BFLOAT8_B, std::nullopt)
                  .storage_type(),
              ttnn::StorageType::HOST);
}

}  // namespace
}  // namespace collective_helpers
