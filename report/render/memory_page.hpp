// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The page of a training step before it runs: that of its plan's report, with passes, roles, what the way back keeps, peaks by size
// and schedules that compute again.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/result.hpp"

namespace tilemeter::analysis {

/// True if `memory` is of the form "tilemeter.memory/1" (tools/tilemeter/JSON.md), its numbers of equations and buffers
/// among them. The error says where it is not.
report::Status check_memory(const nlohmann::json& memory);

/// The error says why there is none: `memory` has no report of the plan, or one of another plan.
/// REQUIRES: check_memory(memory)
report::Result<std::string> memory_page(const nlohmann::json& memory);

}  // namespace tilemeter::analysis
