// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Choices and loops over flat lists of arrays; the package has the trees.

#include "runtime/trace/arrays/control_flow.hpp"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

void bind_control_flow(nb::module_& trace) {
    trace.def("_cond", [](nb::handle predicate, nb::handle then, nb::handle otherwise, nb::handle operands) {
        return list_of(trace::cond(array_of(predicate, "predicate"), function_of(then),
                                   function_of(otherwise), arrays_of(operands)));
    });
    trace.def("_switch", [](nb::handle choice, nb::handle branches, nb::handle operands) {
        std::vector<trace::Function> functions;
        for (const nb::handle branch : branches)
            functions.push_back(function_of(branch));
        return list_of(trace::switch_case(array_of(choice, "choice"), functions, arrays_of(operands)));
    });
    trace.def("_while_loop", [](nb::handle condition, nb::handle body, nb::handle carry) {
        return list_of(
            trace::while_loop(function_of(condition), function_of(body), arrays_of(carry, "carry")));
    });
    trace.def(
        "_scan",
        [](nb::handle body, nb::handle carry, nb::handle inputs, nb::handle rows, bool reverse) {
            const auto length =
                rows.is_none() ? std::nullopt : std::optional(integer_of(rows, "scan: length"));
            return list_of(trace::scan(function_of(body), arrays_of(carry, "carry"),
                                       arrays_of(inputs, "input"), {.length = length, .reverse = reverse}));
        },
        nb::arg("body"), nb::arg("carry"), nb::arg("inputs"), nb::arg("length").none(), nb::arg("reverse"));
    trace.def("_call", [](const std::string& name, nb::handle function, nb::handle operands) {
        return list_of(trace::call(name, function_of(function), arrays_of(operands)));
    });
    trace.def("_checkpoint", [](nb::handle function, nb::handle operands) {
        return list_of(trace::checkpoint(function_of(function), arrays_of(operands)));
    });
}

}  // namespace tilemeter::python::tracing
