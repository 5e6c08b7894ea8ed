// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of the oracle tables that accumulate, measure, sort and pick, and that repeat, join, roll,
// pad and mask tensors.

#pragma once

#include <map>
#include <string>

#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

std::map<std::string, CallOperation> statistics_operations();

}  // namespace tilemeter::oracle
