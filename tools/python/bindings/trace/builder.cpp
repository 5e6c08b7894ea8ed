// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs that are made by hand, equation by equation.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/ir/operation_set.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

std::vector<ir::ValueId> values_of(nb::handle numbers, const std::string& what) {
    std::vector<ir::ValueId> values;
    for (const std::int64_t number : integers_of(numbers, what)) {
        if (number < 0 || number > std::numeric_limits<std::uint32_t>::max())
            throw trace::TraceError(
                trace::TraceErrorKind::kBadArgument,
                what + ": found " + std::to_string(number) + ", expected the number of a value",
                {.location = trace::current_location(), .exception = trace::Exception::kValue});
        values.push_back(static_cast<ir::ValueId>(number));
    }
    return values;
}

nb::object added(ir::Graph& self, nb::handle operation, nb::handle operands, const nb::kwargs& attributes) {
    const std::string name = name_of(operation, "add_op: operation");
    const ir::ValueRange results =
        ir::add_op(self, trace::operation_named(name), values_of(operands, name + ": operands"),
                   attributes_of(attributes), {}, trace::current_location());
    if (results.size() == 1) return nb::int_(ir::index_of(results[0]));
    nb::list numbers;
    for (std::size_t i = 0; i < results.size(); ++i)
        numbers.append(nb::int_(ir::index_of(results[i])));
    return nb::tuple(numbers);
}

}  // namespace

void bind_builder(nb::module_& trace) {
    nb::class_<ir::Graph>(trace, "GraphBuilder",
                          "A graph by hand. Values are numbers: of inputs, of constants, of what operations "
                          "give; an operation takes those that are there, so that there are no cycles.")
        .def(
            "__init__",
            [](ir::Graph* self, nb::handle name) {
                new (self) ir::Graph(name_of(name, "GraphBuilder: name"), std::string(trace::kCall));
            },
            nb::arg("name") = "main")
        .def(
            "add_input",
            [](ir::Graph& self, nb::handle name, nb::handle type) {
                return ir::index_of(
                    self.add_input(name_of(name, "add_input: name"), type_of(type, "add_input: type")));
            },
            nb::arg("name"), nb::arg("type"), "The input's number. type: a Type or its text, \"f32[2,3]\".")
        .def(
            "add_const",
            [](ir::Graph& self, nb::handle value) {
                return ir::index_of(self.add_const(constant_of(value, "constant")));
            },
            nb::arg("value"))
        .def(
            "add_op", &added, nb::arg("operation"), nb::arg("operands"), nb::arg("kwargs"),
            "operands: the numbers of values. The number of the result, or a tuple of them. Raises TraceError for an unknown operation, a value "
            "that is not there, another number or other types of operands than it takes.")
        .def(
            "set_results",
            [](ir::Graph& self, nb::handle results) {
                self.set_results(values_of(results, "set_results: results"));
            },
            nb::arg("results"))
        .def("__len__", &ir::Graph::equation_count)
        .def(
            "graph", [](const ir::Graph& self) { return graph_object(self); }, "The graph as it is now.");
}

}  // namespace tilemeter::python::tracing
