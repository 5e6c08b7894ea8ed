// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/creation/definitions.hpp"
#include "runtime/operations/eltwise/creation_like.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

namespace tilemeter::python {

namespace {

using FilledLike = Tensor (*)(const Tensor&, const OptionalDataType&, const OptionalLayout&,
                              const OptionalDevice&, const OptionalMemoryConfig&, const OptionalTensor&);

void bind_filled_like(nb::module_& m, const char* name, FilledLike function, const char* doc) {
    operation(m, name, function, "tensor"_a, "dtype"_a = nb::none(), "layout"_a = nb::none(),
              "device"_a = nb::none(), "memory_config"_a = nb::none(), "optional_tensor"_a = nb::none(), doc);
}

}  // namespace

void bind_creation(nb::module_& m) {
    bind_definitions(m, CreationDefinitions());
    bind_filled_like(m, "zeros_like", &zeros_like,
                     "Zeros of another tensor's shape, dtype, layout and place.");
    bind_filled_like(m, "ones_like", &ones_like, "Ones of another tensor's shape, dtype, layout and place.");
    operation(m, "empty_like", &empty_like, "tensor"_a, nb::kw_only(), "dtype"_a = nb::none(),
              "layout"_a = nb::none(), "device"_a = nb::none(), "memory_config"_a = nb::none(),
              "Device memory without values in another tensor's shape, dtype and layout.");
    operation(m, "full_like", &full_like, "tensor"_a, "fill_value"_a, "dtype"_a = nb::none(),
              "layout"_a = nb::none(), "device"_a = nb::none(), "memory_config"_a = nb::none(),
              "optional_tensor"_a = nb::none(),
              "One value in another tensor's shape, dtype, layout and place, or over optional_tensor.");
    operation(
        // By its object: a tensor of our own would share the memory, which then stays without force.
        m, "deallocate", [](TensorHandle& tensor, bool force) { deallocate(tensor.tensor(), force); },
        "tensor"_a, "force"_a = true,
        "Frees the device memory, with force also for other tensors that share it.");
}

}  // namespace tilemeter::python
