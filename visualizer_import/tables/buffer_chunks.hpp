// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "report/report_reader.hpp"

namespace tilemeter::visualizer_import {

// The pages of a buffer on one core: from the first byte to the last, holes included.
struct Chunk {
    std::int64_t device_id, address, bank_id, core_x, core_y, buffer_type;
    std::int64_t begin, end, page_size, page_count;
    bool operator==(const Chunk&) const = default;
};

// Chunks with the same key become one. The result is in the order of the keys.
class ChunkGroups {
public:
    void add(const report::PageRecord& page);
    void add(const Chunk& chunk);
    [[nodiscard]] bool empty() const { return chunks_.empty(); }
    std::vector<Chunk> take();

private:
    static constexpr std::size_t kFirstCompaction = 4096;
    void compact();  // sorts, and makes one of those with one key

    std::vector<Chunk> chunks_;
    std::size_t last_ = 0;  // index of the chunk that got the last page
    std::size_t next_compaction_ = kFirstCompaction;
};

// The places of buffers over time: per address the snapshots taken at its allocations. Equal snapshots are kept once,
// so this grows with the number of different placements.
class ChunkTimeline {
public:
    using SetId = std::uint32_t;
    static constexpr SetId kNone = static_cast<SetId>(-1);

    void add_pages(std::int64_t address, std::int64_t alloc_counter,
                   std::span<const report::PageRecord> pages, bool last);
    [[nodiscard]] bool empty() const { return by_address_.empty(); }
    // The youngest snapshot that is no younger than the counter; the first where all are; kNone for no
    // snapshot.
    SetId find(std::int64_t address, std::int64_t counter);
    [[nodiscard]] std::span<const Chunk> chunks(SetId set) const;

private:
    struct Snapshot {
        std::int64_t alloc_counter;
        SetId set;
    };
    struct History {
        std::vector<Snapshot> snapshots;
        bool sorted = false;
    };
    SetId intern(std::vector<Chunk> chunks);

    ChunkGroups current_;
    std::unordered_map<std::int64_t, History> by_address_;
    std::vector<Chunk> chunks_;
    std::vector<std::size_t> set_begins_;
    std::unordered_multimap<std::size_t, SetId> by_hash_;
};

}  // namespace tilemeter::visualizer_import
