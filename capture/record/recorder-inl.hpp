// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Inline body of recorder.hpp's hot path.

#pragma once

#include "capture/record/thread_log.hpp"

namespace tilemeter::record {

inline void append(const Event& event) {
    ThreadLog* log = internal::this_thread_log;
    if (log == nullptr) [[unlikely]] {
        internal::append_first(event);
        return;
    }
    log->append(event);
}

}  // namespace tilemeter::record
