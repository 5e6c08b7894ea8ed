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
        for (const ProgramOperation& operation : each.operations) {
            if (!operation.callee.empty())
                if (const ProgramFunction* callee = program.find(operation.callee)) add(*callee);
            if (!is_trace(operation)) continue;
            const TraceFunctions trace = trace_functions(program, operation);
            if (trace.allocates != nullptr) add(*trace.allocates);
            add(*trace.captures);
        }
        found.push_back(&each);
    };
    add(function);
    return found;
}

bool is_trace(const ProgramOperation& operation) {
    return operation.name == "ttnn.capture_or_execute_trace";
}

bool is_within_trace(const ProgramOperation& operation) {
    return operation.name == "ttnn.begin_trace_capture" || operation.name == "ttnn.end_trace_capture" ||
           operation.name == "ttnn.execute_trace" || operation.name == "ttnn.write_tensor";
}

TraceFunctions trace_functions(const CompiledProgram& program, const ProgramOperation& operation) {
    const foreign::mlir::Value attributes = operation.read_attributes();
    const auto function = [&](std::string_view attribute) -> const ProgramFunction* {
        const foreign::mlir::Value* name = attributes.find(attribute);
        if (name == nullptr) return nullptr;
        std::string_view text = name->text;
        if (text.starts_with('@')) text.remove_prefix(1);
        if (const ProgramFunction* found = program.find(text)) return found;
        throw RuntimeError(std::string(attribute) + ": expected a function of the program, found @" +
                           std::string(text));
    };
    const TraceFunctions found{function("allocate_slots_callee"), function("capture_callee")};
    if (found.captures == nullptr) throw RuntimeError("capture_callee: expected a function, found none");
    return found;
}

}  // namespace tilemeter::compiled
