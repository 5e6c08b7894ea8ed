// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One thread's chunks in memory. A page fault per 4 KiB costs several times what recording 64 events does. So the pages
// of a chunk are asked for in one go. Beyond a few chunks memory is taken 2 MiB at a time, as one huge page where the
// system has them. Each thread has 2 MiB of its own, so that none waits while the kernel clears another's. The process
// keeps freed chunks for the next thread, up to 1 MiB of chunks and 16 MiB of huge pages, so that a capture after the
// first finds its memory cleared. The kernel may take the huge pages back at any time (MADV_FREE).
//
// Thread safety: an arena belongs to its thread; chunks may be let go by any.

#pragma once

#include <cstdint>
#include <memory>

#include "capture/events/thread_log.hpp"

namespace tilemeter::record::internal {

class ChunkArena {
public:
    /// A chunk; its memory is let go with the last one of the same 2 MiB. In another `epoch` than the last
    /// time, what was not handed out is let go first.
    std::shared_ptr<Chunk> take(std::uint64_t epoch);

    /// Begins anew.
    void let_go();

private:
    static constexpr std::uint32_t kChunks = 32;
    // A capture of up to 8000 events or so takes no more than it needs.
    static constexpr std::uint32_t kSmall = 8;

    std::uint64_t epoch_ = 0;
    std::shared_ptr<Chunk> block_;  // of kChunks
    std::uint32_t used_ = 0;        // of block_
    std::uint32_t small_ = 0;       // handed out one by one
};

}  // namespace tilemeter::record::internal
