// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the chips of a mesh do together.

#include "runtime/operations/ccl/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

namespace tilemeter::python {

void bind_ccl(nb::module_& operations) {
    bind_definitions(operations, CclDefinitions());
}

}  // namespace tilemeter::python
