// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Whom a metal trace overwrites, or reads in the place of its inputs, when it is executed now.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/trace/device/replay/hazards.hpp"

namespace tilemeter::trace {

/// The treatment of the buffers that the trace's own programs write results to, and that are alive: each execution
/// writes them anew, so that what an earlier one left there is gone.
enum class OwnResults : std::uint8_t { kLeftOut, kIncluded };

/// The live buffers that execute_trace() would overwrite: those that lie where the trace has results or program memory, whether
/// they were made after the trace, captured by another one, or made in its capture and written by no program. One for each
/// buffer or piece of program memory that reaches them, in the order of the programs. Its own results have Overwriter::kItself.
/// Then those that lie where an input was that has been freed, with Overwriter::kReader: the trace reads them instead.
/// Throws RuntimeError for a trace that does not exist, is still captured, or was captured where nothing runs.
std::vector<Hazard> metal_trace_hazards(const Device& device, MeshTraceId trace,
                                        OwnResults own = OwnResults::kLeftOut);

}  // namespace tilemeter::trace
