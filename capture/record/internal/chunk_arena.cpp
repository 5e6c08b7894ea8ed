// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/chunk_arena.hpp"

#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

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
    return page;
}

/// What was let go and may be used again.
class Pool {
public:
    void* take() {
        void* page = nullptr;
        {
            const std::scoped_lock lock(mutex_);
            if (!pages_.empty()) {
                page = pages_.back();
                pages_.pop_back();
            }
        }
        if (page == nullptr) page = map_huge_page();
#ifdef MADV_POPULATE_WRITE
        // Also of one used before: the kernel may have taken its memory.
        if (page != nullptr) madvise(page, kHugePage, MADV_POPULATE_WRITE);
#endif
        return page;
    }

    void give(void* page) {
        madvise(page, kHugePage, MADV_FREE);
        {
            const std::scoped_lock lock(mutex_);
            if (pages_.size() < kMost) {
                pages_.push_back(page);
                return;
            }
        }
        munmap(page, kHugePage);
    }

private:
    static constexpr std::size_t kMost = 8;

    std::mutex mutex_;
    std::vector<void*> pages_ = [] {
        std::vector<void*> pages;
        pages.reserve(kMost);
        return pages;
    }();
};

Pool& pool() {
    // Never destroyed: traces may be let go of while the process ends.
    static auto& the_pool = *new Pool;
    return the_pool;
}

}  // namespace

std::shared_ptr<Chunk> ChunkArena::take(std::uint64_t epoch) {
    static_assert(kChunks * sizeof(Chunk) == kHugePage);
    if (epoch != epoch_) let_go();
    epoch_ = epoch;
    if (small_ < kSmall) {
        ++small_;
        return std::make_shared_for_overwrite<Chunk>();
    }
    if (!block_ || used_ == kChunks) {
        block_.reset();
        void* const page = pool().take();
        if (page == nullptr) return std::make_shared_for_overwrite<Chunk>();
        block_ = {static_cast<Chunk*>(page), [](Chunk* chunks) { pool().give(chunks); }};
        used_ = 0;
    }
    return {block_,
            new (block_.get() + used_++) Chunk};  // NOLINT: the events are written before they are read
}

void ChunkArena::let_go() {
    block_.reset();
    small_ = 0;
}

}  // namespace tilemeter::record::internal
