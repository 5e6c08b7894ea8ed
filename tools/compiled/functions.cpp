// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/functions.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include "runtime/types/runtime_error.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::CompiledProgram;
using foreign::ProgramFunction;
using foreign::ProgramOperation;

// The functions that others call, which are run by those.
std::set<std::string_view> called(const CompiledProgram& program) {
    std::set<std::string_view> names;
    for (const ProgramFunction& function : program.functions)
        for (const ProgramOperation& operation : function.operations)
            if (!operation.callee.empty()) names.insert(operation.callee);
    return names;
}

}  // namespace

const ProgramFunction& function_to_run(const CompiledProgram& program, const std::string& name) {
    if (!name.empty()) {
        if (const ProgramFunction* found = program.find(name)) return *found;
        throw RuntimeError("function: expected one of the program, found " + name);
    }
    const std::set<std::string_view> others = called(program);
    for (const ProgramFunction& function : program.functions)
        if (!function.is_private && !others.contains(function.name) && function.kind != "const_eval" &&
            function.kind != "forward_cpu")
            return function;
    throw RuntimeError("program " + program.name +
                       ": expected a function that is not called by another, found none");
}

std::vector<const ProgramFunction*> functions_of(const CompiledProgram& program,
                                                 const ProgramFunction& function) {
    std::vector<const ProgramFunction*> found;
    std::set<const ProgramFunction*> seen;
    const std::function<void(const ProgramFunction&)> add = [&](const ProgramFunction& each) {
        if (!seen.insert(&each).second) return;
        for (const ProgramOperation& operation : each.operations)
            if (!operation.callee.empty())
                if (const ProgramFunction* callee = program.find(operation.callee)) add(*callee);
        found.push_back(&each);
    };
    add(function);
    return found;
}

}  // namespace tilemeter::compiled
