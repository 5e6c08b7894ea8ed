// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The smallest program that fails as a program does: what people send in reports. Operations before the failure are taken out
// while it stays; what one of them gave to those that are left becomes an argument, in the layout that it had.
//
// Thread safety: one at a time in a process, as plans.

#pragma once

#include <cstddef>
#include <string>

#include "report/foreign/compiled_program.hpp"
#include "tools/compiled/plan.hpp"

namespace tilemeter::compiled {

struct CutProgram {
    foreign::CompiledProgram program;
    std::string function;  ///< the one that fails: where it is a constant's, that one alone
    std::string failure;   ///< "ttnn.conv1d at model.py:8: ..."
    std::size_t operation_count = 0, kept_count = 0;
    std::size_t plan_count = 0;  ///< plans that it took
};

/// `failure`: which: a part of the operation's name, its place or the message; empty: any. Throws RuntimeError, in one line, where
/// the program does not fail so.
CutProgram cut(const foreign::CompiledProgram& program, const std::string& failure,
               const PlanOptions& options = {});

}  // namespace tilemeter::compiled
