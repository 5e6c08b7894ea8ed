// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What is known of a replay beside its capture, for answers over its memory (report/analysis/answers/memory_plan.hpp).
//
// Thread safety: free functions of constant objects.

#pragma once

#include <span>
#include <vector>

#include "capture/graph/planned_replay.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/replay/executable.hpp"

namespace tilemeter::trace {

/// Where inputs lie.
using BufferPlaces = std::vector<graph::BufferPlace>;
BufferPlaces places_of(std::span<const Tensor> inputs);

/// Of a replay on inputs that lay there when it was planned.
graph::PlannedReplay planned_replay(const Executable& executable, const BufferPlaces& inputs);

}  // namespace tilemeter::trace
