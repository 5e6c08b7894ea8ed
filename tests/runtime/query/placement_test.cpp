// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Placed programs beside runs of their steps within the budget, without values.

#include "runtime/query/placement.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/operations/core/program_tables.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tests/cases.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::query::placements {
namespace {

constexpr std::uint64_t kBytes = std::uint64_t{2048} * 2048 * 2;  // of a tensor of these programs

TensorSpec spec() {
    return {Shape{1, 1, 2048, 2048}, DataType::BFLOAT16, Layout::TILE, DRAM_MEMORY_CONFIG};
}

std::vector<Tensor> converted(std::span<const Tensor> tensors, const MemoryConfig& to) {
    return {to_memory_config(tensors.front(), to)};
}

/// Calls of earlier values, by number: the first value is the input, the last is the result, which stays in DRAM.
class Program {
public:
    Program() { program.inputs.push_back({spec()}); }

    /// "relu", "exp", "softmax", "add", "reshape".
    std::size_t call(const std::string& name, std::vector<std::size_t> operands) {
        PlaceableCall& call = program.calls.emplace_back();
        call.name = name;
        call.operands = std::move(operands);
        call.results = {program.calls.size()};
        call.takes_memory_config = name != "reshape";
        call.function = [name](std::span<const Tensor> x, const MemoryConfig* put) -> std::vector<Tensor> {
            const OptionalMemoryConfig memory = put == nullptr ? OptionalMemoryConfig() : *put;
            if (name == "relu") return {relu(x[0], memory)};
            if (name == "exp") return {exp(x[0], false, memory)};
            if (name == "softmax") return {softmax(x[0], -1, memory)};
            if (name == "add") return {add(x[0], x[1], {}, memory)};
            return {reshape(x[0], Shape{1, 2, 1024, 2048})};
        };
        return program.calls.size();
    }

    PlacedProgram placed(const test::OpenDevice& device, std::optional<std::uint64_t> l1) {
        program.results = {program.calls.size()};
        fill_in_specs(device.get(), program);
        return place_program(device.get(), AllocatorState::of(*device.get()), program, {.l1 = l1});
    }

    PlaceableProgram program;
};

/// Runs the steps where the budget alone is left, and holds their places to the bytes that the placement says.
void expect_runs(const test::OpenDevice& device, const PlaceableProgram& program,
                 const PlacedProgram& placed) {
    const AllocatorState before = AllocatorState::of(*device.get());
    const BankAllocator& bank = before.memory().allocator(MemoryType::kL1);
    const std::uint64_t taken =
        (bank.end() - bank.begin() - placed.l1) / bank.granularity() * bank.granularity();
    if (taken != 0) {
        const std::vector<AllocationRecord> rest = {{MemoryType::kL1, bank.end() - taken, taken}};
        before.with_allocations(rest).put_on(*device.get());
    }
    clear_program_cache(*device.get());
    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NO_DISPATCH);
    std::vector<std::optional<Tensor>> tensors(program.specs.size() + placed.placement.conversions.size());
    tensors[0] = Tensor::on_device(spec(), Buffer::allocate(device.get(), spec()));
    std::uint64_t dram = 0;
    for (const PlacedStep& step : placed.steps) {
        std::vector<Tensor> operands;
        for (const std::size_t tensor : step.operands)
            operands.push_back(*tensors[tensor]);
        std::vector<Tensor> results =
            step.is_conversion
                ? converted(operands, placed.placement.conversions[step.number].memory_config)
                : program.calls[step.number].function(operands, placed.placement.put[step.number]
                                                                    ? &*placed.placement.put[step.number]
                                                                    : nullptr);
        const bool is_view = &results[0].buffer() == &operands[0].buffer();
        std::vector<std::size_t> read = step.operands;
        std::ranges::sort(read);
        read.erase(std::unique(read.begin(), read.end()), read.end());
        for (const std::size_t tensor : read)
            if (!is_view && tensors[tensor]->buffer().memory() == MemoryType::kDram) dram += kBytes;
        if (!is_view && results[0].buffer().memory() == MemoryType::kDram) dram += kBytes;
        tensors[step.results[0]] = results[0];
        results.clear();
        operands.clear();
        for (const std::size_t tensor : step.frees)
            tensors[tensor].reset();
    }
    EXPECT_EQ(dram, placed.dram_bytes);
    EXPECT_EQ(tensors[program.results[0]]->buffer().memory(), MemoryType::kDram);
    tensors.clear();
    static_cast<void>(graph::GraphProcessor::end_capture());
    before.put_on(*device.get());
}

TEST(Placement, MoreOfL1CostsNoMore) {
    const test::OpenDevice device;
    Program chain;
    std::vector<std::size_t> branches;
    for (int i = 0; i < 9; ++i)
        branches.push_back(chain.call(i % 2 == 0 ? "exp" : "relu", {0}));
    std::size_t sum = branches[0];
    for (std::size_t i = 1; i < branches.size(); ++i)
        sum = chain.call("add", {sum, branches[i]});
    chain.call("softmax", {sum});
    chain.program.convert = converted;
    double last = 1e18;
    const std::uint64_t bank = 1'393'312;
    for (std::uint64_t part = 3; part <= 10; ++part) {  // two tenths don't hold softmax's program
        const PlacedProgram placed = chain.placed(device, bank * part / 10);
        EXPECT_LE(placed.cost, last);
        EXPECT_LE(placed.least_dram_bytes, placed.dram_bytes);
        EXPECT_LE(placed.dram_bytes, placed.greedy_dram_bytes);
        EXPECT_LE(placed.greedy_dram_bytes, placed.all_dram_bytes);
        EXPECT_LE(placed.peak_l1, placed.l1);
        last = placed.cost;
        expect_runs(device, chain.program, placed);
    }
    EXPECT_EQ(last, 3 * kBytes);  // the input is read once, for a copy that is moved; the result is written
}

TEST(Placement, ShardsMakeRoomWhereTilesDoNot) {
    const test::OpenDevice device;
    Program program;
    const std::size_t one = program.call("relu", {0});
    program.call("add", {one, 0});
    const std::size_t three = program.call("relu", {one});
    program.call("add", {2, one});
    program.call("exp", {three});
    const std::uint64_t budget = std::uint64_t{4} * 131'072;
    const PlacedProgram tiles = program.placed(device, budget);
    program.program.convert = converted;
    const PlacedProgram shards = program.placed(device, budget);
    EXPECT_LT(shards.dram_bytes, tiles.dram_bytes);
    EXPECT_TRUE(std::ranges::any_of(shards.placed_calls,
                                    [](const PlacedCall& each) { return each.memory_config.is_sharded(); }));
    expect_runs(device, program.program, tiles);
    expect_runs(device, program.program, shards);
}

TEST(Placement, ACopyServesLaterReads) {
    const test::OpenDevice device;
    Program program;
    for (int i = 0; i < 4; ++i)
        program.call("relu", {0});
    std::size_t sum = program.call("add", {1, 2});
    sum = program.call("add", {sum, 3});
    program.call("add", {sum, 4});
    program.program.convert = converted;
    const PlacedProgram placed = program.placed(device, {});
    ASSERT_EQ(placed.placement.conversions.size(), 1U);
    EXPECT_EQ(placed.placement.conversions[0].value, 0U);
    EXPECT_EQ(placed.placement.conversions[0].begin, 0U);
    EXPECT_EQ(placed.placement.conversions[0].end, 4U);
    EXPECT_EQ(placed.dram_bytes, 2 * kBytes);
    EXPECT_EQ(placed.moved_bytes, kBytes);
    expect_runs(device, program.program, placed);
}

TEST(Placement, AViewCostsNothingAndKeepsItsMemory) {
    const test::OpenDevice device;
    Program program;
    const std::size_t made = program.call("relu", {0});
    const std::size_t view = program.call("reshape", {made});
    program.call("relu", {view});
    program.call("exp", {4 - 1});
    program.program.convert = converted;
    const PlacedProgram placed = program.placed(device, {});
    EXPECT_EQ(placed.dram_bytes, 2 * kBytes);
    ASSERT_EQ(placed.steps.size(), 4U);
    EXPECT_TRUE(placed.steps[1].frees.empty());
    EXPECT_EQ(placed.steps[2].frees, std::vector<std::size_t>{made});
    expect_runs(device, program.program, placed);
}

TEST(Placement, RandomProgramsRunAsSaid) {
    const test::OpenDevice device;
    for (std::uint32_t seed = 0; seed < test::cases(5); ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        Program program;
        const char* const names[] = {"relu", "exp", "softmax", "add", "add"};
        const std::size_t length = 2 + random() % 14;
        for (std::size_t i = 0; i < length; ++i) {
            const std::string name = names[random() % 5];
            const std::size_t near = i + 1 < 4 ? i + 1 : 4;
            std::vector<std::size_t> operands = {i - random() % near};
            if (name == "add") operands.push_back(random() % (i + 1));
            program.call(name, operands);
        }
        program.program.convert = converted;
        const std::uint64_t budget = 300'000 + random() % 1'000'000;
        const PlacedProgram placed = program.placed(device, budget);
        EXPECT_LE(placed.cost, static_cast<double>(placed.greedy_dram_bytes));
        EXPECT_LE(placed.peak_l1, placed.l1);
        expect_runs(device, program.program, placed);
    }
}

TEST(Placement, RefusesABudgetThatNothingKeeps) {
    const test::OpenDevice device;
    Program program;
    program.call("relu", {0});
    program.call("exp", {1});
    try {
        program.placed(device, 64);
        FAIL() << "expected an error";
    } catch (const RuntimeError& error) {
        EXPECT_EQ(std::string(error.what()).rfind("place: l1: expected more than 64 B per core", 0), 0U)
            << error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace tilemeter::query::placements
