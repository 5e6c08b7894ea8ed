// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of recording on this machine, measured. Times are medians, of the calling thread, in nanoseconds.
//
// Thread safety: measure_event_cost() may be called at any time by any thread; measure_overhead() opens
// windows of its own, so captures that are open see what it emits.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/record/detail.hpp"

namespace tilemeter::graph {

struct EventCost {
    double event_ns = 0;  ///< one event, its clock reading included
    double clock_ns = 0;  ///< the clock reading alone: the floor
    double stack_ns =
        0;  ///< one stack trace from a place seen before, at the depth of this call; 0: not asked
};

/// In under a tenth of a millisecond; nothing of it gets into any capture. `stacks`: also of a stack trace,
/// the first of which changes the process a little (libunwind keeps a pipe).
EventCost measure_event_cost(bool stacks);

/// One operation at a level of detail: begin, three arguments, two input tensors, a nested function with an
/// allocation, a program with a circular buffer, an output tensor, end, a free.
struct LevelCost {
    std::string_view level;  ///< "off", or the level's name
    double operation_ns = 0;
    double events_per_operation = 0;  ///< kept
    double bytes_per_operation = 0;   ///< of events kept
    double floor_ns = 0;              ///< as many clock readings as that level takes
};

/// At each level, and off. `stack_depth`: frames of the synthetic call.
std::vector<LevelCost> measure_overhead(unsigned repeats = 9, unsigned stack_depth = 30);

}  // namespace tilemeter::graph
