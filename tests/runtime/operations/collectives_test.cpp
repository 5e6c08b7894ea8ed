// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// all_gather on the two chips of an n300, against plain loops and against what TT-NN recorded.

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "capture/graph/graph_processor.hpp"
#include "runtime/operations.hpp"
#include "tests/runtime/operations/numerics.hpp"

namespace tilemeter {
namespace {

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
    EXPECT_TRUE(rc::check([&] {
        const std::size_t dim = *rc::gen::inRange<std::size_t>(0, 4);
        const Layout layout = *rc::gen::element(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
        Shape shape = test::random_shape(4, 4, 6);
        if (layout == TILE_LAYOUT && dim >= 2) shape.set(static_cast<std::int64_t>(dim), 32);
        const std::vector<std::vector<float>> parts = {test::random_values(shape, -1, 1),
                                                       test::random_values(shape, -1, 1)};
        const Tensor result = all_gather(on_chips(mesh, parts, shape, layout), static_cast<int>(dim));
        const std::uint32_t size = shape.dimensions()[dim];
        Shape expected_shape = shape;
        expected_shape.set(static_cast<std::int64_t>(dim), 2 * size);
        RC_ASSERT(result.shape() == expected_shape);
        std::size_t inner = 1;
        for (std::size_t i = dim + 1; i < 4; ++i)
            inner *= shape.dimensions()[i];
        for (const std::size_t chip : {0U, 1U}) {
            const std::vector<float> ours = result.to_vector<float>(chip);
            for (std::size_t i = 0; i < ours.size(); ++i) {
                const std::size_t along = i / inner % (2 * size), outer = i / inner / (2 * size);
                const std::size_t source = (outer * size + along % size) * inner + i % inner;
                RC_ASSERT(ours[i] == parts[along / size][source]);
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
        EXPECT_EQ(circular, std::vector<std::uint64_t>(2, each.circular_buffer));
        EXPECT_EQ(l1, std::vector<std::uint64_t>(2, 4 * 56)) << "semaphores, once per program";
        ASSERT_EQ(dram.size(), 3U);
        EXPECT_EQ(dram[1], each.output);
    }
}

TEST(AllGather, says_what_does_not_fit) {
    const Mesh mesh;
    const Tensor part = empty({1, 1, 64, 100}, bfloat16, TILE_LAYOUT, mesh.get());
    EXPECT_EQ(test::message_of([&] { all_gather(part, 3); }),
              "all_gather: dim: expected whole tiles of 32 along it, got 100 of Shape([1, 1, 64, 100])");
    EXPECT_NO_THROW(all_gather(part, 2));
}

}  // namespace
}  // namespace tilemeter
