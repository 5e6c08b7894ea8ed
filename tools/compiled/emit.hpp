// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiled program as TT-NN code that people read and edit: one function for each of its functions, names from the
// locations, the calls that planning makes. It runs on TT-NN and on the model.
//
// Run as a program it opens a device, makes inputs by shape and calls the function; its first argument, where given, is the path
// of the capture's report, which is written also where the device refuses the program.
//
// Thread safety: calls are free.

#pragma once

#include <string>
#include <vector>

#include "report/foreign/compiled_program.hpp"

namespace tilemeter::compiled {

struct EmittedProgram {
    std::string text;
    /// Operations that no call is known for, in order: the program raises an exception there.
    std::vector<std::string> unknown;
};

/// `function`: empty: the first that nobody calls. Throws RuntimeError, in one line, where plan() would.
EmittedProgram python_program(const foreign::CompiledProgram& program, const std::string& function = "");

/// One source of C++20, for TT-NN's headers.
EmittedProgram cpp_program(const foreign::CompiledProgram& program, const std::string& function = "");

}  // namespace tilemeter::compiled
