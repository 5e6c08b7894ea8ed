// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Regular expressions by POSIX: a source that uses those of the standard library takes two seconds more to compile.

#pragma once

#include <string>
#include <vector>

namespace tilemeter::test {

/// The parts of `text` that match `pattern` (an extended regular expression), one behind the other: each whole, then
/// its groups.
std::vector<std::vector<std::string>> matches(const std::string& text, const std::string& pattern);

inline bool has_match(const std::string& text, const std::string& pattern) {
    return !matches(text, pattern).empty();
}

}  // namespace tilemeter::test
