// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations and methods that are defined in Python.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/ir/copier.hpp"
#include "runtime/trace/apply.hpp"
#include "runtime/trace/custom_operation.hpp"
#include "runtime/trace/lower.hpp"
#include "runtime/trace/methods.hpp"
#include "runtime/trace/trace.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

/// A function of Python that is kept for ever, as operations are: its last use may come after the interpreter.
nb::handle kept(nb::handle function) {
    function.inc_ref();
    return function;
}

nb::dict dict_of(const ir::Attributes& attributes) {
    nb::dict dict;
    for (const auto& [name, value] : attributes.entries())
        dict[name.c_str()] = object_of(value);
    return dict;
}

nb::list sequence_of(nb::handle results) {
    if (PyTuple_Check(results.ptr()) || PyList_Check(results.ptr())) return nb::list(results);
    nb::list one;
    one.append(results);
    return one;
}

ir::TensorType type_of(nb::handle object) {
    if (nb::isinstance<ir::TensorType>(object)) return nb::cast<ir::TensorType>(object);
    const ir::Integers shape = integers_of(object.attr("shape"));
    return {element_of(object.attr("dtype")), ir::Shape(std::span(shape)), {}};
}

}  // namespace

void bind_custom(nb::module_& trace) {
    trace.def(
        "_register_operation",
        [](const std::string& name, int operands, nb::handle infer, nb::handle compute, nb::handle lower,
           bool ordered, bool replace) {
            trace::CustomOperation definition;
            definition.name = name;
            definition.any_attributes = true;
            definition.operands = operands < 0 ? ir::Arity{0}
                                               : ir::Arity{static_cast<std::uint32_t>(operands),
                                                           static_cast<std::uint32_t>(operands)};
            if (ordered) definition.effects = ir::Effects::kOrdered;
            definition.infer = [infer = kept(infer)](trace::CustomOperation::Types types,
                                                     const ir::Attributes& attributes) {
                const Locked locked;
                nb::list inputs;
                for (const ir::TensorType& type : types)
                    inputs.append(nb::cast(type));
                std::vector<ir::TensorType> results;
                for (const nb::handle each : sequence_of(infer(*nb::tuple(inputs), **dict_of(attributes))))
                    results.push_back(type_of(each));
                return results;
            };
            if (!compute.is_none())
                definition.compute = [compute = kept(compute)](std::span<const ir::Constant> values,
                                                               const ir::Attributes& attributes) {
                    const Locked locked;
                    nb::list inputs;
                    for (const ir::Constant& value : values)
                        inputs.append(numpy_of(value));
                    std::vector<ir::Constant> results;
                    for (const nb::handle each :
                         sequence_of(compute(*nb::tuple(inputs), **dict_of(attributes))))
                        results.push_back(constant_of(each, "result"));
                    return results;
                };
            if (!lower.is_none())
                definition.lower = [lower = kept(lower)](trace::FlatBuilder& to,
                                                         trace::CustomOperation::Ids ids,
                                                         const ir::Attributes& attributes) {
                    const Locked locked;
                    std::vector<ir::TensorType> types;
                    for (const ir::ValueId operand : ids)
                        types.push_back(to.graph().type(operand));
                    const auto traced = trace::trace(
                        "lower",
                        [&](std::span<const Array> arguments) {
                            const nb::object results =
                                lower(*nb::tuple(list_of({arguments.begin(), arguments.end()})),
                                      **dict_of(attributes));
                            return arrays_of(sequence_of(results), "result");
                        },
                        types);
                    const ir::Graph flat = trace::lower(*traced.graph);
                    ir::GraphCopier copier(flat, to.graph());
                    for (std::size_t i = 0; i < ids.size(); ++i)
                        copier.map(flat.params()[i], ids[i]);
                    for (const ir::Equation equation : flat.equations())
                        copier.copy(equation);
                    return copier(flat.results());
                };
            static_cast<void>(trace::register_operation(std::move(definition), replace));
        },
        nb::arg("name"), nb::arg("operands"), nb::arg("infer"), nb::arg("compute").none(),
        nb::arg("lower").none(), nb::arg("ordered"), nb::arg("replace"));
    trace.def("_method_names", &trace::method_names);
}

}  // namespace tilemeter::python::tracing
