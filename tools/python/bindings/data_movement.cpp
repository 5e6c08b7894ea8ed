// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that place or arrange values without computing on them.

#include <nanobind/stl/pair.h>

#include "runtime/operations/data_movement/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

namespace tilemeter::python {

void bind_data_movement(nb::module_& m) {
    bind_definitions(m, DataMovementDefinitions());
}

}  // namespace tilemeter::python
