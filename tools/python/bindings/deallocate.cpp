// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// deallocate has no definition: it frees the memory of its caller's own tensor.

#include "runtime/operations/creation/creation.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

void bind_deallocate(nb::module_& m) {
    operation(
        // By its object: a tensor of our own would share the memory, which then stays without force.
        m, "deallocate", [](TensorHandle& tensor, bool force) { deallocate(tensor.tensor(), force); },
        "tensor"_a, "force"_a = true,
        "Frees the device memory, with force also for other tensors that share it.");
}

}  // namespace tilemeter::python
