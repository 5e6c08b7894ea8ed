// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions that clients call beside operations: memory as bytes, functions of others, choices of programs, weights of
// convolutions, forms of arguments.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ttnn/core.hpp"
#include "ttnn/device.hpp"
#include "ttnn/distributed/distributed_tensor.hpp"
#include "ttnn/operations/conv/conv2d/prepare_conv2d_weights.hpp"
#include "ttnn/operations/conv/conv_transpose2d/conv_transpose2d.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/data_movement/common/common.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/fold/fold.hpp"
#include "ttnn/operations/data_movement/tilize/tilize.hpp"
#include "ttnn/operations/eltwise/unary/common/unary_op_utils.hpp"
#include "ttnn/operations/functions.hpp"
#include "ttnn/operations/index_fill/index_fill.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/normalization/groupnorm/groupnorm.hpp"
#include "ttnn/operations/pool/generic/generic_pools.hpp"

namespace function_helpers {
namespace {

namespace conv2d = ttnn::operations::conv::conv2d;
namespace conv_transpose2d = ttnn::operations::conv::conv_transpose2d;
namespace matmul = ttnn::operations::matmul;
namespace metal = tt::tt_metal;
namespace movement = ttnn::operations::data_movement;
namespace normalization = ttnn::operations::normalization;

std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

ttnn::Tensor counted(const ttnn::Shape& shape, ttnn::Layout layout = ttnn::Layout::ROW_MAJOR,
                     ttnn::DataType dtype = ttnn::DataType::FLOAT32) {
    return ttnn::Tensor::from_vector<float>(
        counting(shape.volume()),
        metal::TensorSpec(shape,
                          metal::TensorLayout(dtype, metal::PageConfig(layout), ttnn::DRAM_MEMORY_CONFIG)));
}

ttnn::MemoryConfig height_shards(std::uint32_t cores, std::uint32_t height, std::uint32_t width,
                                 ttnn::BufferType type = ttnn::BufferType::L1) {
    return ttnn::MemoryConfig(ttnn::TensorMemoryLayout::HEIGHT_SHARDED, type,
                              ttnn::ShardSpec(metal::CoreRangeSet(metal::CoreRange({0, 0}, {cores - 1, 0})),
                                              {height, width}, ttnn::ShardOrientation::ROW_MAJOR));
}

TEST(TensorMemory, IsReadAndWrittenAsBytes) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    ttnn::Tensor tensor = counted({4, 8}).to_device(device.get());
    const auto bytes = std::make_shared<std::vector<float>>(32, 7.0F);
    const std::shared_ptr<void> pointer(bytes, bytes->data());
    ttnn::write_buffer(ttnn::QueueId(0), tensor, {pointer});
    EXPECT_EQ(tensor.to_vector<float>(), *bytes);
    ttnn::Tensor other = counted({4, 8}).to_device(device.get());
    ttnn::read_buffer(ttnn::QueueId(0), other, {pointer});
    EXPECT_EQ(*bytes, counting(32));
    EXPECT_THROW(ttnn::read_buffer(ttnn::QueueId(0), other, {}), std::runtime_error);
    EXPECT_THROW(ttnn::read_buffer(ttnn::QueueId(0), other, {pointer}, std::nullopt, 4), std::runtime_error);
    ttnn::Tensor host = counted({4, 8});
    EXPECT_THROW(ttnn::write_buffer(ttnn::QueueId(0), host, {pointer}), std::runtime_error);
}

TEST(TensorMemory, HasSeveralTensors) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor tensor = counted({32, 32}).to_device(device.get());
    const ttnn::Tensor renamed = ttnn::set_tensor_id(tensor);
    EXPECT_NE(renamed.id(), tensor.id());
    EXPECT_EQ(renamed.buffer()->address(), tensor.buffer()->address());
    EXPECT_EQ(ttnn::set_tensor_id(counted({2, 2})).to_vector<float>(), counting(4));
    const ttnn::Tensor tiles = ttnn::unchecked_reinterpret_layout(tensor, ttnn::Layout::TILE);
    EXPECT_EQ(tiles.layout(), ttnn::Layout::TILE);
    EXPECT_EQ(tiles.buffer()->address(), tensor.buffer()->address());
    EXPECT_THROW(
        ttnn::unchecked_reinterpret_layout(counted({5, 5}).to_device(device.get()), ttnn::Layout::TILE),
        std::runtime_error);
    const std::optional<ttnn::Tensor> none, some(tensor), host(counted({2, 2}));
    EXPECT_FALSE(ttnn::as_optional_mesh_tensor(none));
    EXPECT_EQ(ttnn::as_optional_mesh_tensor(some)->logical_shape(), ttnn::Shape({32, 32}));
    EXPECT_EQ(&ttnn::as_optional_mesh_tensor(some)->device(), device.get());
    EXPECT_THROW(ttnn::as_optional_mesh_tensor(host), std::runtime_error);
}

TEST(TensorMemory, ComesBackAsAWhole) {
    const char* const was = std::getenv("TILEMETER_DEVICE");
    const std::string before = was != nullptr ? was : "";
    setenv("TILEMETER_DEVICE", "n300", 1);
    const auto mesh = ttnn::MeshDevice::create(metal::distributed::MeshDeviceConfig(ttnn::MeshShape(1, 2)));
    before.empty() ? unsetenv("TILEMETER_DEVICE") : setenv("TILEMETER_DEVICE", before.c_str(), 1);
    const ttnn::Tensor tensor =
        ttnn::ones(ttnn::Shape({4, 8}), ttnn::DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR, *mesh);
    std::vector<ttnn::Tensor> parts = ttnn::distributed::get_device_tensors(tensor);
    ASSERT_EQ(parts.size(), 2U);
    const ttnn::Tensor whole = ttnn::distributed::combine_device_tensors(parts);
    EXPECT_EQ(whole.buffer()->address(), tensor.buffer()->address());
    EXPECT_EQ(ttnn::distributed::get_device_tensors(whole).size(), 2U);
    parts[1] = parts[0];
    EXPECT_THROW(ttnn::distributed::combine_device_tensors(parts), std::runtime_error);
    EXPECT_THROW(ttnn::distributed::combine_device_tensors({}), std::runtime_error);
}

// The cores beside banks 0, 1 and 2 are those of a mock n150.
TEST(WorkerCores, AreThoseOfShards) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const auto zeros = [&](const ttnn::MemoryConfig& config) {
        return ttnn::zeros(ttnn::Shape({1, 1, 96, 32}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device,
                           config);
    };
    EXPECT_EQ(ttnn::get_optimal_worker_cores_for_sharded_tensor(zeros(height_shards(4, 32, 32))),
              (std::vector<metal::CoreCoord>{{0, 0}, {1, 0}, {2, 0}}));
    EXPECT_EQ(ttnn::get_optimal_worker_cores_for_sharded_tensor(
                  zeros(height_shards(4, 32, 32, ttnn::BufferType::DRAM))),
              (std::vector<metal::CoreCoord>{{3, 7}, {0, 0}, {0, 4}}));
    EXPECT_THROW(ttnn::get_optimal_worker_cores_for_sharded_tensor(zeros(ttnn::L1_MEMORY_CONFIG)),
                 std::runtime_error);
}

TEST(Composites, NormalizeImages) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor images = counted({2, 1, 32, 32}, ttnn::Layout::TILE).to_device(device.get());
    const std::vector<float> each = ttnn::normalize_hw(images).to_vector<float>();
    const double deviation = std::sqrt((1024.0 * 1024.0 - 1.0) / 12.0);
    for (const std::size_t at : {0U, 100U, 1023U, 1024U, 2000U})
        EXPECT_NEAR(each[at], (static_cast<double>(at % 1024) - 511.5) / deviation, 0.02) << at;
    const ttnn::Tensor all = ttnn::normalize_global(images);
    EXPECT_EQ(all.logical_shape(), images.logical_shape());
    EXPECT_NEAR(all.to_vector<float>()[0], -1023.5 / std::sqrt((2048.0 * 2048.0 - 1.0) / 12.0), 0.02);
    EXPECT_THROW(ttnn::normalize_hw(counted({32, 32}).to_device(device.get())), std::runtime_error);
}

TEST(Composites, CallTheirOperations) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor rows = counted({4, 8}).to_device(device.get());
    const ttnn::Tensor places =
        ttnn::Tensor::from_vector<std::uint32_t>(
            {1}, metal::TensorSpec(
                     ttnn::Shape({1}),
                     metal::TensorLayout(ttnn::DataType::UINT32, metal::PageConfig(ttnn::Layout::ROW_MAJOR),
                                         ttnn::DRAM_MEMORY_CONFIG)))
            .to_device(device.get());
    EXPECT_EQ(ttnn::index_fill_new(rows, 0, places, 9.0F).to_vector<float>()[8], 9.0F);
    const ttnn::Shape shape({1, 1, 8, 4}), same({1, 1, 2, 16});
    const ttnn::Tensor four = counted({1, 1, 4, 8}).to_device(device.get());
    EXPECT_EQ(ttnn::reshape_on_device(four, same, same).to_vector<float>(), counting(32));
    EXPECT_EQ(
        ttnn::reshape_on_device(four, ttnn::Shape({1, 2, 2, 8}), ttnn::Shape({1, 2, 2, 8})).logical_shape(),
        ttnn::Shape({1, 2, 2, 8}));
    EXPECT_THROW(ttnn::reshape_on_device(four, shape, ttnn::Shape({1, 1, 8, 16})), std::runtime_error);
}

TEST(ComputeConfig, IsThatOfTheHardware) {
    ttnn::ComputeKernelConfig config;
    config.math_fidelity = ttnn::MathFidelity::HiFi3;
    config.math_approx_mode = false;
    config.dst_full_sync_en = true;
    const auto hardware = ttnn::to_compute_hardware_config(config);
    EXPECT_EQ(hardware.fpu_math_fidelity, ttnn::MathFidelity::HiFi3);
    EXPECT_EQ(hardware.sfpu_precision_mode, metal::experimental::Precision::Precise);
    EXPECT_FALSE(hardware.enable_32_bit_dest);
    EXPECT_FALSE(hardware.double_buffer_dest);
    EXPECT_NO_THROW(ttnn::verify_numerical_configuration(tt::ARCH::WORMHOLE_B0, config));
}

TEST(UnaryKernels, NameTheInputsNumbers) {
    namespace utils = ttnn::operations::unary::utils;
    using ttnn::operations::unary::UnaryOpType;
    std::map<std::string, std::string> defines;
    utils::add_input_dtype_defines(ttnn::DataType::BFLOAT8_B, defines);
    utils::add_input_dtype_defines(ttnn::DataType::INT32, defines);
    EXPECT_EQ(defines, (std::map<std::string, std::string>{{"INP_FLOAT", "1"}, {"INP_INT32", "1"}}));
    EXPECT_EQ(utils::get_compute_kernel_path(UnaryOpType::LGAMMA, ttnn::DataType::BFLOAT16),
              "lgamma_fast_kernel.cpp");
    EXPECT_THROW(utils::get_compute_kernel_path(UnaryOpType::LGAMMA), std::runtime_error);
}

TEST(Matmul, ChoosesItsProgram) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const auto zeros = [&](std::uint32_t rows, std::uint32_t columns) {
        return ttnn::zeros(ttnn::Shape({1, 1, rows, columns}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE,
                           *device);
    };
    const ttnn::Tensor a = zeros(512, 512), b = zeros(512, 512), row = zeros(32, 512);
    ttnn::prim::MatmulParams params;
    params.output_mem_config = ttnn::DRAM_MEMORY_CONFIG;
    const auto square = matmul::get_program_config(a, b, false, false, 0, params);
    EXPECT_TRUE(std::holds_alternative<matmul::MatmulMultiCoreReuseMultiCastProgramConfig>(square));
    const auto wide = matmul::get_program_config(row, b, false, false, 2048, params);
    ASSERT_TRUE(std::holds_alternative<matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig>(wide));
    EXPECT_TRUE(std::get<matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig>(wide).mcast_in0);
    const auto small = matmul::create_simple_matmul_program_config(
        a, b, false, false, 0, std::nullopt, {2, 2}, ttnn::DRAM_MEMORY_CONFIG, ttnn::DataType::BFLOAT16);
    EXPECT_EQ(
        std::get<matmul::MatmulMultiCoreReuseMultiCastProgramConfig>(small).compute_with_storage_grid_size,
        metal::CoreCoord(2, 2));
    params.program_config = matmul::MatmulMultiCoreProgramConfig();
    EXPECT_EQ(matmul::get_program_config(a, b, false, false, 0, params), params.program_config);
    EXPECT_THROW(matmul::get_program_config(a, row, false, false, 0, {}), std::runtime_error);
    EXPECT_THROW(matmul::get_program_config(counted({32, 32}), b, false, false, 0, {}), std::runtime_error);
}

TEST(Matmul, ChecksWhatIsAdded) {
    const ttnn::Tensor a = counted({2, 3}), b = counted({3, 4}), c = counted({2, 4});
    EXPECT_NO_THROW(matmul::addmm_validate(c, a, b, 1.0F, 1.0F));
    EXPECT_THROW(matmul::addmm_validate(c, a, b, 0.0F, 1.0F), std::runtime_error);
    EXPECT_THROW(matmul::addmm_validate(a, a, b, 1.0F, 1.0F), std::runtime_error);
}

// Sums of elements and of elements by their places (up to 9,973 different ones), as TT-NN 0.81.1's library gave them for the
// same weights: those of a group_norm's mask.
TEST(ConvolutionWeights, LieAsTtnnsDo) {
    const ttnn::Tensor weights =
        normalization::create_group_norm_input_mask_impl(80, 4, 1, ttnn::DataType::BFLOAT16, true, 32, 32, 5)
            .to_layout(ttnn::Layout::ROW_MAJOR)
            .reshape(ttnn::Shape({16, 4, 8, 32}));
    const auto expect = [](const ttnn::Tensor& tensor, const ttnn::Shape& shape, double by_place,
                           double sum) {
        EXPECT_EQ(tensor.logical_shape(), shape);
        const std::vector<float> values = tensor.to_vector<float>();
        double weighted = 0.0, all = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            weighted += double{values[i]} * static_cast<double>(i % 9973 + 1);
            all += double{values[i]};
        }
        EXPECT_EQ(weighted, by_place);
        EXPECT_EQ(all, sum);
    };
    const ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    expect(weights, {16, 4, 8, 32}, 58247757, 13424);
    expect(conv2d::convert_conv_weight_tensor_to_interleaved_mm_layout(weights), {1, 1, 1024, 32}, 62534502,
           13424);
    expect(conv2d::convert_conv_weight_tensor_to_tiled_layout(weights, 1, 2), {1, 1, 1024, 64}, 63931246,
           13424);
    expect(conv2d::convert_conv_weight_tensor_to_tiled_layout(weights, 3, 1), {1, 1, 1056, 32}, 62534502,
           13424);
    expect(conv2d::convert_conv_weight_tensor_to_tiled_layout_block_sharded(weights, 1, 2, false),
           {1, 1, 1024, 64}, 63948713, 13424);
    expect(conv2d::convert_conv_weight_tensor_to_tiled_layout_block_sharded(weights, 2, 1, true),
           {1, 1, 1024, 32}, 63312758, 13424);
    expect(conv2d::convert_conv_weight_tensor_to_grouped_layout(weights, 4, dtype), {16, 16, 8, 32}, 66743972,
           13424);
    expect(conv2d::convert_conv_weight_tensor_to_grouped_layout_for_conv_transpose2d(weights, 2, dtype),
           {16, 8, 8, 32}, 59108138, 13424);
    expect(conv2d::convert_conv_weight_tensor_to_depthwise_layout(weights, 1, dtype), {16, 8192, 1, 1},
           498978121, 100352);
    expect(conv_transpose2d::transform_weights_for_conv_transpose2d(weights, true), {4, 16, 8, 32}, 57581377,
           13424);
    expect(conv_transpose2d::transform_weights_for_conv_transpose2d(weights, false), {4, 16, 8, 32}, 57644097,
           13424);
    const auto sizes = conv_transpose2d::compute_conv_transpose2d_dimensions(
        5, 6, {3, 2}, {2, 2}, std::array<std::uint32_t, 2>{1, 0}, {1, 0}, {1, 2});
    EXPECT_EQ(sizes.output_height, 10U);
    EXPECT_EQ(sizes.output_width, 13U);
}

TEST(Halo, HoldsWhatEachCoreReads) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0, 8192);
    const ttnn::Tensor images = ttnn::ones(ttnn::Shape({1, 1, 64, 32}), ttnn::DataType::BFLOAT16,
                                           ttnn::Layout::ROW_MAJOR, *device, height_shards(2, 32, 32));
    ttnn::operations::sliding_window::SlidingWindowConfig config;
    config.batch_size = 1;
    config.channels = 32;
    config.input_hw = {8, 8};
    config.window_hw = {3, 3};
    config.stride_hw = {1, 1};
    config.padding = {1, 1, 1, 1};
    config.num_cores_nhw = 2;
    config.core_range_set = metal::CoreRangeSet(metal::CoreRange({0, 0}, {1, 0}));
    config.snap_to_tile = true;
    const ttnn::Tensor haloed =
        ttnn::halo(images, config, ttnn::ComputeKernelConfig(), 0, false, false, false);
    // 32 outputs are four rows, whose windows read six of ten pixels.
    EXPECT_EQ(haloed.logical_shape(), ttnn::Shape({1, 1, 2 * 60, 32}));
    EXPECT_EQ(haloed.shard_spec()->shape, (std::array<std::uint32_t, 2>{60, 32}));
    EXPECT_THROW(ttnn::halo(counted({1, 1, 64, 32}), config, ttnn::ComputeKernelConfig()),
                 std::runtime_error);
}

TEST(MassagedOperation, BringsArgumentsIntoItsForm) {
    using Operation = movement::MassagedOperation<int, int>;
    const auto tenfold = [](int limit, int by) {
        return Operation({[limit](int value) { return value >= limit; },
                          [by](int value) { return std::tuple(value * by); },
                          [by](const int& result) { return result / by; },
                          [](int value) { return value + 100; }});
    };
    const Operation outer = tenfold(10, 10), inner = tenfold(200, 2);
    EXPECT_EQ(outer(5), 105);
    EXPECT_EQ(outer(10), (10 * 10 + 100) / 10);
    const Operation both = outer.sequence(inner);
    EXPECT_EQ(both(5), 105);
    EXPECT_EQ(both(10), (100 + 100) / 10);              // the inner form is not needed
    EXPECT_EQ(both(30), (30 * 10 * 2 + 100) / 2 / 10);  // both are
}

TEST(MassagedOperation, TilizesManyDimensions) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor five = counted({2, 2, 1, 32, 32}).to_device(device.get());
    const auto tilize = movement::build_ndiml_tilize([](const ttnn::Tensor& each) {
        EXPECT_LE(each.logical_shape().rank(), 4U);
        return ttnn::tilize(each);
    });
    const ttnn::Tensor tiles = tilize(five);
    EXPECT_EQ(tiles.layout(), ttnn::Layout::TILE);
    EXPECT_EQ(tiles.logical_shape(), five.logical_shape());
    EXPECT_EQ(tiles.to_vector<float>(), counting(4096));
}

TEST(Movement, JoinsTensorsAsTheyLie) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor rows = counted({1, 1, 4, 32}).to_device(device.get());
    const ttnn::Tensor joined = movement::concat_impl({rows, rows}, 2, 1, ttnn::DRAM_MEMORY_CONFIG);
    EXPECT_EQ(joined.logical_shape(), ttnn::Shape({1, 1, 8, 32}));
    EXPECT_EQ(joined.to_vector<float>()[128], 0.0F);
    EXPECT_EQ(movement::get_rm_start_offset(rows, ttnn::Shape({0, 0, 3, 0})), 3U);
    EXPECT_EQ(movement::get_tiled_start_offset(ttnn::Shape({1, 2, 64, 96}), ttnn::Shape({0, 1, 32, 64})),
              6U + 3U + 2U);
    const auto [shape, padded] =
        movement::shape_corrector(rows, ttnn::Shape({2, static_cast<std::uint32_t>(-1)}),
                                  ttnn::Shape({2, static_cast<std::uint32_t>(-1)}));
    EXPECT_EQ(shape, ttnn::Shape({2, 64}));
    EXPECT_EQ(padded, ttnn::Shape({2, 64}));
}

TEST(Movement, CutsWideTensorsIntoBlocks) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Shape shape({1, 1, 64, 4096});
    const ttnn::Tensor rows = ttnn::zeros(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR, *device);
    const ttnn::Tensor tiles = ttnn::zeros(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device);
    const movement::BlockPlan plan =
        movement::make_block_plan(movement::BlockDirection::Tilize, movement::BlockCoreOrder::RowMajor, rows,
                                  tiles, 2048, 2048, 32, 32, std::nullopt);
    EXPECT_EQ(plan.split.ncores, plan.split.all_cores.num_cores());
    EXPECT_GT(plan.split.ncores, 1U);
    const metal::CoreCoord first = plan.full.core_ranges.ranges()[0].start_coord;
    EXPECT_EQ(movement::buffer_set_for_core(plan, first).block_tiles, plan.full.block_tiles);
    metal::ProgramDescriptor program;
    movement::push_buffer_set(program, plan.full, 2048, 2048, tt::DataFormat::Float16_b,
                              tt::DataFormat::Float16_b, 64, 32);
    ASSERT_FALSE(program.cbs.empty());
    EXPECT_EQ(program.cbs[0].core_ranges, plan.full.core_ranges);
}

TEST(Fold, KnowsItsFastPath) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Shape shape({1, 8, 8, 16});
    const ttnn::Tensor spread =
        ttnn::zeros(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR, *device);
    const ttnn::Tensor shards = ttnn::zeros(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR, *device,
                                            height_shards(4, 16, 16));
    EXPECT_FALSE(movement::is_fast_path_input(spread));
    EXPECT_TRUE(movement::is_fast_path_input(shards));
    EXPECT_NO_THROW(movement::validate_fold({spread}, 2, 2));
    EXPECT_THROW(movement::validate_fold({spread}, 3, 2), std::runtime_error);
    EXPECT_EQ(movement::reshard_if_needed(shards, 2, 2).memory_config(), shards.memory_config());
}

}  // namespace
}  // namespace function_helpers
