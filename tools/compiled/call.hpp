// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a compiled program's operation asks of TT-NN: the function that tt-mlir's runtime calls for it, and with which
// arguments. Planning makes the call, writers of programs print it.
//
// Source of the calls: runtime/lib/ttnn/operations of tt-mlir, and what its compiler's programs do on a mock device.
//
// Thread safety: calls are free.

#pragma once

#include <cstddef>
#include <cstdint>
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
    /// What stands in the operation and no argument of the call says: the plan is "at least" then.
    std::vector<std::string> left_out;
};

/// Where one argument of a call comes from: a word of the table in rules.cpp.
struct ArgumentRule {
    enum class From : std::uint8_t {
        kOperand,
        kOperands,  ///< a list of them
        kAttribute,
        kPairs,   ///< an attribute, its numbers two by two
        kResult,  ///< the type of the first result
        kDevice,
        kConstant,
        kNothing  ///< an attribute that the call does without
    };
    From from = From::kNothing;
    std::size_t place = 0;  ///< of an operand
    std::string source;     ///< an attribute's name; what of the result's type; the constant
    std::string parameter;
};

/// One row: which function an operation of the dialect becomes, and where its arguments come from.
struct CallRule {
    std::string operation;  ///< "ttnn.matmul"
    std::string function;
    bool is_by_name = false;  ///< Python takes each argument by its name
    std::vector<ArgumentRule> arguments;
};

const std::vector<CallRule>& call_rules();

/// Null: no function is known for it.
const CallRule* find_rule(std::string_view operation);

/// Throws RuntimeError, in one line, where an attribute is none that the rule's parameter can have.
FunctionCall call_of(const CallRule& rule, const foreign::CompiledProgram& program,
                     const foreign::ProgramFunction& function, const foreign::ProgramOperation& operation);

}  // namespace tilemeter::compiled
