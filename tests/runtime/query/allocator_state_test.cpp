// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// States of allocators as values.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/query/query.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::query {
namespace {

using Records = std::vector<AllocationRecord>;

std::string refusal_of(const AllocatorState& state, const Records& records) {
    try {
        static_cast<void>(state.with_allocations(records));
    } catch (const RuntimeError& error) {
        return error.what();
    }
    return "";
}

TEST(AllocatorState, SaysWhatIsAllocatedAndWasNot) {
    const test::OpenDevice device;
    const AllocatorState empty = AllocatorState::of(*device.get());
    EXPECT_EQ(empty.total_allocated_size(), 0U);
    EXPECT_FALSE(empty.lowest_occupied(MemoryType::kL1));
    const Tensor tensor = zeros({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const AllocatorState one = AllocatorState::of(*device.get());
    EXPECT_TRUE(empty.is_empty(MemoryType::kL1));
    EXPECT_EQ(one.lowest_occupied(MemoryType::kL1), tensor.buffer().address());
    EXPECT_EQ(one.total_allocated_size(MemoryType::kL1), 2048U);
    EXPECT_NE(one, empty);
    EXPECT_EQ(one.with_allocations({}), empty);
    EXPECT_EQ(empty.with_allocations(one.allocations()), one);
}

TEST(AllocatorState, RefusesRecordsThatCannotBe) {
    const test::OpenDevice device;
    const AllocatorState state = AllocatorState::of(*device.get());
    const std::uint64_t end = device->memory().allocator(MemoryType::kL1).end();
    EXPECT_EQ(refusal_of(state, Records{{MemoryType::kL1, end - 4096, 4096}}), "");
    const auto refused = [&](const Records& records, const char* text) {
        EXPECT_NE(refusal_of(state, records).find(text), std::string::npos) << refusal_of(state, records);
    };
    refused({{MemoryType::kL1, end - 4096, 4096}, {MemoryType::kL1, end - 2048, 2048}},
            "overlaps record 0 (L1, [");
    refused({{MemoryType::kL1, end - 2048, 4096}}, "record 0 (L1, [");
    refused({{MemoryType::kL1, end - 2048, 4096}}, "expected within the bank");
    refused({{MemoryType::kDram, 0, 4096}}, "expected within the bank");
    refused({{MemoryType::kL1, end - 4096 + 8, 64}}, "expected an address that is a multiple of");
    refused({{MemoryType::kL1, end - 4096, 0}}, "expected at least 1 byte");
    refused({{MemoryType::kL1, end, ~std::uint64_t{0}}}, "expected within the bank");
    refused({{MemoryType::kSystemMemory, 0, 64}}, "expected a memory of the device");
    EXPECT_NE(refusal_of(AllocatorState(), {}).find("expected a state of a board"), std::string::npos);
}

TEST(AllocatorState, IsPutOnADevice) {
    const test::OpenDevice device;
    const AllocatorState empty = AllocatorState::of(*device.get());
    AllocatorState taken;
    {
        const Tensor tensor = zeros({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
        taken = AllocatorState::of(*device.get());
        empty.put_on(*device.get());  // the tensor has lost its block and frees nothing
        EXPECT_EQ(AllocatorState::of(*device.get()), empty);
    }
    EXPECT_EQ(AllocatorState::of(*device.get()), empty);
    taken.put_on(*device.get());
    const Tensor next = zeros({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    EXPECT_LT(next.buffer().address(), *taken.lowest_occupied(MemoryType::kL1));
}

TEST(AllocatorState, OfAnotherBoardIsRefused) {
    AllocatorState other;
    {
        const test::OpenDevice device({.description = "p150"});
        other = AllocatorState::of(*device.get());
    }
    const test::OpenDevice device;
    const std::vector specs = {
        TensorSpec{{1, 1, 32, 32}, DataType::BFLOAT16, Layout::TILE, L1_MEMORY_CONFIG}};
    const Function same = [](std::span<const Tensor> x) { return std::vector{x[0]}; };
    EXPECT_THROW(ask_beside(device.get(), other, specs, same), RuntimeError);
    EXPECT_THROW(ask_beside(device.get(), AllocatorState(), specs, same), RuntimeError);
    EXPECT_THROW(other.put_on(*device.get()), RuntimeError);
}

}  // namespace
}  // namespace tilemeter::query
