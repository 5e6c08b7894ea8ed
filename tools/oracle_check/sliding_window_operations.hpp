// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of the oracle tables that slide a window over images, and their norm.

#pragma once

#include <map>
#include <string>

#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

std::map<std::string, CallOperation> sliding_window_operations();

}  // namespace tilemeter::oracle
