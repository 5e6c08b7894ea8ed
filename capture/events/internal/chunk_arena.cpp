// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/internal/chunk_arena.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <new>

#include <sys/mman.h>

namespace tilemeter::record::internal {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Fresh memory, a huge page at a multiple of its size; null if there is none.
void* map_fresh(std::size_t bytes) {
    const auto map = [](std::size_t size) {
        void* const address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return address == MAP_FAILED ? nullptr : static_cast<char*>(address);
    };
    const auto behind = [bytes](const char* address) {
        return reinterpret_cast<std::uintptr_t>(address) % bytes;
    };
    char* page = map(bytes);  // newer kernels place huge pages as they must lie
    if (page != nullptr && bytes == kHugePage && behind(page) != 0) {
        munmap(page, bytes);
        char* const begin = map(2 * bytes);
        if (begin == nullptr) return nullptr;
        const std::size_t before = (bytes - behind(begin)) % bytes;
        page = begin + before;
        if (before > 0) munmap(begin, before);
        munmap(page + bytes, bytes - before);
    }
    if (page != nullptr && bytes == kHugePage) madvise(page, bytes, MADV_HUGEPAGE);
    return page;
}

/// Has the kernel give the memory of all pages now.
void populate(void* memory, std::size_t bytes) {
    constexpr std::size_t kPage = 4096;
    if (bytes == kHugePage) {
        // By touching them: of a huge page the first touch does it all, and threads that touch memory do not
        // wait for each other as they do when they ask for it.
        for (std::size_t at = 0; at < bytes; at += kPage)
            static_cast<volatile char*>(memory)[at] = 0;
        return;
    }
#ifdef MADV_POPULATE_WRITE
    madvise(memory, bytes, MADV_POPULATE_WRITE);
#endif
}

/// Pieces of memory of one size, `Most` of which are kept when they are let go.
template <std::size_t Bytes, std::size_t Most>
class Pool {
public:
    /// Null if there is no memory.
    void* take() {
        void* piece = nullptr;
        {
            const std::scoped_lock lock(mutex_);
            if (count_ > 0) piece = pieces_[--count_];
        }
        const bool fresh = piece == nullptr;
        if (fresh) piece = map_fresh(Bytes);
        if (piece != nullptr && (fresh || kLent)) populate(piece, Bytes);
        return piece;
    }

    void give(void* piece) {
        if (kLent) madvise(piece, Bytes, MADV_FREE);
        {
            const std::scoped_lock lock(mutex_);
            if (count_ < Most) {
                pieces_[count_++] = piece;
                return;
            }
        }
        munmap(piece, Bytes);
    }

private:
    // While nobody uses them, the kernel may take back huge pages.
    static constexpr bool kLent = Bytes == kHugePage;

    std::mutex mutex_;
    std::array<void*, Most> pieces_{};
    std::size_t count_ = 0;
};

// Never destroyed: recordings may be let go of while the process ends.
auto& huge_pages() {
    static auto& the_pool = *new Pool<kHugePage, 8>;
    return the_pool;
}
auto& single_chunks() {
    static auto& the_pool = *new Pool<sizeof(Chunk), 16>;
    return the_pool;
}

Chunk* chunk_at(void* memory) {
    return new (memory) Chunk;  // NOLINT: the events are written before they are read
}

std::shared_ptr<Chunk> single_chunk() {
    void* const memory = single_chunks().take();
    if (memory == nullptr) return std::make_shared_for_overwrite<Chunk>();
    return {chunk_at(memory), [](Chunk* chunk) { single_chunks().give(chunk); }};
}

}  // namespace

std::shared_ptr<Chunk> ChunkArena::take(std::uint64_t epoch) {
    static_assert(kChunks * sizeof(Chunk) == kHugePage);
    if (epoch != epoch_) let_go();
    epoch_ = epoch;
    if (small_ < kSmall) {
        ++small_;
        return single_chunk();
    }
    if (!block_ || used_ == kChunks) {
        block_.reset();
        void* const page = huge_pages().take();
        if (page == nullptr) return single_chunk();
        block_ = {static_cast<Chunk*>(page), [](Chunk* chunks) { huge_pages().give(chunks); }};
        used_ = 0;
    }
    return {block_, chunk_at(block_.get() + used_++)};
}

void ChunkArena::let_go() {
    block_.reset();
    small_ = 0;
}

}  // namespace tilemeter::record::internal
