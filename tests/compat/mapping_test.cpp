// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors spread over the chips of a mesh and put together again.

#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ttnn/distributed/api.hpp"
#include "ttnn/distributed/distributed_tensor.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"

namespace {

namespace distributed = ttnn::distributed;

/// A device that the environment names, for as long as the object lives.
class Board {
public:
    explicit Board(const char* name) {
        if (const char* was = std::getenv("TILEMETER_DEVICE")) was_ = was;
        setenv("TILEMETER_DEVICE", name, 1);
    }
    ~Board() { was_.empty() ? unsetenv("TILEMETER_DEVICE") : setenv("TILEMETER_DEVICE", was_.c_str(), 1); }
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;

private:
    std::string was_;
};

ttnn::Tensor numbered(const ttnn::Shape& shape, ttnn::DataType dtype) {
    std::vector<float> values(shape.volume());
    std::iota(values.begin(), values.end(), 0.0F);
    return ttnn::Tensor::from_vector(
        values, {shape, ttnn::TensorLayout(dtype, ttnn::Layout::ROW_MAJOR, ttnn::DRAM_MEMORY_CONFIG)});
}

TEST(CompatMapping, CutsAndJoins) {
    const Board board("t3000");
    const auto mesh = distributed::open_mesh_device(ttnn::MeshShape(2, 4), 0, 0, 1, {});
    const ttnn::Tensor whole = numbered(ttnn::Shape({4, 3, 8}), ttnn::DataType::FLOAT32);
    distributed::MeshMapperConfig config;
    config.placements = {distributed::MeshMapperConfig::Shard{0}, distributed::MeshMapperConfig::Shard{-1}};
    const ttnn::Tensor spread =
        distributed::distribute_tensor(whole, *distributed::create_mesh_mapper(*mesh, config), *mesh);
    EXPECT_EQ(spread.logical_shape(), ttnn::Shape({2, 3, 2}));
    EXPECT_EQ(spread.device(), mesh.get());
    const std::vector<ttnn::Tensor> parts = distributed::get_device_tensors(spread);
    ASSERT_EQ(parts.size(), 8U);
    // The chip in row 1, column 2 has planes 2 and 3, columns 4 and 5.
    EXPECT_EQ(parts[6].to_vector<float>(),
              (std::vector<float>{52, 53, 60, 61, 68, 69, 76, 77, 84, 85, 92, 93}));
    distributed::MeshComposerConfig back;
    back.dims = {0, 2};
    const auto composer = distributed::create_mesh_composer(*mesh, back);
    EXPECT_EQ(distributed::aggregate_tensor(spread, *composer).to_vector<float>(), whole.to_vector<float>());
    EXPECT_EQ(distributed::aggregate_tensor(ttnn::add(spread, spread), *composer).to_vector<float>()[95],
              190.0F);
}

TEST(CompatMapping, CountsOneAxisOverAllChips) {
    const Board board("n300");
    const auto mesh = distributed::open_mesh_device(ttnn::MeshShape(1, 2), 0, 0, 1, {});
    const ttnn::Tensor whole = numbered(ttnn::Shape({6, 4}), ttnn::DataType::INT32);
    const ttnn::Tensor spread =
        distributed::distribute_tensor(whole, *distributed::shard_tensor_to_mesh_mapper(*mesh, 0));
    EXPECT_EQ(spread.logical_shape(), ttnn::Shape({3, 4}));
    const auto composer = distributed::concat_mesh_to_tensor_composer(*mesh, 0);
    EXPECT_EQ(distributed::aggregate_tensor(spread, *composer).to_vector<std::int32_t>(),
              whole.to_vector<std::int32_t>());
    const ttnn::Tensor copied =
        distributed::distribute_tensor(whole, *distributed::replicate_tensor_to_mesh_mapper(*mesh), *mesh);
    EXPECT_EQ(distributed::get_device_tensors(copied)[1].to_vector<std::int32_t>(),
              whole.to_vector<std::int32_t>());
    EXPECT_EQ(distributed::aggregate_tensor(copied, *composer).logical_shape(), ttnn::Shape({12, 4}));
}

TEST(CompatMapping, RefusesWhatDoesNotFit) {
    const Board board("n300");
    const auto mesh = distributed::open_mesh_device(ttnn::MeshShape(1, 2), 0, 0, 1, {});
    distributed::MeshMapperConfig config;
    config.placements = {distributed::MeshMapperConfig::Replicate()};
    EXPECT_THROW(distributed::create_mesh_mapper(*mesh, config), std::runtime_error);
    const ttnn::Tensor odd = numbered(ttnn::Shape({5, 4}), ttnn::DataType::FLOAT32);
    EXPECT_THROW(distributed::distribute_tensor(odd, *distributed::shard_tensor_to_mesh_mapper(*mesh, 0)),
                 std::runtime_error);
    EXPECT_THROW(distributed::distribute_tensor(odd, *distributed::shard_tensor_to_mesh_mapper(*mesh, 2)),
                 std::runtime_error);
    EXPECT_THROW(distributed::from_host_shards({odd}, ttnn::MeshShape(1, 2)), std::runtime_error);
}

}  // namespace
