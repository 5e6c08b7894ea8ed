// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Expected figures: recorded from TT-NN 0.81.1 on its n150 mock board.

#include "runtime/operations/data_movement/move.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using nlohmann::json;

std::vector<json> nodes_of_type(const json& graph, const std::string& type) {
    std::vector<json> found;
    for (const json& node : graph) {
        if (node.at("node_type") == type) found.push_back(node);
    }
    return found;
}

// A tensor of `shape` in L1 below a hole of `hole`, moved while captured.
struct Moved {
    Moved(const std::shared_ptr<Device>& device, const Shape& hole, const Shape& shape, Layout layout) {
        Tensor above = empty(hole, bfloat16, layout, device, L1_MEMORY_CONFIG);
        std::vector<float> values(shape.volume());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i % 256);
        Tensor input = from_vector(values, shape, bfloat16, layout, device, L1_MEMORY_CONFIG);
        before = input.buffer().address();
        above.deallocate();
        graph::GraphProcessor::begin_graph_capture();
        output = move(input);
        graph = graph::GraphProcessor::end_graph_capture();
        EXPECT_FALSE(input.is_allocated());
        EXPECT_EQ(output.to_vector<float>(), values);
    }

    std::uint64_t before = 0;
    Tensor output;
    json graph;
};

TEST(Move, into_a_hole_that_is_large_enough_copies_page_by_page) {
    const test::OpenDevice device;
    const Moved moved(device.get(), {1, 1, 64, 64}, {1, 1, 64, 64}, TILE_LAYOUT);
    EXPECT_EQ(moved.before, 1495040U);
    EXPECT_EQ(moved.output.buffer().address(), 1497088U);
    const std::vector<json> memory = nodes_of_type(moved.graph, "circular_buffer_allocate");
    ASSERT_EQ(memory.size(), 1U);
    EXPECT_EQ(memory[0].at("params").at("size"), 4096);
    EXPECT_EQ(memory[0].at("params").at("core_range_set"), "{[0-0 - 0-3]}");
}

TEST(Move, that_overlaps_its_old_place_holds_what_a_core_moves) {
    const test::OpenDevice device;
    const Moved tiles(device.get(), {1, 1, 64, 64}, {1, 1, 512, 4096}, TILE_LAYOUT);
    EXPECT_EQ(tiles.before, 1431552U);
    EXPECT_EQ(tiles.output.buffer().address(), 1433600U);
    EXPECT_EQ(nodes_of_type(tiles.graph, "circular_buffer_allocate").at(0).at("params").at("size"), 65536);
}

TEST(Move, of_rows_that_overlap_counts_rows) {
    const test::OpenDevice device;
    const Moved rows(device.get(), {1, 1, 64, 64}, {1, 1, 512, 1000}, ROW_MAJOR_LAYOUT);
    EXPECT_EQ(rows.output.buffer().address(), 1483136U);
    EXPECT_EQ(nodes_of_type(rows.graph, "circular_buffer_allocate").at(0).at("params").at("size"), 16000);
}

TEST(Move, of_what_a_view_shares_is_refused) {
    const test::OpenDevice device;
    const Tensor input = empty({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const Tensor view = reshape(input, {64, 64});
    EXPECT_THROW(move(input), RuntimeError);
    EXPECT_THROW(move(view), RuntimeError);
    EXPECT_TRUE(input.is_allocated());
}

TEST(Move, to_where_it_lies_already_runs_no_program) {
    const test::OpenDevice device;
    Tensor input = full({1, 1, 64, 64}, 3, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const std::uint64_t before = input.buffer().address();
    graph::GraphProcessor::begin_graph_capture();
    const Tensor output = move(input);
    const json graph = graph::GraphProcessor::end_graph_capture();
    EXPECT_EQ(output.buffer().address(), before);
    EXPECT_EQ(output.to_vector<float>()[5], 3);
    EXPECT_TRUE(nodes_of_type(graph, "program_execution").empty());
}

TEST(Move, of_shards_borrows_old_and_new_place) {
    const test::OpenDevice device;
    const MemoryConfig config{
        TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
        ShardSpec{CoreRangeSet(CoreRange{{0, 0}, {1, 0}}), {32, 64}, ShardOrientation::ROW_MAJOR}};
    Tensor above = empty({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), config);
    Tensor input = empty({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), config);
    above.deallocate();
    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NO_DISPATCH);
    { const Tensor output = move(input); }
    const json graph = graph::GraphProcessor::end_graph_capture();
    const std::vector<json> memory = nodes_of_type(graph, "circular_buffer_allocate");
    ASSERT_EQ(memory.size(), 2U);
    for (const json& piece : memory) {
        EXPECT_EQ(piece.at("params").at("size"), 4096);
        EXPECT_EQ(piece.at("params").at("globally_allocated"), "1");
        EXPECT_EQ(piece.at("params").at("core_range_set"), "{[0-0 - 1-0]}");
    }
    EXPECT_TRUE(input.is_allocated());
}

TEST(Move, of_a_host_tensor_says_so) {
    Tensor input = zeros({32, 32});
    EXPECT_THROW(move(input), RuntimeError);
}

}  // namespace
}  // namespace tilemeter
