// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors in files: those that the real TT-NN 0.81.1 wrote (tests/data/compat/tensors, whose values count from 0 in steps of a
// quarter), and our own.

#include "ttnn/tensor/serialization.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/scratch_folder.hpp"
#include "ttnn/device.hpp"

namespace {

std::string recorded(const std::string& name) {
    return tilemeter::test::data_folder() + "/compat/tensors/" + name + ".tensorbin";
}

std::vector<char> bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<char> values_of(const std::string& path) {
    const std::vector<char> all = bytes_of(path);
    std::uint64_t header = 0;
    std::memcpy(&header, all.data(), sizeof header);
    return {all.begin() + static_cast<std::ptrdiff_t>(sizeof header + header), all.end()};
}

class RecordedTensor : public testing::TestWithParam<const char*> {};

TEST_P(RecordedTensor, ReadsAndWritesTheSame) {
    const ttnn::Tensor tensor = ttnn::load_tensor_flatbuffer(recorded(GetParam()));
    const bool is_block =
        tensor.dtype() == ttnn::DataType::BFLOAT8_B || tensor.dtype() == ttnn::DataType::BFLOAT4_B;
    const bool is_whole = tensor.dtype() == ttnn::DataType::INT32 || tensor.dtype() == ttnn::DataType::UINT16;
    EXPECT_EQ(tensor.logical_shape(), ttnn::Shape({2, 3, 5}));
    EXPECT_EQ(tensor.storage_type(), ttnn::StorageType::HOST);
    const std::vector<float> values = tensor.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float exact = is_whole ? static_cast<float>(i) : static_cast<float>(i) / 4;
        if (is_block)
            EXPECT_NEAR(values[i], exact, tensor.dtype() == ttnn::DataType::BFLOAT8_B ? 0.07F : 1.01F) << i;
        else
            EXPECT_EQ(values[i], exact) << i;
    }
    const tilemeter::test::ScratchFolder folder;
    const std::string again = (folder.path() / "again.tensorbin").string();
    ttnn::dump_tensor_flatbuffer(again, tensor);
    EXPECT_EQ(values_of(again), values_of(recorded(GetParam())));
    const ttnn::Tensor reread = ttnn::load_tensor_flatbuffer(again);
    EXPECT_EQ(reread.tensor_spec(), tensor.tensor_spec());
    EXPECT_EQ(reread.to_vector<float>(), values);
}
INSTANTIATE_TEST_SUITE_P(Files, RecordedTensor,
                         testing::Values("bfloat16_rows", "float32_tiles", "bfloat8_b_tiles",
                                         "bfloat4_b_tiles", "int32_rows", "uint16_shards"));

TEST(TensorFile, KeepsShards) {
    const ttnn::Tensor tensor = ttnn::load_tensor_flatbuffer(recorded("uint16_shards"));
    ASSERT_TRUE(tensor.shard_spec());
    EXPECT_EQ(tensor.shard_spec()->shape, (std::array<std::uint32_t, 2>{32, 32}));
    EXPECT_EQ(tensor.shard_spec()->num_cores(), 2U);
    EXPECT_EQ(tensor.memory_config().memory_layout(), ttnn::TensorMemoryLayout::HEIGHT_SHARDED);
}

TEST(TensorFile, GoesToTheDevice) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0);
    const ttnn::Tensor tensor = ttnn::load_tensor_flatbuffer(recorded("int32_rows"), device.get());
    EXPECT_EQ(tensor.device(), device.get());
    EXPECT_EQ(tensor.memory_config(), ttnn::L1_MEMORY_CONFIG);
}

// Every file that is cut off, and every byte of a header that is another one, is read or refused, and never crashes.
TEST(TensorFile, RefusesDamage) {
    const tilemeter::test::ScratchFolder folder;
    const std::string path = (folder.path() / "damaged.tensorbin").string();
    const std::vector<char> whole = bytes_of(recorded("uint16_shards"));
    std::uint64_t header = 0;
    std::memcpy(&header, whole.data(), sizeof header);
    const auto read = [&](const std::vector<char>& bytes) {
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        try {
            ttnn::load_tensor_flatbuffer(path);
            return true;
        } catch (const std::runtime_error& error) {
            EXPECT_EQ(std::string(error.what()).find("load_tensor_flatbuffer: " + path + ": "), 0U)
                << error.what();
            return false;
        }
    };
    EXPECT_TRUE(read(whole));
    for (std::size_t size = 0; size < whole.size(); size += size < header + 8 ? 1 : 997)
        EXPECT_FALSE(read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
    for (std::size_t at = 0; at < header + 8; ++at)
        for (const char other : {'\0', '\x01', '\x7f', '\xff'}) {
            std::vector<char> bytes = whole;
            bytes[at] = other;
            read(bytes);
        }
    EXPECT_THROW(ttnn::load_tensor_flatbuffer((folder.path() / "none.tensorbin").string()),
                 std::runtime_error);
    EXPECT_THROW(ttnn::dump_tensor_flatbuffer((folder.path() / "no/folder.tensorbin").string(),
                                              ttnn::load_tensor_flatbuffer(recorded("int32_rows"))),
                 std::runtime_error);
}

// Of a file that TT-NN 0.81.1 wrote: two views of one tensor of tiles.
TEST(OverlappedTensors, AreThoseOfTtnn) {
    const auto views = ttnn::load_overlapped_tensors(tilemeter::test::data_folder() +
                                                     "/compat/tensors/views.overlappedtensorbin");
    ASSERT_EQ(views.size(), 2U);
    EXPECT_EQ(views[0].name, "first");
    EXPECT_EQ(views[0].tensor_shape, (std::array<std::uint32_t, 2>{101, 102}));
    EXPECT_EQ(views[0].shard_shape, (std::array<std::uint32_t, 2>{103, 104}));
    EXPECT_EQ(views[0].core_range_set, ttnn::CoreRangeSet(ttnn::CoreRange({1, 2}, {3, 4})));
    EXPECT_EQ(views[0].dtype, ttnn::DataType::UINT32);
    EXPECT_EQ(views[0].tile_shape, (std::array<std::uint32_t, 2>{16, 32}));
    EXPECT_EQ(views[0].byte_offset, 105U);
    EXPECT_EQ(views[0].total_size, 106U);
    EXPECT_EQ(views[1].fused_tensor.to_vector<float>()[200], 200.0F);
    const tilemeter::test::ScratchFolder folder;
    const std::string again = (folder.path() / "again.overlappedtensorbin").string();
    ttnn::dump_overlapped_tensors(again, views);
    EXPECT_EQ(ttnn::load_overlapped_tensors(again)[0].name, "first");
    EXPECT_THROW(ttnn::dump_overlapped_tensors((folder.path() / "other.bin").string(), views),
                 std::runtime_error);
    EXPECT_THROW(ttnn::dump_overlapped_tensors(again, {}), std::runtime_error);
}

#ifdef FLATBUFFERS_VERSION_MAJOR
template <typename Table>
const Table* root_of(flatbuffers::FlatBufferBuilder& builder, flatbuffers::Offset<Table> table) {
    builder.Finish(table);
    const std::uint8_t* const bytes = builder.GetBufferPointer();
    std::uint32_t place = 0;
    std::memcpy(&place, bytes, sizeof place);
    return reinterpret_cast<const Table*>(bytes + place);  // NOLINT: as FlatBuffers does
}

TEST(FlatBuffers, KeepWhatDescribesTensors) {
    const ttnn::Tensor tensor = ttnn::load_tensor_flatbuffer(recorded("uint16_shards"));
    const ttnn::CoreRangeSet cores(std::vector<ttnn::CoreRange>{{{0, 0}, {1, 2}}, {{3, 0}, {3, 0}}});
    flatbuffers::FlatBufferBuilder of_cores, of_config, of_spec;
    EXPECT_EQ(ttnn::from_flatbuffer(root_of(of_cores, ttnn::to_flatbuffer(of_cores, cores))), cores);
    EXPECT_EQ(
        ttnn::from_flatbuffer(root_of(of_config, ttnn::to_flatbuffer(tensor.memory_config(), of_config))),
        tensor.memory_config());
    EXPECT_EQ(ttnn::from_flatbuffer(root_of(of_spec, ttnn::to_flatbuffer(tensor.tensor_spec(), of_spec))),
              tensor.tensor_spec());
    EXPECT_EQ(ttnn::from_flatbuffer(ttnn::to_flatbuffer(ttnn::DataType::INT32)), ttnn::DataType::INT32);
    EXPECT_THROW(ttnn::to_flatbuffer(ttnn::DataType::INVALID), std::runtime_error);
}

TEST(FlatBuffers, KeepTensors) {
    const ttnn::Tensor tensor = ttnn::load_tensor_flatbuffer(recorded("float32_tiles"));
    const tilemeter::test::ScratchFolder folder;
    const std::string path = (folder.path() / "built.tensorbin").string();
    flatbuffers::FlatBufferBuilder builder;
    std::vector<ttnn::SerializedTensorBuffer> buffers;
    buffers.push_back({tt::tt_metal::HostBuffer(std::vector<std::uint8_t>(5, 1)), 0});
    const auto* const table = root_of(builder, ttnn::to_flatbuffer(tensor, builder, buffers));
    ASSERT_EQ(buffers.size(), 2U);
    EXPECT_EQ(buffers[1].offset, 64U);
    ttnn::write_tensor_file(path, builder, buffers);
    EXPECT_EQ(ttnn::load_tensor_flatbuffer(path).to_vector<float>(), tensor.to_vector<float>());

    std::vector<char> values = values_of(path);
    EXPECT_EQ(ttnn::from_flatbuffer(table, std::as_writable_bytes(std::span(values)), {}).to_vector<float>(),
              tensor.to_vector<float>());
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    ASSERT_NE(file, nullptr);
    const std::vector<char> all = bytes_of(path);
    const auto mapped = ttnn::map_tensor_file(fileno(file), all.size(), path);
    std::fclose(file);
    EXPECT_EQ(std::memcmp(mapped.get(), all.data(), all.size()), 0);
    EXPECT_THROW(ttnn::map_tensor_file(-1, 8, "none"), std::runtime_error);
}

TEST(FlatBuffers, KeepViews) {
    const ttnn::Tensor tensor = ttnn::load_tensor_flatbuffer(recorded("float32_tiles"));
    ttnn::OverlappedTensorView view;
    view.name = "part";
    view.fused_tensor = tensor;
    view.byte_offset = 4096;
    flatbuffers::FlatBufferBuilder builder;
    std::vector<ttnn::SerializedTensorBuffer> buffers;
    const auto* const table =
        root_of(builder, ttnn::overlapped_tensors_to_flatbuffer({view}, builder, buffers));
    ASSERT_EQ(buffers.size(), 1U);
    const auto views = ttnn::overlapped_tensors_from_flatbuffer(table, buffers[0].buffer.view_bytes(), {});
    EXPECT_EQ(views.at(0).name, "part");
    EXPECT_EQ(views.at(0).byte_offset, 4096U);
    EXPECT_EQ(views.at(0).fused_tensor.to_vector<float>(), tensor.to_vector<float>());
}
#endif

}  // namespace
