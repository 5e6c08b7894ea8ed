// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The figures were recorded from TT-NN 0.81.1.

#include "runtime/device/device_memory.hpp"

#include <gtest/gtest.h>

#include "runtime/device/errors.hpp"

namespace tilemeter {
namespace {

DeviceMemory memory_of(const char* board, DeviceReservations reservations = {}) {
    return {load_device_description(board), reservations};
}

std::uint64_t bank_size(const DeviceMemory& memory, MemoryType type) {
    return memory.allocator(type).statistics().bank_size;
}

TEST(DeviceMemory, has_the_banks_of_the_board) {
    const DeviceMemory n150 = memory_of("n150");
    EXPECT_EQ(bank_size(n150, MemoryType::kDram), 1072693184U);
    EXPECT_EQ(bank_size(n150, MemoryType::kL1), 1393312U);
    EXPECT_EQ(bank_size(n150, MemoryType::kL1Small), 0U);
    EXPECT_EQ(bank_size(n150, MemoryType::kTrace), 0U);
    EXPECT_EQ(n150.num_banks(MemoryType::kDram), 12U);
    EXPECT_EQ(n150.num_banks(MemoryType::kL1), 64U);
    EXPECT_EQ(n150.num_banks(MemoryType::kL1Small), 0U);
    EXPECT_EQ(n150.num_banks(MemoryType::kTrace), 12U);
    const DeviceMemory p150 = memory_of("p150");
    EXPECT_EQ(bank_size(p150, MemoryType::kDram), 4277141376U);
    EXPECT_EQ(bank_size(p150, MemoryType::kL1), 1461120U);
}

TEST(DeviceMemory, L1_grows_from_the_top_and_dram_from_the_bottom) {
    DeviceMemory n150 = memory_of("n150");
    EXPECT_EQ(n150.allocator(MemoryType::kL1).allocate(2048), 1497088U);
    EXPECT_EQ(n150.allocator(MemoryType::kL1).allocate(2048), 1495040U);
    EXPECT_EQ(n150.allocator(MemoryType::kDram).allocate(2048), 1048640U);
    EXPECT_EQ(n150.allocator(MemoryType::kDram).allocate(2048), 1050688U);
}

struct Reserved {
    const char* board;
    std::uint64_t asked;
    std::uint64_t reserved;
};

TEST(DeviceMemory, L1_small_is_rounded_to_the_granularity_and_taken_off_the_top_of_L1) {
    for (const Reserved& row :
         {Reserved{"n150", 100, 128}, Reserved{"n150", 33, 64}, Reserved{"n150", 32, 32},
          Reserved{"n150", 24576, 24576}, Reserved{"n150", 32768, 32768}, Reserved{"p150", 100, 128},
          Reserved{"p150", 32, 64}, Reserved{"p150", 24576, 24576}}) {
        const DeviceMemory with = memory_of(row.board, {row.asked, 0});
        const DeviceMemory without = memory_of(row.board);
        EXPECT_EQ(bank_size(with, MemoryType::kL1Small), row.reserved) << row.board << " " << row.asked;
        EXPECT_EQ(bank_size(with, MemoryType::kL1), bank_size(without, MemoryType::kL1) - row.reserved);
        EXPECT_EQ(with.num_banks(MemoryType::kL1Small), with.num_banks(MemoryType::kL1));
    }
    DeviceMemory small = memory_of("n150", {4096, 0});
    EXPECT_EQ(small.allocator(MemoryType::kL1Small).allocate(2048), 1497088U);
    EXPECT_EQ(small.allocator(MemoryType::kL1).allocate(2048), 1492992U);
}

TEST(DeviceMemory, the_trace_region_is_rounded_per_bank_and_taken_off_the_top_of_dram) {
    for (const Reserved& row :
         {Reserved{"n150", 1, 8192}, Reserved{"n150", 49152, 8192}, Reserved{"n150", 98304, 8192},
          Reserved{"n150", 120000, 16384}, Reserved{"n150", 1048576, 90112}, Reserved{"p150", 49153, 8192},
          Reserved{"p150", 98304, 16384}, Reserved{"p150", 1048576, 131072}}) {
        const DeviceMemory with = memory_of(row.board, {0, row.asked});
        EXPECT_EQ(bank_size(with, MemoryType::kTrace), row.reserved) << row.board << " " << row.asked;
        EXPECT_EQ(bank_size(with, MemoryType::kDram),
                  bank_size(memory_of(row.board), MemoryType::kDram) - row.reserved);
    }
    DeviceMemory traced = memory_of("n150", {0, 1048576});
    EXPECT_EQ(traced.allocator(MemoryType::kTrace).allocate(2048), 1073651712U);
    EXPECT_EQ(traced.allocator(MemoryType::kTrace).allocate(2048), 1073653760U);
}

TEST(DeviceMemory, refuses_reservations_as_large_as_their_bank) {
    EXPECT_THROW(memory_of("n150", {1393312, 0}), RuntimeError);
    EXPECT_NO_THROW(memory_of("n150", {1393312 - 32, 0}));
    EXPECT_THROW(memory_of("n150", {2000000, 0}), RuntimeError);
    EXPECT_THROW(memory_of("n150", {0, std::uint64_t{1} << 40}), RuntimeError);
    EXPECT_THROW(memory_of("n150", {0, ~std::uint64_t{0}}), RuntimeError);
}

TEST(DeviceMemory, has_no_allocator_for_the_host) {
    EXPECT_THROW(memory_of("n150").allocator(MemoryType::kSystemMemory), std::logic_error);
}

TEST(DeviceMemory, the_allocators_are_distinct) {
    DeviceMemory memory = memory_of("n150", {4096, 1048576});
    const DeviceMemory before = memory;
    const std::uint64_t address = *memory.allocator(MemoryType::kTrace).allocate(64);
    EXPECT_NE(memory, before);
    EXPECT_EQ(memory.allocator(MemoryType::kDram), before.allocator(MemoryType::kDram));
    memory.allocator(MemoryType::kTrace).free(address);
    EXPECT_EQ(memory, before);
}

}  // namespace
}  // namespace tilemeter
