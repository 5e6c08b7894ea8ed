// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Dimensions that are expressions of names. What the program asks of one is answered where it holds for all sizes.

#include <string>

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include "capture/ir/decide.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/primitives/constraints.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

using ir::Dim;

bool is_dimension(nb::handle object) {
    return nb::isinstance<Dim>(object) ||
           (PyLong_Check(object.ptr()) != 0 && PyBool_Check(object.ptr()) == 0);
}

Dim dimension_of(nb::handle object) {
    return {integer_of(object, "dimension")};
}

// True or false where it is so at all sizes that the function is traced for.
bool decided(ir::Answer answer, Dim a, const char* relation, Dim b) {
    if (answer != ir::Answer::kUnknown) return answer == ir::Answer::kYes;
    throw trace::TraceError(trace::TraceErrorKind::kNeedsConcreteBool,
                            "found " + a.text() + " " + relation + " " + b.text() +
                                ", which is not certain for all sizes, expected a condition that is",
                            {.operation = relation,
                             .location = trace::current_location(),
                             .hint = "add a constraint to trace_graph(), or trace one graph for each case"});
}

using Question = ir::Answer (*)(Dim, Dim, const ir::Constraints*);

void bind_comparison(nb::class_<Dim>& type, const char* method, const char* relation, Question question,
                     bool exchanged) {
    type.def(method, [=](Dim self, nb::handle other) -> nb::object {
        if (!is_dimension(other)) return nb::borrow(Py_NotImplemented);
        const Dim operand = dimension_of(other);
        const ir::Constraints* const constraints = trace::current_constraints();
        const ir::Answer answer =
            exchanged ? question(operand, self, constraints) : question(self, operand, constraints);
        return nb::bool_(decided(answer, self, relation, operand));
    });
}

ir::Answer differ(Dim a, Dim b, const ir::Constraints* constraints) {
    const ir::Answer answer = equal(a, b, constraints);
    if (answer == ir::Answer::kUnknown) return answer;
    return answer == ir::Answer::kYes ? ir::Answer::kNo : ir::Answer::kYes;
}

// A dimension with a dimension or an int stays one; with all else it is a value.
void bind_operator(nb::class_<Dim>& type, const char* method, Dim (*operation)(Dim, Dim), const char* values,
                   bool exchanged) {
    type.def(method, [=](nb::handle self, nb::handle other) -> nb::object {
        if (is_dimension(other)) {
            const Dim a = dimension_of(self);
            const Dim b = dimension_of(other);
            return object_of(exchanged ? operation(b, a) : operation(a, b));
        }
        if (!is_operand(other)) return nb::borrow(Py_NotImplemented);
        const Array operands[] = {array_of(exchanged ? other : self), array_of(exchanged ? self : other)};
        return nb::cast(trace::apply(std::string_view(values), operands)[0]);
    });
}

}  // namespace

void bind_sizes(nb::module_& trace) {
    nb::class_<Dim> type(
        trace, "Dim",
        "A dimension that is an expression of names, such as x.shape[0] of an argument \"2*b, 3\". "
        "Numbers from 1 stand for names.");
    type.def(
        "__init__", [](Dim* self, const std::string& text) { new (self) Dim(Dim::parse(text)); },
        nb::arg("text"));
    bind_operator(
        type, "__add__", [](Dim a, Dim b) { return a + b; }, "add", false);
    bind_operator(
        type, "__radd__", [](Dim a, Dim b) { return a + b; }, "add", true);
    bind_operator(
        type, "__sub__", [](Dim a, Dim b) { return a - b; }, "sub", false);
    bind_operator(
        type, "__rsub__", [](Dim a, Dim b) { return a - b; }, "sub", true);
    bind_operator(
        type, "__mul__", [](Dim a, Dim b) { return a * b; }, "mul", false);
    bind_operator(
        type, "__rmul__", [](Dim a, Dim b) { return a * b; }, "mul", true);
    bind_operator(type, "__floordiv__", ir::floordiv, "floor_divide", false);
    bind_operator(type, "__rfloordiv__", ir::floordiv, "floor_divide", true);
    bind_operator(type, "__mod__", ir::mod, "mod", false);
    bind_operator(type, "__rmod__", ir::mod, "mod", true);
    bind_comparison(type, "__eq__", "==", ir::equal, false);
    bind_comparison(type, "__ne__", "!=", differ, false);
    bind_comparison(type, "__lt__", "<", ir::less, false);
    bind_comparison(type, "__le__", "<=", ir::less_equal, false);
    bind_comparison(type, "__gt__", ">", ir::less, true);
    bind_comparison(type, "__ge__", ">=", ir::less_equal, true);
    type.def("__truediv__",
             [](Dim self, nb::handle other) { return trace::div(trace::dimension(self), *Operand(other)); })
        .def("__rtruediv__",
             [](Dim self, nb::handle other) { return trace::div(*Operand(other), trace::dimension(self)); })
        .def("__neg__", [](Dim self) { return object_of(-self); })
        .def(
            "min", [](Dim self, nb::handle other) { return object_of(ir::min(self, dimension_of(other))); },
            nb::arg("other"), "The smaller one, also where that depends on sizes.")
        .def(
            "max", [](Dim self, nb::handle other) { return object_of(ir::max(self, dimension_of(other))); },
            nb::arg("other"))
        .def("__hash__", [](Dim self) { return self.value(); })
        .def("__index__",
             [](Dim self) -> std::int64_t {
                 throw trace::TraceError(
                     trace::TraceErrorKind::kNeedsConcreteInt,
                     "int: found the dimension '" + self.text() + "', expected a number",
                     {.operation = "int",
                      .location = trace::current_location(),
                      .hint = "graph.at() puts sizes in the place of names; scan() loops over "
                              "rows of any number"});
             })
        .def("__repr__", [](Dim self) { return self.text(); });
}

}  // namespace tilemeter::python::tracing
