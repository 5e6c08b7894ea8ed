// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations and methods that are defined in Python.

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/ir/copier.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/methods.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/calls/custom_operation.hpp"
#include "runtime/trace/calls/lower.hpp"
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
    const ir::Integers shape = integers_of(object.attr("shape"), "shape");
    return {element_of(object.attr("dtype")), ir::Shape(std::span(shape)), {}};
}

using Ids = trace::CustomOperation::Ids;

Array zeros(const ir::TensorType& type) {
    return trace::full({type.shape.begin(), type.shape.end()}, 0, type.element);
}

/// The graph of a rule, written where it is wanted. The rule gets an array for each value; for None among what it
/// comes back with there are zeros as of `like`.
template <class Rule>
std::vector<ir::ValueId> written(trace::FlatBuilder& to, const char* name, Ids values,
                                 std::span<const ir::TensorType> like, const Rule& rule) {
    const Locked locked;
    const auto traced = trace::trace(
        name,
        [&](std::span<const Array> arguments) {
            nb::list results = sequence_of(rule(std::vector<Array>(arguments.begin(), arguments.end())));
            for (std::size_t i = 0; i < std::min(results.size(), like.size()); ++i)
                if (results[i].is_none()) results[i] = nb::cast(zeros(like[i]));
            return arrays_of(results, "result");
        },
        to.graph().types(values));
    const ir::Graph flat = trace::lower(*traced.graph);
    return ir::append_equations(flat, to.graph(), values);
}

/// Consecutive ones of a list, as a tuple.
class Parts {
public:
    explicit Parts(std::vector<Array> all) : all_(std::move(all)) {}
    nb::tuple next(std::size_t count) {
        const auto first = all_.begin() + static_cast<std::ptrdiff_t>(taken_);
        taken_ += count;
        return nb::tuple(list_of({first, first + static_cast<std::ptrdiff_t>(count)}));
    }

private:
    std::vector<Array> all_;
    std::size_t taken_ = 0;
};

std::vector<ir::ValueId> joined(std::initializer_list<Ids> groups) {
    std::vector<ir::ValueId> all;
    for (const Ids group : groups)
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

std::vector<ir::TensorType> float_types(const trace::FlatBuilder& to, Ids values) {
    std::vector<ir::TensorType> types;
    for (const ir::ValueId value : values)
        if (ir::is_float(to.element(value))) types.push_back(to.type(value));
    return types;
}

/// `rules`: "jvp", "vjp" and "batch", each of which may be missing.
void set_derivatives(trace::CustomOperation& definition, const nb::dict& rules) {
    if (rules.contains("jvp"))
        definition.jvp = [rule = kept(rules["jvp"])](trace::FlatBuilder& to, Ids operands, Ids tangents,
                                                     const ir::Attributes& attributes) {
            return written(to, "jvp", joined({operands, tangents}), {}, [&](std::vector<Array> arrays) {
                Parts parts(std::move(arrays));
                const nb::tuple primals = parts.next(operands.size());
                return rule(primals, parts.next(tangents.size()), **dict_of(attributes));
            });
        };
    if (rules.contains("vjp"))
        definition.vjp = [rule = kept(rules["vjp"])](trace::FlatBuilder& to, Ids operands, Ids results,
                                                     Ids cotangents, const ir::Attributes& attributes) {
            return written(to, "vjp", joined({operands, results, cotangents}), float_types(to, operands),
                           [&](std::vector<Array> arrays) {
                               Parts parts(std::move(arrays));
                               const nb::tuple primals = parts.next(operands.size());
                               const nb::tuple values = parts.next(results.size());
                               return rule(primals, values, parts.next(cotangents.size()),
                                           **dict_of(attributes));
                           });
        };
    if (rules.contains("batch"))
        definition.batch = [rule = kept(rules["batch"])](
                               trace::FlatBuilder& to, Ids operands, const std::vector<bool>& is_mapped,
                               std::int64_t lanes, const ir::Attributes& attributes) {
            return written(to, "batch", operands, {}, [&](std::vector<Array> arrays) {
                nb::list mapped;
                for (const bool each : is_mapped)
                    mapped.append(each);
                return rule(nb::tuple(list_of(std::move(arrays))), nb::tuple(mapped), lanes,
                            **dict_of(attributes));
            });
        };
}

}  // namespace

void bind_custom(nb::module_& trace) {
    trace.def(
        "_register_operation",
        [](const std::string& name, int operands, nb::handle infer, nb::handle compute, nb::handle lower,
           const nb::dict& rules, bool ordered, bool replace) {
            trace::CustomOperation definition;
            definition.name = name;
            definition.any_attributes = true;
            definition.operands = operands < 0 ? ir::Arity{0}
                                               : ir::Arity{static_cast<std::uint32_t>(operands),
                                                           static_cast<std::uint32_t>(operands)};
            if (ordered) definition.effects = ir::Effects::kOrdered;
            if (infer.is_none())
                definition.infer = [lower = kept(lower)](trace::CustomOperation::Types types,
                                                         const ir::Attributes& attributes) {
                    const Locked locked;
                    const auto traced = trace::trace(
                        "infer",
                        [&](std::span<const Array> arguments) {
                            return arrays_of(
                                sequence_of(lower(*nb::tuple(list_of({arguments.begin(), arguments.end()})),
                                                  **dict_of(attributes))),
                                "result");
                        },
                        types);
                    std::vector<ir::TensorType> results;
                    for (const ir::ValueId result : traced.graph->results())
                        results.push_back(traced.graph->type(result));
                    return results;
                };
            else
                definition.infer = [infer = kept(infer)](trace::CustomOperation::Types types,
                                                         const ir::Attributes& attributes) {
                    const Locked locked;
                    nb::list inputs;
                    for (const ir::TensorType& type : types)
                        inputs.append(nb::cast(type));
                    std::vector<ir::TensorType> results;
                    for (const nb::handle each :
                         sequence_of(infer(*nb::tuple(inputs), **dict_of(attributes))))
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
                definition.lower = [lower = kept(lower)](trace::FlatBuilder& to, Ids ids,
                                                         const ir::Attributes& attributes) {
                    return written(to, "lower", ids, {}, [&](std::vector<Array> arrays) {
                        return lower(*nb::tuple(list_of(std::move(arrays))), **dict_of(attributes));
                    });
                };
            set_derivatives(definition, rules);
            static_cast<void>(trace::register_operation(std::move(definition), replace));
        },
        nb::arg("name"), nb::arg("operands"), nb::arg("infer").none(), nb::arg("compute").none(),
        nb::arg("lower").none(), nb::arg("rules"), nb::arg("ordered"), nb::arg("replace"));
    trace.def("_method_names", &trace::method_names);
}

}  // namespace tilemeter::python::tracing
