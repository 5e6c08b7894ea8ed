// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of arrays, also as methods.

#include "runtime/trace/functions.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>

#include "runtime/trace/apply.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

using trace::apply_one;
using trace::operation_named;

constexpr std::array kUnary = {"exp",        "expm1",  "log",      "log1p",         "sqrt",       "rsqrt",
                               "cbrt",       "sin",    "cos",      "tan",           "tanh",       "erf",
                               "erf_inv",    "lgamma", "digamma",  "sigmoid",       "silu",       "softplus",
                               "reciprocal", "neg",    "abs",      "square",        "sign",       "floor",
                               "ceil",       "relu",   "identity", "stop_gradient", "logical_not"};
constexpr std::array kBinary = {
    "add", "sub", "mul", "div", "pow", "atan2", "mod",         "floor_divide", "maximum",     "minimum",
    "eq",  "ne",  "lt",  "le",  "gt",  "ge",    "logical_and", "logical_or",   "logical_xor", "matmul"};
constexpr std::array<std::pair<const char*, Array (*)(const Array&, const Array&)>, 3> kBits = {
    {{"bitwise_and", trace::bitwise_and},
     {"bitwise_or", trace::bitwise_or},
     {"bitwise_xor", trace::bitwise_xor}}};
constexpr std::array kReductions = {"sum", "mean", "max", "min", "prod", "any", "all"};

std::optional<std::int64_t> axis_of(nb::handle axis) {
    if (axis.is_none()) return {};
    return integers_of(axis).front();
}

ir::Attributes reduction(nb::handle axis, bool keepdims) {
    ir::Attributes attributes;
    if (!axis.is_none()) attributes.set("axes", integers_of(axis));
    if (keepdims) attributes.set("keepdims", true);
    return attributes;
}

/// The function in the module and as a method.
template <class Function, class... Extra>
void add(nb::module_& trace, const char* name, Function function, const Extra&... extra) {
    trace.def(name, function, nb::arg("x"), extra...);
    nb::setattr(nb::handle(reinterpret_cast<PyObject*>(array_type())), name,
                nb::cpp_function(function, nb::name(name),
                                 nb::scope(nb::handle(reinterpret_cast<PyObject*>(array_type()))),
                                 nb::is_method(), extra...));
}

void add_elementwise(nb::module_& trace) {
    for (const char* const name : kUnary) {
        const ir::Operation* const operation = &operation_named(name);
        add(trace, name, [operation](nb::handle x) { return apply_one(*operation, {Operand(x).get()}); });
    }
    for (const char* const name : kBinary) {
        const ir::Operation* const operation = &operation_named(name);
        add(
            trace, name,
            [operation](nb::handle x, nb::handle y) {
                const Operand a(x), b(y);
                return apply_one(*operation, {a.get(), b.get()});
            },
            nb::arg("y"));
    }
    add(trace, "bitwise_not", [](nb::handle x) { return trace::bitwise_not(*Operand(x)); });
    for (const auto& [name, function] : kBits) {
        add(
            trace, name,
            [function](nb::handle x, nb::handle y) { return function(*Operand(x), *Operand(y)); },
            nb::arg("y"));
    }
    for (const char* const name : kReductions) {
        const ir::Operation* const operation = &operation_named(name);
        add(
            trace, name,
            [operation](nb::handle x, nb::handle axis, bool keepdims) {
                return apply_one(*operation, {Operand(x).get()}, reduction(axis, keepdims));
            },
            nb::arg("axis") = nb::none(), nb::arg("keepdims") = false);
    }
    add(
        trace, "gelu",
        [](nb::handle x, const std::string& approximate) { return trace::gelu(*Operand(x), approximate); },
        nb::arg("approximate") = "none");
    add(
        trace, "where",
        [](nb::handle mask, nb::handle a, nb::handle b) {
            return trace::where(*Operand(mask), *Operand(a), *Operand(b));
        },
        nb::arg("a"), nb::arg("b"));
}

void add_along_axes(nb::module_& trace) {
    add(
        trace, "argmax",
        [](nb::handle x, nb::handle axis) { return trace::argmax(*Operand(x), axis_of(axis)); },
        nb::arg("axis") = nb::none());
    add(
        trace, "argmin",
        [](nb::handle x, nb::handle axis) { return trace::argmin(*Operand(x), axis_of(axis)); },
        nb::arg("axis") = nb::none());
    add(
        trace, "cumsum",
        [](nb::handle x, nb::handle axis) {
            const Operand operand(x);
            if (axis.is_none()) return trace::cumsum(trace::reshape(*operand, {-1}), 0);
            return trace::cumsum(*operand, *axis_of(axis));
        },
        nb::arg("axis") = nb::none());
    add(
        trace, "softmax", [](nb::handle x, std::int64_t axis) { return trace::softmax(*Operand(x), axis); },
        nb::arg("axis") = -1);
    add(
        trace, "log_softmax",
        [](nb::handle x, std::int64_t axis) { return trace::log_softmax(*Operand(x), axis); },
        nb::arg("axis") = -1);
    add(
        trace, "sort", [](nb::handle x, std::int64_t axis) { return trace::sort(*Operand(x), axis); },
        nb::arg("axis") = -1);
    add(
        trace, "flip",
        [](nb::handle x, nb::handle axis) {
            return trace::flip(*Operand(x), axis.is_none() ? trace::Axes() : trace::Axes(integers_of(axis)));
        },
        nb::arg("axis") = nb::none());
    add(
        trace, "layer_norm",
        [](nb::handle x, nb::handle weight, nb::handle bias, double eps) {
            const Operand operand(x);
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
        [](nb::handle x, nb::handle shape) { return trace::broadcast_to(*Operand(x), integers_of(shape)); },
        nb::arg("shape"));
    add(
        trace, "expand_dims",
        [](nb::handle x, std::int64_t axis) { return trace::expand_dims(*Operand(x), axis); },
        nb::arg("axis"));
    add(
        trace, "squeeze",
        [](nb::handle x, nb::handle axis) {
            return trace::squeeze(*Operand(x),
                                  axis.is_none() ? trace::Axes() : trace::Axes(integers_of(axis)));
        },
        nb::arg("axis") = nb::none());
    // reshape and transpose take their numbers one by one as well: the package says so.
    trace.def(
        "reshape",
        [](nb::handle x, nb::handle shape) { return trace::reshape(*Operand(x), integers_of(shape)); },
        nb::arg("x"), nb::arg("shape"));
    trace.def(
        "transpose",
        [](nb::handle x, nb::handle axes) {
            if (axes.is_none()) return trace::transpose(*Operand(x));
            return trace::transpose(*Operand(x), integers_of(axes));
        },
        nb::arg("x"), nb::arg("axes") = nb::none());
    trace.def(
        "concat",
        [](nb::handle parts, std::int64_t axis) {
            const std::vector<Array> arrays = arrays_of(parts);
            return trace::concat(arrays, axis);
        },
        nb::arg("parts"), nb::arg("axis") = 0);
    trace.def(
        "stack",
        [](nb::handle parts, std::int64_t axis) {
            const std::vector<Array> arrays = arrays_of(parts);
            return trace::stack(arrays, axis);
        },
        nb::arg("parts"), nb::arg("axis") = 0);
    add(
        trace, "slice",
        [](nb::handle x, nb::handle starts, nb::handle limits, nb::handle strides) {
            return trace::slice(*Operand(x), integers_of(starts), integers_of(limits),
                                strides.is_none() ? ir::Integers() : integers_of(strides));
        },
        nb::arg("starts"), nb::arg("limits"), nb::arg("strides") = nb::none());
    add(
        trace, "pad",
        [](nb::handle x, nb::handle low, nb::handle high, double value) {
            return trace::pad(*Operand(x), integers_of(low), integers_of(high), value);
        },
        nb::arg("low"), nb::arg("high"), nb::arg("value") = 0.0);
}

void add_indices(nb::module_& trace) {
    add(
        trace, "gather",
        [](nb::handle x, nb::handle indices, std::int64_t axis) {
            return trace::gather(*Operand(x), *Operand(indices), axis);
        },
        nb::arg("indices"), nb::arg("axis") = 0);
    trace.def(
        "embedding",
        [](nb::handle indices, nb::handle table) {
            return trace::embedding(*Operand(indices), *Operand(table));
        },
        nb::arg("indices"), nb::arg("table"));
    trace.def(
        "dynamic_slice",
        [](nb::handle x, nb::handle starts, nb::handle sizes) {
            return trace::dynamic_slice(*Operand(x), arrays_of(starts), integers_of(sizes));
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
            const std::int64_t depth = integers_of(depth_of).front();
            return trace::one_hot(*Operand(indices), depth,
                                  dtype.is_none() ? ir::ElementType::kF32 : element_of(dtype));
        },
        nb::arg("indices"), nb::arg("depth"), nb::arg("dtype") = nb::none());
}

void add_sources(nb::module_& trace) {
    trace.def(
        "full",
        [](nb::handle shape, double value, nb::handle dtype) {
            return trace::full(integers_of(shape), value,
                               dtype.is_none() ? ir::ElementType::kF32 : element_of(dtype));
        },
        nb::arg("shape"), nb::arg("value"), nb::arg("dtype") = nb::none(),
        "An array of one number; float32 unless dtype says more.");
    trace.def(
        "arange",
        [](nb::handle count, nb::handle dtype) {
            const std::int64_t n = integers_of(count).front();
            return trace::arange(n, dtype.is_none() ? ir::ElementType::kI64 : element_of(dtype));
        },
        nb::arg("n"), nb::arg("dtype") = nb::none(), "0, 1, ... n - 1; int64 unless dtype says more.");
    trace.def(
        "array",
        [](nb::handle value, nb::handle dtype) {
            Array array = array_of(value, "value");
            if (array.state() == Array::State::kLiteral) array = Array(array.value());
            if (!dtype.is_none() && element_of(dtype) != array.element())
                array = trace::convert(array, element_of(dtype));
            return array;
        },
        nb::arg("value"), nb::arg("dtype") = nb::none(),
        "An array of what NumPy makes one of; the elements are copied.");
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
    add_elementwise(trace);
    add_along_axes(trace);
    add_shapes(trace);
    add_indices(trace);
    add_sources(trace);
    add(trace, "round", [](nb::handle x) { return trace::round(*Operand(x)); });
}

}  // namespace tilemeter::python::tracing
