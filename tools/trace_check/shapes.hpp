// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions whose shapes are expressions of names: what they make of them, which are refused, which shapes they may be
// called with.

#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace tilemeter::trace_check {

/// True if a file is one of such functions.
bool has_shapes(const nlohmann::json& file);

/// Tells `report` of each case its kind ("accept", "reject", "calls"), its name and a check, which returns why it failed
/// or nothing.
using ShapeCase = std::function<std::string()>;
void shape_cases(const nlohmann::json& file,
                 const std::function<void(const std::string& kind, const std::string& name,
                                          const ShapeCase& check)>& report);

}  // namespace tilemeter::trace_check
