// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace tilemeter::report::internal {

// A few items that go round between a thread that fills them and one that uses them, in order. What an item
// has allocated stays with it. Thread safety: one thread puts, one takes.
template <class Item>
class Ring {
public:
    explicit Ring(std::size_t items) : items_(items) {}

    // For who fills: a free item, waited for; null once nobody takes any more.
    Item* begin_put() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopped_ || filled_ - used_ < items_.size(); });
        return stopped_ ? nullptr : &items_[filled_ % items_.size()];
    }
    void end_put() {
        const std::lock_guard lock(mutex_);
        ++filled_;
        changed_.notify_all();
    }
    // No more will come.
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

    // For who uses: the next item, waited for, which is theirs until the next call; null at the end.
    Item* take() {
        std::unique_lock lock(mutex_);
        if (taken_ > used_) {
            ++used_;
            changed_.notify_all();
        }
        changed_.wait(lock, [&] { return closed_ || filled_ > taken_; });
        return filled_ > taken_ ? &items_[taken_++ % items_.size()] : nullptr;
    }
    // No more is wanted.
    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

    // Empty and open again. REQUIRES: neither thread is in a call
    void reset() {
        filled_ = taken_ = used_ = 0;
        closed_ = stopped_ = false;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Item> items_;
    // Counts since the beginning. Invariant: used_ <= taken_ <= filled_ <= used_ + items_.size()
    std::size_t filled_ = 0, taken_ = 0, used_ = 0;
    bool closed_ = false;
    bool stopped_ = false;
};

}  // namespace tilemeter::report::internal
