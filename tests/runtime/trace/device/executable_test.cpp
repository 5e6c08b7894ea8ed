// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Replays of functions that do more than compute: caches, tables of convolutions, chips of a mesh, places, errors, memory.

#include "runtime/trace/device/replay/executable.hpp"

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/ccl/collectives.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/narrow.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/transformer/kv_cache.hpp"
#include "runtime/operations/transformer/paged_cache.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/images.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/replayed.hpp"

namespace tilemeter::trace {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): its helpers

Tensor one_per_user(const std::shared_ptr<Device>& device, std::uint32_t users) {
    const MemoryConfig by_users{
        TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
        ShardSpec{first_cores(users, {8, 8}, true), {32, 32}, ShardOrientation::ROW_MAJOR}};
    return counted(device, {1, users, 1, 32}, 5.0F, by_users);
}

TEST(Executable, updates_a_cache_that_is_an_input) {
    const OpenDevice device;
    const auto traced = expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 2, 64, 32}),
                           counted(device.get(), {1, 2, 32, 32}, 3.0F)};
        },
        [](Inputs x) {
            update_cache(x[0], x[1], 7);
            const Tensor first = multiply(x[0], 2.0F);
            update_cache(x[0], x[1], 40);
            return Tensors{first, multiply(x[0], 2.0F)};
        });
    const ir::Graph& graph = traced->graph();
    ASSERT_EQ(graph.equation_count(), 4U) << ir::print(graph);
    // Each product reads what the update before it wrote.
    EXPECT_EQ(graph.equation(1).operands()[0], graph.equation(0).results()[0]);
    EXPECT_EQ(graph.equation(2).operands()[0], graph.equation(0).results()[0]);
    EXPECT_EQ(graph.equation(3).operands()[0], graph.equation(2).results()[0]);
}

TEST(Executable, updates_a_paged_cache_from_outside) {
    const OpenDevice device;
    const std::vector<std::int64_t> blocks = {5, 4, 3, 2, 1, 0};
    const std::vector<std::int64_t> positions = {3, -1, 40};
    const Tensor table =
        from_vector(std::span<const std::int64_t>(blocks), {3, 2}, int32, ROW_MAJOR_LAYOUT, device.get());
    const Tensor at =
        from_vector(std::span<const std::int64_t>(positions), {3}, int32, ROW_MAJOR_LAYOUT, device.get());
    const Tensor cache = counted(device.get(), {6, 1, 32, 32});
    const auto traced = expect_replay_as_called([&] { return Tensors{one_per_user(device.get(), 3)}; },
                                                [&](Inputs x) {
                                                    experimental::paged_update_cache(cache, x[0], {}, at,
                                                                                     std::nullopt, table);
                                                    return Tensors{multiply(cache, 2.0F)};
                                                });
    EXPECT_EQ(traced->captured().size(), 3U);
    // A replay writes the cache that it was traced with.
    const std::vector<float> before = cache.to_vector<float>();
    const Executable executable(traced);
    const Tensors other = {multiply(one_per_user(device.get(), 3), 3.0F, std::nullopt,
                                    one_per_user(device.get(), 3).memory_config())};
    executable.replay(other);
    EXPECT_NE(cache.to_vector<float>(), before);
}

TEST(Executable, convolves_with_tables_of_its_own) {
    const OpenDevice device(with_l1_small());
    Conv2dArguments arguments;
    arguments.in_channels = 16;
    arguments.out_channels = 32;
    arguments.input_height = arguments.input_width = 8;
    arguments.kernel_size = {3, 3};
    arguments.padding = std::array<std::uint32_t, 2>{1, 1};
    const Tensor weight = from_vector(values_of(Shape{32, 16, 3, 3}, 1), {32, 16, 3, 3}, bfloat16);
    const auto convolved = [&](const Tensor& input, const Tensor& by) {
        return Conv2d{{arguments, input, by, device.get(), std::nullopt, false, true}}.call();
    };
    const auto image = [&] { return Tensors{counted(device.get(), {1, 1, 64, 16})}; };
    arguments.conv_config.activation =
        UnaryWithParam{UnaryOpType::RELU};  // another program than the one traced
    const Tensor prepared = *convolved(image()[0], weight).weight;
    arguments.conv_config.activation.reset();
    const TensorFunction function = [&](Inputs x) { return Tensors{relu(convolved(x[0], prepared).output)}; };

    // Before any such call: the tables of the program are the executable's, and go with it.
    const Tensors inputs = image();
    std::vector<float> replayed;
    const std::size_t before = device->owners(record::MemoryType::kL1Small).size();
    {
        const Executable executable(trace_on_device(function, inputs));
        EXPECT_GT(device->owners(record::MemoryType::kL1Small).size(), before);
        replayed = executable.replay(inputs).at(0).to_vector<float>();
    }
    EXPECT_EQ(device->owners(record::MemoryType::kL1Small).size(), before);
    EXPECT_EQ(replayed, function(inputs).at(0).to_vector<float>());

    expect_replay_as_called(image, function);
}

TEST(Executable, runs_on_all_chips_of_a_mesh) {
    const std::shared_ptr<Device> mesh = open_mesh_device({1, 2}, {"n300", 0, 0});
    {
        const auto inputs = [&] {
            ChipValues values;
            for (const unsigned seed : {1U, 2U})
                values.push_back(HostArray::from_floats(values_of(Shape{1, 1, 32, 64}, seed), bfloat16,
                                                        Shape{1, 1, 32, 64}));
            return Tensors{
                to_device(Tensor::on_host({{1, 1, 32, 64}, bfloat16, TILE_LAYOUT, DRAM_MEMORY_CONFIG},
                                          std::move(values)),
                          mesh)};
        };
        const TensorFunction function = [](Inputs x) {
            return Tensors{all_gather(relu(add(x[0], 1.0F)), 3)};
        };
        const auto traced = expect_replay_as_called(inputs, function);
        const Tensors given = inputs();
        const Tensor called = function(given).at(0);
        const Tensor replayed = Executable(traced).replay(given).at(0);
        for (std::size_t chip = 0; chip < 2; ++chip)
            EXPECT_EQ(replayed.to_vector<float>(chip), called.to_vector<float>(chip));
    }
    close_device(*mesh);
}

TEST(Executable, returns_a_view_of_a_tensor_from_outside) {
    const OpenDevice device;
    const Tensor outside = counted(device.get(), {1, 64, 32});
    expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 32})};
        },
        [&](Inputs x) {
            return Tensors{reshape(outside, Shape{64, 32}), relu(x[0])};
        });
}

bool some_place(ir::Location& location) {
    static std::uint32_t line = 0;
    location.file = "model.py";
    location.line = ++line;
    location.scope = "encoder";
    return true;
}

TEST(TracedProgram, has_the_places_of_its_calls) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64})};
    const TensorFunction function = [](Inputs x) {
        Tensor sum = add(x[0], 1.0F);
        const Tensor product = softmax(sum, -1);
        sum.deallocate();
        return Tensors{relu(product)};
    };
    const auto traced = trace_on_device(function, inputs, {.location_source = some_place});
    const ir::Graph& graph = traced->graph();
    ASSERT_EQ(graph.equation_count(), 3U);
    std::uint32_t last = 0;
    for (const ir::Equation each : graph.equations()) {
        EXPECT_EQ(each.location().file, "model.py");
        EXPECT_EQ(each.location().scope, "encoder");
        EXPECT_GT(each.location().line, last);
        last = each.location().line;
    }
    EXPECT_TRUE(trace_on_device(function, inputs)->graph().equation(0).location().empty());
}

TEST(Executable, names_the_operations_of_the_report) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64})};
    const auto traced = trace_on_device(
        [](Inputs x) {
            Tensor sum = add(x[0], 1.0F);
            const Tensor product = softmax(sum, -1);
            sum.deallocate();
            return Tensors{relu(product)};
        },
        inputs);
    EXPECT_EQ(std::vector(traced->calls().begin(), traced->calls().end()),
              (std::vector<std::uint32_t>{0, 1, 3}));  // 2 deallocates
    const Executable executable(traced);
    const ir::Graph graph = executable.graph_of_report(inputs);
    EXPECT_FALSE(ir::verify(graph).has_value());
    const nlohmann::json nodes = graph::CapturedGraph(executable.plan(inputs)).to_json();
    ASSERT_EQ(graph.equation_count(), 3U);
    for (const ir::Equation each : graph.equations()) {
        const auto& ids = each.attributes().get<ir::Integers>("captured");
        ASSERT_EQ(ids.size(), 1U);
        const nlohmann::json& node = nodes.at(static_cast<std::size_t>(ids[0]));
        EXPECT_EQ(node.at("counter"), ids[0]);
        EXPECT_EQ(node.at("node_type"), "function_start");
        std::string name = node.at("params").at("name");
        name.replace(name.find("::"), 2, ".");
        EXPECT_EQ(name, each.operation());
    }
}

TEST(TracedProgram, refuses_a_capture_that_begins_in_it) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64})};
    EXPECT_THROW(trace_on_device(
                     [](Inputs x) {
                         GraphProcessor::begin_graph_capture();
                         return Tensors{relu(x[0])};
                     },
                     inputs),
                 graph::CaptureError);
    EXPECT_FALSE(GraphProcessor::is_graph_capture_active());
    // One that was open before sees nothing of the function.
    const nlohmann::json around = captured([&] {
        trace_on_device([](Inputs x) { return Tensors{relu(x[0])}; }, inputs);
        return Tensors{};
    });
    EXPECT_EQ(around.size(), 2U) << around.dump();
}

// A part of an input's memory, made in the function or given to it, or to its replay.
TEST(Executable, refuses_parts_of_memory) {
    const OpenDevice device;
    const Tensor whole = counted(device.get(), {24, 32, 32});
    const auto doubled = [](Inputs x) { return Tensors{multiply(x[0], 2.0F)}; };
    EXPECT_EQ(kind_of_refusal([&] {
                  trace_on_device([](Inputs x) { return Tensors{multiply(narrow(x[0], 0, 12, 12), 2.0F)}; },
                                  Tensors{whole});
              }),
              TracingErrorKind::kBadArgument);
    const Tensors part = {narrow(whole, 0, 12, 12)};
    EXPECT_EQ(kind_of_refusal([&] { trace_on_device(doubled, part); }), TracingErrorKind::kBadArgument);
    const Executable executable(trace_on_device(doubled, Tensors{counted(device.get(), {12, 32, 32})}));
    EXPECT_EQ(kind_of_refusal([&] { executable.replay(part); }), TracingErrorKind::kBadArgument);
    EXPECT_EQ(kind_of_refusal([&] { executable.replay(Tensors{clone(part[0])}); }), TracingErrorKind::kCount);
}

TEST(Executable, refuses_freed_inputs_and_a_closed_device) {
    std::optional<OpenDevice> device(std::in_place);
    const Tensors inputs = {counted(device->get(), {32, 64})};
    const TensorFunction function = [](Inputs x) { return Tensors{relu(x[0])}; };
    const auto traced = trace_on_device(function, inputs);
    const Executable executable(traced);
    const auto refusal = [&](const Tensors& given) {
        return kind_of_refusal([&] { executable.replay(given); });
    };
    Tensor freed = counted(device->get(), {32, 64});
    const Tensors moved = {freed};
    freed.deallocate();
    EXPECT_EQ(refusal(moved), TracingErrorKind::kBadArgument);
    EXPECT_EQ(refusal({from_device(inputs[0])}), TracingErrorKind::kBadArgument);
    std::optional<Tensor> escaped;
    trace_on_device(
        [&](Inputs x) {
            escaped = add(x[0], 1.0F);
            return Tensors{};
        },
        inputs);
    EXPECT_EQ(refusal({*escaped}), TracingErrorKind::kEscapedTracer);
    EXPECT_EQ(refusal(inputs), TracingErrorKind::kCount);

    device.reset();
    EXPECT_EQ(refusal(inputs), TracingErrorKind::kBadArgument);
    EXPECT_EQ(kind_of_refusal([&] { executable.plan(inputs); }), TracingErrorKind::kBadArgument);
    EXPECT_EQ(kind_of_refusal([&] { Executable{traced}; }), TracingErrorKind::kBadArgument);
    EXPECT_EQ(traced->graph().equation_count(), 1U);  // looking at it is no use of the device
}

std::size_t resident_bytes() {
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(Executable, leaves_no_memory_behind) {
    const OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64})};
    const TensorFunction function = [](Inputs x) {
        Tensor last = x[0];
        for (int i = 0; i < 3; ++i)
            last = relu(add(last, 1.0F, std::nullopt, L1_MEMORY_CONFIG), L1_MEMORY_CONFIG);
        return Tensors{last};
    };
    const auto round = [&] {
        const auto traced = trace_on_device(function, inputs);
        traced->graph();
        const Executable executable(traced);
        executable.plan(inputs);
        executable.replay(inputs);
    };
    for (int i = 0; i < 100; ++i)
        round();
    const auto live_buffers = [&] {
        return device->owners(record::MemoryType::kDram).size() +
               device->owners(record::MemoryType::kL1).size();
    };
    const std::size_t before = live_buffers();
    const std::size_t resident = resident_bytes();
    for (int i = 0; i < 300; ++i)
        round();
    EXPECT_EQ(live_buffers(), before);
    // A round that left one of its events or nodes behind would show: it makes some 200 of both, of 64 bytes
    // and more. Sanitizers keep what is freed for a while.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(resident_bytes(), resident + (std::size_t{2} << 20U));
#else
    EXPECT_GT(resident, 0U);
#endif
}

TEST(Executable, distinct_shapes_leave_no_memory_behind) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers keep what is freed for a while";
#endif
    const OpenDevice device;
    const TensorFunction function = [](Inputs x) { return Tensors{relu(add(x[0], 1.0F))}; };
    const auto round = [&](std::uint32_t number) {
        const std::uint32_t rows = 1 + number % 300, columns = 8 * (1 + number / 300);
        const Tensors inputs = {empty({rows, columns}, bfloat16, TILE_LAYOUT, device.get())};
        const auto traced = trace_on_device(function, inputs);
        EXPECT_EQ(traced->graph().equation_count(), 2U);
        Executable(traced).plan(inputs);  // a replay computes values, whose memory is kept for others
        const MemoryConfig on_a_core{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                                     ShardSpec{first_cores(1, {8, 8}, true), {rows, columns}}};
        empty({rows, columns}, bfloat16, ROW_MAJOR_LAYOUT, device.get(), on_a_core);
    };
    // Interned values fill the memory that it has.
    constexpr std::uint32_t kFirst = 12'000, kMore = 12'000;
    std::uint32_t number = 0;
    while (number < kFirst)
        round(number++);
    const std::size_t resident = resident_bytes();
    while (number < kFirst + kMore)
        round(number++);
    EXPECT_LT(resident_bytes(), resident + (std::size_t{1} << 20U)) << "for " << kMore << " shapes";
}

}  // namespace
}  // namespace tilemeter::trace
