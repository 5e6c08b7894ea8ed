// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs: traced, loaded, printed, run.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/ir/file.hpp"
#include "capture/ir/fx_table.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/sizes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "report/render/graph_picture.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/frame.hpp"
#include "runtime/trace/arrays/random.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "runtime/trace/export/tripy.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

/// A graph, with what its trace took for given and, once it has run, what runs it.
class TracedGraph {
public:
    explicit TracedGraph(trace::TracedGraph traced) : traced_(std::move(traced)) {}
    explicit TracedGraph(ir::Graph graph)
        : traced_{.graph = std::make_shared<const ir::Graph>(std::move(graph))} {}

    TracedGraph(TracedGraph&&) = default;
    TracedGraph(const TracedGraph&) = delete;

    [[nodiscard]] const ir::Graph& graph() const { return *traced_.graph; }
    [[nodiscard]] const trace::TracedGraph& traced() const { return traced_; }

    std::vector<Array> run(const std::vector<Array>& arguments) {
        if (trace::Frame::is_open()) return call(arguments);
        std::vector<ir::Constant> inputs;
        for (const Array& argument : arguments)
            inputs.push_back(argument.value());
        if (traced_.guard_graph != nullptr)
            if (const trace::Guard* const failed = trace::first_failed_guard(traced_, inputs))
                throw trace::TraceError(
                    trace::TraceErrorKind::kGuardFailed,
                    graph().name() + ": found another answer than when it was traced: " + failed->text,
                    {.location = failed->location,
                     .hint = "trace the function for these values, or use jit()"});
        std::vector<Array> results;
        for (const ir::Constant& value : evaluator_for(inputs).run(inputs))
            results.emplace_back(value);
        return results;
    }

private:
    // In a function that is traced the graph is a part of it.
    [[nodiscard]] std::vector<Array> call(const std::vector<Array>& arguments) const {
        const ir::Graph& traced = graph();
        if (traced_.guard_graph != nullptr)
            throw trace::TraceError(
                trace::TraceErrorKind::kNeedsConcreteArray,
                traced.name() +
                    ": found arguments without values, expected some: the answers that it took depend on them",
                {.location = trace::current_location(), .hint = "call the function itself there"});
        if (arguments.size() != traced.params().size())
            throw ir::Error(ir::ErrorKind::kWrongArity, "found " + std::to_string(arguments.size()) +
                                                            " inputs, expected " +
                                                            std::to_string(traced.params().size()));
        std::vector<ir::Shape> shapes;
        for (const Array& argument : arguments)
            shapes.push_back(argument.shape());
        auto called = traced_.graph;
        if (!ir::size_names(traced).empty())
            called = std::make_shared<const ir::Graph>(ir::at(traced, ir::sizes_of(traced, shapes)));
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const ir::TensorType& expected = called->type(called->params()[i]);
            const ir::TensorType found = arguments[i].type();
            if (found.element != expected.element || found.shape != expected.shape)
                throw ir::Error(found.element != expected.element ? ir::ErrorKind::kElementTypeMismatch
                                                                  : ir::ErrorKind::kShapeMismatch,
                                "input '" + std::string(traced.name_of(traced.params()[i])) + "': found " +
                                    text_of(found) + ", expected " + text_of(expected));
        }
        return trace::call_graph(called, arguments);
    }

    // The graph for the sizes that the inputs have; those of a few sizes are kept.
    trace::Evaluator& evaluator_for(const std::vector<ir::Constant>& inputs) {
        if (!has_sizes_) has_sizes_ = !ir::size_names(graph()).empty();
        ir::Sizes sizes;
        if (*has_sizes_) {
            std::vector<ir::Shape> shapes;
            for (const ir::Constant& input : inputs)
                shapes.push_back(input.type().shape);
            sizes = ir::sizes_of(graph(), shapes);
        }
        const auto known = evaluators_.find(sizes);
        if (known != evaluators_.end()) return known->second;
        constexpr std::size_t kMost = 16;
        if (evaluators_.size() >= kMost) evaluators_.clear();
        const ir::Graph plain = *has_sizes_ ? ir::at(graph(), sizes) : graph();
        return evaluators_.try_emplace(sizes, trace::simplify(plain)).first->second;
    }

    trace::TracedGraph traced_;
    std::optional<bool> has_sizes_;
    std::map<ir::Sizes, trace::Evaluator> evaluators_;
};

// A constant of a block format, which NumPy has not, is its type.
nb::object value_of(const ir::Graph& graph, ir::ValueId value) {
    const ir::Constant* const constant = graph.constant(value);
    if (constant == nullptr) return nb::int_(ir::index_of(value));
    return ir::is_block_float(constant->type().element) ? nb::cast(constant->type()) : numpy_of(*constant);
}

nb::list equations_of(const ir::Graph& graph) {
    nb::list equations;
    for (const ir::Equation equation : graph.equations()) {
        nb::dict each;
        each["operation"] = equation.operation();
        nb::list operands, results;
        for (const ir::ValueId operand : equation.operands())
            operands.append(value_of(graph, operand));
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            results.append(nb::int_(ir::index_of(equation.results()[i])));
        each["operands"] = operands;
        each["results"] = results;
        nb::dict attributes, subgraphs;
        for (const auto& [name, value] : equation.attributes().entries())
            attributes[name.c_str()] = object_of(value);
        for (const ir::Subgraph& subgraph : equation.subgraphs())
            subgraphs[subgraph.name.c_str()] = nb::cast(TracedGraph(ir::Graph(*subgraph.graph)));
        each["attributes"] = attributes;
        each["subgraphs"] = subgraphs;
        nb::list types;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            types.append(nb::cast(graph.type(equation.results()[i])));
        each["types"] = types;
        each["file"] = equation.location().file;
        each["line"] = equation.location().line;
        each["scope"] = equation.location().scope;
        equations.append(each);
    }
    return equations;
}

nb::list types_of(const ir::Graph& graph, std::span<const ir::ValueId> values) {
    nb::list types;
    for (const ir::ValueId value : values)
        types.append(nb::cast(graph.type(value)));
    return types;
}

TracedGraph traced_function(const std::string& name, nb::handle body, nb::handle inputs,
                            const std::vector<std::string>& names, bool concrete,
                            const std::vector<std::string>& constraints) {
    const trace::Function function = [&](std::span<const Array> arguments) {
        return arrays_of(body(*nb::tuple(list_of({arguments.begin(), arguments.end()}))), "result");
    };
    if (concrete) {
        std::vector<ir::Constant> values;
        for (const nb::handle each : inputs)
            values.push_back(array_of(each, "argument").value());
        return TracedGraph(trace::trace_concrete(name, function, values, names));
    }
    std::vector<ir::TensorType> types;
    for (const nb::handle each : inputs)
        types.push_back(nb::isinstance<ir::TensorType>(each) ? nb::cast<ir::TensorType>(each)
                                                             : array_of(each, "argument").type());
    auto promises = std::make_shared<ir::Constraints>();
    for (const std::string& each : constraints)
        promises->push_back(ir::Constraint::parse(each));
    return TracedGraph(
        trace::trace_sizes(name, function, types,
                           promises->empty() ? ir::ConstraintsPtr() : ir::ConstraintsPtr(promises), names));
}

std::string described(const ir::Graph& graph, bool locations) {
    return ir::print(graph, {.locations = locations, .data = false});
}

/// Names what is recorded while the block runs.
struct ScopeBlock {
    std::string name;
    std::unique_ptr<trace::Scope> scope{};
};

void bind_views(nb::class_<TracedGraph>& type) {
    type.def(
            "text",
            [](const TracedGraph& self, bool locations, bool data) {
                return ir::print(self.graph(), {.locations = locations, .data = data});
            },
            nb::arg("locations") = false, nb::arg("data") = true, "The text that parse() reads.")
        .def("__str__", [](const TracedGraph& self) { return described(self.graph(), false); })
        .def("__repr__", [](const TracedGraph& self) { return described(self.graph(), false); })
        .def(
            "table", [](const TracedGraph& self, bool more) { return ir::fx_table(self.graph(), more); },
            nb::arg("more") = false, "As torch.fx prints graphs; `more` adds types and modules.")
        .def(
            "trace_ir",
            [](const TracedGraph& self, const std::string& device) {
                return trace::tripy_texts(self.graph(), {.device = device}).trace_ir;
            },
            nb::arg("device") = "host", "As Tripy prints it.")
        .def(
            "flat_ir",
            [](const TracedGraph& self, const std::string& device) {
                return trace::tripy_texts(self.graph(), {.device = device}).flat_ir;
            },
            nb::arg("device") = "host")
        .def("stablehlo", [](const TracedGraph& self) { return trace::to_stablehlo(self.graph()); })
        .def(
            "svg",
            [](const TracedGraph& self, std::size_t max_lines) {
                const std::string name = self.graph().name();
                std::string text = analysis::graph_picture(self.graph(), name, max_lines);
                return nb::module_::import_("tilemeter._src.answers.answers").attr("Picture")(text);
            },
            nb::arg("max_lines") = 200, nb::sig("def svg(self, max_lines: int = 200) -> str"),
            "A picture: equations as boxes, values as arrows. Beyond max_lines boxes equations share them; 0: never.")
        .def("save", [](const TracedGraph& self, nb::handle path) {
            ir::save(self.graph(), nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(path)));
        });
}

}  // namespace

nb::object graph_object(const ir::Graph& graph) {
    return nb::cast(TracedGraph(ir::Graph(graph)));
}

void bind_graph(nb::module_& trace) {
    nb::class_<TracedGraph> type(trace, "Graph", "A function as equations that its arrays go through.");
    bind_views(type);
    type.def(
            "run",
            [](TracedGraph& self, nb::handle inputs) {
                return list_of(self.run(arrays_of(inputs, "input")));
            },
            nb::arg("inputs"), "A list of the results for these inputs, an array for each parameter.")
        .def(
            "__call__",
            [](TracedGraph& self, const nb::args& inputs) {
                nb::list results = list_of(self.run(arrays_of(inputs, "input")));
                return results.size() == 1 ? nb::object(results[0]) : nb::object(nb::tuple(results));
            },
            nb::sig("def __call__(self, *inputs: typing.Any) -> typing.Any"),
            "The result for these inputs, or a tuple of them; a function as any other.")
        .def_prop_ro("name", [](const TracedGraph& self) { return self.graph().name(); })
        .def_prop_ro("operation_set", [](const TracedGraph& self) { return self.graph().operation_set(); })
        .def_prop_ro(
            "equations", [](const TracedGraph& self) { return equations_of(self.graph()); },
            "As dictionaries: operation, operands (numbers of values, or constants), results, attributes, "
            "subgraphs, types, file, line, scope.")
        .def("__len__", [](const TracedGraph& self) { return self.graph().equation_count(); })
        .def(
            "count", [](const TracedGraph& self) { return ir::count_equations(self.graph()); },
            "Equations, those of subgraphs included.")
        .def_prop_ro("param_names",
                     [](const TracedGraph& self) {
                         std::vector<std::string> names;
                         for (const ir::ValueId param : self.graph().params())
                             names.emplace_back(self.graph().name_of(param));
                         return names;
                     })
        .def_prop_ro("params",
                     [](const TracedGraph& self) {
                         nb::list values;
                         for (const ir::ValueId param : self.graph().params())
                             values.append(nb::int_(ir::index_of(param)));
                         return values;
                     })
        .def_prop_ro("results",
                     [](const TracedGraph& self) {
                         nb::list values;
                         for (const ir::ValueId result : self.graph().results())
                             values.append(value_of(self.graph(), result));
                         return values;
                     })
        .def_prop_ro("param_types",
                     [](const TracedGraph& self) { return types_of(self.graph(), self.graph().params()); })
        .def_prop_ro("result_types",
                     [](const TracedGraph& self) { return types_of(self.graph(), self.graph().results()); })
        .def_prop_ro("assumptions", [](const TracedGraph& self) { return self.traced().assumptions; })
        .def_prop_ro("guards",
                     [](const TracedGraph& self) {
                         std::vector<std::string> texts;
                         for (const trace::Guard& guard : self.traced().guards)
                             texts.push_back(guard.text);
                         return texts;
                     })
        .def(
            "simplified", [](const TracedGraph& self) { return TracedGraph(trace::simplify(self.graph())); },
            "Constants computed, common subexpressions and what nothing needs gone.")
        .def(
            "lowered", [](const TracedGraph& self) { return TracedGraph(trace::lower(self.graph())); },
            "In flat operations.")
        .def(
            "at",
            [](const TracedGraph& self, const nb::kwargs& sizes) {
                ir::Sizes numbers;
                for (const auto& [name, size] : sizes)
                    numbers[nb::cast<std::string>(name)] = integer_of(size, "at: a size");
                return TracedGraph(ir::at(self.graph(), numbers));
            },
            "The graph at sizes of the names in its dimensions: at(b=32).")
        .def("_at_shapes",
             [](const TracedGraph& self, nb::handle shapes) {
                 std::vector<ir::Shape> all;
                 for (const nb::handle each : shapes)
                     all.emplace_back(integers_of(each, "an input's shape"));
                 return TracedGraph(ir::at(self.graph(), ir::sizes_of(self.graph(), all)));
             })
        .def_prop_ro("sizes",
                     [](const TracedGraph& self) {
                         nb::list names;
                         for (const std::string& name : ir::size_names(self.graph()))
                             names.append(nb::str(name.c_str()));
                         return names;
                     })
        .def_prop_ro("constraints",
                     [](const TracedGraph& self) {
                         std::vector<std::string> texts;
                         if (self.graph().constraints() != nullptr)
                             for (const ir::Constraint& each : *self.graph().constraints())
                                 texts.push_back(each.text());
                         return texts;
                     })
        .def("verify",
             [](const TracedGraph& self) {
                 if (const auto error = ir::verify(self.graph(), trace::operations_for(self.graph())))
                     throw *error;
             })
        .def("__eq__",
             [](const TracedGraph& a, const TracedGraph& b) {
                 return ir::equal(a.graph(), b.graph(), ir::Detail::kNames);
             })
        .def("__eq__", [](const TracedGraph&, nb::handle) { return false; })
        .def("__hash__", [](const TracedGraph& self) { return ir::structural_hash(self.graph()); });

    trace.def("_trace", &traced_function, nb::arg("name"), nb::arg("body"), nb::arg("inputs"),
              nb::arg("names"), nb::arg("concrete"), nb::arg("constraints") = std::vector<std::string>());
    trace.def("_load", [](nb::handle path) {
        return TracedGraph(ir::load(nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(path))));
    });
    trace.def(
        "parse", [](const std::string& text) { return TracedGraph(ir::parse(text)); }, nb::arg("text"),
        "The graph of a text that Graph.text() printed.");
    trace.def("_reused_keys", [](const TracedGraph& traced) {
        nb::list all;
        for (const trace::random::KeyReuse& each : trace::random::reused_keys(traced.graph()))
            all.append(nb::make_tuple(each.text, trace::text_of(each.first), trace::text_of(each.second)));
        return all;
    });
    trace.def("_note_assumption", [](const std::string& text) { trace::note_assumption(text); });
    trace.def(
        "is_tracing", [] { return trace::Frame::is_open(); }, "Whether this thread traces a function now.");
    nb::class_<ScopeBlock>(trace, "scope",
                           "Names what is recorded while the block runs: with scope('encoder/0'):")
        .def(nb::new_([](const std::string& name) { return ScopeBlock{.name = name}; }), nb::arg("name"))
        .def("__enter__", [](ScopeBlock& self) { self.scope = std::make_unique<trace::Scope>(self.name); })
        .def("__exit__", [](ScopeBlock& self, const nb::args&) { self.scope.reset(); });
}

}  // namespace tilemeter::python::tracing
