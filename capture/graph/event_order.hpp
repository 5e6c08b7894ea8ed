// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The order in which the events of several threads become one well-nested list: each thread's outermost
// functions stay whole and come in the order they began, events outside of any function likewise. Functions
// that are still open when the recording ends come last, since nothing after them could be told from their
// children. What threads did for a function that handed over its context (record/context.hpp) belongs to that
// function, by worker number.
//
// Ties (equal time) go by thread number, so one recording always gives one list.

#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "capture/record/window.hpp"

namespace tilemeter::graph {

/// Events [begin, end) of recording.threads[thread]: an outermost function with all that is in it, events
/// outside of functions, or what was done for another thread's function.
struct Stretch {
    std::uint32_t thread;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t begin_ticks;
    bool left_open;            ///< a function that does not end within the recording
    std::uint32_t worker = 0;  ///< in a context: which worker's
};

/// All events of a recording, each in one stretch.
struct EventOrder {
    std::vector<Stretch> stretches;
    std::unordered_map<std::uint64_t, std::vector<Stretch>> of_contexts;  ///< by ContextId
};

EventOrder order_of(const record::Recording& recording);

}  // namespace tilemeter::graph
