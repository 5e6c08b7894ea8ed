// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The reader of arguments: integers, axes, numbers, truths.

#include <algorithm>
#include <optional>
#include <string>

#include <nanobind/stl/string.h>

#include "capture/ir/sizes.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

using trace::TraceError;
using trace::TraceErrorKind;

namespace {

[[noreturn]] void refuse_argument(trace::Exception exception, const std::string& text) {
    throw TraceError(TraceErrorKind::kBadArgument, text,
                     {.location = trace::current_location(), .exception = exception});
}

/// As Python shows it, unless that is long.
std::string shown(nb::handle object) {
    if (PyLong_Check(object.ptr()) != 0 || PyFloat_Check(object.ptr()) != 0 ||
        PyTuple_Check(object.ptr()) != 0 || PyList_Check(object.ptr()) != 0) {
        const auto text = nb::cast<std::string>(nb::repr(object));
        constexpr std::size_t kMost = 40;
        if (text.size() <= kMost) return text;
    }
    return "an object of type " + name_of_type(object);
}

bool is_list(nb::handle object) {
    return PyTuple_Check(object.ptr()) != 0 || PyList_Check(object.ptr()) != 0;
}

/// Nothing, and no error of Python, where the object stands for no integer.
std::optional<std::int64_t> integer_or_none(nb::handle object, const std::string& what) {
    if (nb::isinstance<ir::Dim>(object)) return nb::inst_ptr<ir::Dim>(object)->value();
    PyObject* const index = is_list(object) ? nullptr : PyNumber_Index(object.ptr());
    if (index == nullptr) {
        if (PyErr_Occurred() == nullptr) return {};
        // An array's own error, a traced one's for example, comes first.
        if (is_array(object) && PyErr_ExceptionMatches(PyExc_RuntimeError) != 0) throw nb::python_error();
        PyErr_Clear();
        return {};
    }
    const nb::object owned = nb::steal(index);
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
    if (overflow != 0)
        refuse_argument(trace::Exception::kOverflow,
                        what + ": found " + shown(owned) + ", expected an integer of 64 bits");
    return number;
}

/// Throws TraceError, as NumPy's AxisError.
std::int64_t normal_axis(std::int64_t axis, std::size_t rank, const std::string& operation) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count)
        throw TraceError(TraceErrorKind::kBadArgument,
                         operation + ": found axis " + std::to_string(axis) +
                             ", expected an axis of an array of rank " + std::to_string(rank),
                         {.operation = operation,
                          .location = trace::current_location(),
                          .exception = trace::Exception::kAxis});
    return axis < 0 ? axis + count : axis;
}

}  // namespace

std::int64_t integer_of(nb::handle object, const std::string& what) {
    if (const auto number = integer_or_none(object, what)) return *number;
    refuse_argument(trace::Exception::kType, what + ": found " + shown(object) + ", expected an integer");
}

ir::Integers integers_of(nb::handle object, const std::string& what) {
    if (const auto number = integer_or_none(object, what)) return {*number};
    if (is_array(object) || PySequence_Check(object.ptr()) == 0 || PyUnicode_Check(object.ptr()) != 0 ||
        PyBytes_Check(object.ptr()) != 0)
        refuse_argument(trace::Exception::kType,
                        what + ": found " + shown(object) + ", expected an integer, or several");
    ir::Integers integers;
    for (const nb::handle each : object)
        integers.push_back(integer_of(each, what));
    return integers;
}

std::string name_of(nb::handle object, const std::string& what) {
    if (!nb::isinstance<nb::str>(object))
        refuse_argument(trace::Exception::kType, what + ": found " + shown(object) + ", expected a text");
    return nb::cast<std::string>(object);
}

ir::TensorType type_of(nb::handle object, const std::string& what) {
    if (nb::isinstance<ir::TensorType>(object)) return nb::cast<ir::TensorType>(object);
    if (!nb::isinstance<nb::str>(object))
        refuse_argument(trace::Exception::kType,
                        what + ": found " + shown(object) + R"(, expected a Type or its text: "f32[2,3]")");
    return ir::parse_type(nb::cast<std::string>(object));
}

double real_of(nb::handle object, const std::string& what) {
    if (!is_list(object) && (PyNumber_Check(object.ptr()) != 0 || is_array(object))) {
        const double number = PyFloat_AsDouble(object.ptr());
        if (number != -1 || PyErr_Occurred() == nullptr) return number;
        const bool says_more = PyErr_ExceptionMatches(PyExc_RuntimeError) != 0;  // TraceError
        if (says_more || PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
        PyErr_Clear();
    }
    refuse_argument(trace::Exception::kType, what + ": found " + shown(object) + ", expected a number");
}

bool truth_of(nb::handle object, const std::string& what) {
    if (!is_list(object) && !object.is_none() && PyUnicode_Check(object.ptr()) == 0) {
        const int truth = PyObject_IsTrue(object.ptr());
        if (truth < 0) throw nb::python_error();
        return truth != 0;
    }
    refuse_argument(trace::Exception::kType, what + ": found " + shown(object) + ", expected True or False");
}

std::int64_t axis_of(nb::handle object, std::size_t rank, const std::string& operation) {
    return normal_axis(integer_of(object, operation + ": axis"), rank, operation);
}

ir::Integers all_axes_of(nb::handle object, std::size_t rank, const std::string& operation) {
    ir::Integers axes = integers_of(object, operation + ": axis");
    if (rank == 0 && !is_list(object) && !axes.empty() && (axes.front() == 0 || axes.front() == -1))
        return {};
    for (std::int64_t& axis : axes)
        axis = normal_axis(axis, rank, operation);
    for (auto axis = axes.begin(); axis != axes.end(); ++axis)
        if (std::find(axes.begin(), axis, *axis) != axis)
            refuse_argument(trace::Exception::kValue, operation + ": found axis " + std::to_string(*axis) +
                                                          " twice, expected each axis once");
    return axes;
}

}  // namespace tilemeter::python::tracing
