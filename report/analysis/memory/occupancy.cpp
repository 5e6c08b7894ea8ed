// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/occupancy.hpp"

#include <algorithm>
#include <utility>

namespace tilemeter::analysis {
namespace {

/// Bytes of a core under `pieces`: each byte once where addresses are known.
std::uint64_t covered_bytes(std::vector<std::pair<std::uint64_t, std::uint64_t>>& intervals) {
    std::sort(intervals.begin(), intervals.end());
    std::uint64_t bytes = 0;
    std::uint64_t reached = 0;
    for (const auto& [begin, end] : intervals) {
        const std::uint64_t from = std::max(begin, reached);
        if (end > from) bytes += end - from;
        reached = std::max(reached, end);
    }
    return bytes;
}

}  // namespace

Occupancy::Occupancy(const MemoryLifetimes& lifetimes)
    : lifetimes_(lifetimes), devices_(lifetimes.devices.size()) {}

void Occupancy::apply(const MemoryEvent& event) {
    switch (event.kind) {
        case MemoryEvent::Kind::kAllocate:
            return add_tensor(lifetimes_.buffers[event.index], true);
        case MemoryEvent::Kind::kRelease:
            return add_tensor(lifetimes_.buffers[event.index], false);
        case MemoryEvent::Kind::kPiece:
            return add_piece(devices_[lifetimes_.programs[event.index].device], event.piece);
        case MemoryEvent::Kind::kProgramEnd:
            return end_program(devices_[lifetimes_.programs[event.index].device],
                               lifetimes_.programs[event.index]);
    }
}

void Occupancy::add_tensor(const BufferLifetime& lifetime, bool add) {
    Tensors& tensors = devices_[lifetime.device].tensors;
    const auto change = [add](std::uint64_t& sum, std::uint64_t bytes) {
        sum = add ? sum + bytes : sum - bytes;
    };
    switch (lifetime.memory) {
        case MemoryType::kL1:
            change(tensors.l1_bytes, lifetime.per_bank.bytes);
            change(tensors.l1_total_bytes, lifetime.size_bytes);
            return;
        case MemoryType::kL1Small:
            change(tensors.l1_small_bytes, lifetime.per_bank.bytes);
            change(tensors.l1_total_bytes, lifetime.size_bytes);
            return;
        case MemoryType::kDram:
        case MemoryType::kTrace:
            change(tensors.dram_bytes, lifetime.per_bank.bytes);
            change(tensors.dram_total_bytes, lifetime.size_bytes);
            return;
        case MemoryType::kSystemMemory:
            return;
    }
}

std::uint64_t Occupancy::bytes_on(const Device& device, std::uint16_t chip, std::uint16_t core) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals;
    std::uint64_t bytes = 0;
    for (const std::uint32_t index : device.active) {
        const ProgramPiece& piece = lifetimes_.pieces[index];
        const CoreSet& set = lifetimes_.core_sets[piece.cores];
        if (piece.chip != chip || set.everywhere) continue;
        if (!std::binary_search(set.cores.begin(), set.cores.end(), core)) continue;
        if (piece.address == 0)
            bytes += piece.size_bytes;
        else
            intervals.emplace_back(piece.address, piece.address + piece.size_bytes);
    }
    return bytes + covered_bytes(intervals);
}

void Occupancy::add_to_core(CoreState& state, const Device& device, const ProgramPiece& piece,
                            std::uint16_t core) const {
    if (piece.address == 0 || piece.address >= state.highest_end)
        state.bytes += piece.size_bytes;
    else
        state.bytes = bytes_on(device, piece.chip, core);
    if (piece.address != 0) state.highest_end = std::max(state.highest_end, piece.address + piece.size_bytes);
}

void Occupancy::tell_cores_apart(Grid& grid) const {
    if (grid.cores.empty()) grid.cores.resize(kCores);
    if (grid.common == kNoIndex) return;
    for (const std::uint16_t core : lifetimes_.core_sets[std::exchange(grid.common, kNoIndex)].cores) {
        grid.cores[core] = grid.alike;
        grid.touched.push_back(core);
    }
    grid.alike = {};
}

void Occupancy::add_piece(Device& device, std::uint32_t index) {
    const ProgramPiece& piece = lifetimes_.pieces[index];
    if (piece.shared || piece.size_bytes == 0) return;
    device.active.push_back(index);
    if (piece.chip >= device.grids.size()) device.grids.resize(piece.chip + std::size_t{1});
    Grid& grid = device.grids[piece.chip];
    const CoreSet& set = lifetimes_.core_sets[piece.cores];
    if (set.everywhere) {
        grid.everywhere.bytes += piece.size_bytes;
        std::uint64_t most = grid.alike.bytes;
        for (const std::uint16_t core : grid.touched)
            most = std::max(most, grid.cores[core].bytes);
        device.fullest = std::max(device.fullest, most + grid.everywhere.bytes);
        return;
    }
    if (set.cores.empty()) return;
    if (grid.touched.empty() && (grid.common == kNoIndex || grid.common == piece.cores)) {
        grid.common = piece.cores;
        add_to_core(grid.alike, device, piece, set.cores.front());
        device.fullest = std::max(device.fullest, grid.alike.bytes + grid.everywhere.bytes);
        return;
    }
    tell_cores_apart(grid);
    for (const std::uint16_t core : set.cores) {
        CoreState& state = grid.cores[core];
        if (state.bytes == 0 && state.highest_end == 0) grid.touched.push_back(core);
        add_to_core(state, device, piece, core);
        device.fullest = std::max(device.fullest, state.bytes + grid.everywhere.bytes);
    }
}

void Occupancy::end_program(Device& device, const ProgramLifetime& program) {
    const auto is_of_program = [&](std::uint32_t piece) {
        return piece >= program.first_piece && piece < program.first_piece + program.piece_count;
    };
    const std::vector<std::uint32_t> before = std::exchange(device.active, {});
    for (Grid& grid : device.grids) {
        for (const std::uint16_t core : grid.touched)
            grid.cores[core] = {};
        grid.touched.clear();
        grid.common = kNoIndex;
        grid.alike = {};
        grid.everywhere = {};
    }
    device.fullest = 0;
    // Seldom anything: another program that still runs.
    for (const std::uint32_t piece : before)
        if (!is_of_program(piece)) add_piece(device, piece);
}

Occupancy::CoreUse Occupancy::fullest_core(std::uint16_t device_slot) const {
    const Device& device = devices_[device_slot];
    CoreUse best;
    for (std::uint16_t chip = 0; chip < device.grids.size(); ++chip) {
        const Grid& grid = device.grids[chip];
        const auto look_at = [&](std::uint16_t core, const CoreState& state) {
            const std::uint64_t bytes = state.bytes + grid.everywhere.bytes;
            const Core place = CoreSet::core(core);
            const bool earlier = std::pair(place.y, place.x) < std::pair(best.core.y, best.core.x);
            if (bytes > best.program_bytes ||
                (bytes == best.program_bytes && bytes > 0 && chip == best.chip && earlier))
                best = {bytes, chip, place};
        };
        if (grid.everywhere.bytes > best.program_bytes) best = {grid.everywhere.bytes, chip, {}};
        if (grid.common != kNoIndex) look_at(lifetimes_.core_sets[grid.common].cores.front(), grid.alike);
        for (const std::uint16_t core : grid.touched)
            look_at(core, grid.cores[core]);
    }
    return best;
}

}  // namespace tilemeter::analysis
