// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/placement_check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/analysis/memory/internal/bank_holes.hpp"

namespace tilemeter::analysis::internal {
namespace {

class Placer {
public:
    Placer(const MemoryLifetimes& lifetimes, std::uint16_t device, const DeviceLimits& limits,
           bool tensors_only)
        : lifetimes_(lifetimes),
          device_(device),
          limits_(limits),
          tensors_only_(tensors_only),
          l1_(limits.l1_begin, limits.l1_end(), BankHoles::From::kTop),
          l1_small_(limits.l1_end(), limits.l1_end() + limits.l1_small_bytes, BankHoles::From::kTop),
          dram_(limits.dram_begin, limits.dram_begin + limits.dram_bank_bytes, BankHoles::From::kBottom) {}

    std::optional<PlacementFailure> find_failure() {
        for (const MemoryEvent& event : lifetimes_.events)
            if (auto failure = apply(event)) return failure;
        return {};
    }

    PlacedMemory run_until(std::uint32_t node) {
        PlacedMemory result;
        for (const MemoryEvent& event : lifetimes_.events) {
            if (event.node > node) break;
            result.node = event.node;
            if (auto failure = apply(event); failure && !result.failure) result.failure = failure;
        }
        return with_places(std::move(result));
    }

    PlacedMemory run_until_failure() {
        PlacedMemory result;
        std::uint32_t program = kNoIndex;
        for (const MemoryEvent& event : lifetimes_.events) {
            const bool of_program = event.kind == MemoryEvent::Kind::kPiece && event.index == program;
            if (result.failure && !of_program) break;
            result.node = event.node;
            const auto failure = apply(event);
            if (!failure || result.failure) continue;
            result.failure = failure;
            if (failure->is_program) program = event.index;
        }
        return with_places(std::move(result));
    }

private:
    std::optional<PlacementFailure> apply(const MemoryEvent& event) {
        switch (event.kind) {
            case MemoryEvent::Kind::kAllocate:
                return allocate(event);
            case MemoryEvent::Kind::kRelease:
                release(event);
                break;
            case MemoryEvent::Kind::kPiece:
                return add_piece(event);
            case MemoryEvent::Kind::kProgramEnd:
                if (lifetimes_.programs[event.index].device != device_) break;
                tops_.clear();
                pieces_.clear();
                break;
        }
        return {};
    }

    PlacedMemory with_places(PlacedMemory result) {
        result.buffers = std::move(address_of_);
        result.pieces = std::move(pieces_);
        return result;
    }

    /// Null for memory that is not placed here, or whose size is not known.
    BankHoles* bank_of(const BufferLifetime& lifetime) {
        switch (lifetime.memory) {
            case MemoryType::kL1:
                return limits_.l1_bytes != 0 ? &l1_ : nullptr;
            case MemoryType::kL1Small:
                return limits_.l1_small_bytes != 0 ? &l1_small_ : nullptr;
            case MemoryType::kDram:
                return limits_.dram_bank_bytes != 0 ? &dram_ : nullptr;
            case MemoryType::kTrace:  // in a region of its own
            case MemoryType::kSystemMemory:
                return nullptr;
        }
        return nullptr;
    }

    std::optional<PlacementFailure> allocate(const MemoryEvent& event) {
        const BufferLifetime& lifetime = lifetimes_.buffers[event.index];
        BankHoles* bank = lifetime.device == device_ ? bank_of(lifetime) : nullptr;
        if (bank == nullptr || lifetime.per_bank.bytes == 0) return {};
        const std::uint64_t bytes = limits_.rounded(lifetime.per_bank.bytes);
        const auto address = bank->allocate(bytes);
        if (!address)
            return PlacementFailure{
                event.node,           lifetime.memory,    false,      lifetime.per_bank.bytes,
                bank->largest_hole(), bank->free_bytes(), event.index};
        address_of_[event.index] = *address;
        if (lifetime.memory == MemoryType::kL1) l1_addresses_.insert(*address);
        return {};
    }

    void release(const MemoryEvent& event) {
        const auto known = address_of_.find(event.index);
        if (known == address_of_.end()) return;
        const BufferLifetime& lifetime = lifetimes_.buffers[event.index];
        bank_of(lifetime)->release(known->second, limits_.rounded(lifetime.per_bank.bytes));
        if (lifetime.memory == MemoryType::kL1) l1_addresses_.erase(l1_addresses_.find(known->second));
        address_of_.erase(known);
    }

    // A piece begins above all that its cores have, at the next multiple of 16; one whose cores are not known
    // counts on all.
    std::optional<PlacementFailure> add_piece(const MemoryEvent& event) {
        const ProgramPiece& piece = lifetimes_.pieces[event.piece];
        if (tensors_only_ || lifetimes_.programs[event.index].device != device_ || piece.shared) return {};
        constexpr std::uint64_t kAlignment = 16;
        const CoreSet& set = lifetimes_.core_sets[piece.cores];
        std::map<std::uint16_t, std::uint64_t>& tops = tops_[piece.chip];
        std::uint64_t begin = limits_.l1_begin;
        for (const auto& [core, top] : tops)
            if (set.everywhere || core == kEveryCore || set.contains(CoreSet::core(core)))
                begin = std::max(begin, top);
        const std::uint64_t end = (begin + kAlignment - 1) / kAlignment * kAlignment + piece.size_bytes;
        if (set.everywhere) tops[kEveryCore] = end;
        for (const std::uint16_t core : set.cores)
            tops[core] = end;
        pieces_.push_back({event.piece, end - piece.size_bytes, end});
        const std::uint64_t lowest = l1_addresses_.empty() ? limits_.l1_end() : *l1_addresses_.begin();
        if (end <= lowest) return {};
        return PlacementFailure{
            event.node, MemoryType::kL1, true, end - limits_.l1_begin, lowest - limits_.l1_begin,
            0,          event.piece};
    }

    static constexpr std::uint16_t kEveryCore = 0xffff;

    const MemoryLifetimes& lifetimes_;
    const std::uint16_t device_;
    const DeviceLimits& limits_;
    const bool tensors_only_;
    BankHoles l1_, l1_small_, dram_;
    std::multiset<std::uint64_t> l1_addresses_;
    std::unordered_map<std::uint32_t, std::uint64_t> address_of_;  // by buffer
    /// By chip (ProgramPiece::chip), by core: where its program memory ends.
    std::map<std::uint16_t, std::map<std::uint16_t, std::uint64_t>> tops_;
    std::vector<PlacedPiece> pieces_;
};

}  // namespace

std::optional<PlacementFailure> find_placement_failure(const MemoryLifetimes& lifetimes, std::uint16_t device,
                                                       const DeviceLimits& limits, bool tensors_only) {
    return Placer(lifetimes, device, limits, tensors_only).find_failure();
}

PlacedMemory place_until(const MemoryLifetimes& lifetimes, std::uint16_t device, const DeviceLimits& limits,
                         std::uint32_t node) {
    return Placer(lifetimes, device, limits, false).run_until(node);
}

PlacedMemory place_until_failure(const MemoryLifetimes& lifetimes, std::uint16_t device,
                                 const DeviceLimits& limits) {
    return Placer(lifetimes, device, limits, false).run_until_failure();
}

}  // namespace tilemeter::analysis::internal
