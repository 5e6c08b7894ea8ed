// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What selects elements: where.

#include <optional>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "runtime/operations/eltwise/where.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

void bind_selection(nb::module_& m) {
    operation(
        m, "where",
        [](const Tensor& predicate, const TensorOrNumber& true_value, const TensorOrNumber& false_value,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
           const OptionalCores& sub_core_grids) {
            return where(predicate, true_value, false_value, memory_config, output, sub_core_grids);
        },
        "predicate"_a, "true_value"_a, "false_value"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "true_value where predicate is not 0, else false_value; tensors are broadcast, numbers are too.");
}

}  // namespace tilemeter::python
