// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The layout of a sharded buffer's pages over cores: enough to list them all later, interned, so that an allocation
// carries one small id whatever its number of pages.
//
// The buffer is a matrix of pages, cut into shards of equal size (the last ones of a row or column may be cut off).
// Shard (i, j) of the matrix of shards lies on cores[i * shards_per_row + j], its pages row by row.
//
// Thread safety: as text.hpp.

#pragma once

#include <cstdint>
#include <vector>

#include "capture/events/ids.hpp"

namespace tilemeter::record {

/// A core by its place in the compute grid, in 4 bytes: the form of recordings and of what reads them. The
/// runtime counts in 32 bits, as TT-NN's CoreCoord does.
struct Core {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    friend bool operator==(const Core&, const Core&) = default;
};

struct ShardPlacement {
    std::vector<Core> cores;
    std::uint64_t page_rows = 0;  ///< of the buffer
    std::uint64_t page_columns = 0;
    std::uint64_t shard_page_rows = 0;
    std::uint64_t shard_page_columns = 0;
    std::uint64_t shards_per_row = 0;

    friend bool operator==(const ShardPlacement&, const ShardPlacement&) = default;
};

PlacementId intern(const ShardPlacement& placement);

/// The placement behind an id; an empty one for PlacementId::kNone (interleaved). REQUIRES: `id` came from
/// intern().
ShardPlacement placement_of(PlacementId id);

}  // namespace tilemeter::record
