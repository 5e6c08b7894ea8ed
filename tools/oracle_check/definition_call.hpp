// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Calls a definition (runtime/operations/core/definition.hpp) with the arguments of a recorded row. Tensors are the
// row's inputs in order, `memory_config` is the row's, a number as an operand is its "scalar". Every other parameter is
// read from the row's arguments under its name, or keeps its default. The optional tensors that were given are those
// that the row says true of or lists as "tensors"; those that it says nothing of get the inputs that are left, a list
// all of them.

#pragma once

#include <vector>

#include "runtime/operation_list.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

/// A parameter's name in rows where that differs from the definition's.
struct NameInRows {
    const char* parameter;
    const char* row;
};

/// Throws std::exception where the row lacks what the definition needs, and what the operation throws.
CallResult call_definition(const ListedOperation& operation, const Row& row,
                           const std::vector<Tensor>& inputs);

}  // namespace tilemeter::oracle
