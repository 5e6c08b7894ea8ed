// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations on each element, of one tensor, of two and of three, and their gradients ("_bw").

#include "runtime/operations/eltwise/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"
#include "tools/python/bindings/scalar_caster.hpp"

namespace tilemeter::python {

void bind_eltwise(nb::module_& operations) {
    for_each_eltwise_row([&](const auto& row) { bind_row(operations, row); });
    bind_composites(operations);
    bind_definitions(operations, EltwiseDefinitions());
}

}  // namespace tilemeter::python
