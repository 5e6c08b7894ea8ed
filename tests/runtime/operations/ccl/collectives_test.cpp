// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// all_gather on the two chips of an n300, against plain loops and against what TT-NN recorded.

#include "runtime/operations/ccl/collectives.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"

namespace tilemeter {
namespace {

constexpr std::size_t kChips = 2;

class Mesh {
public:
    Mesh() : device_(open_mesh_device({1, 2}, {"n300", 0, 0})) {}
    ~Mesh() { close_device(*device_); }
    Mesh(const Mesh&) = delete;
    Mesh& operator=(const Mesh&) = delete;
    const std::shared_ptr<Device>& get() const { return device_; }

private:
    std::shared_ptr<Device> device_;
};

Tensor on_chips(const Mesh& mesh, const std::vector<std::vector<float>>& by_chip, const Shape& shape,
                Layout layout) {
    ChipValues values;
    for (const std::vector<float>& each : by_chip)
        values.push_back(HostArray::from_floats(each, float32, shape));
    return to_device(Tensor::on_host({shape, float32, layout, DRAM_MEMORY_CONFIG}, std::move(values)),
                     mesh.get());
}

TEST(AllGather, puts_the_parts_of_all_chips_one_after_the_other) {
    const Mesh mesh;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::size_t dim = test::in_range<std::size_t>(0, 4);
        const Layout layout = test::one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
        Shape shape = test::random_shape(4, 4, 6);
        if (layout == TILE_LAYOUT && dim >= 2) shape.set(static_cast<std::int64_t>(dim), 32);
        const std::vector<std::vector<float>> parts = {test::random_values(shape, -1, 1),
                                                       test::random_values(shape, -1, 1)};
        const Tensor result = all_gather(on_chips(mesh, parts, shape, layout), static_cast<int>(dim));
        const std::uint32_t size = shape.dimensions()[dim];
        Shape expected_shape = shape;
        expected_shape.set(static_cast<std::int64_t>(dim), 2 * size);
        PROPERTY_ASSERT(result.shape() == expected_shape);
        std::size_t inner = 1;
        for (std::size_t i = dim + 1; i < 4; ++i)
            inner *= shape.dimensions()[i];
        for (const std::size_t chip : {0U, 1U}) {
            const std::vector<float> ours = result.to_vector<float>(chip);
            for (std::size_t i = 0; i < ours.size(); ++i) {
                const std::size_t along = i / inner % (2 * size), outer = i / inner / (2 * size);
                const std::size_t source = (outer * size + along % size) * inner + i % inner;
                PROPERTY_ASSERT(ours[i] == parts[along / size][source]);
            }
        }
    }));
}

// Recorded: circular buffers by page and layout, two semaphores per program that stay.
TEST(AllGather, takes_what_the_recorded_device_takes) {
    struct Case {
        Shape shape;
        DataType dtype;
        Layout layout;
        std::uint64_t circular_buffer;
        std::uint64_t output;
    };
    for (const Case& each : {Case{{1, 1, 64, 128}, bfloat16, TILE_LAYOUT, 36864, 32768},
                             Case{{1, 1, 64, 128}, float32, TILE_LAYOUT, 36864, 65536},
                             Case{{1, 1, 64, 128}, bfloat8_b, TILE_LAYOUT, 39168, 17408},
                             Case{{1, 1, 64, 128}, bfloat16, ROW_MAJOR_LAYOUT, 13056, 32768},
                             Case{{1, 1, 64, 4096}, bfloat16, ROW_MAJOR_LAYOUT, 24576, 1048576}}) {
        const Mesh mesh;
        using graph::GraphProcessor;
        GraphProcessor::begin_graph_capture(graph::RunMode::NO_DISPATCH);
        {
            const Tensor input = empty(each.shape, each.dtype, each.layout, mesh.get());
            const Tensor first = all_gather(input, 3);
            const Tensor second = all_gather(input, 3);
        }
        const nlohmann::json graph = GraphProcessor::end_graph_capture();
        std::vector<std::uint64_t> circular, l1, dram;
        for (const auto& node : graph) {
            const std::string type = node.at("node_type");
            if (type == "circular_buffer_allocate") circular.push_back(node.at("params").at("size"));
            if (type == "buffer_allocate")
                (node.at("params").at("type") == "L1" ? l1 : dram).push_back(node.at("params").at("size"));
        }
        EXPECT_EQ(circular, std::vector<std::uint64_t>(2 * kChips, each.circular_buffer))
            << "each chip has a program of its own";
        EXPECT_EQ(l1, std::vector<std::uint64_t>(2, 4 * 56)) << "semaphores, once per program";
        ASSERT_EQ(dram.size(), 3U);
        EXPECT_EQ(dram[1], each.output);
    }
}

TEST(AllGather, joins_parts_that_are_no_whole_tiles_by_broadcast) {
    const Mesh mesh;
    const Tensor part = empty({1, 1, 64, 100}, bfloat16, TILE_LAYOUT, mesh.get());
    EXPECT_EQ(all_gather(part, 3).shape(), (Shape{1, 1, 64, 100 * kChips}));
    EXPECT_EQ(all_gather(part, 2).shape(), (Shape{1, 1, 64 * kChips, 100}));
}

TEST(ReduceScatter, gives_each_chip_its_part_of_the_sum) {
    const Mesh mesh;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::size_t dim = test::in_range<std::size_t>(0, 4);
        Shape shape{2, 4, 64, 64};
        const std::vector<float> some = test::random_values(Shape{61}, -4, 4);
        std::vector<std::vector<float>> parts(2);
        for (std::size_t i = 0; i < shape.volume(); ++i) {
            parts[0].push_back(some[i % 61]);
            parts[1].push_back(some[(i * 7 + 3) % 61]);
        }
        const Tensor input = on_chips(mesh, parts, shape, TILE_LAYOUT);
        const Tensor result = reduce_scatter(input, static_cast<int>(dim));
        const Tensor everywhere = all_reduce(input);
        const std::uint32_t size = shape.dimensions()[dim] / 2;
        std::size_t inner = 1;
        for (std::size_t i = dim + 1; i < 4; ++i)
            inner *= shape.dimensions()[i];
        for (const std::size_t chip : {0U, 1U}) {
            const std::vector<float> ours = result.to_vector<float>(chip);
            PROPERTY_ASSERT(ours.size() == shape.volume() / 2);
            for (std::size_t i = 0; i < ours.size(); ++i) {
                const std::size_t along = i / inner % size, outer = i / inner / size;
                const std::size_t source = (outer * 2 * size + chip * size + along) * inner + i % inner;
                PROPERTY_ASSERT(ours[i] == parts[0][source] + parts[1][source]);
            }
            const std::vector<float> whole = everywhere.to_vector<float>(chip);
            for (std::size_t i = 0; i < whole.size(); ++i)
                PROPERTY_ASSERT(whole[i] == parts[0][i] + parts[1][i]);
        }
    }));
}

// Recorded: four circular buffers, on more cores for more data; a place for sums of half the way, given back.
TEST(ReduceScatter, takes_what_the_recorded_device_takes) {
    struct Case {
        Shape shape;
        DataType dtype;
        std::uint64_t circular_buffer;
        const char* cores;
    };
    for (const Case& each :
         {Case{{1, 1, 64, 64}, bfloat16, 49152, "{[1-0 - 1-0], [3-0 - 3-0]}"},
          Case{{1, 1, 64, 256}, bfloat16, 49152, "{[1-0 - 2-0], [4-0 - 5-0]}"},
          Case{{1, 1, 32, 2048}, float32, 49152, "{[1-0 - 2-0], [4-0 - 5-0]}"},
          Case{{1, 1, 32, 2048}, bfloat8_b, 26112, "{[1-0 - 2-0], [4-0 - 5-0]}"},
          Case{{1, 1, 32, 488 * 32}, bfloat16, 49152, "{[1-0 - 2-0], [4-0 - 5-0]}"},
          Case{{1, 1, 32, 490 * 32}, bfloat16, 49152, "{[0-1 - 1-1], [1-0 - 4-0], [6-0 - 7-0]}"},
          Case{{1, 1, 32, 3908 * 32},
               bfloat16,
               49152,
               "{[0-1 - 0-1], [0-2 - 1-2], [1-0 - 7-0], [2-1 - 7-1]}"}}) {
        const Mesh mesh;
        using graph::GraphProcessor;
        GraphProcessor::begin_graph_capture(graph::RunMode::NO_DISPATCH);
        { const Tensor result = reduce_scatter(empty(each.shape, each.dtype, TILE_LAYOUT, mesh.get()), 3); }
        const nlohmann::json graph = GraphProcessor::end_graph_capture();
        std::vector<std::string> events;
        std::size_t circular = 0;
        for (const auto& node : graph) {
            const std::string type = node.at("node_type");
            if (type == "circular_buffer_allocate") {
                ++circular;
                EXPECT_EQ(node.at("params").at("size"), each.circular_buffer);
                EXPECT_EQ(node.at("params").at("core_range_set"), each.cores);
            }
            if (type == "buffer_allocate" && node.at("params").at("type") == "DRAM")
                events.push_back("+" + std::to_string(node.at("params").at("size").get<std::uint64_t>()));
            if (type == "buffer_deallocate" && node.at("params").at("type") == "DRAM")
                events.push_back("-" + std::to_string(node.at("params").at("size").get<std::uint64_t>()));
        }
        EXPECT_EQ(circular, 4 * kChips);
        const std::uint64_t bytes = each.shape.volume() / 1024 * tile_size(each.dtype);
        ASSERT_GE(events.size(), 4U);
        EXPECT_EQ(events[1], "+" + std::to_string(bytes / 2));
        EXPECT_EQ(events[2], "+" + std::to_string(bytes * 2));
        EXPECT_EQ(events[3], "-" + std::to_string(bytes * 2));
    }
}

TEST(AllReduce, takes_what_no_dimension_shares_and_reduce_scatter_refuses_it) {
    const Mesh mesh;
    const Tensor one_tile = empty({1, 1, 32, 32}, bfloat16, TILE_LAYOUT, mesh.get());
    EXPECT_EQ(all_reduce(one_tile).shape(), one_tile.shape()) << "all of it goes to all of them";
    const Tensor real = empty({1, 1, 32, 32}, float32, TILE_LAYOUT, mesh.get());
    EXPECT_EQ(all_reduce(real).shape(), real.shape());
    EXPECT_NE(test::message_of([&] { reduce_scatter(one_tile, 3); }).find("whole tiles"), std::string::npos);
}

// 2 x 4 chips; chip i has i + 1 in every element.
TEST(Collectives, go_along_an_axis_of_the_mesh) {
    const auto mesh = open_mesh_device({2, 4}, {"t3000", 0, 0});
    const Shape shape{1, 1, 32, 256};
    ChipValues values;
    for (int chip = 0; chip < 8; ++chip)
        values.push_back(HostArray::from_floats(
            std::vector<float>(shape.volume(), static_cast<float>(chip + 1)), float32, shape));
    const Tensor x = to_device(
        Tensor::on_host({shape, float32, TILE_LAYOUT, DRAM_MEMORY_CONFIG}, std::move(values)), mesh);
    const auto first_and_last = [](const Tensor& tensor, std::size_t chip) {
        const std::vector<float> found = tensor.to_vector<float>(chip);
        return std::pair(found.front(), found.back());
    };
    const auto both = [](float first, float last) { return std::pair(first, last); };
    const Tensor rows = all_gather(AllGather{.input_tensor = x, .dim = 3, .cluster_axis = 1});
    EXPECT_EQ(rows.shape(), (Shape{1, 1, 32, 1024}));
    EXPECT_EQ(first_and_last(rows, 2), both(1, 4));
    EXPECT_EQ(first_and_last(rows, 5), both(5, 8));
    const Tensor columns = all_gather(AllGather{.input_tensor = x, .dim = 3, .cluster_axis = 0});
    EXPECT_EQ(columns.shape(), (Shape{1, 1, 32, 512}));
    EXPECT_EQ(first_and_last(columns, 1), both(2, 6));
    EXPECT_EQ(first_and_last(columns, 6), both(3, 7));
    EXPECT_EQ(first_and_last(all_reduce(AllReduce{.input_tensor = x, .cluster_axis = 0}), 3), both(12, 12));
    EXPECT_EQ(first_and_last(all_reduce(AllReduce{.input_tensor = x}), 3), both(36, 36));
    const Tensor parts = reduce_scatter(ReduceScatter{.input_tensor = x, .dim = 3});
    EXPECT_EQ(parts.shape(), (Shape{1, 1, 32, 32}));
    EXPECT_EQ(first_and_last(parts, 7), both(36, 36));
    EXPECT_EQ(test::message_of([&] { all_gather(x, 3); }),
              "1D fabric on a 2D mesh_device requires cluster_axis to be set");
    close_device(*mesh);
}

}  // namespace
}  // namespace tilemeter
