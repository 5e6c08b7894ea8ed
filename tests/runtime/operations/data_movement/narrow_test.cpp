// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Views of a part of a tensor's memory: their values against the range of the whole, what is written through them against the whole.
// Places, grids and messages: recorded from TT-NN 0.81.1 on its n150 mock board.

#include "runtime/operations/data_movement/narrow.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;
using Values = std::vector<std::int64_t>;

Tensor counted_tensor(const Shape& shape, const std::shared_ptr<Device>& device,
                      const MemoryConfig& memory = DRAM_MEMORY_CONFIG, Layout layout = Layout::TILE) {
    Values values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::int64_t>(i % 251);
    return from_vector(std::span<const std::int64_t>(values), shape, bfloat16, layout, device, memory);
}

Values elements_of(const Tensor& tensor) {
    return tensor.to_vector<std::int64_t>();
}

MemoryConfig shards(TensorMemoryLayout::Value layout, CoreRange grid, std::uint32_t rows,
                    std::uint32_t columns, ShardOrientation orientation = ShardOrientation::ROW_MAJOR) {
    return {layout, BufferType::L1, ShardSpec{CoreRangeSet(grid), {rows, columns}, orientation}};
}

// Elements start to start + length - 1 of each block along `dim`.
Values range_of(const Tensor& input, std::size_t dim, std::size_t start, std::size_t length) {
    const std::span<const std::uint32_t> sizes = input.shape().dimensions();
    const Values all = elements_of(input);
    std::size_t inner = 1;
    for (std::size_t i = dim + 1; i < sizes.size(); ++i)
        inner *= sizes[i];
    Values range;
    for (std::size_t block = 0; block < all.size(); block += sizes[dim] * inner) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(block + start * inner);
        range.insert(range.end(), first, first + static_cast<std::ptrdiff_t>(length * inner));
    }
    return range;
}

TEST(Narrow, has_the_values_of_its_range_at_the_first_page) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Layout layout = test::one_of(Layout::TILE, Layout::ROW_MAJOR);
        const Tensor input = counted_tensor(Shape{48, 32, 32}, device.get(), DRAM_MEMORY_CONFIG, layout);
        const auto start = static_cast<std::uint32_t>(12 * test::in_range(0, 4));
        const auto length = static_cast<std::uint32_t>(test::in_range(1, 49 - static_cast<int>(start)));
        const Tensor part = narrow(input, 0, start, length);
        PROPERTY_ASSERT(elements_of(part) == range_of(input, 0, start, length));
        // Twelve banks: a page of 2,048 bytes each, or 32 rows of 64.
        PROPERTY_ASSERT(part.buffer().address() - input.buffer().address() ==
                        std::uint64_t{start} / 12 * 2048);
    }));
}

TEST(Narrow, of_shards_is_whole_ones_or_a_part_of_each) {
    const test::OpenDevice device;
    struct Row {
        Shape shape;
        MemoryConfig memory;
        std::uint32_t dim, start, length;
        std::uint64_t offset;
        std::string grid;
        std::array<std::uint32_t, 2> shard;
    };
    const CoreRange two_rows{{0, 0}, {3, 1}}, square{{0, 0}, {3, 3}};
    const auto by_columns = ShardOrientation::COL_MAJOR;
    const std::vector<Row> rows = {{{1, 1, 512, 64},
                                    shards(TensorMemoryLayout::HEIGHT_SHARDED, two_rows, 64, 64),
                                    2,
                                    96,
                                    32,
                                    4096,
                                    "{[1-0 - 1-0]}",
                                    {32, 64}},
                                   {{1, 1, 512, 64},
                                    shards(TensorMemoryLayout::HEIGHT_SHARDED, two_rows, 64, 64),
                                    2,
                                    64,
                                    128,
                                    0,
                                    "{[1-0 - 2-0]}",
                                    {64, 64}},
                                   {{4, 128, 64},
                                    shards(TensorMemoryLayout::HEIGHT_SHARDED, two_rows, 64, 64),
                                    1,
                                    32,
                                    32,
                                    4096,
                                    "{[0-0 - 0-1], [2-0 - 2-1]}",
                                    {32, 64}},
                                   {{512, 64},
                                    shards(TensorMemoryLayout::HEIGHT_SHARDED, two_rows, 64, 64, by_columns),
                                    0,
                                    64,
                                    192,
                                    0,
                                    "{[0-1 - 0-1], [1-0 - 1-0], [1-1 - 1-1]}",
                                    {64, 64}},
                                   {{32, 512},
                                    shards(TensorMemoryLayout::WIDTH_SHARDED, two_rows, 32, 64),
                                    1,
                                    96,
                                    32,
                                    2048,
                                    "{[1-0 - 1-0]}",
                                    {32, 32}},
                                   {{64, 512},
                                    shards(TensorMemoryLayout::WIDTH_SHARDED, two_rows, 64, 64),
                                    0,
                                    32,
                                    32,
                                    4096,
                                    "{[0-0 - 3-1]}",
                                    {32, 64}},
                                   {{256, 256},
                                    shards(TensorMemoryLayout::BLOCK_SHARDED, square, 64, 64),
                                    0,
                                    96,
                                    32,
                                    4096,
                                    "{[0-1 - 3-1]}",
                                    {32, 64}},
                                   {{256, 256},
                                    shards(TensorMemoryLayout::BLOCK_SHARDED, square, 64, 64),
                                    1,
                                    128,
                                    128,
                                    0,
                                    "{[2-0 - 3-3]}",
                                    {64, 64}},
                                   {{192, 192},
                                    shards(TensorMemoryLayout::BLOCK_SHARDED, square, 64, 64),
                                    0,
                                    64,
                                    64,
                                    0,
                                    "{[0-1 - 2-1]}",
                                    {64, 64}},
                                   {{256, 256},
                                    shards(TensorMemoryLayout::BLOCK_SHARDED, square, 64, 64, by_columns),
                                    0,
                                    64,
                                    128,
                                    0,
                                    "{[1-0 - 2-3]}",
                                    {64, 64}},
                                   {{256, 256},
                                    shards(TensorMemoryLayout::BLOCK_SHARDED, square, 64, 64, by_columns),
                                    1,
                                    64,
                                    64,
                                    0,
                                    "{[0-1 - 3-1]}",
                                    {64, 64}}};
    for (const Row& row : rows) {
        const Tensor input = counted_tensor(row.shape, device.get(), row.memory);
        const Tensor part = narrow(input, row.dim, row.start, row.length);
        const ShardSpec& spec = *part.memory_config().shard_spec;
        EXPECT_EQ(part.buffer().address() - input.buffer().address(), row.offset) << row.memory.to_string();
        EXPECT_EQ(spec.grid.to_string(), row.grid);
        EXPECT_EQ(spec.shape, row.shard);
        EXPECT_EQ(elements_of(part), range_of(input, row.dim, row.start, row.length))
            << row.memory.to_string();
    }
}

TEST(Narrow, shares_what_is_written) {
    const test::OpenDevice device;
    const Tensor whole = counted_tensor(Shape{48, 32, 32}, device.get());
    const Tensor part = narrow(whole, 0, 24, 24);
    const Tensor inner = narrow(part, 0, 12, 6);
    EXPECT_EQ(inner.buffer().address() - whole.buffer().address(), 6144U);
    EXPECT_EQ(elements_of(inner), range_of(whole, 0, 36, 6));
    Values expected = elements_of(whole);
    add_(inner, 1.0F);
    for (std::size_t i = 36 * 1024; i < 42 * 1024; ++i)
        ++expected[i];
    EXPECT_EQ(elements_of(whole), expected);
    add_(whole, 1.0F);
    for (std::int64_t& each : expected)
        ++each;
    EXPECT_EQ(elements_of(inner), Values(expected.begin() + 36 * 1024, expected.begin() + 42 * 1024));
    EXPECT_EQ(elements_of(reshape(part, Shape{24 * 32, 32})),
              Values(expected.begin() + 24 * 1024, expected.end()));
    EXPECT_EQ(reshape(part, Shape{24 * 32, 32}).buffer().address(), part.buffer().address());
}

TEST(Narrow, is_allocated_as_long_as_the_whole_is) {
    const test::OpenDevice device;
    const auto taken = [&] {
        return device->memory().allocator(record::MemoryType::kDram).statistics().allocated;
    };
    const std::uint64_t before = taken();
    Tensor whole = counted_tensor(Shape{48, 32, 32}, device.get());
    Tensor part = narrow(whole, 0, 12, 12);
    part.deallocate(false);
    whole.deallocate(false);
    EXPECT_TRUE(part.is_allocated());
    EXPECT_FALSE(part.is_last_owner());
    whole = Tensor();
    EXPECT_TRUE(part.is_allocated());
    EXPECT_TRUE(part.is_last_owner());
    EXPECT_GT(taken(), before);
    part = Tensor();
    EXPECT_EQ(taken(), before);

    whole = counted_tensor(Shape{48, 32, 32}, device.get());
    part = narrow(whole, 0, 12, 12);
    part.deallocate();
    EXPECT_FALSE(whole.is_allocated());
    EXPECT_EQ(taken(), before);
    EXPECT_EQ(
        message_of([&] { narrow(whole, 0, 12, 12); }),
        "narrow: input_tensor Shape([48, 32, 32]): expected allocated, was deallocated: its memory was freed with "
        "tensor Shape([12, 32, 32]) (a view of it)");
}

TEST(Narrow, shows_a_function_and_no_buffer) {
    const test::OpenDevice device;
    const Tensor whole = counted_tensor(Shape{48, 32, 32}, device.get());
    for (const auto mode : {graph::RunMode::NORMAL, graph::RunMode::NO_DISPATCH}) {
        graph::GraphProcessor::begin_graph_capture(mode);
        {
            const Tensor part = narrow(whole, 0, 12, 12);
            const Tensor copied = clone(part);
        }
        const nlohmann::json graph = graph::GraphProcessor::end_graph_capture();
        std::size_t buffers = 0;
        for (const nlohmann::json& node : graph) {
            buffers += node.at("node_type") == "buffer_allocate" ? 1 : 0;
            if (node.at("node_type") == "tensor" && node.at("params").at("shape") == "Shape([12, 32, 32])" &&
                !node.at("params").contains("address")) {
                EXPECT_NE(node.at("params")
                              .at("device_tensors")
                              .get<std::string>()
                              .find(std::to_string(whole.buffer().address() + 2048)),
                          std::string::npos);
            }
        }
        EXPECT_EQ(buffers, 1U);  // the copy's
    }
}

TEST(Narrow, is_read_and_written_by_metal_traces) {
    DeviceOptions options;
    options.trace_region_size = 1 << 20;
    const test::OpenDevice device(options);
    const Tensor whole = full({48, 32, 32}, 0.0F, bfloat16, TILE_LAYOUT, device.get(), DRAM_MEMORY_CONFIG);
    MeshTraceId trace;
    {
        const Tensor part = narrow(whole, 0, 12, 12);
        add_(part, 1.0F);
        add_(whole, 2.0F);
        trace = begin_trace_capture(*device.get());
        add_(part, 1.0F);
        add_(whole, 2.0F);
        end_trace_capture(*device.get(), trace);
    }
    execute_trace(*device.get(), trace);
    execute_trace(*device.get(), trace);
    Values expected(whole.shape().volume(), 6);
    for (std::size_t i = 12 * 1024; i < 24 * 1024; ++i)
        expected[i] = 9;
    EXPECT_EQ(elements_of(whole), expected);
    release_trace(*device.get(), trace);
}

TEST(Narrow, refuses_ranges_that_are_not_there_or_not_so) {
    const test::OpenDevice device;
    const Tensor tiles = counted_tensor(Shape{24, 64, 64}, device.get());
    const Tensor rows = counted_tensor(Shape{40, 64}, device.get(), DRAM_MEMORY_CONFIG, Layout::ROW_MAJOR);
    const auto said = [](const Tensor& input, std::int64_t dim, std::int64_t start, std::uint32_t length) {
        return message_of([&] { narrow(input, dim, start, length); });
    };
    EXPECT_EQ(said(tiles, 3, 0, 1),
              "Index is out of bounds for the rank, should be between 0 and 2 however is 3");
    EXPECT_EQ(said(tiles, 0, 24, 1), "Narrow start index 24 out of bounds for dimension 0 with size 24");
    EXPECT_EQ(said(tiles, 0, -30, 1),
              "Narrow start index 4294967290 out of bounds for dimension 0 with size 24");
    EXPECT_EQ(said(tiles, 0, 3, 22),
              "Narrow length 22 out of bounds for dimension 0 with start index 3 and size 24");
    EXPECT_EQ(said(tiles, 0, 3, 0),
              "Narrow length 0 out of bounds for dimension 0 with start index 3 and size 24");
    EXPECT_EQ(
        said(tiles, 1, 0, 33),
        "Narrowing on height for TILE layout requires start and length to be multiples of TILE_HEIGHT (32), "
        "got start 0 and length 33");
    EXPECT_EQ(said(tiles, 0, 1, 2),
              "Start page ID must be aligned with number of banks for INTERLEAVED DRAM buffer");
    EXPECT_EQ(
        said(tiles, 1, 0, 32),
        "Narrowing on dimension 1 for DRAM INTERLEAVED tensors requires all preceding dimensions to be trivial "
        "(size 1). Got non-trivial dimensions before dimension 1.");
    EXPECT_EQ(
        said(rows, 1, 8, 8),
        "Narrowing on width for ROW_MAJOR layout requires start (8) to be aligned to buffer alignment (32)");
    EXPECT_EQ(said(zeros(Shape{4, 32}), 0, 1, 2),
              "NarrowOperation currently only supports DEVICE tensors, got StorageType::HOST");
    const Tensor in_l1 = counted_tensor(Shape{24, 64, 64}, device.get(), L1_MEMORY_CONFIG);
    EXPECT_EQ(
        said(in_l1, 0, 3, 4),
        "Narrowing for the given tensor configuration is not yet implemented.Supported: DRAM INTERLEAVED tensors "
        "on first non-trivial dimension, L1 sharded tensors with restrictions.");
    const Tensor sharded = counted_tensor(
        Shape{512, 64}, device.get(), shards(TensorMemoryLayout::HEIGHT_SHARDED, {{0, 0}, {3, 1}}, 64, 64));
    EXPECT_EQ(
        said(sharded, 0, 32, 64),
        "Narrowing on non-last dimension for L1 sharded tensor only supports full shards or splitting within "
        "single shard. Got start 32 and length 64 with shard shape (64, 64)");
    EXPECT_EQ(narrow(tiles, 0, 0, 24).id(), tiles.id());
}

}  // namespace
}  // namespace tilemeter
