// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// NumPy's universal functions on arrays, by its protocol.

#include <string>
#include <unordered_map>

#include <nanobind/stl/string.h>

#include "runtime/trace/arrays/apply.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

struct Protocol {
    std::unordered_map<PyObject*, const ir::Operation*>
        operations;        ///< by universal function, which is kept alive
    nb::object otherwise;  ///< asked for all that is no plain call
};

Protocol& protocol() {
    static auto* const the = new Protocol;
    return *the;
}

/// True for floats and numbers of Python, of which the operation has NumPy's element types; of all else NumPy's loops are
/// looked up.
bool is_plain_operand(nb::handle operand) {
    if (is_array(operand)) return ir::is_float(as_array(operand).element());
    return PyFloat_CheckExact(operand.ptr()) || PyLong_CheckExact(operand.ptr());
}

nb::object universal(nb::handle self, nb::handle function, nb::handle method, const nb::args& inputs,
                     const nb::kwargs& keywords) {
    const auto found = protocol().operations.find(function.ptr());
    const bool is_plain = found != protocol().operations.end() && keywords.size() == 0 &&
                          PyUnicode_CompareWithASCIIString(method.ptr(), "__call__") == 0;
    const bool is_of_floats = is_plain && is_plain_operand(inputs[0]) &&
                              (inputs.size() == 1 || is_plain_operand(inputs[inputs.size() - 1]));
    if (!is_of_floats) return protocol().otherwise(self, function, method, inputs, keywords);
    if (inputs.size() == 1) {
        const Operand x(inputs[0]);
        return nb::cast(trace::apply_one(*found->second, {x.get()}));
    }
    const Operand x(inputs[0]), y(inputs[1]);
    return nb::cast(trace::apply_one(*found->second, {x.get(), y.get()}));
}

}  // namespace

void bind_numpy(nb::module_& trace) {
    nb::setattr(
        nb::handle(reinterpret_cast<PyObject*>(array_type())), "__array_ufunc__",
        nb::cpp_function(&universal, nb::name("__array_ufunc__"),
                         nb::scope(nb::handle(reinterpret_cast<PyObject*>(array_type()))), nb::is_method()));
    trace.def("_set_universal_function", [](nb::handle function, const std::string& operation) {
        if (protocol().operations.emplace(function.ptr(), &trace::operation_named(operation)).second)
            function.inc_ref();
    });
    trace.def("_set_universal_fallback",
              [](nb::handle function) { protocol().otherwise = nb::borrow(function); });
}

}  // namespace tilemeter::python::tracing
