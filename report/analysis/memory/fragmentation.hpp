// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of placement: the capture's L1 tensors put into an empty bank again, in the order of the capture, by one
// rule or another. Says whether they would fit, how deep they reach (the room left for programs), and what moving
// everything together would give at the worst moment.
//
// Tensors come from above, as on the devices; L1_SMALL has a region of its own and is left out. Sizes are
// those per bank, so sharded tensors count as the whole bank that the device takes from all of them alike.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>

#include "report/analysis/memory/l1_region.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

enum class Placement : std::uint8_t {
    kFirstFit,  ///< the highest hole that is large enough: the devices' rule
    kBestFit,   ///< the smallest hole that is; the highest of those
};

struct PlacementAnswer {
    Placement placement = Placement::kFirstFit;
    bool fits = true;
    std::uint32_t failing_buffer = kNoIndex;  ///< in MemoryLifetimes::buffers: the first without a hole
    std::uint64_t lowest_address = 0;         ///< that a tensor reached; what is below was left to programs
    /// The moment when free memory was most scattered: what one hole would be, were all moved together, less
    /// the largest that is.
    std::uint64_t gain_of_moving_bytes = 0;
    std::uint32_t gain_node = kNoIndex;
    std::uint64_t largest_hole_bytes = 0, free_bytes = 0;  ///< at that moment
};
/// Replays `device`'s tensors in `region`; what finds no hole is left out and the replay goes on.
PlacementAnswer replay_placement(const MemoryLifetimes& lifetimes, std::uint16_t device, L1Region region,
                                 Placement placement);

}  // namespace tilemeter::analysis
