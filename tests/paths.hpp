// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The folders and files that tests read. Functions, not macros: only one object file contains the path of the
// clone, so a compiler cache serves the tests of every clone.

#pragma once

#include <string>

namespace tilemeter::test {

std::string data_folder();  ///< tests/data
/// Recordings of TT-NN that are too large for the repository: TILEMETER_SHARED, or else the folder `shared`
/// beside the clone. Tests that need it are skipped where it does not exist. Throws std::runtime_error if
/// TILEMETER_SHARED names no folder.
std::string shared_folder();
std::string program_folder();  ///< the folder of `tilemeter` and `graph_report`
std::string weights_file();    ///< the weights of all-MiniLM-L6-v2; tools/fetch_weights downloads them

/// A text as one word of a shell's command line, for paths: a clone may lie below a folder with blanks in its
/// name.
std::string shell_word(const std::string& text);

}  // namespace tilemeter::test
