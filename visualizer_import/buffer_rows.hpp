// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "report/report_reader.hpp"
#include "visualizer_import/database/database.hpp"
#include "visualizer_import/graph/device_map.hpp"
#include "visualizer_import/graph_import.hpp"
#include "visualizer_import/tables/buffer_chunks.hpp"
#include "visualizer_import/tables/buffer_lifetimes.hpp"

namespace tilemeter::visualizer_import {

// Live buffers and their chunks for one file, from its snapshots where it has them, else from its events.
class BufferRows {
public:
    BufferRows(Database& database, const ImportOptions& options)
        : database_(database),
          reference_quirks_(options.reference_quirks),
          with_chunks_(options.buffer_chunks) {}

    ChunkTimeline& timeline() { return timeline_; }
    ChunkGroups& final_pages() { return final_pages_; }

    // The graph is imported: which operations there are.
    void begin_snapshots(const FileContext& context, const std::vector<OperationInfo>& operations);
    report::Status add_snapshot(std::int64_t start_counter, std::span<const report::LiveBufferRecord> buffers,
                                bool last);
    // Everything was read. events: null if there was no graph.
    report::Status write(const FileContext& context, EventLifetimes* events);

    struct Peak {
        std::int64_t live_l1_bytes = 0;
        std::int64_t operation_id = 0;
    };
    [[nodiscard]] const Peak& snapshot_peak() const { return peak_; }

private:
    void add_chunks(const OperationInfo& info, std::span<const report::LiveBufferRecord> buffers);
    void write_chunks(std::int64_t operation_id);
    void write_chunk(std::int64_t operation_id, const Chunk& chunk, std::int64_t times);
    void write_spans(const FileContext& context, std::vector<BufferSpan> spans);

    Database& database_;
    bool reference_quirks_;
    bool with_chunks_;
    ChunkTimeline timeline_;
    ChunkGroups final_pages_;
    SnapshotLifetimes snapshots_;
    bool any_snapshot_ = false;

    const FileContext* context_ = nullptr;
    const std::vector<OperationInfo>* operations_ = nullptr;
    std::unordered_map<std::int64_t, OperationIndex> by_start_counter_;
    std::vector<bool> has_snapshot_;

    // of the operation whose snapshot is being read
    struct Placed {
        ChunkTimeline::SetId set;
        std::int64_t device_id, buffer_type;
        bool operator==(const Placed&) const = default;
        auto operator<=>(const Placed&) const = default;
    };
    std::vector<Placed> placed_;
    std::vector<report::LiveBufferRecord> renumbered_;
    std::int64_t live_l1_bytes_ = 0;
    Peak peak_;
};

// Puts `buffers` in the place of its spans: as a view where one rank 0 is all there is (of a view the viewer
// cannot ask for one rank), else as rows.
report::Status finish_buffers(Database& database, bool as_rows);

}  // namespace tilemeter::visualizer_import
