// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of TT-NN tensors, traced: their graphs, and replays that are compared with the calls themselves.

#include "runtime/trace/device/record/traced_program.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "capture/ir/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/creation/random.hpp"
#include "runtime/operations/data_movement/move.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/prod.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/reduction/topk.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/replay/executable.hpp"
#include "tests/runtime/operations/comparable_nodes.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/replayed.hpp"

namespace tilemeter::trace {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): its helpers

TEST(TracedProgram, is_the_graph_of_the_calls) {
    const test::OpenDevice device;
    const Tensor weights = counted(device.get(), {64, 32}, 3.0F);
    const auto traced = expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 64})};
        },
        [&](Inputs x) {
            const Tensor hidden = relu(matmul(x[0], weights));
            return Tensors{softmax(add(hidden, 1.5F), -1), hidden};
        });
    const ir::Graph& graph = traced->graph();
    EXPECT_EQ(operations_of(graph),
              (std::vector<std::string>{"ttnn.matmul", "ttnn.relu", "ttnn.add", "ttnn.softmax"}));
    EXPECT_EQ(graph.params().size(), 2U);
    EXPECT_EQ(graph.results().size(), 2U);
    EXPECT_EQ(traced->captured().size(), 1U);
    EXPECT_EQ(graph.type(graph.params()[0]).place->layout, "TILE");
    EXPECT_EQ(graph.equation(3).attributes().get<std::int64_t>("dim"), -1) << ir::print(graph);
    EXPECT_TRUE(ir::print(ir::parse(ir::print(graph))) == ir::print(graph));
}

TEST(TracedProgram, follows_what_is_written_in_place) {
    const test::OpenDevice device;
    const auto traced = expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 64}), counted(device.get(), {32, 64}, 7.0F)};
        },
        [](Inputs x) {
            const Tensor before = multiply(x[0], 2.0F);
            add_(x[0], x[1]);
            return Tensors{before, multiply(x[0], 2.0F)};
        });
    const ir::Graph& graph = traced->graph();
    ASSERT_EQ(graph.equation_count(), 3U) << ir::print(graph);
    // The second product reads what the sum wrote.
    EXPECT_EQ(graph.equation(0).operands()[0], graph.params()[0]);
    EXPECT_EQ(graph.equation(2).operands()[0], graph.equation(1).results()[0]);
}

TEST(TracedProgram, follows_a_given_output_tensor) {
    const test::OpenDevice device;
    const Tensor output = counted(device.get(), {32, 64});
    const auto traced = expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 64}, 5.0F)};
        },
        [&](Inputs x) {
            add(x[0], x[0], std::nullopt, std::nullopt, output);
            return Tensors{multiply(output, x[0])};
        });
    EXPECT_EQ(traced->graph().equation_count(), 2U);
}

TEST(TracedProgram, follows_views) {
    const test::OpenDevice device;
    expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {1, 64, 64}, 5.0F)};
        },
        [&](Inputs x) {
            const Tensor rows = reshape(x[0], Shape{64, 64});
            const Tensor sums = sum(rows, -1);
            return Tensors{rows, sums, topk(rows, 40).at(0), cumsum(x[0], 0)};
        });
}

TEST(TracedProgram, makes_host_values_again) {
    const test::OpenDevice device;
    const std::vector<float> host(32 * 64, 0.25F);
    expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 64}, 5.0F)};
        },
        [&](Inputs x) {
            const Tensor made = full(Shape{32, 64}, 1.5F, bfloat16, TILE_LAYOUT, device.get());
            const Tensor known =
                from_vector(std::span<const float>(host), {32, 64}, bfloat16, TILE_LAYOUT, device.get());
            return Tensors{tril(add(x[0], made)), add(x[0], known), prod(x[0])};
        });
}

TEST(TracedProgram, frees_what_the_calls_free) {
    const test::OpenDevice device;
    expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 64}, 5.0F, L1_MEMORY_CONFIG)};
        },
        [&](Inputs x) {
            Tensor first = add(x[0], 1.0F, std::nullopt, L1_MEMORY_CONFIG);
            Tensor second = add(first, 1.0F, std::nullopt, L1_MEMORY_CONFIG);
            first.deallocate();
            Tensor moved = move(second);
            return Tensors{moved, layer_norm(moved)};
        });
}

TEST(TracedProgram, returns_inputs_and_tensors_on_the_host) {
    const test::OpenDevice device;
    expect_replay_as_called(
        [&] {
            return Tensors{counted(device.get(), {32, 64}, 5.0F)};
        },
        [&](Inputs x) {
            return Tensors{x[0], from_device(add(x[0], 1.0F))};
        });
}

TEST(TracedProgram, leaves_nothing_behind_when_the_function_throws) {
    const test::OpenDevice device;
    const Tensor x = counted(device.get(), {32, 64});
    const std::uint64_t before = state_hash();
    const Tensors inputs = {x};
    EXPECT_THROW(trace_on_device(
                     [](Inputs given) -> Tensors {
                         const Tensor y = add(given[0], given[0]);
                         throw std::logic_error("stop");
                     },
                     inputs),
                 std::logic_error);
    EXPECT_THROW(trace_on_device([](Inputs given) { return Tensors{matmul(given[0], given[0])}; }, inputs),
                 RuntimeError);
    EXPECT_EQ(state_hash(), before);
    const auto traced = trace_on_device([](Inputs given) { return Tensors{relu(given[0])}; }, inputs);
    EXPECT_EQ(operations_of(traced->graph()), std::vector<std::string>{"ttnn.relu"});
}

TEST(TracedProgram, refuses_what_it_cannot_follow) {
    const test::OpenDevice device;
    const Tensor x = counted(device.get(), {32, 64});
    const Tensors inputs = {x};
    const auto refusal = [&](const TensorFunction& function) {
        return kind_of_refusal([&] { trace_on_device(function, inputs); });
    };
    EXPECT_EQ(refusal([](Inputs given) {
                  add(given[0], 1.0F).to_vector<float>();
                  return Tensors{};
              }),
              TracingErrorKind::kNeedsConcreteArray);
    EXPECT_EQ(refusal([](Inputs given) {
                  from_device(add(given[0], 1.0F)).to_vector<float>();
                  return Tensors{};
              }),
              TracingErrorKind::kNeedsConcreteArray);
    EXPECT_EQ(refusal([](Inputs given) {
                  given[0].to_vector<float>();
                  return Tensors{};
              }),
              TracingErrorKind::kNeedsConcreteArray);
    EXPECT_EQ(refusal([&](Inputs) {
                  return Tensors{rand(Shape{32, 32}, device.get())};
              }),
              TracingErrorKind::kRandomBySeed);
    const Tensor planned = Tensor::planned_on_host(x.spec());
    EXPECT_EQ(refusal([&](Inputs) { return Tensors{to_device(planned, device.get())}; }),
              TracingErrorKind::kHostValues);
    std::optional<Tensor> escaped;
    std::optional<TracingErrorKind> in_thread;
    trace_on_device(
        [&](Inputs given) {
            escaped = add(given[0], 1.0F);
            std::thread([&] { in_thread = kind_of_refusal([&] { relu(*escaped); }); }).join();
            return Tensors{};
        },
        inputs);
    EXPECT_EQ(in_thread, TracingErrorKind::kEscapedTracer);
    EXPECT_EQ(kind_of_refusal([&] { relu(*escaped); }), TracingErrorKind::kEscapedTracer);
    EXPECT_EQ(kind_of_refusal([&] { escaped->to_vector<float>(); }), TracingErrorKind::kEscapedTracer);
    EXPECT_EQ(refusal([&](Inputs) { return Tensors{relu(*escaped)}; }), TracingErrorKind::kEscapedTracer);
}

// As a garbage collector drops them, which may run while a function is traced.
TEST(TracedProgram, takes_no_part_in_what_is_dropped_meanwhile) {
    const test::OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64})};
    const std::uint64_t before = state_hash();
    std::optional<Tensor> of_closed;
    {
        DeviceOptions options;
        options.description = "n300";
        const std::shared_ptr<Device> closed = open_device(1, options);
        of_closed = counted(closed, {32, 32});
        close_device(*closed);
    }
    const auto drop_while_tracing = [&](std::optional<Tensor>& dropped) {
        const auto traced = trace_on_device(
            [&](Inputs x) {
                Tensor first = relu(x[0]);
                trace_on_device(
                    [&](Inputs y) {
                        dropped.reset();
                        return Tensors{relu(y[0])};
                    },
                    Tensors{first});
                return Tensors{relu(first)};
            },
            inputs);
        EXPECT_EQ(operations_of(traced->graph()), (std::vector<std::string>{"ttnn.relu", "ttnn.relu"}));
    };
    drop_while_tracing(of_closed);
    std::optional<Tensor> outside = counted(device.get(), {32, 32});
    const nlohmann::json without_trace = captured([&] {
        outside.reset();
        return Tensors{};
    });
    outside = counted(device.get(), {32, 32});
    test::expect_same_nodes(without_trace, captured([&] {
                                drop_while_tracing(outside);
                                return Tensors{};
                            }));
    EXPECT_EQ(state_hash(), before);
    // Memory that the function has used is its own doing.
    outside = counted(device.get(), {32, 64});
    EXPECT_EQ(kind_of_refusal([&] {
                  trace_on_device(
                      [&](Inputs x) {
                          Tensor sum = add(x[0], *outside);
                          outside.reset();
                          return Tensors{sum};
                      },
                      inputs);
              }),
              TracingErrorKind::kBadArgument);
}

TEST(TracedProgram, refuses_two_devices) {
    DeviceOptions options;
    options.description = "n300";
    const test::OpenDevice first(options);
    const std::shared_ptr<Device> second = open_device(1, options);
    const Tensors both = {counted(first.get(), {32, 32}), counted(second, {32, 32})};
    EXPECT_EQ(kind_of_refusal([&] { trace_on_device([](Inputs x) { return Tensors{x[0]}; }, both); }),
              TracingErrorKind::kTwoDevices);
    const Tensors one = {both[0]};
    EXPECT_EQ(kind_of_refusal([&] {
                  trace_on_device([&](Inputs x) { return Tensors{relu(x[0]), relu(both[1])}; }, one);
              }),
              TracingErrorKind::kTwoDevices);
    close_device(*second);
}

TEST(Executable, refuses_other_inputs) {
    const test::OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64}), counted(device.get(), {32, 64})};
    const Executable executable(trace_on_device(
        [](Inputs x) {
            add_(x[0], x[1]);
            return Tensors{relu(x[0])};
        },
        inputs));
    const auto refusal = [&](const Tensors& given) {
        return kind_of_refusal([&] { executable.replay(given); });
    };
    EXPECT_EQ(refusal({inputs[0]}), TracingErrorKind::kBadArgument);
    EXPECT_EQ(refusal({inputs[0], counted(device.get(), {32, 32})}), TracingErrorKind::kBadArgument);
    EXPECT_EQ(refusal({inputs[0], inputs[0]}), TracingErrorKind::kBadArgument);
    EXPECT_EQ(refusal(inputs), TracingErrorKind::kCount);
    EXPECT_EQ(
        kind_of_refusal([&] { trace_on_device([&](Inputs x) { return executable.replay(x); }, inputs); }),
        TracingErrorKind::kBadArgument);
}

TEST(Executable, runs_out_of_memory_where_the_calls_do) {
    const test::OpenDevice device;
    const Tensors inputs = {counted(device.get(), {64, 64})};
    const Executable executable(trace_on_device(
        [&](Inputs x) { return Tensors{add(x[0], 1.0F, std::nullopt, L1_MEMORY_CONFIG)}; }, inputs));
    GraphProcessor::begin_graph_capture();
    std::vector<Tensor> filling;
    EXPECT_THROW(
        {
            for (;;)
                filling.push_back(
                    full(Shape{64, 8192}, 1.0F, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG));
        },
        OutOfMemoryError);
    EXPECT_THROW(
        {
            for (;;)
                filling.push_back(executable.replay(inputs).at(0));
        },
        RuntimeError);
    const nlohmann::json nodes = GraphProcessor::end_graph_capture();
    filling.clear();
    EXPECT_EQ(executable.replay(inputs).at(0).to_vector<float>(), add(inputs[0], 1.0F).to_vector<float>());
}

// Each thread finds what it would find alone, and the capture sees the thread that runs and nothing else.
TEST(TracedProgram, is_traced_in_several_threads_while_another_is_captured) {
    const test::OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64})};
    const TensorFunction chain = [](Inputs x) {
        Tensor last = x[0];
        for (int i = 0; i < 20; ++i)
            last = relu(add(last, 1.0F, std::nullopt, L1_MEMORY_CONFIG), L1_MEMORY_CONFIG);
        return Tensors{last};
    };
    chain(inputs);
    const std::string alone = ir::print(trace_on_device(chain, inputs)->graph());
    const nlohmann::json alone_captured = captured([&] { return chain(inputs); });

    std::atomic<bool> all_equal = true;
    std::atomic<int> traced = 0;
    std::atomic<bool> stop = false;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            while (!stop || traced < 40) {
                if (ir::print(trace_on_device(chain, inputs)->graph()) != alone) all_equal = false;
                ++traced;
            }
        });
    }
    for (int i = 0; i < 5; ++i)
        test::expect_same_nodes(alone_captured, captured([&] { return chain(inputs); }));
    stop = true;
    threads.clear();
    EXPECT_TRUE(all_equal);
}

// The graph and what a replay needs are made when they are first asked for: by whichever thread comes first.
TEST(TracedProgram, is_asked_by_several_threads_at_once) {
    const test::OpenDevice device;
    const Tensors inputs = {counted(device.get(), {32, 64})};
    const auto traced = trace_on_device([](Inputs x) { return Tensors{relu(add(x[0], 1.0F))}; }, inputs);
    std::atomic<int> right = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            const Executable executable(traced);
            executable.plan(inputs);
            if (operations_of(traced->graph()) == std::vector<std::string>{"ttnn.add", "ttnn.relu"}) ++right;
        });
    }
    threads.clear();
    EXPECT_EQ(right, 4);
}

}  // namespace
}  // namespace tilemeter::trace
