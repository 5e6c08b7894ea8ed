// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/error.hpp"

#include <array>
#include <utility>

namespace tilemeter::trace {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(TraceErrorKind::kCount)> kNames = {
    "escaped_tracer",
    "needs_concrete_bool",
    "needs_concrete_int",
    "needs_concrete_float",
    "needs_concrete_array",
    "immutable",
    "shape_mismatch",
    "dtype_mismatch",
    "bad_argument",
    "bad_result",
    "bad_static_argument",
    "carry_type_changed",
    "structure_mismatch",
    "branch_type_mismatch",
    "predicate_not_scalar",
    "predicate_not_bool",
    "length_mismatch",
    "no_rule",
    "recursion",
    "guard_failed",
    "grad_needs_scalar",
    "grad_needs_float",
    "not_reversible",
    "optional_check"};
static_assert(!kNames.back().empty(), "a name for each kind");

// The kind of a graph's refusal; the rest are arguments that no operation takes.
TraceErrorKind kind_of(ir::ErrorKind kind) {
    switch (kind) {
        case ir::ErrorKind::kShapeMismatch:
            return TraceErrorKind::kShapeMismatch;
        case ir::ErrorKind::kElementTypeMismatch:
            return TraceErrorKind::kElementTypeMismatch;
        case ir::ErrorKind::kPredicateNotScalar:
            return TraceErrorKind::kPredicateNotScalar;
        case ir::ErrorKind::kPredicateNotBool:
            return TraceErrorKind::kPredicateNotBool;
        case ir::ErrorKind::kBranchTypeMismatch:
            return TraceErrorKind::kBranchTypeMismatch;
        case ir::ErrorKind::kCarryTypeChanged:
            return TraceErrorKind::kCarryTypeChanged;
        case ir::ErrorKind::kLengthMismatch:
            return TraceErrorKind::kLengthMismatch;
        case ir::ErrorKind::kGradNeedsScalar:
            return TraceErrorKind::kGradNeedsScalar;
        case ir::ErrorKind::kGradNeedsFloat:
            return TraceErrorKind::kGradNeedsFloat;
        case ir::ErrorKind::kNotReversible:
            return TraceErrorKind::kNotReversible;
        case ir::ErrorKind::kNoRule:
            return TraceErrorKind::kNoRule;
        case ir::ErrorKind::kTooDeep:
            return TraceErrorKind::kRecursion;
        default:
            return TraceErrorKind::kBadArgument;
    }
}

std::string full_text(const std::string& message, const ErrorDetails& details) {
    std::string text = message;
    // Most texts of graphs begin with the operation already.
    if (!details.operation.empty() && !message.starts_with(details.operation))
        text = details.operation + ": " + message;
    if (const std::string place = text_of(details.location); !place.empty()) text += " (at " + place + ")";
    if (!details.hint.empty()) text += "; hint: " + details.hint;
    // ir::Error keeps a text to one line.
    return ir::Error(ir::ErrorKind::kBadArgument, text).what();
}

}  // namespace

std::string_view name_of(TraceErrorKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

Exception exception_of(TraceErrorKind kind) {
    switch (kind) {
        case TraceErrorKind::kShapeMismatch:
        case TraceErrorKind::kBadArgument:
        case TraceErrorKind::kStructureMismatch:
        case TraceErrorKind::kLengthMismatch:
            return Exception::kValue;
        case TraceErrorKind::kNeedsConcreteBool:
        case TraceErrorKind::kNeedsConcreteInt:
        case TraceErrorKind::kNeedsConcreteFloat:
        case TraceErrorKind::kNeedsConcreteArray:
        case TraceErrorKind::kImmutable:
        case TraceErrorKind::kElementTypeMismatch:
        case TraceErrorKind::kBadResult:
        case TraceErrorKind::kBadStaticArgument:
        case TraceErrorKind::kCarryTypeChanged:
        case TraceErrorKind::kBranchTypeMismatch:
        case TraceErrorKind::kPredicateNotScalar:
        case TraceErrorKind::kPredicateNotBool:
        case TraceErrorKind::kGradNeedsScalar:
        case TraceErrorKind::kGradNeedsFloat:
            return Exception::kType;
        default:
            return Exception::kNone;
    }
}

std::string text_of(const ir::Location& location) {
    if (location.file.empty()) return {};
    return location.file + ":" + std::to_string(location.line);
}

TraceError::TraceError(TraceErrorKind kind, const std::string& message, ErrorDetails details)
    : std::runtime_error(full_text(message, details)), kind_(kind), details_(std::move(details)) {
    if (details_.exception == Exception::kOfKind) details_.exception = exception_of(kind);
}

TraceError::TraceError(const ir::Error& error, ErrorDetails details)
    : TraceError(kind_of(error.kind()), error.what(), std::move(details)) {}

}  // namespace tilemeter::trace
