// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Errors of tracing and of graphs as one exception of Python.

#include <algorithm>
#include <array>
#include <exception>
#include <string>

#include <nanobind/stl/string.h>

#include "capture/ir/sizes.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

using trace::Exception;

constexpr std::array<std::string_view, static_cast<std::size_t>(Exception::kCount)> kExceptionNames = {
    "", "none", "value", "type", "index", "axis", "overflow"};

// By Exception; that of kNone is TraceError itself. They live as long as the process.
std::array<PyObject*, static_cast<std::size_t>(Exception::kCount)> classes{};

nb::handle class_of(Exception exception) {
    return classes[static_cast<std::size_t>(exception)];
}

void raise(const char* text, Exception exception, std::string_view kind, const std::string& operation,
           const std::vector<ir::TensorType>& types, const ir::Location& location, const std::string& hint) {
    nb::object error = class_of(exception)(text);
    nb::list shown;
    for (const ir::TensorType& type : types)
        shown.append(nb::cast(type));
    error.attr("kind") = std::string(kind);
    error.attr("operation") = operation;
    error.attr("types") = shown;
    error.attr("file") = location.file;
    error.attr("line") = location.line;
    error.attr("hint") = hint;
    PyErr_SetObject(class_of(exception).ptr(), error.ptr());
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
    raise(told.c_str(), Exception::kNone, name_of(error.kind()), is_name ? operation : "", {}, place,
          hint == std::string::npos ? "" : text.substr(hint + kHint.size()));
}

void translate_trace_error(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const trace::TraceError& error) {
        raise(error.what(), error.exception(), trace::name_of(error.kind()), error.operation(), error.types(),
              error.location(), error.hint());
    } catch (const TracingError& error) {
        raise(error);
    } catch (const ir::Error& error) {
        const ir::Location place = trace::current_location();
        std::string told = error.what();
        if (!place.file.empty()) told += " (at " + trace::text_of(place) + ")";
        const bool is_value =
            error.kind() == ir::ErrorKind::kBadArgument || error.kind() == ir::ErrorKind::kShapeMismatch;
        raise(told.c_str(), is_value ? Exception::kValue : Exception::kNone, ir::name_of(error.kind()), "",
              {}, place, "");
    }
}

/// A class that is TraceError and another one, which code written for NumPy catches.
PyObject* class_that_is_also(nb::handle other, const char* name) {
    nb::dict members;
    members["__module__"] = "tilemeter.trace";
    members["__doc__"] =
        std::string("TraceError where NumPy raises ") + nb::cast<std::string>(other.attr("__name__")) + ".";
    members["__str__"] = nb::handle(PyExc_BaseException).attr("__str__");  // NumPy's class has one of its own
    const nb::object type = nb::borrow(reinterpret_cast<PyObject*>(&PyType_Type));
    return type(name, nb::make_tuple(class_of(Exception::kNone), other), members).release().ptr();
}

void make_classes(nb::module_& trace) {
    PyObject* const base = PyErr_NewExceptionWithDoc(
        "tilemeter.trace.TraceError",
        "A function that can't be traced, an operation that refuses its operands, a file that is no graph.\n\n"
        "Where NumPy raises an IndexError, ValueError, TypeError, OverflowError or AxisError, it is that as well.\n\n"
        "Attributes: kind ('shape_mismatch', 'escaped_tracer', ...), operation, types (of the operands), file and "
        "line (of the user's call), hint.",
        PyExc_RuntimeError, nullptr);
    if (base == nullptr) throw nb::python_error();
    trace.attr("TraceError") = nb::handle(base);
    classes.fill(base);
    const auto set = [](Exception exception, nb::handle other, const char* name) {
        classes[static_cast<std::size_t>(exception)] = class_that_is_also(other, name);
    };
    set(Exception::kValue, PyExc_ValueError, "TraceValueError");
    set(Exception::kType, PyExc_TypeError, "TraceTypeError");
    set(Exception::kIndex, PyExc_IndexError, "TraceIndexError");
    set(Exception::kOverflow, PyExc_OverflowError, "TraceOverflowError");
    const nb::object numpy = nb::module_::import_("numpy");
    const nb::object holder = nb::hasattr(numpy, "exceptions") ? nb::object(numpy.attr("exceptions")) : numpy;
    set(Exception::kAxis, holder.attr("AxisError"), "TraceAxisError");
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
    make_classes(trace);
    nb::register_exception_translator(translate_trace_error);

    nb::class_<ir::TensorType>(
        trace, "Type", "Element type and shape of an array; a shape may be a text of names: \"b, 3*n\".")
        .def(
            "__init__",
            [](ir::TensorType* self, nb::handle shape, nb::handle dtype) {
                const ir::Shape extents =
                    nb::isinstance<nb::str>(shape)
                        ? ir::parse_shape(nb::cast<std::string>(shape))
                        : ir::Shape(std::span<const std::int64_t>(integers_of(shape, "Type: shape")));
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
           const std::string& hint, const std::string& exception) {
            const auto found = std::ranges::find(kExceptionNames, exception);
            if (found == kExceptionNames.end()) throw nb::value_error(exception.c_str());
            const auto as = static_cast<Exception>(found - kExceptionNames.begin());
            for (int i = 0; i < static_cast<int>(trace::TraceErrorKind::kCount); ++i) {
                const auto each = static_cast<trace::TraceErrorKind>(i);
                if (trace::name_of(each) == kind)
                    throw trace::TraceError(each, message,
                                            {.operation = operation,
                                             .location = trace::current_location(),
                                             .hint = hint,
                                             .exception = as});
            }
            throw nb::value_error(kind.c_str());
        },
        nb::arg("kind"), nb::arg("message"), nb::arg("operation") = "", nb::arg("hint") = "",
        nb::arg("exception") = "");
}

}  // namespace tilemeter::python::tracing
