// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What clients call beside operations: storages, topologies, allocators, descriptors of programs, sizes of shards.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/scratch_folder.hpp"
#include "tt-metalium/allocator.hpp"
#include "tt-metalium/hal.hpp"
#include "tt-metalium/memory_reporter.hpp"
#include "tt-metalium/program_descriptors.hpp"
#include "tt_stl/reflection.hpp"
#include "ttnn/core.hpp"
#include "ttnn/device.hpp"
#include "ttnn/distributed/api.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/operations/conv/conv2d/conv2d.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/data_movement/common/common.hpp"
#include "ttnn/operations/eltwise/unary/common/unary_op_utils.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/experimental/ccl/moe_compute/moe_compute.hpp"
#include "ttnn/operations/experimental/ccl/moe_gpt/moe_gpt.hpp"
#include "ttnn/operations/experimental/transformer/dit_rms_norm_unary_fused/dit_rms_norm_unary_fused.hpp"
#include "ttnn/operations/generic/generic_op.hpp"
#include "ttnn/operations/normalization/groupnorm/groupnorm.hpp"
#include "ttnn/operations/transformer/sdpa/sdpa.hpp"
#include "ttnn/tensor/host_buffer/functions.hpp"

namespace {

namespace metal = tt::tt_metal;
using ttnn::graph::GraphProcessor;

template <typename T>
std::string text_of(const T& value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

ttnn::Tensor counted(const ttnn::Shape& shape, ttnn::DataType dtype = ttnn::DataType::FLOAT32) {
    std::vector<float> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    return ttnn::Tensor::from_vector<float>(
        values,
        metal::TensorSpec(shape, metal::TensorLayout(dtype, metal::PageConfig(ttnn::Layout::ROW_MAJOR),
                                                     ttnn::MemoryConfig{})));
}

ttnn::Tensor on_device(const std::shared_ptr<ttnn::MeshDevice>& device, const ttnn::Shape& shape,
                       const ttnn::MemoryConfig& config = ttnn::L1_MEMORY_CONFIG) {
    return ttnn::ones(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device, config);
}

TEST(Storage, SaysWhereValuesLie) {
    const ttnn::Tensor host = counted({2, 3});
    const metal::HostBuffer buffer = metal::host_buffer::get_host_buffer(host);
    ASSERT_EQ(buffer.view_as<float>().size(), 6U);
    EXPECT_EQ(buffer.view_as<float>()[4], 4.0F);
    EXPECT_TRUE(std::holds_alternative<ttnn::HostStorage>(host.storage()));

    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    ttnn::Tensor there = on_device(device, {64, 64});
    EXPECT_THROW(metal::host_buffer::get_host_buffer(there), std::runtime_error);
    const auto storage = std::get<ttnn::DeviceStorage>(there.storage());
    EXPECT_EQ(storage.get_buffer()->address(), there.buffer()->address());
    EXPECT_EQ(storage.mesh_buffer->size(), 64U * 64 * 2);
    ttnn::deallocate(there, true);
    EXPECT_FALSE(std::get<ttnn::DeviceStorage>(there.storage()).is_allocated());
}

TEST(Storage, HoldsBuffersOfAMesh) {
    auto buffers = metal::DistributedHostBuffer::create(ttnn::MeshShape(1, 2));
    const ttnn::MeshCoordinate second(0, 1);
    EXPECT_FALSE(buffers.get_shard(second));
    buffers.emplace_shard(second, [] { return metal::HostBuffer(std::vector<int>{1, 2}); });
    EXPECT_EQ(buffers.get_shard(second)->view_as<int>()[1], 2);
    EXPECT_EQ(buffers.shard_coords().size(), 1U);
    EXPECT_THROW(buffers.get_shard(ttnn::MeshCoordinate(1, 0)), std::runtime_error);
}

TEST(TensorTopology, IsThatOfTheDistribution) {
    const ttnn::Tensor host = counted({4, 8});
    EXPECT_EQ(host.tensor_topology().distribution_shape().mesh_size(), 1U);
    ttnn::distributed::MeshMapperConfig config;
    config.placements = {ttnn::distributed::MeshMapperConfig::Replicate(),
                         ttnn::distributed::MeshMapperConfig::Shard{1}};
    const ttnn::Tensor spread = ttnn::distributed::TensorToMesh::create(ttnn::MeshShape(1, 2), config)(host);
    EXPECT_EQ(spread.tensor_topology().distribution_shape(), ttnn::MeshShape(1, 2));
    EXPECT_EQ(spread.tensor_topology().mesh_coords().size(), 2U);
    EXPECT_EQ(
        text_of(spread.tensor_topology()),
        "TensorTopology(distribution_shape=MeshShape([1, 2]), placements=SmallVector([PlacementReplicate(), "
        "PlacementShard(1)]), mesh_coords=MeshCoordinate([0, 0]), MeshCoordinate([0, 1]))");
}

TEST(Allocator, CountsWhatTensorsTake) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0, 32768);
    const metal::detail::MemoryView before = metal::detail::GetMemoryView(device.get(), ttnn::BufferType::L1);
    const ttnn::Tensor tensor = on_device(device, {64 * 32, 32});  // one tile in each of 64 banks
    const metal::detail::MemoryView after = metal::detail::GetMemoryView(device.get(), ttnn::BufferType::L1);
    EXPECT_EQ(after.num_banks, 64U);
    EXPECT_EQ(after.total_bytes_allocated_per_bank - before.total_bytes_allocated_per_bank, 2048U);
    EXPECT_EQ(after.total_bytes_per_bank,
              after.total_bytes_allocated_per_bank + after.total_bytes_free_per_bank);
    ASSERT_EQ(after.block_table.size(), 2U);
    EXPECT_EQ(after.block_table[1].at("allocated"), "yes");
    EXPECT_EQ(after.block_table[1].at("address"), std::to_string(tensor.buffer()->address()));
    const auto& allocator = device->allocator();
    EXPECT_EQ(allocator->get_statistics(ttnn::BufferType::L1).total_allocated_bytes, 64U * 2048);
    EXPECT_EQ(allocator->get_bank_size(ttnn::BufferType::L1_SMALL), 32768U);
    EXPECT_EQ(allocator->get_alignment(ttnn::BufferType::DRAM), metal::hal::get_dram_alignment());
    EXPECT_THROW(allocator->get_num_banks(ttnn::BufferType::SYSTEM_MEMORY), std::runtime_error);

    const tilemeter::test::ScratchFolder folder;
    metal::detail::DumpDeviceMemoryState(device.get(), (folder.path() / "now_").string());
    const std::string table = tilemeter::test::text_of(folder.path() / "now_memory_usage_summary.csv");
    EXPECT_NE(table.find("\nL1,64,"), std::string::npos) << table;
}

TEST(Device, FreesAllTensors) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor a = on_device(device, {64, 64}),
                       b = on_device(device, {64, 64}, ttnn::DRAM_MEMORY_CONFIG);
    ttnn::deallocate_buffers(device.get());
    EXPECT_FALSE(a.is_allocated());
    EXPECT_FALSE(b.is_allocated());
}

TEST(Device, TakesAndGivesBytes) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor host = counted({4, 8});
    ttnn::Tensor there = host.to_device(device.get(), ttnn::DRAM_MEMORY_CONFIG);
    std::vector<float> bytes(32, 7.0F);
    auto& queue = device->mesh_command_queue();
    ttnn::copy_to_device(queue, reinterpret_cast<const std::byte*>(bytes.data()), there);  // NOLINT: bytes
    std::vector<float> read(32);
    ttnn::copy_to_host(queue, there, reinterpret_cast<std::byte*>(read.data()));  // NOLINT: bytes
    EXPECT_EQ(read, bytes);
}

// A program of a reader, a writer and two circular buffers, one of them in a tensor's memory.
TEST(GenericOp, PlansWhatADescriptorSays) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const metal::CoreRangeSet cores(metal::CoreRange({0, 0}, {1, 0}));
    const ttnn::MemoryConfig sharded(ttnn::TensorMemoryLayout::HEIGHT_SHARDED, ttnn::BufferType::L1,
                                     ttnn::ShardSpec(cores, {32, 32}, ttnn::ShardOrientation::ROW_MAJOR));
    const ttnn::Tensor input = on_device(device, {64, 32}), output = on_device(device, {64, 32}, sharded);
    metal::ProgramDescriptor program;
    program.kernels.push_back({.kernel_source = "reader.cpp", .core_ranges = cores});
    program.kernels.push_back(
        {.kernel_source = "writer.cpp", .core_ranges = cores, .config = metal::WriterConfigDescriptor()});
    program.cbs.push_back({.total_size = 4096,
                           .core_ranges = cores,
                           .format_descriptors = {{0, tt::DataFormat::Float16_b, 2048, {}, {}}}});
    program.cbs.push_back(ttnn::cb_descriptor_from_sharded_tensor(16, output));
    EXPECT_EQ(program.cbs[1].total_size, 2048U);
    EXPECT_EQ(ttnn::get_cb_address(program.cbs[1]), output.buffer()->address());
    EXPECT_EQ(program.find_available_semaphore_id({0, 0}, tt::CoreType::WORKER), 0U);

    GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NORMAL);
    const ttnn::Tensor result = ttnn::generic_op({input, output}, program);
    const nlohmann::json graph = GraphProcessor::end_graph_capture();
    EXPECT_EQ(result.buffer()->address(), output.buffer()->address());
    std::vector<std::string> sizes;
    for (const auto& node : graph)
        if (node["node_type"] == "circular_buffer_allocate") {
            const auto& size = node["params"]["size"];
            sizes.push_back(size.is_string() ? size.get<std::string>() : size.dump());
        }
    EXPECT_EQ(sizes, (std::vector<std::string>{"4096", "2048"}));

    metal::ProgramDescriptor twice = program;
    twice.cbs.push_back(program.cbs[0]);
    EXPECT_THROW(ttnn::generic_op({input, output}, twice), std::runtime_error);
    EXPECT_THROW(metal::merge_program_descriptors({program, program}), std::runtime_error);
    metal::Buffer elsewhere(64, 2048, 2048, 2048, ttnn::BufferType::L1, ttnn::TensorMemoryLayout::INTERLEAVED,
                            device.get());
    program.cbs[0].buffer = &elsewhere;
    EXPECT_THROW(ttnn::generic_op({input, output}, program), std::runtime_error);
}

TEST(UnaryFunctions, AreThoseOfTheirNames) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor three = ttnn::full(ttnn::Shape({32, 32}), 3.0F, ttnn::DataType::BFLOAT16,
                                          ttnn::Layout::TILE, std::ref(*device));
    const auto first = [](const ttnn::Tensor& tensor) { return tensor.to_vector<float>().at(0); };
    EXPECT_EQ(first(ttnn::add_sfpu(three, 2.0F)), 5);
    EXPECT_EQ(first(ttnn::sub_sfpu(three, 2.0F)), 1);
    EXPECT_EQ(first(ttnn::sub_sfpu(2.0F, three)), -1);
    EXPECT_EQ(first(ttnn::mul_sfpu(2.0F, three)), 6);
    EXPECT_EQ(first(ttnn::div_sfpu(6.0F, three)), 2);
    EXPECT_EQ(first(ttnn::eq_unary(three, 3.0F)), 1);
    EXPECT_EQ(first(ttnn::lt_unary(three, 3.0F)), 0);
    EXPECT_EQ(first(ttnn::power_iterative(three, 2U)), 9);
    EXPECT_EQ(first(ttnn::clamp_tss(three, 0.0F, 2.0F)), 2);
    EXPECT_EQ(first(ttnn::where_tss(three, 4.0F, 5.0F)), 4);
}

TEST(GroupNorm, TakesReciprocalsOfLaterForms) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor tensor = on_device(device, {1, 1, 64, 64});
    const std::optional<ttnn::MemoryConfig> config;
    EXPECT_THROW(ttnn::group_norm(tensor, 2, 1e-5F, std::nullopt, std::nullopt, std::nullopt, tensor, config),
                 std::runtime_error);
}

TEST(LatentAttention, TakesValuesOfItsOwnAndThoseOfItsKeys) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor q = on_device(device, {1, 2, 32, 96}), k = on_device(device, {1, 1, 32, 96});
    const ttnn::Tensor v = on_device(device, {1, 1, 32, 64});
    EXPECT_EQ(ttnn::transformer::flash_mla_prefill(q, k, 64).logical_shape(), ttnn::Shape({1, 2, 32, 64}));
    EXPECT_EQ(ttnn::transformer::flash_mla_prefill(q, k, 64, v).logical_shape(), ttnn::Shape({1, 2, 32, 64}));
    EXPECT_THROW(ttnn::transformer::flash_mla_prefill(q, k, 32, v), std::runtime_error);
}

TEST(RmsNorm, AppliesAFunctionByItsTypeOrItsName) {
    using ttnn::operations::unary::BasicUnaryWithParam;
    using ttnn::operations::unary::UnaryOpType;
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor ones = on_device(device, {1, 1, 32, 64});
    const auto first = [&](const std::optional<ttnn::operations::unary::UnaryWithParam>& function) {
        const ttnn::Tensor result =
            ttnn::experimental::dit_rms_norm_unary_fused(ones, 0.0F, std::nullopt, std::nullopt, std::nullopt,
                                                         std::nullopt, std::nullopt, std::nullopt, function);
        return result.to_vector<float>().at(0);
    };
    EXPECT_EQ(first(std::nullopt), 1);
    EXPECT_NEAR(first(BasicUnaryWithParam<float>(UnaryOpType::SILU)), 0.731, 0.005);
    EXPECT_NEAR(first(ttnn::operations::unary::utils::string_to_unary_with_param("silu")), 0.731, 0.005);
}

TEST(Experts, SayThatTheirProgramsAreNotModelled) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor x = on_device(device, {1, 1, 32, 64});
    try {
        ttnn::experimental::moe_gpt(x, x, x, x, x, x);
        FAIL() << "expected a refusal";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("moe_gpt: its program is not modelled"), std::string::npos)
            << error.what();
    }
}

// As TT-NN answers on an n150 whose products lie in a ring of their own: the cores beside its banks span the grid.
TEST(Experts, LieWhereTtnnPlacesThem) {
    using ttnn::experimental::get_moe_combine_cores;
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const metal::CoreRangeSet corner(metal::CoreRange({0, 0}, {1, 1})),
        middle(metal::CoreRange({4, 0}, {5, 3}));
    const auto ends = [&](std::uint32_t tokens, std::uint32_t data, std::uint32_t hidden,
                          const metal::CoreRangeSet& mux) {
        const auto cores = get_moe_combine_cores(device.get(), tokens, data, hidden, mux);
        return std::tuple(cores.size(), cores.front(), cores.at(1 % cores.size()), cores.back());
    };
    using Ends = std::tuple<std::size_t, metal::CoreCoord, metal::CoreCoord, metal::CoreCoord>;
    EXPECT_EQ(ends(4, 4, 2048, {}), Ends(16, {0, 2}, {0, 3}, {7, 3}));
    EXPECT_EQ(ends(4, 4, 2048, corner), Ends(16, {0, 4}, {0, 5}, {7, 5}));
    EXPECT_EQ(ends(4, 4, 2048, middle), Ends(16, {0, 4}, {0, 5}, {7, 5}));
    EXPECT_EQ(ends(4, 3, 2880, corner), Ends(12, {6, 0}, {6, 1}, {7, 5}));
    EXPECT_EQ(ends(2, 4, 7168, {}), Ends(8, {6, 0}, {6, 1}, {7, 3}));
    EXPECT_EQ(ends(1, 1, 2048, {}), Ends(1, {6, 0}, {6, 0}, {6, 0}));
    EXPECT_EQ(ends(8, 4, 7168, {}), Ends(32, {0, 2}, {0, 3}, {7, 5}));
    EXPECT_THROW(ends(8, 4, 7168, corner), std::runtime_error);
    EXPECT_EQ(ttnn::experimental::get_moe_tilize_drain_core(device.get(), 4, 4, 2048),
              metal::CoreCoord(7, 7));
    const auto box = ttnn::experimental::get_moe_worker_mcast_bounding_box(device.get(), 4, 4, 2048, corner);
    EXPECT_EQ(box, metal::CoreRange({0, 2}, {7, 7}));
}

TEST(Scalars, AreBitsOfTheTensorsKindOfNumber) {
    using ttnn::operations::unary::EltwiseUnaryWithParam;
    using ttnn::operations::unary::UnaryOpType;
    namespace utils = ttnn::operations::unary::utils;
    constexpr std::uint32_t kOne = 0x3F800000;  // 1.0F
    EXPECT_EQ(utils::pack_scalar_runtime_arg_impl(1.0F, ttnn::DataType::BFLOAT16), kOne);
    EXPECT_EQ(utils::pack_scalar_runtime_arg_impl(-1.0F, ttnn::DataType::INT32), 0xFFFFFFFFU);
    EXPECT_EQ(utils::pack_scalar_runtime_arg_impl(1U, ttnn::DataType::FLOAT32), kOne);
    EXPECT_EQ(utils::pack_scalar_runtime_arg_impl(std::int32_t{-2}, ttnn::DataType::INT32), 0xFFFFFFFEU);
    const EltwiseUnaryWithParam function(UnaryOpType::ADD_UNARY_SFPU, 1.0F);
    EXPECT_EQ(utils::pack_scalar_runtime_arg(function, 0, ttnn::DataType::BFLOAT16), kOne);
    EXPECT_THROW(utils::pack_scalar_runtime_arg(function, 1, ttnn::DataType::BFLOAT16), std::runtime_error);
}

TEST(Convolution, GivesWhatItWasAskedFor) {
    const ttnn::Tensor output = counted({1, 1, 2, 2}), weight = counted({1, 1, 1, 4});
    const ttnn::operations::conv::conv2d::Result result{output, 1, 2, weight, std::nullopt};
    const auto form = [&](bool sizes, bool weights) {
        return ttnn::operations::conv::conv2d::result_to_result_with_options(result, sizes, weights).index();
    };
    EXPECT_EQ(form(false, false), 0U);
    EXPECT_EQ(form(true, false), 1U);
    EXPECT_EQ(form(false, true), 2U);
    EXPECT_EQ(form(true, true), 3U);
}

TEST(ComputeConfig, OfNormsAccumulatesAsTtnnDoes) {
    EXPECT_TRUE(ttnn::layernorm_default_compute_config(tt::ARCH::WORMHOLE_B0).fp32_dest_acc_en);
    EXPECT_FALSE(ttnn::rmsnorm_default_compute_config(tt::ARCH::WORMHOLE_B0).fp32_dest_acc_en);
    EXPECT_TRUE(ttnn::rmsnorm_default_compute_config(tt::ARCH::WORMHOLE_B0).math_approx_mode);
}

TEST(ComputeConfig, CountsDestinationRegisters) {
    ttnn::ComputeKernelConfig config;
    EXPECT_EQ(ttnn::get_dest_reg_count(config), 8U);
    config.fp32_dest_acc_en = true;
    EXPECT_EQ(ttnn::get_dest_reg_count(config), 4U);
    config.dst_full_sync_en = true;
    EXPECT_EQ(ttnn::get_dest_reg_count(config, std::array<std::uint32_t, 2>{16, 32}), 16U);
    EXPECT_EQ(ttnn::get_math_fidelity(std::nullopt), ttnn::MathFidelity::Invalid);
}

namespace movement = ttnn::operations::data_movement;

TEST(Shards, HaveTheSizesOfTheirStrategy) {
    const metal::CoreRangeSet cores(metal::CoreRange({0, 0}, {3, 1}));
    const auto shard = [&](movement::ShardStrategy strategy, ttnn::ShardOrientation orientation) {
        return movement::create_sharded_memory_config(ttnn::Shape({2, 256, 1024}), cores, strategy,
                                                      orientation, std::nullopt, ttnn::Layout::TILE)
            .shard_spec()
            ->shape;
    };
    using Shape = std::array<std::uint32_t, 2>;
    EXPECT_EQ(shard(movement::ShardStrategy::HEIGHT, ttnn::ShardOrientation::ROW_MAJOR), (Shape{64, 1024}));
    EXPECT_EQ(shard(movement::ShardStrategy::WIDTH, ttnn::ShardOrientation::ROW_MAJOR), (Shape{512, 128}));
    EXPECT_EQ(shard(movement::ShardStrategy::BLOCK, ttnn::ShardOrientation::ROW_MAJOR), (Shape{256, 256}));
    EXPECT_EQ(shard(movement::ShardStrategy::BLOCK, ttnn::ShardOrientation::COL_MAJOR), (Shape{128, 512}));
    EXPECT_THROW(movement::create_sharded_memory_config(
                     ttnn::Shape({8, 8}), cores, movement::ShardStrategy::HEIGHT,
                     ttnn::ShardOrientation::ROW_MAJOR, std::nullopt, ttnn::Layout::TILE),
                 std::runtime_error);
    const std::vector<std::uint32_t> tensor{2, 3, 4, 8}, shards{5, 8}, place{1, 2, 3, 6};
    EXPECT_EQ(movement::tensor_coord_to_height_sharded_coord(tensor, shards, place),
              (std::pair<std::uint32_t, Shape>(23 / 5, {23 % 5, 6})));
}

TEST(Shards, AreTheSameInEitherForm) {
    const metal::CoreRangeSet cores(metal::CoreRange({0, 0}, {1, 0}));
    const ttnn::MemoryConfig two(ttnn::TensorMemoryLayout::HEIGHT_SHARDED, ttnn::BufferType::L1,
                                 ttnn::ShardSpec(cores, {32, 32}, ttnn::ShardOrientation::ROW_MAJOR));
    const ttnn::MemoryConfig many(ttnn::BufferType::L1, ttnn::NdShardSpec{ttnn::Shape({1, 32, 32}), cores});
    EXPECT_TRUE(movement::is_functionally_same_memory_config(two, two));
    EXPECT_FALSE(movement::is_functionally_same_memory_config(two, ttnn::L1_MEMORY_CONFIG));
    EXPECT_FALSE(movement::is_nd_sharded_memory_config(two));
    EXPECT_TRUE(movement::is_nd_sharded_memory_config(many));
    const ttnn::MemoryConfig derived = movement::derive_nd_shard_spec_for_reshaped_output(
        many, ttnn::Shape({2, 64, 32}), ttnn::Shape({4, 128, 64}), true);
    EXPECT_EQ(derived.nd_shard_spec()->shard_shape, ttnn::Shape({2, 64, 64}));
    EXPECT_TRUE(movement::is_uneven_nd_sharding(ttnn::Shape({3, 64}), ttnn::Shape({2, 64})));
}

TEST(HostTensors, ArePaddedAndCut) {
    const ttnn::Tensor tensor = counted({2, 3});
    const ttnn::Tensor padded = ttnn::pad(tensor, ttnn::Shape({3, 5}), ttnn::Shape({1, 1}), 9.0F);
    EXPECT_EQ(padded.to_vector<float>(), (std::vector<float>{9, 9, 9, 9, 9, 9, 0, 1, 2, 9, 9, 3, 4, 5, 9}));
    EXPECT_EQ(ttnn::unpad(padded, ttnn::Shape({1, 1}), ttnn::Shape({3, 4})).to_vector<float>(),
              tensor.to_vector<float>());
    EXPECT_EQ(ttnn::pad_to_tile(tensor, 0.0F).logical_shape(), ttnn::Shape({32, 32}));
    EXPECT_EQ(ttnn::unpad_from_tile(ttnn::pad_to_tile(tensor, 0.0F), ttnn::Shape({2, 3})).to_vector<float>(),
              tensor.to_vector<float>());
    EXPECT_THROW(ttnn::unpad(tensor, ttnn::Shape({0, 2}), ttnn::Shape({1, 4})), std::runtime_error);
    EXPECT_EQ(movement::float_to_uint16(70000.0F), 65535U);
    EXPECT_EQ(movement::float_to_uint16(-1.0F), 0U);
    EXPECT_EQ(movement::float_to_uint16(2.5F), 3U);
    EXPECT_EQ(movement::pack_two_uint16_into_uint32({1, 2}), 0x20001U);
}

TEST(Hash, TellsObjectsApart) {
    const auto of = [](const auto&... objects) {
        return ttsl::hash::hash_objects_with_default_seed(objects...);
    };
    EXPECT_EQ(of(1, std::string("a")), of(1, std::string("a")));
    EXPECT_NE(of(1, 2), of(2, 1));
    EXPECT_NE(of(std::optional<int>()), of(std::optional<int>(0)));
    EXPECT_EQ(of(counted({2, 3})), of(counted({2, 3})));
    EXPECT_NE(of(counted({2, 3})), of(counted({3, 2})));
}

TEST(Names, AreThoseOfTheEnumerators) {
    EXPECT_EQ(text_of(ttnn::DataType::BFLOAT8_B), "BFLOAT8_B");
    EXPECT_EQ(text_of(ttnn::TensorMemoryLayout::ND_SHARDED), "ND_SHARDED");
    EXPECT_EQ(text_of(ttnn::MathFidelity::HiFi3), "HiFi3");
    for (int i = 0; i < static_cast<int>(ttnn::DataType::INVALID); ++i) {
        const auto dtype = static_cast<ttnn::DataType>(i);
        EXPECT_EQ(metal::dataformat_to_datatype_converter(metal::datatype_to_dataformat_converter(dtype)),
                  dtype);
    }
    EXPECT_THROW(metal::datatype_to_dataformat_converter(ttnn::DataType::INVALID), std::runtime_error);
}

}  // namespace
