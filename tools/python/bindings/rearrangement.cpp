// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors cut to triangles.

#include "runtime/operations/eltwise/triangle.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

using Triangle = Tensor (*)(const Tensor&, std::int64_t, const OptionalMemoryConfig&);

void bind_triangle(nb::module_& m, const char* name, Triangle function, const char* doc) {
    operation(m, name, function, "input_tensor"_a, nb::kw_only(), "diagonal"_a = 0,
              "memory_config"_a = nb::none(), doc);
}

}  // namespace

void bind_rearrangement(nb::module_& m) {
    bind_triangle(m, "tril", &tril, "What lies on a diagonal and below it, else zeros.");
    bind_triangle(m, "triu", &triu, "What lies on a diagonal and above it, else zeros.");
}

}  // namespace tilemeter::python
