// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Errors of tracing: a function that can't be traced, an operation that refuses its operands, a traced value where it
// means nothing.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/error.hpp"
#include "capture/ir/graph.hpp"

namespace tilemeter::trace {

enum class TraceErrorKind : std::uint8_t {
    // of traced values
    kEscapedTracer,      ///< used after its trace, in another trace or in another thread
    kNeedsConcreteBool,  ///< the value is asked for where only the type is known
    kNeedsConcreteInt,
    kNeedsConcreteFloat,
    kNeedsConcreteArray,
    kImmutable,  ///< written to in place
    // of operations and what they are called with
    kShapeMismatch,
    kElementTypeMismatch,
    kBadArgument,
    kBadResult,          ///< a function gives back what is no array
    kBadStaticArgument,  ///< one that can't be compared
    kCarryTypeChanged,
    kStructureMismatch,  ///< another number of values than before
    kBranchTypeMismatch,
    kPredicateNotScalar,
    kPredicateNotBool,
    kLengthMismatch,
    kNoRule,       ///< an operation lacks the answer that is needed: compute, lower, vjp
    kRecursion,    ///< traces in traces without an end
    kGuardFailed,  ///< a value answers otherwise than when the function was traced
    // of derivatives
    kGradNeedsScalar,
    kGradNeedsFloat,
    kNotReversible,
    kOptionalCheck,  ///< a finding of a check that was asked for
    kCount
};

/// In snake_case: "escaped_tracer", "dtype_mismatch".
std::string_view name_of(TraceErrorKind kind);

/// The exception of Python that NumPy raises for the same: programs that catch that one catch this error, too.
enum class Exception : std::uint8_t {
    kOfKind,  ///< the exception that exception_of() says
    kNone,
    kValue,
    kType,
    kIndex,
    kAxis,  ///< NumPy's own, a value error and an index error
    kOverflow,
    kCount
};
/// Never kOfKind.
Exception exception_of(TraceErrorKind kind);

/// The details of an error besides its text.
struct ErrorDetails {
    std::string operation{};              ///< "matmul"; empty: of no operation
    std::vector<ir::TensorType> types{};  ///< of the operands
    ir::Location location{};              ///< in the user's program; empty: not known
    std::string hint{};                   ///< the remedy
    Exception exception = Exception::kOfKind;
};

/// The text is one line: operation, what was found and expected, "(at FILE:LINE)", "; hint: ...".
class TraceError : public std::runtime_error {
public:
    TraceError(TraceErrorKind kind, const std::string& message, ErrorDetails details = {});
    /// The error of a graph, with the place in the user's program.
    TraceError(const ir::Error& error, ErrorDetails details);

    [[nodiscard]] TraceErrorKind kind() const { return kind_; }
    [[nodiscard]] const std::string& operation() const { return details_.operation; }
    [[nodiscard]] const std::vector<ir::TensorType>& types() const { return details_.types; }
    [[nodiscard]] const ir::Location& location() const { return details_.location; }
    [[nodiscard]] const std::string& hint() const { return details_.hint; }
    /// Never kOfKind.
    [[nodiscard]] Exception exception() const { return details_.exception; }

private:
    TraceErrorKind kind_;
    ErrorDetails details_;
};

/// "FILE:LINE"; empty for an empty one.
std::string text_of(const ir::Location& location);

}  // namespace tilemeter::trace
