// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Chunks for captures that have grown beyond a few of them. Fresh memory costs a page fault per 4 KiB, which
// is several times what recording 64 events costs; so it is taken 2 MiB at a time, as one huge page where the
// system has them, else with all its pages asked for in one go.
//
// Thread safety: outside locking.

#pragma once

#include <cstdint>
#include <memory>

#include "capture/record/thread_log.hpp"

namespace tilemeter::record::internal {

class ChunkArena {
public:
    /// A chunk; its memory is given back with the last one of the same 2 MiB.
    std::shared_ptr<Chunk> take();

    /// Begins anew: what was not handed out is given back.
    void reset();

private:
    static constexpr std::uint32_t kChunks = 32;
    // A capture of up to 8000 events or so takes no more than it needs.
    static constexpr std::uint32_t kSmall = 8;

    std::shared_ptr<Chunk> block_;  // of kChunks
    std::uint32_t used_ = 0;        // of block_
    std::uint32_t small_ = 0;       // handed out one by one
};

}  // namespace tilemeter::record::internal
