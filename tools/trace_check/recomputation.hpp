// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Recomputation under a budget, compared with recorded optima.

#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "tools/trace_check/random_numbers.hpp"

namespace tilemeter::trace_check {

/// True if a file is one of recomputation.
bool has_recomputation(const nlohmann::json& file);

/// Kinds: `chain` (steps that run where some states are stored), `budget` (the least cost at each recorded budget, by a schedule
/// that is tried step by step), `below` (one less costs more, or no schedule exists), `curve` (the whole curve).
void recomputation_cases(const nlohmann::json& file,
                         const std::function<void(const std::string& kind, const std::string& name,
                                                  const RandomCase& check)>& report);

}  // namespace tilemeter::trace_check
