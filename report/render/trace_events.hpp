// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "report/analysis/memory_lives.hpp"

namespace tilemeter::graph {

/// A trace in the JSON form that Perfetto and Chrome read: functions as slices, memory as counters.
///
/// Lists have durations but no times. A function is put where the one before it ended; what lies between
/// outermost functions is not known and is left out. Lists without durations get 1 us per node.
std::string trace_events(const NodeList& list, const MemoryLives& lives);

}  // namespace tilemeter::graph
