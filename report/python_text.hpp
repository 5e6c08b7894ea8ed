// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

// Texts as Python writes them, since readers of the database compare and parse them.

// json.dumps(value): ", " and ": ", ASCII only, numbers by repr, members in the order of the input. Fails on
// duplicate keys.
Status append_json_dumps(std::string& out, const JsonValue& value);
void append_json_dumps(std::string& out, std::string_view text);

// str(value): a text itself, True, None, {'a': [1]}.
void append_python_str(std::string& out, const JsonValue& value);

// repr(number): 0.1, 1e+16, 100000.0
void append_python_repr(std::string& out, double number);

}  // namespace tilemeter::report
