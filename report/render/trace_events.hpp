// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// A trace in the JSON form that Perfetto and Chrome read ("Trace Event Format"); times in it are what
/// trace_times.hpp says.
///
///     slices     functions, with what the list says of them as args (node = the function_start)
///     flows      from the function that made a tensor to each one beside it that takes it
///     counters   of each device "L1 per core" (tensors, programs), "L1 per core, total" and
///                "DRAM per bank", in bytes, where they change
///     instants   failures, with their messages
///
/// Everything that the list leaves open (programs without a record, ...) stands in otherData.notes.
std::string trace_events(const NodeList& list, const MemoryLifetimes& lifetimes);

}  // namespace tilemeter::analysis
