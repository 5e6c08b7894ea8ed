// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "runtime/tensor/tensor.hpp"
#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

/// The line of Python that runs, "model.py:12"; "" where none does. REQUIRES: no error on its way.
inline std::string python_place() {
    const nb::gil_scoped_acquire locked;
    PyFrameObject* const frame = PyEval_GetFrame();
    if (frame == nullptr) return "";
    const nb::object code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
    return nb::cast<std::string>(code.attr("co_filename")) + ":" +
           std::to_string(PyFrame_GetLineNumber(frame));
}

/// The line that frees a tensor, where others share its memory and will ask for it.
inline std::string place_of_free(const Tensor& tensor) {
    return tensor.shares_memory() ? python_place() : "";
}

}  // namespace tilemeter::python
