// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The gate's answer as JSON, text, a table for a CI's summary, and JUnit's XML.

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/gate/gate.hpp"

namespace tilemeter::analysis {

/// {"verdict": .., "reasons": [..], "outcome": "exceeded", "reports": [{"file": .., "verdict": .., ..}]}; the
/// verdict is that of the worst report. Serves a later check as its baseline.
nlohmann::ordered_json gate_json(const GateAnswer& answer);

/// A block per report; of several a last line that counts them. What is bad input is left to standard error.
std::string gate_text(const GateAnswer& answer);
std::string gate_text(const GateReport& report);

/// A heading and a table, GitHub's flavour of Markdown.
std::string gate_markdown(const GateAnswer& answer);

/// One test case per report: a failure where a limit is exceeded or cannot be judged, an error on bad input.
std::string gate_junit(const GateAnswer& answer);

}  // namespace tilemeter::analysis
