// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Runs a row's operation on a modelled device of its board, in NO_DISPATCH, and reads what it did from the
// trace.

#pragma once

#include <cstdint>
#include <string>

#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::oracle {

/// The L1 that is free for programs: what lies beside the tensors of the moment, or, as in TT-NN's NO_DISPATCH, beside
/// the inputs.
enum class Planning : std::uint8_t { kBesideAll, kBesideInputs };

/// The outcome of our operation. `error` also says when the inputs don't lie where the reference's did.
Outcome replay(const Row& row, Planning planning = Planning::kBesideAll);

/// The first difference of the row from the recorded one (see first_difference), as executed and as planned; empty:
/// nowhere.
std::string difference_from_recorded(const Row& row);

}  // namespace tilemeter::oracle
