// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Types of TT-Metalium and TT-NN: what clients do with them.

#include "ttnn/types.hpp"

#include <array>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "tt-metalium/core_coord.hpp"
#include "tt-metalium/mesh_coord.hpp"
#include "ttnn/tensor/tensor_spec.hpp"

namespace ttnn {
// Clients open the namespace.
inline Shape twice(const Shape& shape) {
    Shape result = shape;
    result[0] *= 2;
    return result;
}
}  // namespace ttnn

namespace {

template <typename T>
std::string text(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TEST(CompatShape, IndexesFromBothEnds) {
    const ttnn::Shape shape({2, 3, 32, 64});
    EXPECT_EQ(shape[-1], 64U);
    EXPECT_EQ(shape[0], 2U);
    EXPECT_EQ(shape[-6], 1U);  // in front of the first one
    EXPECT_THROW(shape[4], std::runtime_error);
    EXPECT_EQ(shape.volume(), 2U * 3 * 32 * 64);
    EXPECT_EQ(ttnn::twice(shape), ttnn::Shape({4, 3, 32, 64}));
    EXPECT_EQ(shape.to_rank(6), ttnn::Shape({1, 1, 2, 3, 32, 64}));
    EXPECT_THROW(shape.to_rank(3), std::runtime_error);
    EXPECT_EQ(shape.to_array_4D(), (std::array<std::uint32_t, 4>{2, 3, 32, 64}));
    EXPECT_EQ(ttnn::Shape(std::array<std::uint32_t, 4>{1, 1, 32, 32}).rank(), 4U);
    EXPECT_EQ(text(shape), "Shape([2, 3, 32, 64])");
    EXPECT_EQ((std::unordered_map<ttnn::Shape, int>{{shape, 7}}.at(shape)), 7);
}

TEST(CompatCores, AreSetsOfRectangles) {
    using tt::tt_metal::CoreCoord;
    using tt::tt_metal::CoreRange;
    using tt::tt_metal::CoreRangeSet;
    const CoreRangeSet rows(std::set<CoreRange>{CoreRange({0, 0}, {7, 0}), CoreRange({0, 1}, {3, 1})});
    EXPECT_EQ(rows.num_cores(), 12U);
    EXPECT_EQ(rows.bounding_box(), CoreRange({0, 0}, {7, 1}));
    EXPECT_TRUE(rows.contains(CoreCoord(3, 1)));
    EXPECT_FALSE(rows.contains(CoreCoord(4, 1)));
    EXPECT_THROW(CoreRangeSet(std::vector<CoreRange>{CoreRange({0, 0}, {1, 1}), CoreRange({1, 1}, {2, 2})}),
                 std::runtime_error);
    EXPECT_THROW(CoreRange({1, 0}, {0, 0}), std::runtime_error);
    EXPECT_EQ(rows.subtract(CoreRange({0, 0}, {7, 0})), CoreRangeSet(CoreRange({0, 1}, {3, 1})));
    EXPECT_EQ(rows.merge(CoreRange({4, 1}, {7, 1})), CoreRangeSet(CoreRange({0, 0}, {7, 1})));
    EXPECT_EQ(rows.intersection(CoreRange({2, 0}, {2, 5})).num_cores(), 2U);
    EXPECT_EQ(tt::tt_metal::corerange_to_cores(rows, 3, true),
              (std::vector<CoreCoord>{{0, 0}, {1, 0}, {2, 0}}));
    EXPECT_EQ(tt::tt_metal::num_cores_to_corerangeset(10, {8, 8}, true).num_cores(), 10U);
    std::size_t walked = 0;
    for ([[maybe_unused]] const CoreCoord& each : CoreRange({1, 1}, {3, 2}))
        ++walked;
    EXPECT_EQ(walked, 6U);
    EXPECT_EQ(rows.ranges().front().str(), "[(x=0,y=0) - (x=7,y=0)]");
}

TEST(CompatSpecs, PadAndPlace) {
    const tt::tt_metal::ShardSpec shards(tt::tt_metal::CoreRange({0, 0}, {3, 0}), {32, 64});
    const ttnn::MemoryConfig sharded{ttnn::TensorMemoryLayout::HEIGHT_SHARDED, ttnn::BufferType::L1, shards};
    EXPECT_TRUE(sharded.is_sharded() && sharded.is_l1());
    EXPECT_NE(sharded, ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(ttnn::MemoryConfig(), ttnn::DRAM_MEMORY_CONFIG);
    const ttnn::TensorSpec spec(ttnn::Shape({100, 60}),
                                ttnn::TensorLayout(ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, sharded));
    EXPECT_EQ(spec.padded_shape(), ttnn::Shape({128, 64}));
    EXPECT_EQ(spec.compute_page_size_bytes(), 2048U);
    EXPECT_EQ(spec.compute_packed_buffer_size_bytes(), 8U * 2048);
    EXPECT_EQ(spec.with_memory_config(ttnn::DRAM_MEMORY_CONFIG).memory_config(), ttnn::DRAM_MEMORY_CONFIG);
    EXPECT_THROW(ttnn::Tile({33, 32}), std::runtime_error);
    EXPECT_EQ(ttnn::Tile().get_tile_size(tt::DataFormat::Bfp8_b), 1088U);
}

TEST(CompatMesh, CountsRowByRow) {
    const ttnn::MeshShape shape(2, 4);
    EXPECT_EQ(shape.mesh_size(), 8U);
    EXPECT_EQ(ttnn::MeshCoordinate(1, 2).to_linear_index(shape), 6U);
    std::vector<std::size_t> numbers;
    for (const ttnn::MeshCoordinate& each : ttnn::MeshCoordinateRange(shape))
        numbers.push_back(each.to_linear_index(shape));
    EXPECT_EQ(numbers, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_THROW((void)ttnn::MeshCoordinate(2, 0).to_linear_index(shape), std::runtime_error);
    EXPECT_EQ(text(shape), "MeshShape([2, 4])");
}

TEST(CompatFunctions, OfOneElementHaveNames) {
    namespace unary = ttnn::operations::unary;
    const unary::UnaryWithParam gelu = unary::utils::string_to_unary_with_param("gelu");
    EXPECT_EQ(gelu.type(), unary::UnaryOpType::GELU);
    EXPECT_EQ(unary::utils::string_to_unary_with_param("relu"),
              unary::UnaryWithParam(unary::UnaryOpType::RELU));
    EXPECT_THROW(unary::utils::string_to_unary_with_param("nothing"), std::runtime_error);
}

}  // namespace
