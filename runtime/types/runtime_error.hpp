// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// RuntimeError, the base of the exceptions that the runtime throws.

#pragma once

#include <stdexcept>

namespace tilemeter {

/// Any error of the runtime's user API: wrong shape, dtype, layout or device, a closed device, a deallocated
/// tensor.
class RuntimeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The device does it, the model does not.
class NotModelledError : public RuntimeError {
public:
    using RuntimeError::RuntimeError;
};

}  // namespace tilemeter
