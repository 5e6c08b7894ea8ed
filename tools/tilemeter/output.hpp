// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/nodes/number.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/file_replacement.hpp"
#include "report/result.hpp"
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
/// Its text.
std::string answer_text(const char* verb, const Json& answer);
/// The exit status for a verdict.
int exit_status(analysis::Verdict verdict);

/// The levels that JSON may have where a whole text is one value: such values are copied and printed by functions that call
/// themselves for each level.
inline constexpr int kMostLevels = 1024;
/// A text of JSON as `Value`, discarded where it is none; `too_deep()` throws where it has more than kMostLevels levels.
template <typename Value, typename TooDeep>
Value parsed_json(const std::string& text, const TooDeep& too_deep) {
    const auto look = [&](int level, typename Value::parse_event_t, const Value&) {
        if (level > kMostLevels) too_deep();
        return true;
    };
    return Value::parse(text, look, false);
}

/// To standard output, with a final newline. Bytes that are no UTF-8 are replaced.
void print(const Json& json);
/// Writes a file or, for "-", to standard output as it is; Failure if that does not work or the file is an input.
void write_text(const std::string& path, const std::string& text);
/// Writes a file piece by piece, whole or not at all; Failure as of check_output, or if that does not work.
void write_file(const std::string& path,
                const std::function<report::Status(report::FileReplacement&)>& write);
/// Failure (wrong usage) if the file is an input of this call, or "-", where standard output has the answer.
void check_output(const std::string& path);
/// Lines for people to standard output; Failure if that does not work.
void print_text(const std::string& text);
/// "PATH: cannot be written: No space left on device"; `reason`: errno, 0 where it is not known.
Failure cannot_be_written(const std::string& path, int reason);

}  // namespace tilemeter::cli
