// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The blocks of a recording file that hold given events.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "capture/events/thread_log.hpp"

namespace tilemeter::record::internal {

struct EventBlockInfo {
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    std::uint32_t events = 0;
    std::uint64_t first_index = 0;
};

/// A thread's blocks without a gap between them.
struct BlockRun {
    std::uint32_t thread = 0;
    std::vector<EventBlockInfo> blocks;
};

/// Sorts blocks into runs: by thread, then by number of their first event. A gap begins a new run; a block
/// that overlaps another is left out.
std::vector<BlockRun> runs_of(std::vector<EventBlockInfo> blocks);

/// All events of the recording file that is open as `descriptor`, which this process wrote; their chunks keep
/// the file mapped, and `held` as long; with them those of blocks that are `in_memory` for want of room in the file.
/// Throws RecordingError.
std::vector<ThreadSlice> map_slices(int descriptor, std::vector<std::shared_ptr<const void>> held,
                                    const std::vector<std::shared_ptr<const Chunk>>& in_memory);

}  // namespace tilemeter::record::internal
