// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The allocator of one memory type. All banks are in lock step: a block has the same address in every bank.
//
// The rules, found by recordings of TT-NN 0.81.1 (tests/data/allocator): requests are rounded up to the granularity.
// First fit by address, from the top (L1) or from the bottom (DRAM). A block takes the top (bottom) end of its hole.
// Freed blocks merge with their neighbours at once.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/device/segment_list.hpp"

namespace tilemeter {

enum class Direction : std::uint8_t { kTopDown, kBottomUp };

/// Sums of one bank, in bytes.
struct BankStatistics {
    std::uint64_t bank_size = 0;
    std::uint64_t allocated = 0;
    std::uint64_t free = 0;
    std::uint64_t largest_free_block = 0;
    friend bool operator==(const BankStatistics&, const BankStatistics&) = default;
};

/// One block or hole, by address.
struct BankBlock {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    bool allocated = false;
    friend bool operator==(const BankBlock&, const BankBlock&) = default;
};

class BankAllocator {
public:
    /// A bank whose addresses are [begin, end).
    /// REQUIRES: begin <= end, granularity > 0, both ends are multiples of it.
    BankAllocator(std::uint64_t begin, std::uint64_t end, std::uint64_t granularity, Direction direction);

    /// The address of a new block of at least `size` bytes (one granule for 0); nothing if no hole is large
    /// enough.
    std::optional<std::uint64_t> allocate(std::uint64_t size);

    /// A new block of at least `size` bytes (one granule for 0) at `address`; false, and nothing is done, unless all
    /// of it is free. REQUIRES: a multiple of the granularity.
    bool allocate_at(std::uint64_t address, std::uint64_t size);

    /// REQUIRES: `address` came from allocate() or allocate_at() and has not been freed since (checked: std::logic_error).
    void free(std::uint64_t address);
    /// The same where a block begins at `address`; else nothing is done.
    void free_if_allocated(std::uint64_t address);

    /// The lowest allocated address, if anything is allocated.
    std::optional<std::uint64_t> lowest_allocated() const;

    BankStatistics statistics() const;
    std::vector<BankBlock> blocks() const;  ///< all of the bank in order of address

    std::uint64_t begin() const { return begin_; }
    std::uint64_t end() const { return end_; }
    std::uint64_t granularity() const { return granularity_; }
    /// True if both have the same addresses and granularity.
    bool has_bounds_of(const BankAllocator& other) const {
        return begin_ == other.begin_ && end_ == other.end_ && granularity_ == other.granularity_;
    }

    /// Same bank, same blocks and holes.
    friend bool operator==(const BankAllocator& a, const BankAllocator& b);

private:
    std::uint64_t rounded(std::uint64_t size) const;  // to whole granules

    std::uint64_t begin_;
    std::uint64_t end_;
    std::uint64_t granularity_;
    Direction direction_;
    std::uint64_t allocated_ = 0;  // sum of the allocated segments
    SegmentList segments_;         // cover [begin_, end_) without a gap
};

}  // namespace tilemeter
