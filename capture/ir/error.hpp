// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Errors of graphs: of a call that builds one, of a graph that breaks a rule, of a text that can't be read.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tilemeter::ir {

enum class ErrorKind : std::uint8_t {
    // of the graph as a data structure
    kUndefinedValue,    ///< an operand or result that the graph does not define
    kCycle,             ///< equations that need each other's results
    kWrongType,         ///< a recorded type differs from the inferred one
    kWrongArity,        ///< number of operands or results
    kUnknownOperation,  ///< not in the operation set
    kWrongAttribute,    ///< unknown, missing, or of another kind
    kWrongSubgraph,     ///< unknown, missing, or with another signature than its operation passes
    kWrongName,         ///< a parameter without a name, or two of one name
    kWrongConstant,     ///< its bytes do not fit its type
    kTooDeep,           ///< subgraphs nested deeper than Graph::kMaxDepth
    kTooLarge,          ///< more elements or equations than can be counted or are allowed
    // of operands
    kShapeMismatch,
    kElementTypeMismatch,
    kBadArgument,
    kPredicateNotScalar,
    kPredicateNotBool,
    kBranchTypeMismatch,
    kCarryTypeChanged,
    kLengthMismatch,
    // of derivatives
    kGradNeedsScalar,
    kGradNeedsFloat,
    kNotReversible,
    kNoRule,  ///< for the derivative, the transpose, the batch or the placing of an operation
    // of text
    kSyntax,
    kForeignText,  ///< not a graph at all, or of a version that is not known
    kFile,         ///< that can't be read or written
    kCount
};

/// In snake_case: "cycle", "shape_mismatch".
std::string_view name_of(ErrorKind kind);

/// The text is one line: control characters of the message, which names in a graph may have, are escaped.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message);
    [[nodiscard]] ErrorKind kind() const { return kind_; }

private:
    ErrorKind kind_;
};

}  // namespace tilemeter::ir
