// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/buffer_chunks.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "visualizer_import/graph/wrapped.hpp"

namespace tilemeter::visualizer_import {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::int64_t value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32U);
}

auto key_of(const Chunk& chunk) {
    return std::tie(chunk.device_id, chunk.address, chunk.bank_id, chunk.core_x, chunk.core_y,
                    chunk.buffer_type);
}

bool same_key(const Chunk& a, const Chunk& b) {
    return key_of(a) == key_of(b);
}

void merge(Chunk& group, const Chunk& chunk) {
    group.begin = std::min(group.begin, chunk.begin);
    group.end = std::max(group.end, chunk.end);
    group.page_size = std::max(group.page_size, chunk.page_size);
    group.page_count += chunk.page_count;
}

}  // namespace

void ChunkGroups::add(const report::PageRecord& page) {
    add(Chunk{page.device_id, page.address, page.bank_id, page.core_x, page.core_y, page.buffer_type,
              page.page_address, wrapped_sum(page.page_address, page.page_size), page.page_size, 1});
}

// Pages come core after core, or round and round over the cores: the chunk of the last page or the one behind
// it is nearly always right. Where it is not, the two parts of a chunk meet when all are sorted.
void ChunkGroups::add(const Chunk& chunk) {
    for (int step = 0; step < 2 && !chunks_.empty(); ++step) {
        if (same_key(chunks_[last_], chunk)) {
            merge(chunks_[last_], chunk);
            return;
        }
        if (++last_ >= chunks_.size()) last_ = 0;
    }
    if (chunks_.size() >= next_compaction_) compact();
    last_ = chunks_.size();
    chunks_.push_back(chunk);
}

void ChunkGroups::compact() {
    const auto before = [](const Chunk& a, const Chunk& b) { return key_of(a) < key_of(b); };
    if (!std::ranges::is_sorted(chunks_, before)) std::ranges::sort(chunks_, before);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        if (kept > 0 && same_key(chunks_[kept - 1], chunks_[i])) {
            merge(chunks_[kept - 1], chunks_[i]);
        } else {
            chunks_[kept++] = chunks_[i];
        }
    }
    chunks_.resize(kept);
    last_ = 0;
    next_compaction_ = std::max(kFirstCompaction, 2 * kept);
}

std::vector<Chunk> ChunkGroups::take() {
    compact();
    next_compaction_ = kFirstCompaction;
    return std::exchange(chunks_, {});
}

void ChunkTimeline::add_pages(std::int64_t address, std::int64_t alloc_counter,
                              std::span<const report::PageRecord> pages, bool last) {
    for (const report::PageRecord& page : pages)
        current_.add(page);
    if (!last) return;
    History& history = by_address_[address];
    history.snapshots.push_back({alloc_counter, intern(current_.take())});
    history.sorted = false;
}

ChunkTimeline::SetId ChunkTimeline::intern(std::vector<Chunk> chunks) {
    std::uint64_t hash = chunks.size();
    for (const Chunk& chunk : chunks) {
        hash = mixed(hash, chunk.address ^ (chunk.bank_id << 40));
        hash = mixed(hash, chunk.begin ^ (chunk.page_count << 40));
        hash = mixed(hash, chunk.end);
    }
    const auto [begin, end] = by_hash_.equal_range(hash);
    for (auto i = begin; i != end; ++i)
        if (std::ranges::equal(this->chunks(i->second), chunks)) return i->second;
    const auto set = static_cast<SetId>(set_begins_.size());
    set_begins_.push_back(chunks_.size());
    chunks_.insert(chunks_.end(), chunks.begin(), chunks.end());
    by_hash_.emplace(hash, set);
    return set;
}

ChunkTimeline::SetId ChunkTimeline::find(std::int64_t address, std::int64_t counter) {
    const auto found = by_address_.find(address);
    if (found == by_address_.end()) return kNone;
    History& history = found->second;
    const auto earlier = [](const Snapshot& a, const Snapshot& b) {
        return a.alloc_counter < b.alloc_counter;
    };
    if (!history.sorted) {
        std::stable_sort(history.snapshots.begin(), history.snapshots.end(), earlier);
        history.sorted = true;
    }
    const auto after =
        std::upper_bound(history.snapshots.begin(), history.snapshots.end(), Snapshot{counter, 0}, earlier);
    return after == history.snapshots.begin() ? after->set : std::prev(after)->set;
}

std::span<const Chunk> ChunkTimeline::chunks(SetId set) const {
    const std::size_t begin = set_begins_[set];
    const std::size_t end = set + 1 < set_begins_.size() ? set_begins_[set + 1] : chunks_.size();
    return std::span(chunks_).subspan(begin, end - begin);
}

}  // namespace tilemeter::visualizer_import
