// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/bank_allocator.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tilemeter {

BankAllocator::BankAllocator(std::uint64_t begin, std::uint64_t end, std::uint64_t granularity,
                             Direction direction)
    : begin_(begin), end_(end), granularity_(granularity), direction_(direction), segments_(begin, end) {
    if (begin > end || granularity == 0 || begin % granularity != 0 || end % granularity != 0) {
        throw std::logic_error("bank [" + std::to_string(begin) + ", " + std::to_string(end) +
                               "): expected ends in order that are multiples of the granularity " +
                               std::to_string(granularity));
    }
}

std::optional<std::uint64_t> BankAllocator::allocate(std::uint64_t size) {
    if (size > end_ - begin_) return std::nullopt;  // also keeps the rounding from overflowing
    const std::uint64_t request = rounded(size);
    const auto address = direction_ == Direction::kTopDown ? segments_.take_from_top(request)
                                                           : segments_.take_from_bottom(request);
    if (address) allocated_ += request;
    return address;
}

bool BankAllocator::allocate_at(std::uint64_t address, std::uint64_t size) {
    if (size > end_ - begin_) return false;
    const std::uint64_t request = rounded(size);
    if (!segments_.take_at(address, request)) return false;
    allocated_ += request;
    return true;
}

std::uint64_t BankAllocator::rounded(std::uint64_t size) const {
    return std::max<std::uint64_t>(1, (size + granularity_ - 1) / granularity_) * granularity_;
}

void BankAllocator::free(std::uint64_t address) {
    const auto size = segments_.release(address);
    if (!size) {
        throw std::logic_error("free: expected the address of an allocated block, found " +
                               std::to_string(address));
    }
    allocated_ -= *size;
}

void BankAllocator::free_if_allocated(std::uint64_t address) {
    allocated_ -= segments_.release(address).value_or(0);
}

std::optional<std::uint64_t> BankAllocator::lowest_allocated() const {
    return segments_.lowest_block();
}

BankStatistics BankAllocator::statistics() const {
    return {end_ - begin_, allocated_, end_ - begin_ - allocated_, segments_.largest_hole()};
}

std::vector<BankBlock> BankAllocator::blocks() const {
    std::vector<BankBlock> blocks;
    for (const Segment& segment : segments_.segments()) {
        blocks.push_back({segment.address, segment.size(), segment.allocated()});
    }
    return blocks;
}

bool operator==(const BankAllocator& a, const BankAllocator& b) {
    return a.begin_ == b.begin_ && a.end_ == b.end_ && a.granularity_ == b.granularity_ &&
           a.direction_ == b.direction_ && a.allocated_ == b.allocated_ &&
           a.segments_.segments() == b.segments_.segments();
}

}  // namespace tilemeter
