// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Interrupting an operation that computes for a long time: the embedding program (Python) installs a check,
// which throws when the user pressed Ctrl-C.

#pragma once

#include <exception>
#include <string>
#include <utility>

#include "runtime/device/errors.hpp"

namespace tilemeter {

/// Throws when the user wants the operation of this thread to stop (Ctrl-C).
using InterruptionCheck = void (*)();

/// From now on operations of the calling thread that compute many values ask `check` twenty times a second,
/// while another thread computes; null (the default): they compute in the calling thread, unasked. What
/// `check` throws ends the operation with OperationInterruptedError; the computation, which owns all it
/// touches, is left to end by itself.
void set_interruption_check(InterruptionCheck check);
InterruptionCheck interruption_check();

/// The user stopped an operation.
class OperationInterruptedError : public RuntimeError {
public:
    OperationInterruptedError(const std::string& operation, std::exception_ptr thrown)
        : RuntimeError(operation + ": interrupted"), cause(std::move(thrown)) {}

    std::exception_ptr cause;  ///< the exception that the check threw
};

}  // namespace tilemeter
