// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The record of one allocation while it lasts: its address, its owner, and the call that asked for it. A
// device keeps a list of these records, so that an out-of-memory error can name the owners of the memory it
// needed.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <atomic>
#include <cstdint>

#include "capture/record/records.hpp"

namespace tilemeter {

class Buffer;

struct Allocation {
    record::BufferRecord buffer_record{};
    record::TensorSpecId spec{};     ///< spec of the tensor that it was made for
    record::TextId operation{};      ///< the user's call that made it; kNone: none
    std::uint64_t shadow_epoch = 0;  ///< planning_epoch() where it was made; 0: a real allocation
    std::uint64_t number = 0;        ///< among all allocations of the device, from 1
};

/// The live allocations of a device, newest first. REQUIRES: an owner takes its node out before the node
/// ends.
class AllocationList {
public:
    struct Node {
        Allocation allocation;
        Buffer* buffer = nullptr;  ///< its owner; nullptr: kept by the device
        Node* newer = nullptr;
        Node* older = nullptr;
        bool listed = false;
        mutable std::atomic<std::uint32_t> shadows_without_it =
            0;  ///< number of shadows in which it is freed
    };

    void enter(Node& node) {
        node.older = newest_;
        if (newest_ != nullptr) newest_->newer = &node;
        newest_ = &node;
        node.listed = true;
    }
    void leave(Node& node) {
        if (!node.listed) return;
        (node.newer != nullptr ? node.newer->older : newest_) = node.older;
        if (node.older != nullptr) node.older->newer = node.newer;
        node.newer = node.older = nullptr;
        node.listed = false;
    }

    template <typename Use>
    void for_each(Use use) {
        for (Node* node = newest_; node != nullptr; node = node->older)
            use(*node);
    }
    template <typename Use>
    void for_each(Use use) const {
        for (const Node* node = newest_; node != nullptr; node = node->older)
            use(*node);
    }

private:
    Node* newest_ = nullptr;
};

/// Names the user's call that this thread is in, for the records of its allocations, until the scope ends.
/// Inside another such scope it has no effect: the outermost call counts.
class ScopedUserOperation {
public:
    explicit ScopedUserOperation(record::TextId name) : outermost_(current() == record::TextId::kNone) {
        if (outermost_) current() = name;
    }
    ~ScopedUserOperation() {
        if (outermost_) current() = record::TextId::kNone;
    }
    ScopedUserOperation(const ScopedUserOperation&) = delete;
    ScopedUserOperation& operator=(const ScopedUserOperation&) = delete;

    /// The name of the current call; kNone outside of any.
    static record::TextId& current();

private:
    bool outermost_;
};

}  // namespace tilemeter
