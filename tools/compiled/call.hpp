// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a compiled program's operation asks of TT-NN: the function that tt-mlir's runtime calls for it, and with which
// arguments. Planning makes the call, writers of programs print it.
//
// Source of the calls: runtime/lib/ttnn/operations of tt-mlir, and what its compiler's programs do on a mock device.
//
// Thread safety: calls are free.

#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "report/foreign/compiled_program.hpp"
#include "tools/compat/src/call.hpp"

namespace tilemeter::compiled {

/// A value of the function as an argument, or a list of them.
struct TensorValue {
    foreign::ValueId value = foreign::kNoValue;
};
struct TensorValues {
    std::vector<foreign::ValueId> values;
};
/// The device that the program runs on.
struct TheDevice {};

using CallValue = std::variant<compat::Argument, TensorValue, TensorValues, TheDevice>;

struct CallArgument {
    std::string_view parameter;
    CallValue value;
};

struct FunctionCall {
    std::string_view function;  ///< "matmul", "transformer::concatenate_heads"
    std::vector<CallArgument> arguments;
    bool is_by_name = false;  ///< Python takes each argument by its name
    /// What stands in the operation and no argument of the call says: the plan is "at least" then.
    std::vector<std::string> left_out;
};

/// One row: which function an operation of the dialect becomes, and where its arguments come from.
struct CallRule {
    std::string operation;  ///< "ttnn.matmul"
    std::string function;
    /// `0=input` an operand by its place (with operand segments, by its segment; without a tensor there, none); `0*=tensors`
    /// the operands of that segment, without segments all from there on, as a list; `dim_arg=dim`, or `dim` alone, an
    /// attribute, the parameter's name second, `padding%pairs` two by two; `>memory=memory_config`, `>dtype`, `>layout`, `>shape` what the first
    /// result's type says; `device`; `by_name`: Python takes no argument of it by its place; `keepdim:false` a constant; `-name` an attribute that the call does without.
    std::vector<std::string> words;
};

const std::vector<CallRule>& call_rules();

/// Null: no function is known for it.
const CallRule* find_rule(std::string_view operation);

/// Throws RuntimeError, in one line, where an attribute is none that the rule's parameter can have.
FunctionCall call_of(const CallRule& rule, const foreign::CompiledProgram& program,
                     const foreign::ProgramFunction& function, const foreign::ProgramOperation& operation);

}  // namespace tilemeter::compiled
