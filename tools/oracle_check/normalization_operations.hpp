// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax and norms, by the names in oracle rows.

#pragma once

#include <map>
#include <string>

#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

std::map<std::string, CallOperation> normalization_operations();

}  // namespace tilemeter::oracle
