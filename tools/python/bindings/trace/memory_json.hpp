// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The memory of a traced function's replay as JSON; tools/python/README.md describes it.

#pragma once

#include <string>

#include "runtime/trace/device/memory_plan.hpp"

namespace tilemeter::python::tracing {

std::string json_text(const trace::MemoryPlan& plan);

}  // namespace tilemeter::python::tracing
