// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Queries beside what a NORMAL run does, and what nobody sees of them.

#include "runtime/query/query.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/core/program_tables.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::query {
namespace {

using Inputs = std::span<const Tensor>;

TensorSpec spec(const Shape& shape, const MemoryConfig& memory = L1_MEMORY_CONFIG) {
    return {shape, DataType::BFLOAT16, Layout::TILE, memory};
}

const Function kRelu = [](Inputs x) { return std::vector{relu(x[0])}; };

Tensor in_l1(const std::shared_ptr<Device>& device, const Shape& shape) {
    return Tensor::on_device(spec(shape), Buffer::allocate(device, spec(shape)));
}

TEST(Query, CountsInputsOutputsAndPrograms) {
    const test::OpenDevice device;
    const std::vector specs = {spec({1, 1, 256, 1024})};
    const Answer answer = ask(device.get(), specs, kRelu);
    ASSERT_EQ(answer.status, ExecutionStatus::Success) << answer.error;
    // 256 tiles over 64 cores, as input and as output.
    EXPECT_EQ(answer.usage.l1_output_buffer_per_core, 4 * 2048U);
    EXPECT_EQ(answer.usage.l1_buffers_peak_per_core, 2 * 4 * 2048U);
    EXPECT_GT(answer.usage.peak_memory_usage_per_core, 2 * 4 * 2048U);
    ASSERT_EQ(answer.output_specs.size(), 1U);
    EXPECT_EQ(answer.output_specs[0].shape, specs[0].shape);
    EXPECT_EQ(answer.outputs[0].address, 0U);
}

TEST(Query, WithoutAStateKnowsNoLimit) {
    const test::OpenDevice device;
    const std::vector specs = {spec({1, 1, 1 << 16, 1 << 16})};
    const Answer answer = ask(device.get(), specs, kRelu);
    ASSERT_EQ(answer.status, ExecutionStatus::Success) << answer.error;
    EXPECT_GT(answer.usage.l1_output_buffer_per_core, device->description().l1_size);
}

/// A function of two inputs, by number.
std::vector<Tensor> run_one(std::uint32_t which, Inputs x) {
    switch (which % 8) {
        case 0:
            return {relu(x[0])};
        case 1:
            return {add(x[0], x[1])};
        case 2:
            return {softmax(x[0], -1)};
        case 3:
            return {layer_norm(x[0])};
        case 4:
            return {concat({x[0], x[1]}, -1)};
        case 5:
            return {sum(x[0], -1)};
        case 6:
            return {reshape(x[0], Shape{1, x[0].shape()[2], 1, x[0].shape()[3]})};
        default:
            return {add(relu(x[0]), x[1]), exp(x[1])};
    }
}

// The judge is the runtime itself, which TT-NN's recordings judge: the same call in NORMAL, beside the same tensors.
TEST(Query, PlacesAsTheDeviceDoes) {
    const test::OpenDevice device;
    std::mt19937 random(45);
    const auto size = [&](std::uint32_t most) {
        return static_cast<std::uint32_t>(32 * (1 + random() % most));
    };
    int compared = 0, refused = 0;
    for (int round = 0; round < 300; ++round) {
        clear_program_cache(*device.get());
        std::vector<Tensor> alive;
        for (auto i = random() % 9; i > 0; --i) {
            try {
                alive.push_back(in_l1(device.get(), {1, 1, size(120), size(120)}));
            } catch (const OutOfMemoryError&) {  // the next round has fewer
                break;
            }
        }
        for (std::size_t i = alive.size(); i > 0; --i)
            if (random() % 3 == 0) alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(i - 1));
        const Shape shape{1, 1, size(40), size(40)};
        std::vector<Tensor> inputs;
        try {
            for (int i = 0; i < 2; ++i)
                inputs.push_back(in_l1(device.get(), shape));
        } catch (const OutOfMemoryError&) {
            continue;
        }
        const AllocatorState before = AllocatorState::of(*device.get());
        const std::uint64_t hash = state_hash();
        const auto which = static_cast<std::uint32_t>(random());
        const std::vector specs(2, spec(shape));
        const Answer answer =
            ask_beside(device.get(), before, specs, [&](Inputs x) { return run_one(which, x); });
        EXPECT_EQ(state_hash(), hash);
        std::vector<Tensor> results;
        std::string error;
        try {
            results = run_one(which, inputs);
        } catch (const RuntimeError& each) {
            error = each.what();
        }
        ASSERT_EQ(answer.status == ExecutionStatus::Success, error.empty()) << answer.error << error;
        if (!error.empty()) {
            ++refused;
            EXPECT_EQ(answer.new_state, before);
            continue;
        }
        ++compared;
        clear_program_cache(*device.get());  // its tables: a query's programs are gone as well
        EXPECT_EQ(answer.new_state, AllocatorState::of(*device.get())) << which % 8;
        ASSERT_EQ(answer.outputs.size(), results.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            const bool is_view = answer.outputs[i].shares_input.has_value();
            EXPECT_EQ(answer.outputs[i].address, is_view ? 0 : results[i].buffer().address());
            EXPECT_EQ(is_view, &results[i].buffer() == &inputs[0].buffer());
        }
    }
    EXPECT_GT(compared, 150);
    EXPECT_GT(refused, 5);
}

TEST(Query, NamesTheInputThatAViewShares) {
    const test::OpenDevice device;
    const std::vector specs = {spec({1, 1, 64, 64}), spec({1, 2, 64, 64})};
    const Function view = [](Inputs x) { return std::vector{reshape(x[1], Shape{1, 1, 128, 64})}; };
    const Answer answer = ask_beside(device.get(), AllocatorState::of(*device.get()), specs, view);
    ASSERT_EQ(answer.status, ExecutionStatus::Success) << answer.error;
    EXPECT_EQ(answer.outputs[0].shares_input, 1U);
    EXPECT_EQ(answer.outputs[0].address, 0U);
}

AllocatorState with_blocks(const Device& device,
                           const std::vector<std::pair<std::uint64_t, std::uint64_t>>& blocks) {
    std::vector<AllocationRecord> records;
    for (const auto& [address, size] : blocks)
        records.push_back({MemoryType::kL1, address, size});
    return AllocatorState::of(device).with_allocations(records);
}

TEST(Query, SaysWhyMemoryIsRefusedInFigures) {
    const test::OpenDevice device;
    const BankAllocator l1 = device->memory().allocator(MemoryType::kL1);
    const std::uint64_t base = l1.begin(), end = l1.end(), half = (end - base) / 2048 / 2 * 2048;
    const auto columns = static_cast<std::uint32_t>(half / 2048 * 32 + 64);
    const std::vector specs = {spec({1, 1, 2048, columns}, DRAM_MEMORY_CONFIG)};
    const std::uint64_t wanted = half + 2 * 2048;  // 64 rows of tiles over 64 cores
    const Function to_l1 = [](Inputs x) { return std::vector{relu(x[0], L1_MEMORY_CONFIG)}; };
    // A block in the middle: free enough, but in two pieces.
    const AllocatorState state = with_blocks(*device.get(), {{base + half, 2048}});
    const Answer answer = ask_beside(device.get(), state, specs, to_l1);
    ASSERT_EQ(answer.status, ExecutionStatus::Error);
    ASSERT_TRUE(answer.refusal);
    EXPECT_EQ(name_of(answer.refusal->kind), "fragmented") << answer.error;
    EXPECT_EQ(answer.refusal->bytes_wanted, wanted);
    EXPECT_EQ(answer.refusal->free_bytes, end - base - 2048);
    EXPECT_EQ(answer.refusal->largest_free_block,
              state.memory().allocator(MemoryType::kL1).statistics().largest_free_block);
    EXPECT_EQ(answer.refusal->in_the_way.size(), 1U);
    EXPECT_EQ(answer.refusal->fewest_to_go.size(), 1U);
    EXPECT_EQ(answer.new_state, state);
    // More blocks at the bottom: both figures shrink, and the smallest run of blocks would have to go.
    const AllocatorState full = with_blocks(*device.get(), {{base + half, 65536}, {base, half - 8192}});
    const Answer other = ask_beside(device.get(), full, specs, to_l1);
    ASSERT_TRUE(other.refusal);
    EXPECT_EQ(name_of(other.refusal->kind), "out_of_memory");
    EXPECT_EQ(other.refusal->in_the_way.size(), 2U);
    ASSERT_EQ(other.refusal->fewest_to_go.size(), 1U);
    EXPECT_EQ(other.refusal->fewest_to_go[0].address, base + half);
}

TEST(Query, AClashIsAnErrorUnlessToldOtherwise) {
    const test::OpenDevice device;
    const std::uint64_t base = device->memory().allocator(MemoryType::kL1).begin();
    const AllocatorState state = with_blocks(*device.get(), {{base + 2048, 2048}, {base + 65536, 2048}});
    const std::vector specs = {spec({1, 1, 512, 512}, DRAM_MEMORY_CONFIG)};
    const Function call = [](Inputs x) { return std::vector{softmax(x[0], -1)}; };
    const Answer answer = ask_beside(device.get(), state, specs, call);
    ASSERT_TRUE(answer.refusal) << answer.error;
    EXPECT_EQ(name_of(answer.refusal->kind), "clash");
    EXPECT_EQ(answer.refusal->lowest_live_address, base + 2048);
    EXPECT_GT(answer.refusal->region_end, base + 2048);
    for (const AllocationRecord& each : answer.refusal->in_the_way)
        EXPECT_LT(each.address, answer.refusal->region_end);
    const Answer ttnn = ask_beside(device.get(), state, specs, call, {.ignores_clashes = true});
    EXPECT_EQ(ttnn.status, ExecutionStatus::Success) << ttnn.error;
    EXPECT_EQ(ttnn.usage.program_region_end, answer.refusal->region_end);
}

TEST(Query, RefusesBadFunctionsInOneLine) {
    const test::OpenDevice device;
    const std::vector specs = {spec({1, 1, 64, 64})};
    const auto expect_refused = [&](const Function& function, const char* text) {
        for (const Answer& answer :
             {ask(device.get(), specs, function),
              ask_beside(device.get(), AllocatorState::of(*device.get()), specs, function)}) {
            EXPECT_EQ(answer.status, ExecutionStatus::Error) << text;
            ASSERT_TRUE(answer.refusal) << text;
            EXPECT_EQ(name_of(answer.refusal->kind), "bad_argument");
            EXPECT_NE(answer.error.find(text), std::string::npos) << answer.error;
            EXPECT_EQ(answer.error.find('\n'), std::string::npos);
        }
    };
    std::vector<Tensor> kept;
    expect_refused([](Inputs) { return std::vector<Tensor>(); }, "returns a tensor, got none");
    expect_refused(
        [&](Inputs x) {
            kept.push_back(exp(x[0]));
            return std::vector{relu(kept.back())};
        },
        "keeps none of its tensors, it keeps Shape([1, 1, 64, 64])");
    expect_refused(
        [&](Inputs x) {
            kept.push_back(x[0]);
            return std::vector{relu(x[0])};
        },
        "it keeps its input");
    expect_refused(
        [&](Inputs x) {
            kept.push_back(relu(x[0]));
            return std::vector{kept.back()};
        },
        "it keeps its result");
    expect_refused(
        [&](Inputs x) {
            begin_trace_capture(*device.get(), 0);
            return std::vector{relu(x[0])};
        },
        "no query");
    EXPECT_FALSE(is_trace_capture_active(*device.get()));
    const std::vector huge = {spec({1, 1, 1U << 31U, 1U << 31U})};
    EXPECT_NE(ask(device.get(), huge, kRelu).error.find("at most 2^56 elements"), std::string::npos);
    expect_refused(
        [](Inputs x) {
            graph::GraphProcessor::begin_graph_capture();
            return std::vector{relu(x[0])};
        },
        "capture");
    EXPECT_FALSE(graph::GraphProcessor::is_graph_capture_active());
    expect_refused(
        [](Inputs x) {
            const auto other = open_mesh_device({1, 1});
            return std::vector{relu(x[0])};
        },
        "cannot be opened");
    expect_refused(
        [](Inputs x) {
            return std::vector{matmul(x[0], reshape(x[0], Shape{1, 1, 32, 128}))};
        },
        "64");
}

TEST(Query, TellsTheConfigThatWasChosen) {
    const test::OpenDevice device;
    const std::vector specs = {spec({1, 1, 256, 512}), spec({1, 1, 512, 1024})};
    const Function product = [](Inputs x) { return std::vector{matmul(x[0], x[1])}; };
    for (int i = 0; i < 2; ++i) {  // also where all is known
        const Answer answer = ask(device.get(), specs, product);
        ASSERT_EQ(answer.status, ExecutionStatus::Success) << answer.error;
        EXPECT_NE(std::any_cast<MatmulProgramConfig>(&answer.captured_config), nullptr);
    }
    EXPECT_FALSE(ask(device.get(), specs, kRelu).captured_config.has_value());
}

nlohmann::json captured_step(const std::shared_ptr<Device>& device, const Tensor& a) {
    graph::GraphProcessor::begin_graph_capture();
    {
        const Tensor b = relu(a), c = add(a, b);
        const Tensor d = softmax(c, -1);
    }
    static_cast<void>(device);
    nlohmann::json nodes = graph::GraphProcessor::end_graph_capture();
    return nodes;
}

/// A list without what differs from run to run anyway: times, ids of tensors and buffers.
nlohmann::json comparable(nlohmann::json nodes) {
    for (nlohmann::json& node : nodes) {
        node.erase("duration_ns");
        for (const char* const each : {"stack_trace", "input_tensors", "arguments"})
            node.erase(each);
        if (!node.contains("params") || !node["params"].is_object()) continue;
        for (const char* const id :
             {"tensor_id", "buffer_id", "device_tensors", "runtime_id", "global_call_count"})
            node["params"].erase(id);
    }
    return nodes;
}

// Four threads ask, a fifth runs, a sixth captures: none sees the other.
TEST(Query, IsSeenByNobody) {
    const test::OpenDevice device;
    const std::vector specs = {spec({1, 1, 256, 256}), spec({1, 1, 256, 256})};
    const AllocatorState state = AllocatorState::of(*device.get());
    std::vector<Answer> alone, alone_beside;
    for (std::uint32_t which = 0; which < 8; ++which) {
        const Function call = [which](Inputs x) { return run_one(which, x); };
        alone.push_back(ask(device.get(), specs, call));
        alone_beside.push_back(ask_beside(device.get(), state, specs, call));
    }
    const Tensor a = in_l1(device.get(), {1, 1, 128, 128});
    const auto first = comparable(captured_step(device.get(), a));
    const auto second = comparable(captured_step(device.get(), a));  // all programs are known
    const std::uint64_t address = relu(a).buffer().address();
    std::atomic<bool> ends = false;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            for (std::uint32_t i = 0; !ends; ++i) {
                const std::uint32_t which = i % 8;
                const Function call = [which](Inputs x) { return run_one(which, x); };
                const Answer one = ask(device.get(), specs, call);
                const Answer two = ask_beside(device.get(), state, specs, call);
                if (one.usage != alone[which].usage || two.usage != alone_beside[which].usage ||
                    two.new_state != alone_beside[which].new_state || one.error != alone[which].error)
                    ++wrong;
            }
        });
    }
    threads.emplace_back([&] {
        while (!ends)
            if (relu(a).buffer().address() > address) ++wrong;
    });
    for (int i = 0; i < 10; ++i) {
        // The fifth thread's operations are in the list as well: the sixth looks for what only a query could have made.
        const nlohmann::json nodes = captured_step(device.get(), a);
        for (const nlohmann::json& node : nodes)
            if (node["node_type"] == "function_start" &&
                std::string(node["params"]["name"]).find("layer_norm") != std::string::npos)
                ++wrong;
    }
    ends = true;
    for (std::thread& each : threads)
        each.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(comparable(captured_step(device.get(), a)), second);
    static_cast<void>(first);
}

TEST(Query, LeavesListsAndStateAsAlone) {
    const test::OpenDevice device;
    const Tensor a = in_l1(device.get(), {1, 1, 128, 128});
    static_cast<void>(captured_step(device.get(), a));
    const nlohmann::json expected = comparable(captured_step(device.get(), a));
    const std::uint64_t hash = state_hash();
    const AllocatorState state = AllocatorState::of(*device.get());
    std::atomic<bool> ends = false;
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            const std::vector specs = {spec({1, 1, 256, 256}), spec({1, 1, 256, 256})};
            for (std::uint32_t i = thread; !ends; ++i)
                static_cast<void>(
                    ask_beside(device.get(), state, specs, [i](Inputs x) { return run_one(i, x); }));
        });
    }
    int changes = 0;
    for (int i = 0; i < 2000; ++i)
        changes += state_hash() == hash ? 0 : 1;
    EXPECT_EQ(changes, 0);
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(comparable(captured_step(device.get(), a)), expected);
    ends = true;
    for (std::thread& each : threads)
        each.join();
}

/// A whole list: ids of tensors, buffers and programs are numbered as they come, times and stacks left out.
nlohmann::json whole(nlohmann::json nodes) {
    std::map<std::string, std::map<std::string, std::size_t>> known;
    for (nlohmann::json& node : nodes) {
        node.erase("duration_ns");
        node.erase("stack_trace");
        if (!node.contains("params") || !node["params"].is_object()) continue;
        for (const char* const id :
             {"tensor_id", "buffer_id", "device_tensors", "runtime_id", "global_call_count"}) {
            if (!node["params"].contains(id)) continue;
            auto& of_kind = known[id];
            node["params"][id] = of_kind.try_emplace(node["params"][id].dump(), of_kind.size()).first->second;
        }
    }
    return nodes;
}

/// What two threads see that take turns: one captures, the other runs outside of its calls.
struct Turns {
    nlohmann::json nodes;
    std::vector<std::uint64_t> addresses;
    int changes = 0;  // of the hash of the whole state, after a turn, while others ask
};

/// `wait`: for others to ask.
template <typename Wait>
Turns take_turns(const Tensor& a, const Tensor& b, const Wait& wait) {
    Turns seen;
    std::barrier turn(2);
    const auto note = [&](const Tensor& made) {
        seen.addresses.push_back(made.buffer().address());
        const std::uint64_t hash = state_hash();
        wait();
        seen.changes += state_hash() == hash ? 0 : 1;
    };
    std::thread other([&] {
        for (int i = 0; i < 3; ++i) {
            turn.arrive_and_wait();
            note(concat({b, b}, -1));
            turn.arrive_and_wait();
        }
    });
    graph::GraphProcessor::begin_graph_capture();
    std::vector<Tensor> kept = {a};
    for (int i = 0; i < 3; ++i) {
        kept.push_back(softmax(add(kept.back(), relu(a)), -1));
        note(kept.back());
        turn.arrive_and_wait();
        turn.arrive_and_wait();
    }
    kept.clear();
    other.join();
    seen.nodes = whole(graph::GraphProcessor::end_graph_capture());
    return seen;
}

// Beside a thread that runs, too. Its calls are in the same lists, so it takes turns with the one that captures: whole lists,
// addresses and states are those of two threads alone.
TEST(Query, LeavesListsAndStatesOfOtherThreadsAsAlone) {
    const test::OpenDevice device;
    const Tensor a = in_l1(device.get(), {1, 1, 128, 128});
    const TensorSpec in_dram = spec({1, 1, 128, 128}, DRAM_MEMORY_CONFIG);
    const Tensor b = Tensor::on_device(in_dram, Buffer::allocate(device.get(), in_dram));
    const auto alone = [] {};
    static_cast<void>(take_turns(a, b, alone));  // all programs are known
    const Turns expected = take_turns(a, b, alone);
    ASSERT_EQ(expected.addresses.size(), 6U);
    ASSERT_GT(expected.nodes.size(), 40U);
    const AllocatorState state = AllocatorState::of(*device.get());
    std::atomic<bool> ends = false;
    std::atomic<std::uint32_t> asked = 0;
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            const std::vector specs = {spec({1, 1, 256, 256}), spec({1, 1, 256, 256})};
            for (std::uint32_t i = thread; !ends; ++i, ++asked)
                static_cast<void>(
                    ask_beside(device.get(), state, specs, [i](Inputs x) { return run_one(i, x); }));
        });
    }
    const auto wait = [&asked] {
        for (const std::uint32_t before = asked; asked < before + 8;)
            std::this_thread::yield();
    };
    for (int i = 0; i < 20; ++i) {
        const Turns seen = take_turns(a, b, wait);
        EXPECT_EQ(nlohmann::json::diff(seen.nodes, expected.nodes).dump(), "[]");
        EXPECT_EQ(seen.addresses, expected.addresses);
        EXPECT_EQ(seen.changes, 0);
    }
    ends = true;
    for (std::thread& each : threads)
        each.join();
}

}  // namespace
}  // namespace tilemeter::query
