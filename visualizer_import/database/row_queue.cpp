// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database/row_queue.hpp"

#include <utility>

namespace tilemeter::visualizer_import {

template <class Part>
void RowQueue::put(Part Batch::*part, Part& from) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting; });
    Batch batch;
    if (!unused_.empty()) {
        batch = std::move(unused_.back());
        unused_.pop_back();
    }
    std::swap(batch.*part, from);
    waiting_.push_back(std::move(batch));
    changed_.notify_all();
}

void RowQueue::put(RowBatch& rows) {
    put(&Batch::rows, rows);
}

void RowQueue::put(PageBatch& pages) {
    put(&Batch::pages, pages);
}

bool RowQueue::take(Batch& batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return false;
    batch = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    changed_.notify_all();
    return true;
}

void RowQueue::done(Batch& batch) {
    const std::lock_guard lock(mutex_);
    batch.clear();
    unused_.push_back(std::move(batch));
    busy_ = false;
    changed_.notify_all();
}

void RowQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

void RowQueue::wait_until_empty() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.empty() && !busy_; });
}

}  // namespace tilemeter::visualizer_import
