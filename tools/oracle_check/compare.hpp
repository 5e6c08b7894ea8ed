// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Are two outcomes the same, and if not, where do they differ first?

#pragma once

#include <string>
#include <vector>

#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::oracle {

/// Empty when everything that the reference recorded is equal here; else one line: what, reference's, ours.
std::string first_difference(const Outcome& recorded, const Outcome& ours);

/// The same of programs alone.
std::string first_difference(const std::vector<RecordedProgram>& recorded,
                             const std::vector<RecordedProgram>& ours);

/// The same of programs as NORMAL lists them: operations, factories, and of each program that it lists any of the
/// circular buffers that lie in no tensor.
std::string first_difference_executed(const std::vector<RecordedProgram>& recorded,
                                      const std::vector<RecordedProgram>& ours);

}  // namespace tilemeter::oracle
