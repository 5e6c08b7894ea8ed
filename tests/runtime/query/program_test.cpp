// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Planned programs beside NORMAL runs of the same steps.

#include "runtime/query/program.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/program_tables.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "tests/cases.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::query::programs {
namespace {

using Inputs = std::span<const Tensor>;

TensorSpec spec(const Shape& shape, const MemoryConfig& memory = L1_MEMORY_CONFIG) {
    return {shape, DataType::BFLOAT16, Layout::TILE, memory};
}

/// A call of one or two operands of the same shape, by number.
std::vector<Tensor> run_one(std::uint32_t which, Inputs x) {
    const MemoryConfig memory = which % 5 == 0 ? DRAM_MEMORY_CONFIG : L1_MEMORY_CONFIG;
    switch (which / 5 % 9) {
        case 0:
            return {relu(x[0], memory)};
        case 1:
            return {softmax(x[0], -1)};
        case 2:
            return {layer_norm(x[0])};
        case 3:
            return {reshape(x[0], Shape{1, x[0].shape()[2], 1, x[0].shape()[3]})};
        case 4:
            return {neg(x[0], memory), relu(x.back())};
        case 5:
            return {sum(relu(x[0]), -1)};
        case 6:
            return {concat({x[0], x[0]}, -1)};
        default:
            return {add(x[0], x.back())};
    }
}

struct RandomProgram {
    std::vector<ProgramInput> inputs;
    std::vector<ProgramStep> steps;
};

// Steps of values that are alive. Some are as large as a tenth of L1, so that programs find no place.
RandomProgram random_program(std::mt19937& random, std::uint32_t length) {
    RandomProgram program;
    const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    const auto size = [&](std::uint32_t most) {
        return static_cast<std::uint32_t>(32 * (1 + random() % most));
    };
    struct Alive {
        ProgramValue value;
        Shape shape;
    };
    std::vector<Alive> alive;
    const std::uint32_t most = random() % 2 == 0 ? 12 : 80;
    for (std::size_t i = 0; i < 1 + pick(4); ++i) {
        const Shape shape{1, 1, size(most), size(most)};
        program.inputs.push_back({spec(shape, random() % 3 == 0 ? DRAM_MEMORY_CONFIG : L1_MEMORY_CONFIG)});
        alive.push_back({{ProgramValue::kInput, i}, shape});
    }
    for (std::size_t number = 0; number < length && !alive.empty(); ++number) {
        const auto which = static_cast<std::uint32_t>(random() % 45);
        const Alive first = alive[pick(alive.size())];
        std::vector<Alive> alike;
        std::ranges::copy_if(alive, std::back_inserter(alike),
                             [&](const Alive& each) { return each.shape == first.shape; });
        ProgramStep step;
        step.name = "call " + std::to_string(which);
        step.operands = {first.value, alike[pick(alike.size())].value};
        step.function = [which](Inputs x) { return run_one(which, x); };
        const std::uint32_t kind = which / 5 % 9;
        const auto rows = first.shape[2], columns = first.shape[3];
        // Results of other shapes are freed at once, or left: nobody reads them.
        const bool same = kind != 3 && kind != 5 && kind != 6 && first.shape[1] == 1;
        for (std::size_t index = 0; index < (kind == 4 ? 2U : 1U); ++index) {
            if (same)
                alive.push_back({{number, index}, Shape{1, 1, rows, columns}});
            else if (random() % 2 == 0)
                step.frees.push_back({number, index});
        }
        for (std::size_t i = alive.size(); i-- > 0;) {
            if (random() % 6 != 0 || alive.size() == 1) continue;
            step.frees.push_back(alive[i].value);
            alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(i));
        }
        program.steps.push_back(std::move(step));
    }
    return program;
}

// The judge is the runtime itself, which TT-NN's recordings judge.
TEST(Program, IsPlacedAsTheDevicePlacesIt) {
    const test::OpenDevice device;
    std::mt19937 random(46);
    const std::uint32_t count = test::cases(60);
    std::uint32_t whole = 0, failed = 0, steps = 0;
    for (std::uint32_t round = 0; round < count; ++round) {
        const RandomProgram program = random_program(random, 50);
        clear_program_cache(*device.get());
        const AllocatorState begin = AllocatorState::of(*device.get());
        const std::uint64_t hash = state_hash();
        const ProgramAnswer answer = plan_program(device.get(), begin, program.inputs, program.steps);
        EXPECT_EQ(state_hash(), hash);
        std::map<ProgramValue, Tensor> values;
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            const TensorSpec& each = program.inputs[i].spec;
            values.emplace(ProgramValue{ProgramValue::kInput, i},
                           Tensor::on_device(each, Buffer::allocate(device.get(), each)));
            EXPECT_EQ(answer.inputs[i].address, values.at({ProgramValue::kInput, i}).buffer().address());
        }
        for (std::size_t number = 0; number < program.steps.size(); ++number) {
            const ProgramStep& step = program.steps[number];
            const AllocatorState before = AllocatorState::of(*device.get());
            std::vector<Tensor> results;
            try {
                std::vector<Tensor> operands;
                for (const ProgramValue& each : step.operands)
                    operands.push_back(values.at(each));
                results = step.function(operands);
            } catch (const RuntimeError& error) {
                ASSERT_TRUE(answer.failure) << error.what();
                EXPECT_EQ(answer.failure->step, number);
                const std::string text = error.what();
                EXPECT_EQ(answer.failure->error.substr(0, 40), text.substr(0, 40));
                EXPECT_NE(answer.failure->refusal.kind, RefusalKind::kBadArgument) << text;
                EXPECT_EQ(answer.new_state, before);
                ASSERT_EQ(answer.alive.size(), values.size());
                for (const LiveValue& each : answer.alive)
                    EXPECT_EQ(each.place.address, values.at(each.value).buffer().address());
                ++failed;
                break;
            }
            ASSERT_LT(number, answer.steps.size())
                << round << ": " << (answer.failure ? answer.failure->error : "");
            const PlannedStep& planned = answer.steps[number];
            ASSERT_EQ(planned.outputs.size(), results.size());
            for (std::size_t i = 0; i < results.size(); ++i) {
                ASSERT_EQ(planned.outputs[i].address, results[i].buffer().address())
                    << round << " " << number;
                values.emplace(ProgramValue{number, i}, std::move(results[i]));
            }
            for (const ProgramValue& each : step.frees)
                values.erase(each);
            const BankAllocator l1 = device->memory().allocator(MemoryType::kL1);
            EXPECT_EQ(planned.allocated_l1, l1.statistics().allocated);
            ++steps;
        }
        if (answer.failure) continue;
        ++whole;
        EXPECT_EQ(answer.new_state, AllocatorState::of(*device.get()));
    }
    std::printf("%u programs fit, %u fail, %u steps\n", whole, failed, steps);
    EXPECT_GT(whole, count / 10);
    EXPECT_GT(failed, count / 50);
}

const Function kRelu = [](Inputs x) { return std::vector{relu(x[0])}; };

TEST(Program, TakesInputsOverFromTheState) {
    const test::OpenDevice device;
    const BankAllocator l1 = device->memory().allocator(MemoryType::kL1);
    const std::uint64_t bytes = 4 * 2048, address = l1.end() - 2 * bytes;  // 256 tiles over 64 cores
    const std::vector records = {AllocationRecord{MemoryType::kL1, address, bytes}};
    const AllocatorState state = AllocatorState::empty(*device.get()).with_allocations(records);
    const std::vector inputs = {ProgramInput{spec({1, 1, 256, 1024}), address}};
    const std::vector<ProgramStep> steps = {
        {"relu", kRelu, {{ProgramValue::kInput, 0}}, {{ProgramValue::kInput, 0}}},
        {"relu", kRelu, {{0, 0}}, {{0, ProgramValue::kAll}}}};
    const ProgramAnswer answer = plan_program(device.get(), state, inputs, steps);
    ASSERT_FALSE(answer.failure) << answer.failure->error;
    EXPECT_EQ(answer.inputs[0].address, address);
    // The first result above the input, the second where the input was.
    EXPECT_EQ(answer.steps[0].outputs[0].address, l1.end() - bytes);
    EXPECT_EQ(answer.steps[1].outputs[0].address, address);
    EXPECT_EQ(answer.new_state, state);
    EXPECT_EQ(answer.steps[1].lowest_live_l1, address);
}

TEST(Program, TakesViewsOfOneAllocationOver) {
    const test::OpenDevice device;
    const std::uint64_t bytes = 4 * 2048;
    const BankAllocator l1 = device->memory().allocator(MemoryType::kL1);
    const std::vector records = {AllocationRecord{MemoryType::kL1, l1.end() - bytes, bytes}};
    const AllocatorState state = AllocatorState::empty(*device.get()).with_allocations(records);
    const std::vector inputs = {ProgramInput{spec({1, 1, 256, 1024}), l1.end() - bytes},
                                ProgramInput{spec({1, 256, 1, 1024}), l1.end() - bytes}};
    const ProgramValue one{ProgramValue::kInput, 0}, other{ProgramValue::kInput, 1};
    const std::vector<ProgramStep> steps = {{"relu", kRelu, {one}, {one}},
                                            {"relu", kRelu, {{0, 0}}, {other}}};
    const ProgramAnswer answer = plan_program(device.get(), state, inputs, steps);
    ASSERT_FALSE(answer.failure) << answer.failure->error;
    // The memory is free when both are gone.
    EXPECT_EQ(answer.steps[0].allocated_l1, 2 * bytes);
    EXPECT_EQ(answer.steps[1].allocated_l1, 2 * bytes);
    EXPECT_EQ(answer.inputs[0].address, answer.inputs[1].address);
}

TEST(Program, RefusesWhatNoDeviceCouldRun) {
    const test::OpenDevice device;
    const AllocatorState state = AllocatorState::empty(*device.get());
    const std::vector inputs = {ProgramInput{spec({1, 1, 64, 64})}};
    const ProgramValue x{ProgramValue::kInput, 0};
    const auto expect_refused = [&](const std::vector<ProgramStep>& steps, const char* text) {
        try {
            static_cast<void>(plan_program(device.get(), state, inputs, steps));
            ADD_FAILURE() << text;
        } catch (const RuntimeError& error) {
            EXPECT_EQ(std::string(error.what()), text);
        }
    };
    expect_refused(
        {{"a", kRelu, {{1, 0}}, {}}, {"b", kRelu, {x}, {}}},
        "plan_program: step 0 (a): expected an operand that is made before, got result 0 of step 1");
    expect_refused(
        {{"a", kRelu, {x}, {x}}, {"b", kRelu, {x}, {}}},
        "plan_program: step 1 (b): expected an operand that is alive, got input 0, which step 0 frees");
    expect_refused({{"a", kRelu, {{ProgramValue::kInput, 1}}, {}}},
                   "plan_program: step 0 (a): expected an operand that is made before, got input 1");
    expect_refused({{"a", kRelu, {x}, {}}, {"b", kRelu, {{0, 1}}, {}}},
                   "plan_program: step 1 (b): expected a value that is made, got result 1 of step 0");
    const std::vector lost = {ProgramInput{spec({1, 1, 64, 64}), 4096}};
    EXPECT_THROW(static_cast<void>(plan_program(device.get(), state, lost, {})), RuntimeError);
}

TEST(Program, SaysWhichStepFailsAndWhatWasAlive) {
    const test::OpenDevice device;
    const AllocatorState state = AllocatorState::empty(*device.get());
    const std::vector inputs = {ProgramInput{spec({1, 1, 64, 64})}};
    std::vector<Tensor> kept;
    const Function keeps = [&](Inputs x) {
        kept.push_back(exp(x[0]));
        return std::vector{relu(x[0])};
    };
    const ProgramValue x{ProgramValue::kInput, 0};
    const std::vector<ProgramStep> steps = {{"a", kRelu, {x}, {}}, {"b", keeps, {{0, 0}}, {}}};
    const ProgramAnswer answer = plan_program(device.get(), state, inputs, steps);
    ASSERT_TRUE(answer.failure);
    EXPECT_EQ(answer.failure->step, 1U);
    EXPECT_EQ(answer.failure->refusal.kind, RefusalKind::kBadArgument);
    EXPECT_EQ(answer.failure->alive.size(), 2U);
    EXPECT_EQ(answer.steps.size(), 1U);
}

}  // namespace
}  // namespace tilemeter::query::programs
