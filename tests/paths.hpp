// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where tests find their files. Functions, not macros: only one object depends on where the clone lies, so
// a compiler cache serves the tests of every clone.

#pragma once

#include <string>

namespace tilemeter::test {

std::string data_folder();     ///< tests/data
std::string shared_folder();   ///< the shared conformance data; absent outside the developers' machines
std::string program_folder();  ///< of `tilemeter` and `graph_report`
std::string weights_file();    ///< of all-MiniLM-L6-v2; there once tools/fetch_weights could fetch it

/// A text as one word of a shell's command line, for paths: a clone may lie below a folder with blanks in its
/// name.
std::string shell_word(const std::string& text);

}  // namespace tilemeter::test
