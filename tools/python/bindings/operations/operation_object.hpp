// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operation that users call: `Operation(name, native)` passes a call on to `native` and, while a capture
// is open, leaves a record of it. Nothing is packed or converted on the way, so that a call costs little more
// than the native one.

#pragma once

#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

void bind_operation_type(nb::module_& module);

}  // namespace tilemeter::python
