// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations of training loops ("moreh_..."): sums, softmax, products, steps of optimizers.

#include "runtime/operations/moreh/definitions.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

namespace tilemeter::python {

void bind_moreh(nb::module_& operations) {
    bind_definitions(operations, MorehDefinitions());
}

}  // namespace tilemeter::python
