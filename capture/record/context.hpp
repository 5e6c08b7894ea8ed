// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Work that a function hands to other threads belongs to that function:
//
//     const ContextId context = hand_over();                    // inside the function
//     pool.run([=](std::uint32_t worker) {
//         const ScopedContext here(context, worker);            // in each worker
//         ...                                                   // what it emits are children of the function
//     });
//
// In the list of nodes the workers' events come where the function ends, by worker number, whatever order the
// threads really ran in: so the same work always gives the same list. A worker that is still at it when the
// function ends is shown there with all that it did.
//
// Thread safety: all functions may be called from any thread. Contexts nest.

#pragma once

#include <cstdint>

#include "capture/events/ids.hpp"
#include "capture/record/emit.hpp"

namespace tilemeter::record {

/// The function that is open in this thread, to be worked for by others. kNone while nobody records.
inline ContextId hand_over() {
    if (!recording()) return ContextId::kNone;
    const ContextId context = next_context_id();
    emit_context(EventKind::kContextHandOver, context, 0);
    return context;
}

/// This thread works for the function that handed over `context`, as its worker number `worker`, while the
/// object lives. REQUIRES: each number once per context.
class ScopedContext {
public:
    ScopedContext(ContextId context, std::uint32_t worker) : context_(context) {
        if (context_ != ContextId::kNone) emit_context(EventKind::kContextEnter, context_, worker);
    }
    ~ScopedContext() {
        if (context_ != ContextId::kNone) emit_context(EventKind::kContextLeave, context_, 0);
    }
    ScopedContext(const ScopedContext&) = delete;
    ScopedContext& operator=(const ScopedContext&) = delete;

private:
    ContextId context_;
};

}  // namespace tilemeter::record
