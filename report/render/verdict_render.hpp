// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The verdict as every answer shows it: the head of the text, the first members of the JSON object.

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/nodes/units.hpp"

namespace tilemeter::analysis {

/// {"verdict": "fits", "reasons": [{"kind": .., "text": .., figures}]}; figures that do not apply are absent.
nlohmann::ordered_json verdict_json(const Judgement& judgement);
nlohmann::ordered_json reason_json(const Reason& reason);

/// {"peak_bytes_per_core": .., "bound": "exact", "limit_bytes_per_core": .., ...}; `unit` is per_core,
/// per_bank or all_banks. What is not known is null.
nlohmann::ordered_json use_json(const MemoryUse& use, const char* unit);

/// "at least 335,872 B (328.0 KiB), 24 % of 1,393,312 B that can be allocated (1,499,136 B physical)"
std::string use_text(const MemoryUse& use);
/// "at least 335,872 B"
std::string figure_text(const MemoryUse& use);
/// "headroom at most 1,057,440 B", "over by 27,136 B"; empty without a limit.
std::string headroom_text(const MemoryUse& use, std::string (*amount)(std::uint64_t) = &bytes_text);

/// The head of a text: "fits: n150", and under it a line per reason.
std::string verdict_text(const Judgement& judgement);

/// One line per reason, each with `indent` before it.
std::string reasons_text(const Judgement& judgement, const std::string& indent);

}  // namespace tilemeter::analysis
