// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The binding of operations: called as from Python ("ttnn.add" in traces), without the interpreter lock.

#pragma once

#include <optional>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/record/window.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "tools/python/bindings/base/tensor_handle.hpp"

namespace tilemeter::python {

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

struct PythonCall {
    ScopedCallStyle style{CallStyle::kPython};
};

/// Lets other threads of Python run meanwhile, unless there is nothing to compute: what a NO_DISPATCH capture
/// only plans takes about as long as giving the interpreter lock away and taking it back.
class Unlocked {
public:
    Unlocked() {
        if (!is_planned_only()) unlocked_.emplace();
    }

private:
    std::optional<nb::gil_scoped_release> unlocked_;
};

/// Binds `function` as the operation `name`; `arguments` as for nanobind's def.
template <typename Function, typename... Arguments>
void operation(nb::module_& module, const char* name, Function function, const Arguments&... arguments) {
    module.def(name, function, nb::call_guard<Unlocked, PythonCall>(), arguments...);
}

}  // namespace tilemeter::python
