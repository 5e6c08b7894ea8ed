// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/fragmentation.hpp"

#include <algorithm>
#include <unordered_map>

#include "report/analysis/memory/internal/bank_holes.hpp"

namespace tilemeter::analysis {
PlacementAnswer replay_placement(const MemoryLifetimes& lifetimes, std::uint16_t device, L1Region region,
                                 Placement placement) {
    PlacementAnswer answer;
    answer.placement = placement;
    answer.lowest_address = region.end;
    using internal::BankHoles;
    BankHoles bank(region.begin, region.end, BankHoles::From::kTop);
    const auto fit = placement == Placement::kBestFit ? BankHoles::Fit::kBest : BankHoles::Fit::kFirst;
    std::unordered_map<std::uint32_t, std::uint64_t> address_of;
    for (const MemoryEvent& event : lifetimes.events) {
        const bool allocates = event.kind == MemoryEvent::Kind::kAllocate;
        if (!allocates && event.kind != MemoryEvent::Kind::kRelease) continue;
        const BufferLifetime& lifetime = lifetimes.buffers[event.index];
        if (lifetime.device != device || lifetime.memory != MemoryType::kL1 || lifetime.per_bank.bytes == 0)
            continue;
        if (allocates) {
            const auto address = bank.allocate(lifetime.per_bank.bytes, fit);
            if (!address) {
                if (answer.fits) answer.failing_buffer = event.index;
                answer.fits = false;
                continue;
            }
            address_of[event.index] = *address;
            answer.lowest_address = std::min(answer.lowest_address, *address);
        } else if (const auto known = address_of.find(event.index); known != address_of.end()) {
            bank.release(known->second, lifetime.per_bank.bytes);
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

}  // namespace tilemeter::analysis
