// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/nodes/number.hpp"
#include "report/analysis/nodes/units.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

using Json = nlohmann::ordered_json;

using analysis::duration_text;
using analysis::grouped;
/// A number, or null where it is not known.
Json json_of(analysis::Number number);
/// A verb's answer to standard output, under `--json`: {"schema": "tilemeter.VERB/1", "verdict": ..,
/// "reasons": [..], and the members of `answer`}. tools/tilemeter/JSON.md describes them all.
void print_answer(const char* verb, const analysis::Judgement& judgement, const Json& answer);
/// The same for answers without a verdict.
void print_answer(const char* verb, const Json& answer);
/// The exit status for a verdict.
int exit_status(analysis::Verdict verdict);

/// To standard output, with a final newline. Bytes that are no UTF-8 are replaced.
void print(const Json& json);
/// Writes a file or, for "-", to standard output as it is; Failure if that does not work or the file is an input.
void write_text(const std::string& path, const std::string& text);
/// Lines for people to standard output; Failure if that does not work.
void print_text(const std::string& text);
/// "PATH: cannot be written: No space left on device"; `reason`: errno, 0 where it is not known.
Failure cannot_be_written(const std::string& path, int reason);

}  // namespace tilemeter::cli
