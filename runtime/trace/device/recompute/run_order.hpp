// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Runs of a program's units (policy.hpp) in any order: what they take if each value goes after its last use, whether they are
// possible, and others that cost or take less.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/trace/device/recompute/policy.hpp"

namespace tilemeter::trace {

/// Numbers of units, in the order in which they run.
using Runs = std::vector<std::uint32_t>;

/// Each value is dropped after its last use, and before its unit runs again. REQUIRES: fault_of(runs) is empty
Planned planned_runs(const PlanModel& model, std::span<const std::uint32_t> runs);

Runs runs_of(const Planned& planned);

/// By unit: it takes and makes nothing, and no other waits for it.
std::vector<bool> idle_units(const PlanModel& model);

/// These runs, with each idle unit as soon as it may run; where it stood before does not matter.
Runs with_idle_units(const PlanModel& model, std::span<const std::uint32_t> runs);

/// Why the program can't run so, in one line; empty if it can: each unit runs, and after what it needs.
std::string fault_of(std::span<const std::uint32_t> runs, const PlanModel& model);

/// Without runs of which the peaks need none: those that cost most are left out first, as long as neither peak is above `limit`.
Runs without_needless_runs(const PlanModel& model, Runs runs, const Sizes& limit);

/// Runs moved, one by one, so that the peak of one memory falls and that of the other does not rise; costs stay. `effort` is the
/// number of orders that may be tried, and is lowered by those that were.
Runs with_lower_peak(const PlanModel& model, Runs runs, std::size_t memory, std::size_t& effort);

}  // namespace tilemeter::trace
