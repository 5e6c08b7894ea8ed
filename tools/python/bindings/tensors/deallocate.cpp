// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// deallocate has no definition: it frees the memory of its caller's own tensor.

#include "runtime/device/freed_views.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/operation.hpp"
#include "tools/python/bindings/base/python_place.hpp"

namespace tilemeter::python {

void bind_deallocate(nb::module_& m) {
    operation(
        // By its object: a tensor of our own would share the memory, which then stays without force.
        m, "deallocate",
        [](TensorHandle& tensor, bool force) {
            const FreeingAt place(place_of_free(tensor.tensor()));
            deallocate(tensor.tensor(), force);
        },
        "tensor"_a, "force"_a = true,
        "Frees the device memory, with force also for other tensors that share it.");
    m.def("set_freed_views_stay", &set_freed_views_stay, "stay"_a,
          "Whether views of memory that was freed with another tensor count as allocated, as TT-NN's do.");
}

}  // namespace tilemeter::python
