// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/bank_allocator.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/property.hpp"

namespace tilemeter {
namespace {

constexpr std::uint64_t kBase = 1 << 16;

// One flag per granule, every question answered by looking at all of them: the rules read literally.
class NaiveAllocator {
public:
    NaiveAllocator(std::size_t granules, std::uint64_t granularity, Direction direction)
        : taken_(granules, false), granularity_(granularity), direction_(direction) {}

    std::optional<std::uint64_t> allocate(std::uint64_t size) {
        std::size_t count = 0;
        while (count * granularity_ < size || count == 0)
            ++count;
        if (count > taken_.size()) return std::nullopt;
        const std::size_t places = taken_.size() - count + 1;
        for (std::size_t i = 0; i < places; ++i) {
            const std::size_t place = direction_ == Direction::kTopDown ? places - 1 - i : i;
            const auto first = taken_.begin() + static_cast<std::ptrdiff_t>(place);
            const auto last = first + static_cast<std::ptrdiff_t>(count);
            if (std::find(first, last, true) != last) continue;
            std::fill(first, last, true);
            const std::uint64_t address = kBase + place * granularity_;
            sizes_[address] = count;
            return address;
        }
        return std::nullopt;
    }

    bool allocate_at(std::uint64_t address, std::uint64_t size) {
        const std::size_t count = std::max<std::size_t>((size + granularity_ - 1) / granularity_, 1);
        if (address < kBase || address + count * granularity_ > kBase + taken_.size() * granularity_)
            return false;
        const auto first = taken_.begin() + static_cast<std::ptrdiff_t>((address - kBase) / granularity_);
        const auto last = first + static_cast<std::ptrdiff_t>(count);
        if (std::find(first, last, true) != last) return false;
        std::fill(first, last, true);
        sizes_[address] = count;
        return true;
    }

    void free(std::uint64_t address) {
        const auto block = sizes_.find(address);
        const auto first =
            taken_.begin() + static_cast<std::ptrdiff_t>((block->first - kBase) / granularity_);
        std::fill(first, first + static_cast<std::ptrdiff_t>(block->second), false);
        sizes_.erase(block);
    }

    std::optional<std::uint64_t> lowest_allocated() const {
        const auto first = std::find(taken_.begin(), taken_.end(), true);
        if (first == taken_.end()) return std::nullopt;
        return kBase + static_cast<std::uint64_t>(first - taken_.begin()) * granularity_;
    }

    std::vector<BankBlock> blocks() const {
        std::vector<BankBlock> all;
        for (std::size_t i = 0; i < taken_.size();) {
            const std::uint64_t address = kBase + i * granularity_;
            std::size_t count = 1;
            if (taken_[i]) {
                count = sizes_.at(address);
            } else {
                while (i + count < taken_.size() && !taken_[i + count])
                    ++count;
            }
            all.push_back({address, count * granularity_, taken_[i]});
            i += count;
        }
        return all;
    }

    BankStatistics statistics() const {
        BankStatistics sums;
        for (const BankBlock& block : blocks()) {
            sums.bank_size += block.size;
            (block.allocated ? sums.allocated : sums.free) += block.size;
            if (!block.allocated) sums.largest_free_block = std::max(sums.largest_free_block, block.size);
        }
        return sums;
    }

    const std::map<std::uint64_t, std::size_t>& sizes() const { return sizes_; }

private:
    std::vector<bool> taken_;
    std::uint64_t granularity_;
    Direction direction_;
    std::map<std::uint64_t, std::size_t> sizes_;  // address -> granules
};

BankAllocator make_bank(std::size_t granules, std::uint64_t granularity, Direction direction) {
    return {kBase, kBase + granules * granularity, granularity, direction};
}

void expect_same(const BankAllocator& bank, const NaiveAllocator& naive) {
    PROPERTY_ASSERT(bank.blocks() == naive.blocks());
    PROPERTY_ASSERT(bank.statistics() == naive.statistics());
    PROPERTY_ASSERT(bank.lowest_allocated() == naive.lowest_allocated());
}

// Frees the block that `choice` picks, in both.
void free_one(BankAllocator& bank, NaiveAllocator& naive, std::uint32_t choice) {
    if (naive.sizes().empty()) return;
    auto block = naive.sizes().begin();
    std::advance(block, choice % naive.sizes().size());
    const std::uint64_t address = block->first;
    bank.free(address);
    naive.free(address);
}

TEST(BankAllocator, allocates_and_frees_like_an_allocator_that_looks_at_every_byte) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const auto direction = test::one_of(Direction::kTopDown, Direction::kBottomUp);
        const auto granularity = test::one_of(std::uint64_t{1}, 16, 32, 64);
        const auto granules = test::in_range<std::size_t>(1, 500);
        const auto largest = test::in_range<std::uint64_t>(1, 40) * granularity;
        // Out of 100 steps: how many free. Low: the bank fills; high: it stays almost empty.
        const auto frees = test::one_of(std::uint32_t{20}, 45, 55);
        const auto steps = test::list_of(test::in_range<std::size_t>(0, 1000), test::any_unsigned);
        BankAllocator bank = make_bank(granules, granularity, direction);
        NaiveAllocator naive(granules, granularity, direction);
        for (const std::uint32_t step : steps) {
            const std::uint32_t choice = step / 100;
            if (step % 100 < frees) {
                free_one(bank, naive, choice);
            } else {
                const std::uint64_t size = choice % (largest + 1);
                PROPERTY_ASSERT(bank.allocate(size) == naive.allocate(size));
            }
            if (step % 7 == 0) {  // sometimes a place beside the bank
                const std::uint64_t address = kBase - granularity + choice % (granules + 3) * granularity;
                const std::uint64_t size = choice % (largest + 1);
                PROPERTY_ASSERT(bank.allocate_at(address, size) == naive.allocate_at(address, size));
            }
            PROPERTY_ASSERT(bank.lowest_allocated() == naive.lowest_allocated());
        }
        expect_same(bank, naive);
    }));
}

// Thousands of small blocks: the list of segments splits, shrinks and empties again.
TEST(BankAllocator, keeps_thousands_of_blocks_in_any_order_of_freeing) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const bool top_down = test::any_bool();
        std::uint32_t seed = test::any_unsigned();
        constexpr std::size_t kBlocks = 1200;
        const Direction direction = top_down ? Direction::kTopDown : Direction::kBottomUp;
        BankAllocator bank = make_bank(kBlocks, 32, direction);
        NaiveAllocator naive(kBlocks, 32, direction);
        for (std::size_t i = 0; i < kBlocks; ++i) {
            // The naive one scans what is taken: hand both the same by construction, compare at the end.
            PROPERTY_ASSERT(bank.allocate(32) ==
                            kBase + 32 * (direction == Direction::kTopDown ? kBlocks - 1 - i : i));
        }
        PROPERTY_ASSERT(!bank.allocate(1));
        while (naive.allocate(32)) {
        }
        expect_same(bank, naive);
        for (std::size_t i = 0; i < kBlocks; ++i) {
            seed = seed * 1664525 + 1013904223;
            free_one(bank, naive, seed >> 8);
            if (i % 500 == 0) expect_same(bank, naive);
        }
        expect_same(bank, naive);
        PROPERTY_ASSERT(bank == make_bank(kBlocks, 32, direction));
    }));
}

TEST(BankAllocator, takes_the_top_end_of_the_highest_hole_that_is_large_enough) {
    BankAllocator bank = make_bank(10, 32, Direction::kTopDown);
    const std::uint64_t top = *bank.allocate(64);
    const std::uint64_t middle = *bank.allocate(32);
    EXPECT_EQ(top, kBase + 8 * 32);
    EXPECT_EQ(middle, kBase + 7 * 32);
    bank.free(top);
    EXPECT_EQ(bank.allocate(96), kBase + 4 * 32) << "the hole of 64 bytes at the top is too small";
    EXPECT_EQ(bank.allocate(32), kBase + 9 * 32) << "the top end of the hole at the top";
}

TEST(BankAllocator, rounds_every_request_up_to_the_granularity) {
    BankAllocator bank = make_bank(4, 64, Direction::kBottomUp);
    EXPECT_EQ(bank.allocate(65), kBase);
    EXPECT_EQ(bank.allocate(0), kBase + 128) << "an empty request takes one granule";
    EXPECT_EQ(bank.allocate(64), kBase + 192);
    EXPECT_EQ(bank.statistics(), (BankStatistics{256, 256, 0, 0}));
}

TEST(BankAllocator, refuses_what_no_hole_holds_and_stays_as_it_was) {
    BankAllocator bank = make_bank(8, 32, Direction::kTopDown);
    const auto before = bank;
    EXPECT_FALSE(bank.allocate(257));
    EXPECT_FALSE(bank.allocate(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_EQ(bank, before);
}

TEST(BankAllocator, an_empty_bank_holds_nothing) {
    BankAllocator bank(kBase, kBase, 32, Direction::kTopDown);
    EXPECT_FALSE(bank.allocate(0));
    EXPECT_FALSE(bank.lowest_allocated());
    EXPECT_TRUE(bank.blocks().empty());
    EXPECT_EQ(bank.statistics(), BankStatistics{});
}

TEST(BankAllocator, a_copy_is_independent) {
    BankAllocator bank = make_bank(100, 32, Direction::kTopDown);
    const std::uint64_t address = *bank.allocate(64);
    BankAllocator copy = bank;
    copy.free(address);
    EXPECT_EQ(copy, make_bank(100, 32, Direction::kTopDown));
    EXPECT_EQ(bank.statistics().allocated, 64U);
    EXPECT_NE(copy, bank);
}

TEST(BankAllocator, banks_of_equal_blocks_are_equal_however_they_came_about) {
    BankAllocator straight = make_bank(500, 32, Direction::kBottomUp);
    for (int i = 0; i < 50; ++i)
        straight.allocate(32);
    BankAllocator detour = make_bank(500, 32, Direction::kBottomUp);
    for (int i = 0; i < 400; ++i)
        detour.allocate(32);
    for (std::uint64_t i = 50; i < 400; ++i)
        detour.free(kBase + i * 32);
    EXPECT_EQ(straight, detour);
}

TEST(BankAllocator, freeing_what_is_not_a_block_stops) {
    BankAllocator bank = make_bank(8, 32, Direction::kTopDown);
    const std::uint64_t address = *bank.allocate(64);
    EXPECT_THROW(bank.free(address + 32), std::logic_error);
    EXPECT_THROW(bank.free(0), std::logic_error);
    bank.free(address);
    EXPECT_THROW(bank.free(address), std::logic_error);
}

TEST(BankAllocator, refuses_a_bank_whose_ends_are_not_granules) {
    EXPECT_THROW(BankAllocator(16, 128, 32, Direction::kTopDown), std::logic_error);
    EXPECT_THROW(BankAllocator(32, 120, 32, Direction::kTopDown), std::logic_error);
    EXPECT_THROW(BankAllocator(64, 32, 32, Direction::kTopDown), std::logic_error);
}

}  // namespace
}  // namespace tilemeter
