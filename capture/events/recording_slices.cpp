// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/recording_slices.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include <sys/mman.h>
#include <sys/stat.h>

#include "capture/events/recording_blocks.hpp"
#include "capture/events/recording_error.hpp"

namespace tilemeter::record::internal {

std::vector<BlockRun> runs_of(std::vector<EventBlockInfo> blocks) {
    std::erase_if(blocks, [](const EventBlockInfo& each) { return each.events == 0; });
    std::sort(blocks.begin(), blocks.end(), [](const EventBlockInfo& a, const EventBlockInfo& b) {
        return std::tuple(a.thread, a.first_index, a.block) < std::tuple(b.thread, b.first_index, b.block);
    });
    std::vector<BlockRun> runs;
    for (const EventBlockInfo& each : blocks) {
        const bool same_thread = !runs.empty() && runs.back().thread == each.thread;
        const std::uint64_t end =
            same_thread ? runs.back().blocks.back().first_index + runs.back().blocks.back().events : 0;
        if (same_thread && each.first_index < end) continue;
        if (!same_thread || each.first_index > end) runs.push_back({each.thread, {}});
        runs.back().blocks.push_back(each);
    }
    return runs;
}

std::vector<ThreadSlice> map_slices(int descriptor, std::vector<std::shared_ptr<const void>> held,
                                    const std::vector<std::shared_ptr<const Chunk>>& in_memory) {
    struct stat status {};
    if (fstat(descriptor, &status) != 0)
        throw RecordingError(std::string("recording: cannot find its size: ") + std::strerror(errno));
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* const address = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED)
        throw RecordingError(std::string("recording: cannot be mapped into memory: ") + std::strerror(errno));
    const std::shared_ptr<const Chunk> all(
        static_cast<const Chunk*>(address), [bytes, held = std::move(held)](const Chunk* mapped) {
            munmap(const_cast<Chunk*>(mapped), bytes);  // NOLINT: mapped without a const, read only
        });
    std::vector<EventBlockInfo> blocks;
    const std::uint64_t file_blocks = bytes / kBlockBytes;
    for (std::uint64_t i = 1; i < file_blocks; ++i) {
        const Chunk& chunk = all.get()[i];
        if (chunk.in_use.load(std::memory_order_acquire) != kEventBlock) continue;
        blocks.push_back(
            {i, chunk.thread, chunk.published.load(std::memory_order_acquire), chunk.first_index});
    }
    // Numbered behind those of the file.
    for (std::uint64_t i = 0; i < in_memory.size(); ++i) {
        const Chunk& chunk = *in_memory[i];
        blocks.push_back({file_blocks + i, chunk.thread, chunk.published.load(std::memory_order_acquire),
                          chunk.first_index});
    }
    std::vector<ThreadSlice> slices;
    for (const BlockRun& run : runs_of(std::move(blocks))) {
        ThreadSlice slice{run.thread,
                          run.blocks.front().first_index,
                          run.blocks.back().first_index + run.blocks.back().events,
                          {}};
        for (const EventBlockInfo& each : run.blocks) {
            if (each.block < file_blocks)
                slice.chunks.emplace_back(all, all.get() + each.block);
            else
                slice.chunks.push_back(in_memory[each.block - file_blocks]);
        }
        slices.push_back(std::move(slice));
    }
    return slices;
}

}  // namespace tilemeter::record::internal
