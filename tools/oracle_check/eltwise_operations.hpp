// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of the oracle tables on each element: of two and three operands, and made of others.

#pragma once

#include <map>
#include <string>

#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

std::map<std::string, CallOperation> eltwise_operations();

}  // namespace tilemeter::oracle
