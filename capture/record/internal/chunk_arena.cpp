// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/chunk_arena.hpp"

#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace tilemeter::record::internal {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// 2 MiB at a multiple of 2 MiB; null if there is no memory.
void* map_huge_page() {
    void* const address =
        mmap(nullptr, 2 * kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return nullptr;
    char* const begin = static_cast<char*>(address);
    const std::size_t before =
        (kHugePage - reinterpret_cast<std::uintptr_t>(address) % kHugePage) % kHugePage;
    char* const page = begin + before;
    if (before > 0) munmap(begin, before);
    munmap(page + kHugePage, kHugePage - before);
    madvise(page, kHugePage, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
    madvise(page, kHugePage, MADV_POPULATE_WRITE);
#endif
    return page;
}

}  // namespace

std::shared_ptr<Chunk> ChunkArena::take() {
    static_assert(kChunks * sizeof(Chunk) == kHugePage);
    if (small_ < kSmall) {
        ++small_;
        return std::make_shared_for_overwrite<Chunk>();
    }
    if (!block_ || used_ == kChunks) {
        void* const page = map_huge_page();
        if (page == nullptr) return std::make_shared_for_overwrite<Chunk>();
        block_ = {static_cast<Chunk*>(page), [](Chunk* chunks) { munmap(chunks, kHugePage); }};
        used_ = 0;
    }
    return {block_,
            new (block_.get() + used_++) Chunk};  // NOLINT: the events are written before they are read
}

void ChunkArena::reset() {
    block_.reset();
    small_ = 0;
}

}  // namespace tilemeter::record::internal
