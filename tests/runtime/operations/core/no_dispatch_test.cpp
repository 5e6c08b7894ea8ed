// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// NO_DISPATCH says what NORMAL would do, and leaves the process as it was.

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/move.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/matmul/outer.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/comparable_nodes.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using graph::RunMode;
using nlohmann::json;

std::vector<json> nodes_of_type(const json& graph, const std::string& type) {
    std::vector<json> found;
    for (const json& node : graph) {
        if (node.at("node_type") == type) found.push_back(node);
    }
    return found;
}

Tensor broadcast_add(const std::shared_ptr<Device>& device) {
    const Tensor a = zeros({4, 3, 32, 32}, bfloat16, TILE_LAYOUT, device, L1_MEMORY_CONFIG);
    const Tensor b = zeros({1, 3, 32, 32}, bfloat16, TILE_LAYOUT, device, L1_MEMORY_CONFIG);
    return add(a, b, std::nullopt, L1_MEMORY_CONFIG);
}

class BroadcastAdd : public testing::TestWithParam<RunMode> {};

TEST_P(BroadcastAdd, lies_where_the_recorded_device_puts_it) {
    const test::OpenDevice device;
    GraphProcessor::begin_graph_capture(GetParam());
    { const Tensor result = broadcast_add(device.get()); }
    const json graph = GraphProcessor::end_graph_capture();

    std::vector<std::uint64_t> buffers;
    for (const json& node : nodes_of_type(graph, "buffer_allocate"))
        buffers.push_back(node.at("params").at("address"));
    EXPECT_EQ(buffers, (std::vector<std::uint64_t>{1497088, 1495040, 1492992}));
    std::vector<std::uint64_t> circular;
    for (const json& node : nodes_of_type(graph, "circular_buffer_allocate")) {
        circular.push_back(node.at("params").at("address"));
        EXPECT_EQ(node.at("params").at("size"), 4096);
        EXPECT_EQ(node.at("params").at("core_range_set"), "{[0-0 - 7-7]}");
    }
    EXPECT_EQ(circular, (std::vector<std::uint64_t>{105824, 109920, 114016}));
    EXPECT_EQ(nodes_of_type(graph, "program_execution").empty(), GetParam() == RunMode::NO_DISPATCH);
}

INSTANTIATE_TEST_SUITE_P(InBothModes, BroadcastAdd, testing::Values(RunMode::NORMAL, RunMode::NO_DISPATCH),
                         [](const auto& each) {
                             return each.param == RunMode::NORMAL ? "NORMAL" : "NO_DISPATCH";
                         });

TEST(NoDispatch, gives_the_node_list_of_NORMAL_but_for_executions) {
    const auto capture = [&](RunMode mode) {
        const test::OpenDevice device;
        GraphProcessor::begin_graph_capture(mode);
        { const Tensor result = broadcast_add(device.get()); }
        return GraphProcessor::end_graph_capture();
    };
    const json executed = capture(RunMode::NORMAL);
    EXPECT_EQ(nodes_of_type(executed, "program_execution").size(), 1U);
    test::expect_same_nodes(executed, capture(RunMode::NO_DISPATCH));
}

TEST(NoDispatch, leaves_allocators_program_cache_and_tensors_as_they_were) {
    const test::OpenDevice device;
    const std::vector<float> values(4 * 3 * 32 * 32, 2.0F);
    Tensor kept = from_vector(values, {4, 3, 32, 32}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const Tensor other = add(kept, 1.0F);
    const DeviceMemory memory_before = device->memory();
    const auto programs = [&] {
        return device->with_state(
            [](const DeviceMemory&, const ProgramCache& cache) { return cache.size(); });
    };
    const std::size_t programs_before = programs();

    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    Tensor inside = multiply(kept, other);
    const Tensor more = subtract(inside, 3.0F);
    kept.deallocate();
    EXPECT_FALSE(kept.is_allocated());
    EXPECT_NE(device->memory(), memory_before);
    GraphProcessor::end_graph_capture();

    EXPECT_EQ(device->memory(), memory_before);
    EXPECT_EQ(programs(), programs_before);
    EXPECT_TRUE(kept.is_allocated());
    EXPECT_EQ(kept.to_vector<float>(), values);
    // A planned tensor is still known, and holds neither memory nor values.
    EXPECT_TRUE(inside.is_allocated());
    EXPECT_FALSE(inside.has_values());
    EXPECT_EQ(add(inside, kept).to_vector<float>(), values);
    inside.deallocate();
    EXPECT_FALSE(inside.is_allocated());
    EXPECT_EQ(device->memory(), memory_before);
}

TEST(NoDispatch, leaves_everything_as_it_was_when_it_ends_in_an_exception) {
    const test::OpenDevice device;
    const Tensor a = zeros({1, 1, 32, 32}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor b = zeros({1, 1, 64, 32}, bfloat16, TILE_LAYOUT, device.get());
    const DeviceMemory before = device->memory();
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    const Tensor sum = add(a, a);
    EXPECT_THROW(add(a, b), RuntimeError);
    const json graph = GraphProcessor::end_graph_capture();
    EXPECT_EQ(device->memory(), before);
    EXPECT_EQ(nodes_of_type(graph, "error").size(), 1U);
}

TEST(NoDispatch, inside_NORMAL_plans_from_the_state_it_finds_and_gives_it_back) {
    const test::OpenDevice device;
    GraphProcessor::begin_graph_capture(RunMode::NORMAL);
    const Tensor a = zeros({1, 1, 32, 32}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    { const Tensor planned = add(a, 1.0F); }
    const json inner = GraphProcessor::end_graph_capture();
    const Tensor real = add(a, 1.0F);
    const json outer = GraphProcessor::end_graph_capture();

    ASSERT_EQ(nodes_of_type(inner, "buffer_allocate").size(), 1U);
    EXPECT_EQ(nodes_of_type(inner, "buffer_allocate")[0].at("params").at("address"), real.buffer().address());
    EXPECT_EQ(nodes_of_type(outer, "buffer_allocate").size(), 3U);
    EXPECT_EQ(nodes_of_type(outer, "program_execution").size(), 1U);
}

// As the recorded nested captures: what the outer one planned is used in the inner one and after it, what the
// inner one planned after it.
TEST(NoDispatch, around_another_capture_keeps_its_tensors_usable) {
    for (const RunMode inner_mode : {RunMode::NORMAL, RunMode::NO_DISPATCH}) {
        const test::OpenDevice device;
        const std::uint64_t before = state_hash();
        GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
        const Tensor a = zeros({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
        Tensor b = relu(a, L1_MEMORY_CONFIG);
        const std::uint64_t address = b.buffer().address();
        GraphProcessor::begin_graph_capture(inner_mode);
        Tensor c = add(a, b, std::nullopt, L1_MEMORY_CONFIG);
        b.deallocate();
        const json inner = GraphProcessor::end_graph_capture();
        EXPECT_TRUE(a.is_allocated());
        EXPECT_TRUE(c.is_allocated());
        EXPECT_FALSE(b.is_allocated());
        const Tensor e = multiply(c, 2.0F, std::nullopt, L1_MEMORY_CONFIG);
        EXPECT_EQ(e.buffer().address(), address) << "what the inner capture freed is free";
        c.deallocate();
        const json outer = GraphProcessor::end_graph_capture();
        EXPECT_EQ(nodes_of_type(inner, "buffer_allocate").size(), 1U);
        EXPECT_EQ(nodes_of_type(outer, "buffer_allocate").size(), 4U);
        EXPECT_EQ(state_hash(), before);
    }
}

/// The file of its description, in `folder`.
std::string huge_device(const test::ScratchFolder& folder) {
    const DeviceDescription n150 = load_device_description("n150");
    const json text = {
        {"name", "huge"},
        {"arch", n150.arch},
        {"board_type", n150.board_type},
        {"board_id", 1},
        {"chips", 1},
        {"compute_grid", {{"x", 8}, {"y", 8}}},
        {"logical_grid", {{"x", 8}, {"y", 9}}},
        {"l1_size", n150.l1_size},
        {"l1_unreserved_base", n150.l1_unreserved_base},
        {"dram_banks", 12},
        {"dram_bank_size", (std::uint64_t{1} << 40U) / 12 / 64 * 64},
        {"dram_unreserved_base", n150.dram_unreserved_base},
        {"l1_alignment", n150.l1_alignment},
        {"dram_alignment", n150.dram_alignment},
        {"allocation_granularity", n150.allocation_granularity},
        {"harvesting",
         json::array({{{"tensix_mask", 0}, {"eth_mask", 0}, {"pcie_mask", 0}, {"dram_mask", 0}}})},
        {"ethernet_links", json::array()}};
    return folder.write("huge.json", text.dump()).string();
}

TEST(NoDispatch, plans_a_tensor_that_no_host_could_hold) {
    const test::ScratchFolder scratch;
    DeviceOptions options;
    options.description = huge_device(scratch);
    const test::OpenDevice device(options);
    const Shape half_a_terabyte{256, 32, 32768, 1024};
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    const Tensor tensor = zeros(half_a_terabyte, bfloat16, TILE_LAYOUT, device.get());
    const json graph = GraphProcessor::end_graph_capture();
    EXPECT_EQ(nodes_of_type(graph, "buffer_allocate").at(0).at("params").at("size"), std::uint64_t{1} << 39U);
}

TEST(NoDispatch, raises_the_out_of_memory_of_NORMAL) {
    const test::OpenDevice device;
    const Shape half{1, 1, 32 * 64, 32 * 341};
    const auto message = [&](RunMode mode) {
        GraphProcessor::begin_graph_capture(mode);
        std::string text = "none";
        const Tensor first = empty(half, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
        try {
            empty(half, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
        } catch (const OutOfMemoryError& error) {
            text = error.what();
            EXPECT_EQ(error.size_per_bank_bytes, 341U * 2048U);
        }
        GraphProcessor::end_graph_capture();
        return text;
    };
    const std::string planned = message(RunMode::NO_DISPATCH);
    EXPECT_EQ(planned, message(RunMode::NORMAL));
    EXPECT_EQ(
        planned,
        "Out of Memory: Not enough space to allocate 44695552 B L1 buffer across 64 banks, where each "
        "bank needs to store 698368 B, but bank size is 1393312 B (allocated: 698368 B, free: 694944 B, "
        "largest free block: 694944 B).");
}

TEST(NoDispatch, traces_tensors_larger_than_the_device_without_a_place) {
    // given: a column and a row whose product has 16 GiB, more than the DRAM of an n150
    const test::OpenDevice device;
    const Tensor column = empty({1, 1, 262144, 32}, bfloat16, TILE_LAYOUT, device.get(), DRAM_MEMORY_CONFIG);
    const Tensor row = empty({1, 1, 32, 32768}, bfloat16, TILE_LAYOUT, device.get(), DRAM_MEMORY_CONFIG);
    const std::uint64_t before = state_hash();

    // when
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    {
        const Tensor product = relu(matmul(column, row));
        EXPECT_EQ(product.shape(), (Shape{1, 1, 262144, 32768}));
        const Tensor small = relu(column);
        EXPECT_NE(small.buffer().address(), 0U);
    }
    const json graph = GraphProcessor::end_graph_capture();

    // then: sizes as TT-NN records them, at no address, and what fits has its place
    const std::vector<json> allocations = nodes_of_type(graph, "buffer_allocate");
    ASSERT_EQ(allocations.size(), 3U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(allocations[i]["params"]["size"], 17179869184U);
        EXPECT_EQ(allocations[i]["params"]["address"], 0U);
        EXPECT_EQ(allocations[i]["params"]["max_size_per_bank"], 1431656448U);
    }
    EXPECT_EQ(nodes_of_type(graph, "buffer_deallocate").size(), 3U);
    EXPECT_EQ(state_hash(), before);
}

TEST(NoDispatch, refuses_tensors_larger_than_the_device_outside_of_it) {
    const test::OpenDevice device;
    const auto make = [&] {
        empty({1, 1, 32 * 64, 32 * 681}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    };
    EXPECT_THROW(make(), OutOfMemoryError);
    GraphProcessor::begin_graph_capture(RunMode::NORMAL);
    EXPECT_THROW(make(), OutOfMemoryError);
    GraphProcessor::end_graph_capture();
}

// Small models of all kinds of operations: each makes its inputs on `device` and runs.
using Model = void (*)(const std::shared_ptr<Device>& device);

Tensor filled(const std::shared_ptr<Device>& device, const Shape& shape, const MemoryConfig& config,
              Layout layout = TILE_LAYOUT) {
    return full(shape, 0.5F, bfloat16, layout, device, config);
}

void elementwise_model(const std::shared_ptr<Device>& device) {
    const Tensor a = filled(device, {2, 3, 64, 96}, L1_MEMORY_CONFIG);
    const Tensor row = filled(device, {1, 1, 1, 96}, DRAM_MEMORY_CONFIG);
    Tensor sum = add(a, row);
    const Tensor chosen = where(gt(sum, 0.5F), sum, 0.0F);
    multiply_(sum, chosen);
    const Tensor out = gelu(typecast(sum, float32), false, L1_MEMORY_CONFIG);
    sum.deallocate();
    const Tensor again = relu(out);
}

void mlp_model(const std::shared_ptr<Device>& device) {
    const Tensor x = filled(device, {1, 1, 64, 128}, L1_MEMORY_CONFIG);
    const Tensor w = filled(device, {1, 1, 128, 256}, DRAM_MEMORY_CONFIG);
    const Tensor bias = filled(device, {1, 256}, DRAM_MEMORY_CONFIG);
    for (int layer = 0; layer < 2; ++layer) {
        const Tensor normal = layer_norm(x);
        const Tensor hidden =
            linear(normal, w, bias, false, false, L1_MEMORY_CONFIG, std::nullopt, std::nullopt, "gelu");
        const Tensor weights = softmax(matmul(hidden, w, false, true), -1);
        const Tensor mean_of_rows = mean(weights, -1);
    }
}

void data_model(const std::shared_ptr<Device>& device) {
    const Tensor a = filled(device, {1, 2, 50, 70}, DRAM_MEMORY_CONFIG);
    const Tensor joined = concat({a, a}, -1);
    const Tensor turned = permute(joined, {0, 2, 1, 3});
    const Tensor part = slice(turned, {0, 0, 0, 0}, {1, 33, 2, 70});
    const Tensor rows = to_layout(reshape(part, Shape{33, 140}), ROW_MAJOR_LAYOUT);
    const Tensor moved = to_memory_config(transpose(a, -1, -2), L1_MEMORY_CONFIG);
}

class EveryModel : public testing::TestWithParam<Model> {};

TEST_P(EveryModel, gives_the_same_nodes_in_both_modes_from_the_same_state) {
    const auto nodes = [&](RunMode mode) {
        const test::OpenDevice device;
        GraphProcessor::begin_graph_capture(mode);
        GetParam()(device.get());
        return GraphProcessor::end_graph_capture();
    };
    test::expect_same_nodes(nodes(RunMode::NORMAL), nodes(RunMode::NO_DISPATCH));
}

TEST_P(EveryModel, planned_leaves_the_state_of_the_process_bit_for_bit) {
    const test::OpenDevice device;
    const Tensor kept = filled(device.get(), {1, 1, 64, 64}, L1_MEMORY_CONFIG);
    GetParam()(device.get());
    const std::uint64_t before = state_hash();
    for (int i = 0; i < 2; ++i) {
        GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
        GetParam()(device.get());
        EXPECT_EQ(state_hash(), before) << "while the capture is open";
        GraphProcessor::end_graph_capture();
        EXPECT_EQ(state_hash(), before);
    }
}

TEST_P(EveryModel, planned_between_runs_leaves_them_the_same) {
    const auto run = [&](bool plan_between) {
        const test::OpenDevice device;
        GetParam()(device.get());
        if (plan_between) {
            GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
            GetParam()(device.get());
            GraphProcessor::end_graph_capture();
        }
        GraphProcessor::begin_graph_capture(RunMode::NORMAL);
        GetParam()(device.get());
        return GraphProcessor::end_graph_capture();
    };
    test::expect_same_nodes(run(true), run(false));
}

TEST_P(EveryModel, planned_inside_and_around_other_captures_leaves_the_state) {
    const test::OpenDevice device;
    GetParam()(device.get());
    const std::uint64_t before = state_hash();
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    GraphProcessor::begin_graph_capture(RunMode::NORMAL);  // the outer one keeps all from running
    GetParam()(device.get());
    GraphProcessor::end_graph_capture();
    GetParam()(device.get());
    GraphProcessor::end_graph_capture();
    EXPECT_EQ(state_hash(), before);
}

INSTANTIATE_TEST_SUITE_P(NoDispatch, EveryModel, testing::Values(elementwise_model, mlp_model, data_model));

TEST(StateHash, tells_allocations_programs_values_and_devices_apart) {
    const test::OpenDevice device;
    std::vector<std::uint64_t> hashes = {state_hash()};
    const auto expect_new = [&](const char* what) {
        const std::uint64_t now = state_hash();
        for (const std::uint64_t earlier : hashes)
            EXPECT_NE(now, earlier) << what;
        hashes.push_back(now);
    };
    const Tensor a = full({1, 1, 32, 32}, 1.0F, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    expect_new("an allocation");
    a.buffer().set_values(full({1, 1, 32, 32}, 2.0F, bfloat16, TILE_LAYOUT, device.get()).buffer().values());
    expect_new("values");
    { const Tensor sum = add(a, a); }
    expect_new("a program");
    EXPECT_EQ(state_hash(), hashes.back());
}

TEST(StateHash, survives_a_capture_that_an_exception_ends) {
    const test::OpenDevice device;
    Tensor a = zeros({1, 1, 32, 32}, bfloat16, TILE_LAYOUT, device.get());
    const std::uint64_t before = state_hash();
    try {
        GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
        const Tensor sum = add(a, a);
        a.deallocate();
        const Shape half{1, 1, 32 * 64, 32 * 341};
        const Tensor first = empty(half, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
        empty(half, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const OutOfMemoryError&) {
        GraphProcessor::end_graph_capture();
    }
    EXPECT_EQ(state_hash(), before);
}

// The calls of a small model, with every way in which values pass without a program.
Tensor small_model(const std::shared_ptr<Device>& device) {
    Tensor x = full({64, 96}, 2.0F, bfloat16, TILE_LAYOUT, device);
    x = softmax(matmul(x, full({96, 64}, 0.5F, bfloat16, TILE_LAYOUT, device)), -1);
    x = reshape(permute(x, {1, 0}), Shape{2, 32, 64});
    const Tensor host = from_device(x);
    x = add(to_device(host, device, L1_MEMORY_CONFIG), 1.0F);
    return move(x);
}

TEST(WithoutValues, records_what_NORMAL_does_and_computes_nothing) {
    json graphs[2];
    for (const bool computes : {true, false}) {
        const test::OpenDevice device;
        std::optional<ScopedWithoutValues> scope;
        if (!computes) scope.emplace();
        GraphProcessor::begin_graph_capture(RunMode::NORMAL);
        const Tensor result = small_model(device.get());
        graphs[computes ? 1 : 0] = GraphProcessor::end_graph_capture();
        scope.reset();
        EXPECT_EQ(result.has_values(), computes);
        const Tensor later = relu(result);
        EXPECT_EQ(later.is_uncomputed(), !computes);
        if (computes) {
            EXPECT_EQ(later.to_vector<float>().size(), 4096U);
            continue;
        }
        for (const Tensor& each : {result, later, from_device(later)}) {
            try {
                (void)each.to_vector<float>();
                FAIL() << "expected an error";
            } catch (const RuntimeError& error) {
                EXPECT_EQ(
                    std::string(error.what()),
                    "values of tensor Shape([2, 32, 64]): not computed, for a capture without values "
                    "(values=False) was open when the tensor was made; hint: capture with values to read them");
            }
        }
    }
    test::expect_same_nodes(graphs[0], graphs[1]);
}

TEST(WithoutValues, of_a_metal_trace_are_not_computed_either) {
    const test::OpenDevice device;
    const Tensor x = full({32, 32}, 2.0F, bfloat16, TILE_LAYOUT, device.get());
    add(x, x);  // in the program cache
    const auto trace = begin_trace_capture(*device.get());
    const Tensor sum = add(x, x);
    end_trace_capture(*device.get(), trace);
    {
        const ScopedWithoutValues scope;
        execute_trace(*device.get(), trace);
    }
    EXPECT_TRUE(sum.is_uncomputed());
    execute_trace(*device.get(), trace);
    EXPECT_EQ(sum.to_vector<float>()[5], 4.0F);
}

}  // namespace
}  // namespace tilemeter
