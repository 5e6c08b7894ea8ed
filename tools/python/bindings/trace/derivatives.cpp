// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Derivatives and lanes of functions of flat lists of arrays; the package has the trees.

#include <optional>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "runtime/trace/derivatives/transforms.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

trace::Positions all_of(const std::vector<Array>& arguments) {
    trace::Positions positions(arguments.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        positions[i] = i;
    return positions;
}

trace::MappedAxes axes_of(nb::handle axes) {
    trace::MappedAxes all;
    for (const nb::handle axis : axes)
        all.push_back(axis.is_none() ? std::nullopt : std::optional(nb::cast<std::int64_t>(axis)));
    return all;
}

}  // namespace

void bind_derivatives(nb::module_& trace) {
    trace.def("_grad", [](nb::handle function, nb::handle arguments, bool has_further, bool with_value) {
        const std::vector<Array> given = arrays_of(arguments, "argument");
        const auto further = has_further ? trace::Further::kResults : trace::Further::kNone;
        const trace::Function gradient =
            with_value ? trace::value_and_grad(function_of(function), all_of(given), further)
                       : trace::grad(function_of(function), all_of(given), further);
        return list_of(gradient(given));
    });
    trace.def("_jvp", [](nb::handle function, nb::handle arguments, nb::handle tangents) {
        trace::Pushed pushed = trace::jvp(function_of(function), arrays_of(arguments, "argument"),
                                          arrays_of(tangents, "tangent"));
        return nb::make_tuple(list_of(std::move(pushed.results)), list_of(std::move(pushed.tangents)));
    });
    trace.def("_vjp", [](nb::handle function, nb::handle arguments) {
        trace::Pulled pulled = trace::vjp(function_of(function), arrays_of(arguments, "argument"));
        return nb::make_tuple(list_of(std::move(pulled.results)),
                              nb::cpp_function([back = std::move(pulled.back)](nb::handle cotangents) {
                                  return list_of(back(arrays_of(cotangents, "cotangent")));
                              }));
    });
    trace.def("_hvp", [](nb::handle function, nb::handle arguments, nb::handle vectors) {
        return list_of(trace::hvp(function_of(function), arrays_of(arguments, "argument"),
                                  arrays_of(vectors, "vector")));
    });
    trace.def(
        "_vmap", [](nb::handle function, nb::handle arguments, nb::handle in_axes, nb::handle out_axes) {
            return list_of(trace::vmap(function_of(function), axes_of(in_axes), [out_axes](std::size_t) {
                return axes_of(out_axes());
            })(arrays_of(arguments, "argument")));
        });
    trace.def("_are_floats", [](nb::handle arrays) {
        std::vector<bool> answers;
        for (const Array& array : arrays_of(arrays))
            answers.push_back(ir::is_float(array.element()));
        return answers;
    });
}

}  // namespace tilemeter::python::tracing
