// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations of transformers, for the table of all.

#pragma once

#include <map>
#include <string>

#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

std::map<std::string, CallOperation> transformer_operations();

}  // namespace tilemeter::oracle
