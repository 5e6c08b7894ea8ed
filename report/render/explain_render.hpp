// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The contents of a memory, for people and for programs.

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/answers/explain.hpp"

namespace tilemeter::analysis {

/// One of the `explanations`. Sizes are per core in L1 and L1_SMALL (`free_bytes_per_core`), per bank in DRAM
/// (`free_bytes_per_bank`). What is not known is null.
nlohmann::ordered_json explanation_json(const Explanation& explanation);
nlohmann::ordered_json explanations_json(const std::vector<Explanation>& explanations);

/// Several lines, each with its newline. Equal neighbours share a line.
std::string explanation_text(const Explanation& explanation);

}  // namespace tilemeter::analysis
