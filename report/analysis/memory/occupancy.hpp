// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Occupied memory at one moment, moved forward event by event.
//
// A core's L1 holds the tensors' part, which is the same on every core since the allocator takes each buffer
// from all banks alike (lockstep), and what programs have on that very core. Program memory with known
// addresses counts each byte once, however many buffers lie on it; without addresses sizes add up.
//
// Thread safety: outside locking.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

class Occupancy {
public:
    explicit Occupancy(const MemoryLifetimes& lifetimes);

    void apply(const MemoryEvent& event);

    struct Tensors {
        std::uint64_t l1_bytes = 0;          ///< per core
        std::uint64_t l1_small_bytes = 0;    ///< per core
        std::uint64_t dram_bytes = 0;        ///< per bank, trace buffers included
        std::uint64_t l1_total_bytes = 0;    ///< all banks
        std::uint64_t dram_total_bytes = 0;  ///< all banks
    };
    const Tensors& tensors(std::uint16_t device) const { return devices_[device].tensors; }

    struct CoreUse {
        std::uint64_t program_bytes = 0;
        std::uint16_t chip = 0;  ///< as ProgramPiece::chip
        Core core;               ///< the fullest core; the first such core
    };
    /// The core with the most program memory.
    CoreUse fullest_core(std::uint16_t device) const;

    /// Per core, tensors and programs.
    std::uint64_t l1_peak_bytes(std::uint16_t device) const {
        const Tensors& tensors = devices_[device].tensors;
        return tensors.l1_bytes + tensors.l1_small_bytes + devices_[device].fullest;
    }

    /// Pieces that are there now (indices into MemoryLifetimes::pieces).
    const std::vector<std::uint32_t>& active_pieces(std::uint16_t device) const {
        return devices_[device].active;
    }

private:
    static constexpr std::size_t kCores = std::size_t{CoreSet::kGridLimit} * CoreSet::kGridLimit;
    struct CoreState {
        std::uint64_t bytes = 0;
        std::uint64_t highest_end = 0;  // of pieces with a known address
    };
    struct Grid {  // of one chip
        // Most programs have all they have on the same cores: then `alike` is the state of each core of the set
        // `common`, and nothing is in `cores` and `touched`.
        std::uint32_t common = kNoIndex;  // in MemoryLifetimes::core_sets
        CoreState alike;
        std::vector<CoreState> cores;  // kCores of them once used
        std::vector<std::uint16_t> touched;
        CoreState everywhere;  // pieces without known cores; when cores are known they count there as well
    };
    struct Device {
        Tensors tensors;
        std::vector<Grid> grids;  // by ProgramPiece::chip
        std::vector<std::uint32_t> active;
        std::uint64_t fullest = 0;
    };

    void add_tensor(const BufferLifetime& lifetime, bool add);
    void add_piece(Device& device, std::uint32_t piece);
    /// `core`: any of those that are in this state.
    void add_to_core(CoreState& state, const Device& device, const ProgramPiece& piece,
                     std::uint16_t core) const;
    /// Gives each core of the common set its own state.
    void tell_cores_apart(Grid& grid) const;
    void end_program(Device& device, const ProgramLifetime& program);
    std::uint64_t bytes_on(const Device& device, std::uint16_t chip, std::uint16_t core) const;

    const MemoryLifetimes& lifetimes_;
    std::vector<Device> devices_;
};

}  // namespace tilemeter::analysis
