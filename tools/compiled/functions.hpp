// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Which of a compiled program's functions runs, and which it calls.
//
// Thread safety: calls are free.

#pragma once

#include <string>
#include <vector>

#include "report/foreign/compiled_program.hpp"

namespace tilemeter::compiled {

/// The one of that name; of none, the first that no other calls. Throws RuntimeError, in one line, where there is none.
const foreign::ProgramFunction& function_to_run(const foreign::CompiledProgram& program,
                                                const std::string& name);

/// It and all that it calls, each behind those that it calls itself.
std::vector<const foreign::ProgramFunction*> functions_of(const foreign::CompiledProgram& program,
                                                          const foreign::ProgramFunction& function);

}  // namespace tilemeter::compiled
