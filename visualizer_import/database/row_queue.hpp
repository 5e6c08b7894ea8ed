// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "visualizer_import/pages/page_stream.hpp"
#include "visualizer_import/rows/row_batch.hpp"

namespace tilemeter::visualizer_import {

// The batch that one thread hands to the other: rows for SQLite, or pages for the file.
struct Batch {
    RowBatch rows;
    PageBatch pages;

    void clear() {
        rows.clear();
        pages.clear();
    }
};

// From the thread that makes rows to the thread that writes them, a few megabytes at most. Thread safety: one
// thread puts, one takes.
class RowQueue {
public:
    // Waits while kMostWaiting batches are on their way.
    void put(RowBatch& rows);  // each leaves an empty one
    void put(PageBatch& pages);
    // False when closed and empty.
    bool take(Batch& batch);
    void done(Batch& batch);  // with what was taken
    void close();
    void wait_until_empty();

private:
    static constexpr std::size_t kMostWaiting = 8;

    template <class Part>
    void put(Part Batch::*part, Part& from);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Batch> waiting_;
    std::vector<Batch> unused_;
    bool busy_ = false;
    bool closed_ = false;
};

}  // namespace tilemeter::visualizer_import
