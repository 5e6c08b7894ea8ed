// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Errors of tracing and of graphs as one exception of Python.

#include <exception>
#include <string>

#include <nanobind/stl/string.h>

#include "capture/ir/sizes.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/trace/apply.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

PyObject* trace_error = nullptr;  // lives as long as the process

void raise(const char* text, std::string_view kind, const std::string& operation,
           const std::vector<ir::TensorType>& types, const ir::Location& location, const std::string& hint) {
    nb::object error = nb::handle(trace_error)(text);
    nb::list shown;
    for (const ir::TensorType& type : types)
        shown.append(nb::cast(type));
    error.attr("kind") = std::string(kind);
    error.attr("operation") = operation;
    error.attr("types") = shown;
    error.attr("file") = location.file;
    error.attr("line") = location.line;
    error.attr("hint") = hint;
    PyErr_SetObject(trace_error, error.ptr());
}

/// Messages of TracingError begin with the operation and may end with a hint; the place is known here.
void raise(const TracingError& error) {
    constexpr std::string_view kHint = "; hint: ";
    const std::string text = error.what();
    const std::size_t hint = text.find(kHint);
    const std::string operation = text.substr(0, text.find(':'));
    const bool is_name = operation.find(' ') == std::string::npos;
    const ir::Location place = trace::current_location();
    std::string told = text.substr(0, hint);
    if (!place.file.empty()) told += " (at " + trace::text_of(place) + ")";
    if (hint != std::string::npos) told += text.substr(hint);
    raise(told.c_str(), name_of(error.kind()), is_name ? operation : "", {}, place,
          hint == std::string::npos ? "" : text.substr(hint + kHint.size()));
}

void translate_trace_error(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const trace::TraceError& error) {
        raise(error.what(), trace::name_of(error.kind()), error.operation(), error.types(), error.location(),
              error.hint());
    } catch (const TracingError& error) {
        raise(error);
    } catch (const ir::Error& error) {
        const ir::Location place = trace::current_location();
        std::string told = error.what();
        if (!place.file.empty()) told += " (at " + trace::text_of(place) + ")";
        raise(told.c_str(), ir::name_of(error.kind()), "", {}, place, "");
    }
}

}  // namespace

void restore_current_exception() {
    try {
        translate_trace_error(std::current_exception(), nullptr);
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
}

void bind_trace_errors(nb::module_& trace) {
    trace_error = PyErr_NewExceptionWithDoc(
        "tilemeter.trace.TraceError",
        "A function that can't be traced, an operation that refuses its operands, a file that is no graph.\n\n"
        "Attributes: kind ('shape_mismatch', 'escaped_tracer', ...), operation, types (of the operands), file and "
        "line (of the user's call), hint.",
        PyExc_RuntimeError, nullptr);
    if (trace_error == nullptr) throw nb::python_error();
    trace.attr("TraceError") = nb::handle(trace_error);
    nb::register_exception_translator(translate_trace_error);

    nb::class_<ir::TensorType>(
        trace, "Type", "Element type and shape of an array; a shape may be a text of names: \"b, 3*n\".")
        .def(
            "__init__",
            [](ir::TensorType* self, nb::handle shape, nb::handle dtype) {
                const ir::Shape extents = nb::isinstance<nb::str>(shape)
                                              ? ir::parse_shape(nb::cast<std::string>(shape))
                                              : ir::Shape(std::span<const std::int64_t>(integers_of(shape)));
                new (self) ir::TensorType{element_of(dtype), extents, {}};
            },
            nb::arg("shape"), nb::arg("dtype"))
        .def_prop_ro("shape", [](const ir::TensorType& self) { return tuple_of(self.shape); })
        .def_prop_ro("ndim", [](const ir::TensorType& self) { return self.shape.rank(); })
        .def_prop_ro("dtype", [](const ir::TensorType& self) { return dtype_of(self.element); })
        .def("__eq__", [](const ir::TensorType& a, const ir::TensorType& b) { return a == b; })
        .def("__eq__", [](const ir::TensorType&, nb::handle) { return false; })
        .def("__hash__", [](const ir::TensorType& self) { return ir::hash_of(self); })
        .def("__repr__", [](const ir::TensorType& self) { return ir::text_of(self); });

    trace.def(
        "_raise",
        [](const std::string& kind, const std::string& message, const std::string& operation,
           const std::string& hint) {
            for (int i = 0; i < static_cast<int>(trace::TraceErrorKind::kCount); ++i) {
                const auto each = static_cast<trace::TraceErrorKind>(i);
                if (trace::name_of(each) == kind)
                    throw trace::TraceError(
                        each, message,
                        {.operation = operation, .location = trace::current_location(), .hint = hint});
            }
            throw nb::value_error(kind.c_str());
        },
        nb::arg("kind"), nb::arg("message"), nb::arg("operation") = "", nb::arg("hint") = "");
}

}  // namespace tilemeter::python::tracing
