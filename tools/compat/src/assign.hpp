// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An argument of a call by name, given to a parameter of a definition by the parameter's type; and the call.

#pragma once

#include "runtime/operation_list.hpp"
#include "tools/compat/src/call.hpp"

namespace tilemeter::compat {

/// False where the argument is of no type that the parameter takes; one that is not given leaves the default.
bool assign(const ListedParameter& parameter, ErasedArguments& arguments, const Argument& argument);

/// Calls the operation; its tensors and sizes come into `result`. Throws what the operation throws.
void call(const ErasedDefinition& definition, const ErasedArguments& arguments, Result& result);

}  // namespace tilemeter::compat
