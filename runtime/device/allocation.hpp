// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What is known of one allocation while it lasts: where it lies, whose it is, and who asked for it. A device
// keeps a list of them, so that an error can name the owners of the memory that was missing.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>

#include "capture/record/records.hpp"

namespace tilemeter {

class Buffer;

struct Allocation {
    record::BufferRecord facts{};
    record::TensorSpecId spec{};  ///< of the tensor that it was made for
    record::TextId operation{};   ///< the call of a user that it was made in; kNone: none
    std::uint64_t shadow_epoch =
        0;  ///< of the NO_DISPATCH capture it was planned in; 0: it is in the device itself
    std::uint64_t freed_in_shadow = 0;  ///< epoch of the NO_DISPATCH capture in which a real one was freed
};

/// A list of what is allocated, newest first. Nodes are the owners'; REQUIRES: one leaves before it ends.
class AllocationList {
public:
    struct Node {
        Allocation allocation;
        const Buffer* buffer = nullptr;  ///< whose it is; none: kept by the device
        Node* newer = nullptr;
        Node* older = nullptr;
        bool listed = false;
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
    void for_each(Use use) const {
        for (const Node* node = newest_; node != nullptr; node = node->older)
            use(*node);
    }

private:
    Node* newest_ = nullptr;
};

/// The user's call that this thread is in, for what it allocates: in force until the scope ends, unless an
/// outer one is.
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

    /// kNone outside of any.
    static record::TextId& current();

private:
    bool outermost_;
};

}  // namespace tilemeter
