// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "report/analysis/memory/device_limits.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// A request that finds no place when the list's sizes are placed by the devices' rule. Facts of TT-NN 0.81.1: tensors
/// in L1 lie from the top, in DRAM from the bottom, each in the first hole by address that is large enough. Program
/// memory lies from the bottom of L1 upwards, above what its cores have already.
struct PlacementFailure {
    std::uint32_t node = kNoIndex;
    MemoryType memory = MemoryType::kL1;
    bool is_program = false;  ///< program memory met the lowest tensor, or the end of L1
    std::uint64_t bytes =
        0;  ///< per core or bank: of the request; of a program, its end above the region's begin
    std::uint64_t free_bytes = 0;      ///< in the largest hole; of a program, below the lowest tensor
    std::uint64_t all_free_bytes = 0;  ///< in all holes; of a program 0
    std::uint32_t index = kNoIndex;  ///< in MemoryLifetimes::buffers, of a program in MemoryLifetimes::pieces
};
/// The first one on `device` (a slot of `lifetimes`); nothing where all finds a place. Addresses of the list
/// are not looked at. With `tensors_only` programs take nothing.
std::optional<PlacementFailure> find_placement_failure(const MemoryLifetimes& lifetimes, std::uint16_t device,
                                                       const DeviceLimits& limits, bool tensors_only);

struct PlacedPiece {
    std::uint32_t piece;  ///< in MemoryLifetimes::pieces
    std::uint64_t begin, end;
};
/// The places of everything in that placement. What found no place is left out; a program that reached into tensors
/// lies where it would.
struct PlacedMemory {
    std::optional<PlacementFailure> failure;  ///< the first one
    std::unordered_map<std::uint32_t, std::uint64_t>
        buffers;                      ///< addresses, by place in MemoryLifetimes::buffers
    std::vector<PlacedPiece> pieces;  ///< of the programs that run
    std::uint32_t node = kNoIndex;    ///< of the last event that took part
};
/// After `node`, the replay going on after what found no place.
PlacedMemory place_until(const MemoryLifetimes& lifetimes, std::uint16_t device, const DeviceLimits& limits,
                         std::uint32_t node);
/// When the first request found no place: without that tensor, or with the whole of that program.
PlacedMemory place_until_failure(const MemoryLifetimes& lifetimes, std::uint16_t device,
                                 const DeviceLimits& limits);

}  // namespace tilemeter::analysis::internal
