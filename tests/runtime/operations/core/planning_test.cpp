// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Planning frames: a thread plans, and neither the devices nor other threads notice.

#include "runtime/device/planning.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/outer.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using graph::RunMode;

Tensor zeros_in_l1(const std::shared_ptr<Device>& device, std::uint32_t rows) {
    return zeros({rows, 32}, bfloat16, TILE_LAYOUT, device, L1_MEMORY_CONFIG);
}

// The addresses of a chain of operations of which some intermediates are freed on the way.
std::vector<std::uint64_t> addresses_of_chain(const Tensor& input, int length) {
    std::vector<std::uint64_t> addresses;
    Tensor last = input;
    for (int i = 0; i < length; ++i) {
        const Tensor sum = add(last, 1.0F, std::nullopt, L1_MEMORY_CONFIG);
        addresses.push_back(sum.buffer().address());
        last = i % 3 == 0 && i < 9 ? concat({sum, last}, 0, L1_MEMORY_CONFIG) : relu(sum, L1_MEMORY_CONFIG);
        addresses.push_back(last.buffer().address());
    }
    return addresses;
}

TEST(PlanningFrame, plans_the_addresses_of_a_no_dispatch_capture) {
    const test::OpenDevice device;
    const Tensor input = zeros_in_l1(device.get(), 64);
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    const std::vector<std::uint64_t> captured = addresses_of_chain(input, 8);
    GraphProcessor::end_graph_capture();

    const PlanningFrame frame;
    const ScopedPlanning planning(frame);
    EXPECT_EQ(addresses_of_chain(input, 8), captured);
}

TEST(PlanningFrame, leaves_the_device_as_it_was_after_an_exception_too) {
    const test::OpenDevice device;
    Tensor input = zeros_in_l1(device.get(), 64);
    const std::uint64_t before = state_hash();
    {
        const PlanningFrame frame;
        const ScopedPlanning planning(frame);
        addresses_of_chain(input, 8);
        input.deallocate();
        EXPECT_FALSE(input.is_allocated());
        EXPECT_THROW(add(input, 1.0F), std::runtime_error);
        EXPECT_THROW(zeros_in_l1(device.get(), 1U << 22U), std::runtime_error);
    }
    EXPECT_EQ(state_hash(), before);
    EXPECT_TRUE(input.is_allocated());
    EXPECT_EQ(add(input, 1.0F).to_vector<float>(), std::vector<float>(64 * 32, 1.0F));
}

TEST(PlanningFrame, frees_a_tensor_from_outside_for_itself_alone) {
    const test::OpenDevice device;
    Tensor input = zeros_in_l1(device.get(), 64);
    const PlanningFrame first;
    const PlanningFrame second;
    {
        const ScopedPlanning planning(first);
        input.deallocate();
        EXPECT_FALSE(input.is_allocated());
        EXPECT_EQ(zeros_in_l1(device.get(), 64).buffer().address(), input.buffer().address());
    }
    EXPECT_TRUE(input.is_allocated());
    {
        const ScopedPlanning planning(second);
        EXPECT_TRUE(input.is_allocated());
        EXPECT_NE(zeros_in_l1(device.get(), 64).buffer().address(), input.buffer().address());
        input.deallocate();
        EXPECT_FALSE(input.is_allocated());
    }
    EXPECT_TRUE(input.is_allocated());
    input.deallocate();
    const ScopedPlanning planning(first);
    EXPECT_FALSE(input.is_allocated());
}

TEST(PlanningFrame, does_not_free_a_tensor_that_was_made_after_its_copy_of_the_device) {
    const test::OpenDevice device;
    const PlanningFrame frame;
    std::optional<Tensor> planned;
    {
        const ScopedPlanning planning(frame);
        planned = zeros_in_l1(device.get(), 64);
    }
    Tensor later = zeros_in_l1(device.get(), 64);
    EXPECT_EQ(later.buffer().address(), planned->buffer().address());
    const ScopedPlanning planning(frame);
    later.deallocate();
    EXPECT_FALSE(later.is_allocated());
    EXPECT_NE(zeros_in_l1(device.get(), 64).buffer().address(), planned->buffer().address());
}

TEST(PlanningFrame, begins_with_what_is_planned_around_it) {
    const test::OpenDevice device;
    const PlanningFrame outer;
    const ScopedPlanning in_outer(outer);
    Tensor planned = zeros_in_l1(device.get(), 64);
    {
        const PlanningFrame inner;
        const ScopedPlanning in_inner(inner);
        EXPECT_LT(zeros_in_l1(device.get(), 64).buffer().address(), planned.buffer().address());
        planned.deallocate();
        EXPECT_FALSE(planned.is_allocated());
        EXPECT_EQ(zeros_in_l1(device.get(), 64).buffer().address(), planned.buffer().address());
    }
    EXPECT_TRUE(planned.is_allocated());
    EXPECT_LT(zeros_in_l1(device.get(), 64).buffer().address(), planned.buffer().address());
}

TEST(PlanningFrame, outlives_the_no_dispatch_capture_that_it_was_made_in) {
    const test::OpenDevice device;
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    const Tensor planned = zeros_in_l1(device.get(), 64);
    const PlanningFrame frame;
    const ScopedPlanning planning(frame);
    const Tensor inside = relu(planned, L1_MEMORY_CONFIG);
    GraphProcessor::end_graph_capture();
    EXPECT_LT(zeros_in_l1(device.get(), 64).buffer().address(), inside.buffer().address());
    EXPECT_LT(inside.buffer().address(), planned.buffer().address());
}

TEST(PlanningFrame, its_tensors_have_addresses_and_no_memory_after_it) {
    const test::OpenDevice device;
    std::optional<Tensor> planned;
    {
        const PlanningFrame frame;
        const ScopedPlanning planning(frame);
        planned = zeros_in_l1(device.get(), 64);
    }
    EXPECT_EQ(zeros_in_l1(device.get(), 64).buffer().address(), planned->buffer().address());
    const std::uint64_t before = state_hash();
    planned.reset();
    EXPECT_EQ(state_hash(), before);
}

TEST(PlanningFrame, ends_before_or_after_its_device) {
    const PlanningFrame frame;
    {
        const test::OpenDevice device;
        const ScopedPlanning planning(frame);
        zeros_in_l1(device.get(), 64);
    }
    const test::OpenDevice device;
    const ScopedPlanning planning(frame);
    const Tensor again = zeros_in_l1(device.get(), 64);
    EXPECT_TRUE(again.is_allocated());
}

// Each thread finds what it would find alone; the thread sanitizer finds no race.
TEST(PlanningFrame, is_the_threads_own_while_others_plan_and_run) {
    constexpr int kLength = 40;
    const test::OpenDevice device;
    const Tensor input = zeros_in_l1(device.get(), 64);
    const auto plan = [&](const PlanningFrame& frame) {
        const ScopedPlanning planning(frame);
        return addresses_of_chain(input, kLength);
    };
    const std::vector<std::uint64_t> alone = plan(PlanningFrame());

    std::array<PlanningFrame, 4> frames;
    for (const PlanningFrame& frame : frames) {  // copies the device before it runs
        const ScopedPlanning planning(frame);
        zeros_in_l1(device.get(), 32);
    }
    std::array<std::vector<std::uint64_t>, 4> planned;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < frames.size(); ++i)
        threads.emplace_back([&, i] { planned[i] = plan(frames[i]); });
    bool all_ran = true;
    for (int i = 0; i < kLength; ++i) {
        const Tensor sum = add(input, static_cast<float>(i), std::nullopt, L1_MEMORY_CONFIG);
        all_ran = all_ran && sum.to_vector<float>() == std::vector<float>(64 * 32, static_cast<float>(i));
    }
    threads.clear();
    EXPECT_TRUE(all_ran);
    for (const std::vector<std::uint64_t>& each : planned)
        EXPECT_EQ(each, alone);
}

}  // namespace
}  // namespace tilemeter
