// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of arrays, also as methods.

#include "runtime/trace/arrays/functions.hpp"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

using trace::apply_one;
using trace::operation_named;

std::optional<std::int64_t> any_axis_of(nb::handle axis, const Array& x, const std::string& operation) {
    if (axis.is_none()) return {};
    if (x.rank() == 0 && all_axes_of(axis, 0, operation).empty()) return {};
    return axis_of(axis, x.rank(), operation);
}

trace::Axes any_axes_of(nb::handle axis, const Array& x, const std::string& operation) {
    if (axis.is_none()) return {};
    return all_axes_of(axis, x.rank(), operation);
}

ir::Attributes reduction(nb::handle axis, nb::handle keepdims, const Array& x, const std::string& operation) {
    ir::Attributes attributes;
    if (const trace::Axes axes = any_axes_of(axis, x, operation)) attributes.set("axes", *axes);
    if (truth_of(keepdims, operation + ": keepdims")) attributes.set("keepdims", true);
    return attributes;
}

/// Two operands or more: a list of them, whose numbers of Python take the others' element types.
std::vector<Array> parts_of(nb::handle parts, const std::string& operation) {
    if (!nb::isinstance<nb::sequence>(parts) && !is_array(parts))
        throw trace::TraceError(
            trace::TraceErrorKind::kBadArgument,
            operation + ": found an object of type " + name_of_type(parts) + ", expected a list of arrays",
            {.operation = operation,
             .location = trace::current_location(),
             .exception = trace::Exception::kType});
    return arrays_of(parts, "part");
}

const char* words_of(trace::ResultRule rule) {
    switch (rule) {
        case trace::ResultRule::kNumbers:
            return "numbers";
        case trace::ResultRule::kFractions:
            return "fractions";
        case trace::ResultRule::kTruths:
            return "truths";
        case trace::ResultRule::kOther:
            break;
    }
    return "other";
}

/// The function in the module and as a method.
template <class Function, class... Extra>
void add(nb::module_& trace, const char* name, Function function, const Extra&... extra) {
    trace.def(name, function, nb::arg("x").none(), extra...);
    nb::setattr(nb::handle(reinterpret_cast<PyObject*>(array_type())), name,
                nb::cpp_function(function, nb::name(name),
                                 nb::scope(nb::handle(reinterpret_cast<PyObject*>(array_type()))),
                                 nb::is_method(), extra...));
}

/// A function and a method of each row of the calls' tables.
void add_rows(nb::module_& trace) {
    for (const trace::CallFunction& each : trace::call_functions()) {
        const ir::Operation* const operation = &operation_named(each.name);
        const char* const name = operation->name.c_str();
        if (each.is_reduction)
            add(
                trace, name,
                [operation](nb::handle x, nb::handle axis, nb::handle keepdims) {
                    const Operand operand(x);
                    return apply_one(*operation, {operand.get()},
                                     reduction(axis, keepdims, *operand, operation->name));
                },
                nb::arg("axis") = nb::none(), nb::arg("keepdims").none() = false);
        else if (each.operands == 1)
            add(trace, name, [operation](nb::handle x) { return apply_one(*operation, {Operand(x).get()}); });
        else
            add(
                trace, name,
                [operation](nb::handle x, nb::handle y) {
                    const Operand a(x), b(y);
                    return apply_one(*operation, {a.get(), b.get()});
                },
                nb::arg("y").none());
    }
    trace.def(
        "_functions",
        [] {
            nb::list rows;
            for (const trace::CallFunction& each : trace::call_functions())
                rows.append(nb::make_tuple(std::string(each.name), each.operands, each.is_reduction,
                                           words_of(each.result), std::string(each.numpy),
                                           std::string(each.torch)));
            return rows;
        },
        "Rows of the calls: name, number of operands, whether it is a reduction, its result, names in NumPy and in torch.");
}

void add_elementwise(nb::module_& trace) {
    add(
        trace, "gelu",
        [](nb::handle x, const std::string& approximate) { return trace::gelu(*Operand(x), approximate); },
        nb::arg("approximate") = "none");
    add(
        trace, "where",
        [](nb::handle mask, nb::handle a, nb::handle b) {
            return trace::where(*Operand(mask), *Operand(a), *Operand(b));
        },
        nb::arg("a").none(), nb::arg("b").none());
}

void add_along_axes(nb::module_& trace) {
    add(
        trace, "argmax",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::argmax(*operand, any_axis_of(axis, *operand, "argmax"));
        },
        nb::arg("axis") = nb::none());
    add(
        trace, "argmin",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::argmin(*operand, any_axis_of(axis, *operand, "argmin"));
        },
        nb::arg("axis") = nb::none());
    add(
        trace, "cumsum",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            if (axis.is_none() || operand->rank() == 0)
                return trace::cumsum(trace::reshape(*operand, {-1}),
                                     axis.is_none() ? 0 : axis_of(axis, 1, "cumsum"));
            return trace::cumsum(*operand, axis_of(axis, operand->rank(), "cumsum"));
        },
        nb::arg("axis") = nb::none());
    add(
        trace, "softmax",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::softmax(*operand, axis_of(axis, operand->rank(), "softmax"));
        },
        nb::arg("axis").none() = -1);
    add(
        trace, "log_softmax",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::log_softmax(*operand, axis_of(axis, operand->rank(), "log_softmax"));
        },
        nb::arg("axis").none() = -1);
    add(
        trace, "sort",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::sort(*operand, axis_of(axis, operand->rank(), "sort"));
        },
        nb::arg("axis").none() = -1);
    add(
        trace, "flip",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::flip(*operand, any_axes_of(axis, *operand, "flip"));
        },
        nb::arg("axis") = nb::none());
    add(
        trace, "layer_norm",
        [](nb::handle x, nb::handle weight, nb::handle bias, nb::handle epsilon) {
            const Operand operand(x);
            const double eps = real_of(epsilon, "layer_norm: eps");
            if (weight.is_none() && bias.is_none()) return trace::layer_norm(*operand, eps);
            if (weight.is_none()) return trace::layer_norm(*operand, eps) + *Operand(bias);
            if (bias.is_none()) return trace::layer_norm(*operand, *Operand(weight), eps);
            return trace::layer_norm(*operand, *Operand(weight), *Operand(bias), eps);
        },
        nb::arg("weight") = nb::none(), nb::arg("bias") = nb::none(), nb::arg("eps") = 1e-5);
}

void add_shapes(nb::module_& trace) {
    add(
        trace, "broadcast_to",
        [](nb::handle x, nb::handle shape) {
            return trace::broadcast_to(*Operand(x), integers_of(shape, "broadcast_to: shape"));
        },
        nb::arg("shape").none());
    add(
        trace, "expand_dims",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::expand_dims(*operand, axis_of(axis, operand->rank() + 1, "expand_dims"));
        },
        nb::arg("axis").none());
    add(
        trace, "squeeze",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            return trace::squeeze(*operand, any_axes_of(axis, *operand, "squeeze"));
        },
        nb::arg("axis") = nb::none());
    // reshape and transpose take their numbers one by one as well: the package says so.
    trace.def(
        "reshape",
        [](nb::handle x, nb::handle shape) {
            return trace::reshape(*Operand(x), integers_of(shape, "reshape: shape"));
        },
        nb::arg("x").none(), nb::arg("shape").none());
    trace.def(
        "transpose",
        [](nb::handle x, nb::handle axes) {
            const Operand operand(x);
            if (axes.is_none()) return trace::transpose(*operand);
            const ir::Integers order = integers_of(axes, "transpose: axes");
            if (order.size() != operand->rank())
                return trace::transpose(*operand, order);  // which refuses it
            return trace::transpose(*operand, all_axes_of(axes, operand->rank(), "transpose"));
        },
        nb::arg("x").none(), nb::arg("axes") = nb::none());
    trace.def(
        "concat",
        [](nb::handle parts, nb::handle axis) {
            const std::vector<Array> arrays = parts_of(parts, "concat");
            const std::size_t rank = arrays.empty() ? 1 : arrays.front().rank();
            return trace::concat(arrays, axis_of(axis, rank, "concat"));
        },
        nb::arg("parts").none(), nb::arg("axis").none() = 0);
    trace.def(
        "stack",
        [](nb::handle parts, nb::handle axis) {
            const std::vector<Array> arrays = parts_of(parts, "stack");
            const std::size_t rank = arrays.empty() ? 1 : arrays.front().rank() + 1;
            return trace::stack(arrays, axis_of(axis, rank, "stack"));
        },
        nb::arg("parts").none(), nb::arg("axis").none() = 0);
    add(
        trace, "slice",
        [](nb::handle x, nb::handle starts, nb::handle limits, nb::handle strides) {
            return trace::slice(*Operand(x), integers_of(starts, "slice: starts"),
                                integers_of(limits, "slice: limits"),
                                strides.is_none() ? ir::Integers() : integers_of(strides, "slice: strides"));
        },
        nb::arg("starts").none(), nb::arg("limits").none(), nb::arg("strides") = nb::none());
    add(
        trace, "pad",
        [](nb::handle x, nb::handle low, nb::handle high, nb::handle value) {
            const ir::Integers before = integers_of(low, "pad: low"), behind = integers_of(high, "pad: high");
            const bool is_plain = PyFloat_Check(value.ptr()) != 0 && !ir::is_integer(Operand(x)->element());
            if (is_plain) return trace::pad(*Operand(x), before, behind, PyFloat_AsDouble(value.ptr()));
            return trace::pad_with(*Operand(x), before, behind, array_of(value, "value"));
        },
        nb::arg("low").none(), nb::arg("high").none(), nb::arg("value").none() = 0.0);
}

void add_indices(nb::module_& trace) {
    add(
        trace, "gather",
        [](nb::handle x, nb::handle indices, nb::handle axis) {
            const Operand operand(x);
            return trace::gather(*operand, *Operand(indices), axis_of(axis, operand->rank(), "gather"));
        },
        nb::arg("indices").none(), nb::arg("axis").none() = 0);
    trace.def(
        "embedding",
        [](nb::handle indices, nb::handle table) {
            return trace::embedding(*Operand(indices), *Operand(table));
        },
        nb::arg("indices").none(), nb::arg("table").none());
    trace.def(
        "dynamic_slice",
        [](nb::handle x, nb::handle starts, nb::handle sizes) {
            return trace::dynamic_slice(*Operand(x), arrays_of(starts, "start"),
                                        integers_of(sizes, "dynamic_slice: sizes"));
        },
        nb::arg("x"), nb::arg("starts"), nb::arg("sizes"));
    trace.def(
        "dynamic_update_slice",
        [](nb::handle x, nb::handle update, nb::handle starts) {
            return trace::dynamic_update(*Operand(x), *Operand(update), arrays_of(starts));
        },
        nb::arg("x"), nb::arg("update"), nb::arg("starts"));
    trace.def(
        "one_hot",
        [](nb::handle indices, nb::handle depth_of, nb::handle dtype) {
            const std::int64_t depth = integer_of(depth_of, "one_hot: depth");
            return trace::one_hot(*Operand(indices), depth,
                                  dtype.is_none() ? ir::ElementType::kF32 : element_of(dtype));
        },
        nb::arg("indices"), nb::arg("depth"), nb::arg("dtype") = nb::none());
}

Array new_array(nb::handle value, nb::handle dtype) {
    // Numbers in lists are made elements by NumPy, which refuses those out of the type's range.
    const bool is_list = PyList_CheckExact(value.ptr()) || PyTuple_CheckExact(value.ptr());
    Array array = array_of(value, "value");
    const ir::ElementType element = dtype.is_none() ? array.element() : element_of(dtype);
    if (array.state() == Array::State::kLiteral) return Array(trace::scalar_of(array, element));
    if (element == array.element()) return array;
    if (is_list && ir::is_integer(element) && array.state() == Array::State::kEvaluated) {
        try {
            return Array(
                constant_of(nb::module_::import_("numpy").attr("array")(value, dtype_of(element)), "value"));
        } catch (nb::python_error& error) {
            if (!error.matches(PyExc_OverflowError) && !error.matches(PyExc_ValueError)) throw;
            throw trace::TraceError(
                trace::TraceErrorKind::kBadArgument,
                "array: " + nb::cast<std::string>(nb::str(error.value())),
                {.operation = "array",
                 .location = trace::current_location(),
                 .exception = error.matches(PyExc_OverflowError) ? trace::Exception::kOverflow
                                                                 : trace::Exception::kValue});
        }
    }
    return trace::convert(array, element);
}

void add_sources(nb::module_& trace) {
    trace.def(
        "full",
        [](nb::handle shape, nb::handle value, nb::handle dtype) {
            return trace::full(integers_of(shape, "full: shape"), array_of(value, "value"),
                               dtype.is_none() ? ir::ElementType::kF32 : element_of(dtype));
        },
        nb::arg("shape").none(), nb::arg("value").none(), nb::arg("dtype") = nb::none(),
        "An array of one number; float32 unless dtype says more.");
    trace.def(
        "arange",
        [](nb::handle count, nb::handle dtype) {
            const std::int64_t n = integer_of(count, "arange: n");
            return trace::arange(n, dtype.is_none() ? ir::ElementType::kI64 : element_of(dtype));
        },
        nb::arg("n"), nb::arg("dtype") = nb::none(), "0, 1, ... n - 1; int64 unless dtype says more.");
    trace.def(
        "array", [](nb::handle value, nb::handle dtype) { return new_array(value, dtype); },
        nb::arg("value").none(), nb::arg("dtype") = nb::none(),
        "An array of what NumPy makes one of; the elements are copied.");
    trace.def("_convert",
              [](nb::handle x, nb::handle dtype) { return trace::convert(*Operand(x), element_of(dtype)); });
    trace.def(
        "apply",
        [](const std::string& operation, nb::handle operands, nb::handle attributes) {
            return list_of(trace::apply(operation, arrays_of(operands), attributes_of(attributes)));
        },
        nb::arg("operation"), nb::arg("operands"), nb::arg("attributes") = nb::none(),
        "The results of an operation by its name.");
}

}  // namespace

void bind_functions(nb::module_& trace) {
    add_rows(trace);
    add_elementwise(trace);
    add_along_axes(trace);
    add_shapes(trace);
    add_indices(trace);
    add_sources(trace);
}

}  // namespace tilemeter::python::tracing
