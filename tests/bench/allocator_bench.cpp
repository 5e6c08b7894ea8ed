// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The requests of planning one operation to the memory model. The argument is the number of live blocks.

#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "runtime/device/bank_allocator.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/device/program_memory.hpp"

namespace {

using namespace tilemeter;

constexpr std::uint64_t kGranularity = 32;
constexpr std::uint64_t kBankBytes = std::uint64_t{1} << 30;

class Random {
public:
    std::uint32_t below(std::uint32_t limit) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>(state_ >> 33U) % limit;
    }

private:
    std::uint64_t state_ = 1;
};

// `live` blocks of 1 to 64 KiB with about as many holes between them.
struct UsedBank {
    UsedBank(std::size_t live, Direction direction) : bank(0, kBankBytes, kGranularity, direction) {
        std::vector<std::uint64_t> all;
        for (std::size_t i = 0; i < 2 * live; ++i)
            all.push_back(*bank.allocate(size()));
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i % 2 == 0) {
                bank.free(all[i]);
            } else {
                blocks.push_back(all[i]);
            }
        }
    }
    std::uint64_t size() { return 1024 * (1 + random.below(64)); }

    Random random;
    BankAllocator bank;
    std::vector<std::uint64_t> blocks;
};

// The output of an operation: taken, and given back.
void allocate_and_free(benchmark::State& state) {
    UsedBank used(static_cast<std::size_t>(state.range(0)), Direction::kTopDown);
    for (auto unused : state)
        used.bank.free(*used.bank.allocate(2048));
}

// No hole but the last is large enough: first fit has to look at all.
void allocate_and_free_behind_all_holes(benchmark::State& state) {
    UsedBank used(static_cast<std::size_t>(state.range(0)), Direction::kTopDown);
    for (auto unused : state)
        used.bank.free(*used.bank.allocate(1024 * 1024));
}

// A random block goes, a new one of random size comes: what a long run does.
void replace_a_block(benchmark::State& state) {
    UsedBank used(static_cast<std::size_t>(state.range(0)), Direction::kBottomUp);
    for (auto unused : state) {
        std::uint64_t& block = used.blocks[used.random.below(static_cast<std::uint32_t>(used.blocks.size()))];
        used.bank.free(block);
        block = *used.bank.allocate(used.size());
    }
}

void lowest_allocated(benchmark::State& state) {
    UsedBank used(static_cast<std::size_t>(state.range(0)), Direction::kTopDown);
    for (auto unused : state)
        benchmark::DoNotOptimize(used.bank.lowest_allocated());
}

// The shadow of a NO_DISPATCH capture.
void copy_a_bank(benchmark::State& state) {
    UsedBank used(static_cast<std::size_t>(state.range(0)), Direction::kTopDown);
    for (auto unused : state)
        benchmark::DoNotOptimize(BankAllocator(used.bank));
}

// The argument is the number of pieces, all on the whole grid.
void place_a_program(benchmark::State& state) {
    const DeviceDescription device = load_device_description("n150");
    const ProgramMemory piece{ProgramMemoryKind::kCircularBuffer, 4096, whole_grid(device.compute_grid),
                              ProgramMemory::kOwn};
    const std::vector<ProgramMemory> pieces(static_cast<std::size_t>(state.range(0)), piece);
    for (auto unused : state)
        benchmark::DoNotOptimize(place_program_memory(pieces, device));
}

#define OVER_LIVE_BLOCKS(name) BENCHMARK(name)->Arg(10)->Arg(1000)->Arg(10000)
OVER_LIVE_BLOCKS(allocate_and_free);
OVER_LIVE_BLOCKS(allocate_and_free_behind_all_holes);
OVER_LIVE_BLOCKS(replace_a_block);
OVER_LIVE_BLOCKS(lowest_allocated);
OVER_LIVE_BLOCKS(copy_a_bank);
BENCHMARK(place_a_program)->Arg(3)->Arg(13);

}  // namespace
