// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Derivatives of recorded functions: those that were recorded beside their values, and those that functions take of
// others inside (grad, jvp, vjp, vmap).

#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "capture/ir/graph.hpp"
#include "runtime/trace/derivatives/vmap.hpp"
#include "tools/trace_check/expressions.hpp"

namespace tilemeter::trace_check {

bool is_transformation(const std::string& operation);

/// "in_axes" or "out_axes".
trace::MappedAxes mapped_axes(const nlohmann::json& axes);

/// An equation that calls what the transformation makes of `f`. Throws ir::Error.
ir::ValueRange append_transformation(ir::Graph& graph, const nlohmann::json& equation,
                                     std::span<const ir::ValueId> operands, const ir::Graph& f);

/// Parameters of the graph, then cotangents of its float results -> cotangents of its float parameters.
ir::Graph cotangents_of(const ir::Graph& graph);

struct DerivativeCheck {
    std::function<bool(const nlohmann::json& function)> is_recorded;
    /// Why the answer is another one; empty if it is not.
    std::function<std::string(const nlohmann::json& function, Precision precision)> difference;
};

/// By kind: "jvp", "vjp", "hvp"; "dual": <cotangents, J tangents> = <J' cotangents, tangents>.
const std::map<std::string, DerivativeCheck>& derivative_checks();

}  // namespace tilemeter::trace_check
