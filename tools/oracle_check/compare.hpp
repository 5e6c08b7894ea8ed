// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Are two outcomes the same, and if not, where do they differ first?

#pragma once

#include <string>

#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::oracle {

/// Empty when everything that the reference recorded is equal here; else one line: what, reference's, ours.
std::string first_difference(const Outcome& recorded, const Outcome& ours);

}  // namespace tilemeter::oracle
