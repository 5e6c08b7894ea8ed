// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/free_space.hpp"

#include <algorithm>
#include <iterator>

#include "report/analysis/memory/l1_region.hpp"

namespace tilemeter::analysis::internal {

FreeSpace::FreeSpace(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device)
    : lifetimes_(lifetimes) {
    const L1Region region = l1_region_of(list, lifetimes, device);
    if (region.end <= region.begin) return;
    known_ = true;
    vacate(region.begin, region.end);
}

std::uint64_t FreeSpace::largest_free_bytes() const {
    return known_ && without_address_ == 0 && !sizes_.empty() ? *sizes_.rbegin() : 0;
}

void FreeSpace::apply(const MemoryEvent& event) {
    if (event.kind != MemoryEvent::Kind::kAllocate && event.kind != MemoryEvent::Kind::kRelease) return;
    const BufferLifetime& lifetime = lifetimes_.buffers[event.index];
    if (lifetime.memory != MemoryType::kL1 || lifetime.per_bank.bytes == 0) return;
    const bool allocate = event.kind == MemoryEvent::Kind::kAllocate;
    const std::int64_t address = lifetime.address.value_or(0);
    if (address <= 0) {
        without_address_ += allocate ? 1U : 0U - 1U;
        return;
    }
    const auto begin = static_cast<std::uint64_t>(address);
    if (!known_) return;
    if (allocate)
        occupy(begin, begin + lifetime.per_bank.bytes);
    else
        vacate(begin, begin + lifetime.per_bank.bytes);
}

void FreeSpace::occupy(std::uint64_t begin, std::uint64_t end) {
    auto hole = holes_.upper_bound(begin);
    if (hole != holes_.begin()) --hole;
    while (hole != holes_.end() && hole->first < end) {
        const auto [from, to] = *hole;
        if (to <= begin) {
            ++hole;
            continue;
        }
        sizes_.erase(sizes_.find(to - from));
        hole = holes_.erase(hole);
        if (from < begin) {
            holes_.emplace(from, begin);
            sizes_.insert(begin - from);
        }
        if (to > end) {
            hole = holes_.emplace(end, to).first;
            sizes_.insert(to - end);
            break;
        }
    }
}

void FreeSpace::vacate(std::uint64_t begin, std::uint64_t end) {
    auto next = holes_.lower_bound(begin);
    if (next != holes_.begin()) {
        const auto before = std::prev(next);
        if (before->second >= begin) {
            begin = before->first;
            end = std::max(end, before->second);
            sizes_.erase(sizes_.find(before->second - before->first));
            holes_.erase(before);
        }
    }
    while (next != holes_.end() && next->first <= end) {
        end = std::max(end, next->second);
        sizes_.erase(sizes_.find(next->second - next->first));
        next = holes_.erase(next);
    }
    holes_.emplace(begin, end);
    sizes_.insert(end - begin);
}

}  // namespace tilemeter::analysis::internal
