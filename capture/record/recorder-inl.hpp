// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Inline body of recorder.hpp's hot path.

#pragma once

#include "capture/events/thread_log.hpp"

namespace tilemeter::record {

template <typename Fill>
inline void append(EventKind kind, Fill fill) {
    ThreadLog* log = internal::this_thread_log;
    if (log == nullptr) [[unlikely]]
        log = internal::make_log();
    if (!log->has_slot()) [[unlikely]] {
        if (!log->find_slot(kind)) return;
    }
    fill(log->slot(), log->before_slot());
    log->publish();
}

}  // namespace tilemeter::record
