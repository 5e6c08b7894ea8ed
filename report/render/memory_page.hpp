// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The page of a step's memory before it runs: its passes on one axis, bands of what is alive, addresses while an equation
// runs, who makes and reads a buffer and where that is called. One file without anything from outside.
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

/// REQUIRES: check_memory(memory)
std::string memory_page(const nlohmann::json& memory);

}  // namespace tilemeter::analysis
