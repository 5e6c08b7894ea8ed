// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions in the expression format of recorded cases, as functions of arrays: each equation calls what a program
// written in arrays would call, bodies are functions that the control flow traces.
//
// Thread safety: any thread, any time.

#pragma once

#include <nlohmann/json.hpp>

#include "runtime/trace/arrays/trace.hpp"
#include "tools/trace_check/expressions.hpp"

namespace tilemeter::trace_check {

/// The function throws what graph_of() throws, and TraceError.
/// REQUIRES: `graph` lives as long as the function
trace::Function function_of(const nlohmann::json& graph, Precision precision);

}  // namespace tilemeter::trace_check
