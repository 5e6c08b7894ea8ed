// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory that a thread's calls write to without having allocated it: output tensors, operands of in-place forms,
// caches, optimizer states, what the host is copied into. It is told where programs and copies write, so that no
// operation has to say which of its forms do.
//
// Without a log in the thread a program that writes to given memory pays for one load.

#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "capture/events/ids.hpp"

namespace tilemeter {

class Buffer;

class WriteLog {
public:
    /// The writes of the calling thread from here on, until the log is gone; any thread may drop it.
    static std::shared_ptr<WriteLog> begin();

    /// Writes from here on are of the next call. Gives its number; the first is 1.
    std::uint64_t next_call() { return ++call_; }

    /// The last call that wrote to the buffer; 0: none did.
    [[nodiscard]] std::uint64_t last_write(record::BufferId buffer) const;

private:
    friend void note_write(const Buffer& buffer);

    std::uint64_t call_ = 0;
    std::unordered_map<record::BufferId, std::uint64_t> written_;
};

/// A call of this thread writes to memory that was given to it.
void note_write(const Buffer& buffer);

/// In this scope programs write the padding of tiles alone, which holds no element: no write of the thread's calls.
class ScopedPaddingWrites {
public:
    ScopedPaddingWrites();
    ~ScopedPaddingWrites();
    ScopedPaddingWrites(const ScopedPaddingWrites&) = delete;
    ScopedPaddingWrites& operator=(const ScopedPaddingWrites&) = delete;
};

}  // namespace tilemeter
