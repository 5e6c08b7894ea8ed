// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A module's buffer assignment as a recording, of which reports are written as of our own. All of it is a compiler's plan.
//
//   allocation                  a buffer of DRAM: there from the begin to the end, as XLA takes it in one piece
//   temporary allocation        the buffers of its heap trace in its place, with those that made them; what alignment and
//                               holes take is a buffer of its own, so that the peak is the whole allocation
//   instruction                 a function, with the program's own lines as its stack
//
// A module's temporary allocations are there at the same time: the heap of the largest one runs, the others are as at their peaks.

#pragma once

#include "capture/record/window.hpp"
#include "report/foreign/xla/assignment.hpp"

namespace tilemeter::foreign::xla {

record::Recording recording_of(const Assignment& assignment, const Figures& figures);

}  // namespace tilemeter::foreign::xla
