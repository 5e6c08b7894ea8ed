// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A value that copies share until one of them changes it: copying costs one count, whatever the size.
//
// Thread safety: as for the value itself; copies in different threads may be read and changed at the same time.

#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace tilemeter {

template <typename Value>
class CopyOnWrite {
public:
    explicit CopyOnWrite(Value value) : shared_(new Shared{std::move(value)}) {}
    CopyOnWrite(const CopyOnWrite& other) noexcept : shared_(other.shared_) {
        shared_->owners.fetch_add(1, std::memory_order_relaxed);
    }
    CopyOnWrite(CopyOnWrite&& other) noexcept
        : shared_(std::exchange(other.shared_, nullptr)), is_owner_(other.is_owner_) {}
    CopyOnWrite& operator=(CopyOnWrite other) noexcept {
        std::swap(shared_, other.shared_);
        std::swap(is_owner_, other.is_owner_);
        return *this;
    }
    ~CopyOnWrite() { let_go(); }

    /// The same value, not counted: for threads that would otherwise all write to one count. A copy of it counts.
    /// REQUIRES: `other` outlives it, unchanged.
    static CopyOnWrite borrowed(const CopyOnWrite& other) noexcept { return CopyOnWrite(other.shared_); }

    const Value& read() const { return shared_->value; }
    /// The value, no longer shared.
    Value& write() {
        if (!is_owner_ || shared_->owners.load(std::memory_order_acquire) != 1) {
            auto* const own = new Shared{shared_->value};
            let_go();
            shared_ = own;
            is_owner_ = true;
        }
        return shared_->value;
    }

    friend bool operator==(const CopyOnWrite& a, const CopyOnWrite& b) {
        return a.shared_ == b.shared_ || a.read() == b.read();
    }

private:
    struct Shared {
        Value value;
        std::atomic<std::uint64_t> owners{1};
    };

    explicit CopyOnWrite(Shared* shared) noexcept : shared_(shared), is_owner_(false) {}
    void let_go() {
        if (shared_ != nullptr && is_owner_ && shared_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete shared_;
    }

    Shared* shared_;  // nullptr: moved from
    bool is_owner_ = true;
};

}  // namespace tilemeter
