// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operation_list.hpp"

#include <map>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

namespace {

std::map<std::string, std::string> golden_names() {
    std::map<std::string, std::string> names;
    for (const ListedOperation& operation : all_operations()) {
        if (operation.golden != operation.name)
            names.emplace("ttnn." + operation.name, "ttnn." + operation.golden);
    }
    return names;
}

}  // namespace

void bind_operation_list(nb::module_& module) {
    module.def("golden_names", &golden_names,
               "Operations with the golden function of another one, with that one's name.");
}

}  // namespace tilemeter::python
