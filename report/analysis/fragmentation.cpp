// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/fragmentation.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>

namespace tilemeter::graph {
namespace {

/// The holes of one bank.
class Bank {
public:
    explicit Bank(L1Region region) : free_bytes_(region.end - region.begin) {
        if (free_bytes_ != 0) holes_[region.begin] = region.end;
    }

    std::optional<std::uint64_t> allocate(std::uint64_t bytes, Placement placement) {
        auto chosen = holes_.end();
        for (auto hole = holes_.end(); hole != holes_.begin();) {
            --hole;
            if (size(hole) < bytes) continue;
            if (chosen == holes_.end() || size(hole) < size(chosen)) chosen = hole;
            if (placement == Placement::kFirstFit) break;
        }
        if (chosen == holes_.end()) return {};
        const std::uint64_t address = chosen->second - bytes;
        chosen->second = address;
        if (size(chosen) == 0) holes_.erase(chosen);
        free_bytes_ -= bytes;
        return address;
    }

    void release(std::uint64_t address, std::uint64_t bytes) {
        auto hole = holes_.emplace(address, address + bytes).first;
        free_bytes_ += bytes;
        if (const auto above = std::next(hole); above != holes_.end() && above->first == hole->second) {
            hole->second = above->second;
            holes_.erase(above);
        }
        if (hole == holes_.begin()) return;
        if (const auto below = std::prev(hole); below->second == hole->first) {
            below->second = hole->second;
            holes_.erase(hole);
        }
    }

    std::uint64_t free_bytes() const { return free_bytes_; }
    std::uint64_t largest_hole() const {
        std::uint64_t largest = 0;
        for (const auto& [begin, end] : holes_)
            largest = std::max(largest, end - begin);
        return largest;
    }

private:
    using Holes = std::map<std::uint64_t, std::uint64_t>;  // begin -> end
    static std::uint64_t size(Holes::const_iterator hole) { return hole->second - hole->first; }

    Holes holes_;
    std::uint64_t free_bytes_;
};

}  // namespace

PlacementAnswer replay_placement(const MemoryLives& lives, std::uint16_t device, L1Region region,
                                 Placement placement) {
    PlacementAnswer answer;
    answer.placement = placement;
    answer.lowest_address = region.end;
    Bank bank(region);
    std::unordered_map<std::uint32_t, std::uint64_t> address_of;
    for (const MemoryEvent& event : lives.events) {
        const bool allocates = event.kind == MemoryEvent::Kind::kAllocate;
        if (!allocates && event.kind != MemoryEvent::Kind::kRelease) continue;
        const BufferLife& life = lives.buffers[event.index];
        if (life.device != device || life.memory != Memory::kL1 || life.per_bank.bytes == 0) continue;
        if (allocates) {
            const auto address = bank.allocate(life.per_bank.bytes, placement);
            if (!address) {
                if (answer.fits) answer.failing_buffer = event.index;
                answer.fits = false;
                continue;
            }
            address_of[event.index] = *address;
            answer.lowest_address = std::min(answer.lowest_address, *address);
        } else if (const auto known = address_of.find(event.index); known != address_of.end()) {
            bank.release(known->second, life.per_bank.bytes);
            address_of.erase(known);
        }
        const std::uint64_t largest = bank.largest_hole();
        if (bank.free_bytes() - largest <= answer.gain_of_moving_bytes) continue;
        answer.gain_of_moving_bytes = bank.free_bytes() - largest;
        answer.gain_node = event.node;
        answer.largest_hole_bytes = largest;
        answer.free_bytes = bank.free_bytes();
    }
    return answer;
}

}  // namespace tilemeter::graph
