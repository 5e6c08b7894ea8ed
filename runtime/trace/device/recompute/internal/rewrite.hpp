// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A traced program that runs its calls in another schedule: some of them again, buffers freed in between.
//
// Thread safety: free functions of constant objects.

#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "runtime/trace/device/recompute/internal/call_units.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace::internal {

/// The program that runs units and drops values in this order. Each unit's first run is the traced one; a later one is a call
/// of its own, with buffers of its own, which stand for the first ones from then on. `units`: those of `traced`.
std::shared_ptr<const TracedProgram> rewritten(const TracedProgram& traced, const CallUnits& units,
                                               std::span<const PlanStep> steps);

}  // namespace tilemeter::trace::internal
