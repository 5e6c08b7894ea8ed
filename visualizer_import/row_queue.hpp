// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "visualizer_import/row_batch.hpp"

namespace tilemeter::visualizer_import {

// From the thread that makes rows to the thread that writes them, a few megabytes at most. Thread safety: one
// thread puts, one takes.
class RowQueue {
public:
    // Waits while kMostWaiting batches are on their way.
    void put(RowBatch& batch);  // leaves an empty one
    // False when closed and empty.
    bool take(RowBatch& batch);
    void done(RowBatch& batch);  // with what was taken
    void close();
    void wait_until_empty();

private:
    static constexpr std::size_t kMostWaiting = 8;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<RowBatch> waiting_;
    std::vector<RowBatch> unused_;
    bool busy_ = false;
    bool closed_ = false;
};

}  // namespace tilemeter::visualizer_import
