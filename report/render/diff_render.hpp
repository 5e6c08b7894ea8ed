// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Two captures beside each other, as JSON and as text.

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/gate/compare.hpp"

namespace tilemeter::analysis {

/// {"answer": "differ", "before": {..}, "after": {..}, "differences": [..], "notes": [..]}; `before` and
/// `after` name the files.
nlohmann::ordered_json diff_json(const Comparison& comparison, const std::string& before,
                                 const std::string& after, bool accept_incomplete = false);

/// Both sides with their verdicts, peaks of both always, then the differences or "no difference".
std::string diff_text(const Comparison& comparison, const std::string& before, const std::string& after);

/// "63,488 B -> at least 40,960 B: cannot be subtracted"; "24,576 B -> 32,768 B (+8,192 B, +33 %)"
std::string change_text(const MemoryUse& before, const MemoryUse& after);

}  // namespace tilemeter::analysis
