// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random numbers by keys, compared with recorded ones: bits, but for what goes through a logarithm or erf_inv.

#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace tilemeter::trace_check {

/// True if a file is one of random numbers.
bool has_random_numbers(const nlohmann::json& file);

/// Tells `report` of each case its kind ("bits", "uniform", ...), its name and a check, which returns why it failed or
/// nothing.
using RandomCase = std::function<std::string()>;
void random_cases(const nlohmann::json& file,
                  const std::function<void(const std::string& kind, const std::string& name,
                                           const RandomCase& check)>& report);

}  // namespace tilemeter::trace_check
