// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory of a traced function's replay, and what it is when it computes again, as JSON; tools/tilemeter/JSON.md and
// tools/documentation/training_step.md describe it.

#pragma once

#include <string>

#include "report/analysis/answers/memory_plan.hpp"
#include "runtime/trace/device/recompute/recompute.hpp"

namespace tilemeter::python::tracing {

std::string json_text(const analysis::MemoryPlan& plan);
std::string json_text(const trace::RecomputeCurve& curve);

}  // namespace tilemeter::python::tracing
