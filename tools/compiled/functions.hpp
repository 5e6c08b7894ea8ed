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

/// The functions of a "ttnn.capture_or_execute_trace": what allocates its slots, and what captures it, which is given the inputs
/// that lie on the host and then the slots. Compilers before August 2026 have no function for the slots: that which captures is
/// given all inputs, and gives the results first.
struct TraceFunctions {
    const foreign::ProgramFunction* allocates = nullptr;
    const foreign::ProgramFunction* captures = nullptr;
};
/// Throws RuntimeError, in one line, for a function that the program lacks.
TraceFunctions trace_functions(const foreign::CompiledProgram& program,
                               const foreign::ProgramOperation& operation);

bool is_trace(const foreign::ProgramOperation& operation);

/// Of a trace what has no buffers of its own: its begin, its end, its execution, and what is written into its slots.
bool is_within_trace(const foreign::ProgramOperation& operation);

}  // namespace tilemeter::compiled
