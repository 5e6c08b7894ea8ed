// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An error as JSON, beside the line on standard error: what was asked for JSON gets JSON.

#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "report/result.hpp"

namespace tilemeter::analysis {

/// {"schema": "tilemeter.error/1", "status": 1, "message": "..", "file": .., "position": .., "expected": ..,
/// "found": ..}; what the error does not tell apart is absent. `status` is what the program exits with.
nlohmann::ordered_json error_json(std::string_view message, int status, const report::Error& parts = {});

}  // namespace tilemeter::analysis
