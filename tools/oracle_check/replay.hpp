// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Runs a row's operation on a modelled device of its board, in NO_DISPATCH, and reads what it did from the
// trace.

#pragma once

#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::oracle {

/// What our operation does. `error` also says when the inputs don't lie where the reference's did.
Outcome replay(const Row& row);

}  // namespace tilemeter::oracle
