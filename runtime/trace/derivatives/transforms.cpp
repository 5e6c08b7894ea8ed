// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/transforms.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "capture/ir/error.hpp"
#include "capture/ir/passes/passes.hpp"
#include "runtime/trace/arrays/internal/body.hpp"
#include "runtime/trace/derivatives/internal/extract.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

using internal::ArrayAccess;
using ir::Graph;
using ir::GraphPtr;
using ir::TensorType;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

Arrays operator+(Arguments a, Arguments b) {
    Arrays all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

Arrays first(Arrays arrays, std::size_t count) {
    arrays.resize(count);
    return arrays;
}

// A refusal of a graph, as an error of the user's program.
template <class Transform>
auto placed(const char* name, const Transform& transform) {
    try {
        return transform();
    } catch (const ir::Error& error) {
        std::string hint;
        if (error.kind() == ir::ErrorKind::kNoRule)
            hint = "give the rule to the operation where it is registered";
        ErrorDetails details{.location = current_location(), .hint = std::move(hint)};
        if (error.kind() == ir::ErrorKind::kWrongArity)
            throw TraceError(TraceErrorKind::kStructureMismatch, std::string(name) + ": " + error.what(),
                             std::move(details));
        details.operation = name;
        throw TraceError(error, std::move(details));
    }
}

// Numbers take the element type of what they belong to.
Arrays beside(Arguments arrays, std::span<const TensorType> types) {
    Arrays all(arrays.begin(), arrays.end());
    for (std::size_t i = 0; i < std::min(all.size(), types.size()); ++i)
        if (ArrayAccess::is_literal(all[i]))
            all[i] = ArrayAccess::typed_literal(
                all[i], internal::literal_beside(ArrayAccess::literal_element(all[i]), types[i].element));
    return all;
}

Closure traced(const char* name, const Function& function, Arguments arguments) {
    return trace_closure(name, internal::with_weak_arguments(function, arguments),
                         internal::types_of(arguments));
}

std::vector<TensorType> floats(std::vector<TensorType> types) {
    std::erase_if(types, [](const TensorType& type) { return !ir::is_float(type.element); });
    return types;
}

// Gradients, then further results; the value itself need not be computed.
Graph gradients(const Graph& function, const Positions& wrt, bool has_further) {
    if (!has_further) return grad(function, wrt);
    Graph graph = value_and_grad(function, wrt, true);
    const std::vector<ir::ValueId> all(graph.results().begin(), graph.results().end());
    const auto count = static_cast<std::ptrdiff_t>(wrt.size());
    std::vector<ir::ValueId> results(all.end() - count, all.end());
    results.insert(results.end(), all.begin() + 1, all.end() - count);
    graph.set_results(results);
    return ir::remove_dead_code(graph, flat_operations()).graph;
}

}  // namespace

Function value_and_grad(Function function, Positions wrt, Further further) {
    return [function = std::move(function), wrt = std::move(wrt), further](Arguments arguments) {
        const Closure closure = traced("value_and_grad", function, arguments);
        const Graph graph =
            placed("grad", [&] { return value_and_grad(*closure.graph, wrt, further == Further::kResults); });
        return call_graph(internal::shared(graph), arguments + closure.captured);
    };
}

Function grad(Function function, Positions wrt, Further further) {
    return [function = std::move(function), wrt = std::move(wrt), further](Arguments arguments) {
        const Closure closure = traced("grad", function, arguments);
        return call_graph(
            internal::shared(
                placed("grad", [&] { return gradients(*closure.graph, wrt, further == Further::kResults); })),
            arguments + closure.captured);
    };
}

Pushed jvp(const Function& function, Arguments arguments, Arguments tangents) {
    const Closure closure = traced("jvp", function, arguments);
    Positions wrt = float_params(*closure.graph);
    std::erase_if(wrt, [&](std::size_t position) { return position >= arguments.size(); });
    const Arrays given = beside(tangents, floats(internal::types_of(arguments)));
    const Graph graph = placed("jvp", [&] {
        check_tangents(*closure.graph, wrt, internal::types_of(given));
        return jvp(*closure.graph, wrt);
    });
    Arrays results = call_graph(internal::shared(graph), arguments + closure.captured + given);
    Pushed pushed;
    const auto count = static_cast<std::ptrdiff_t>(closure.graph->results().size());
    pushed.tangents.assign(results.begin() + count, results.end());
    pushed.results = first(std::move(results), closure.graph->results().size());
    return pushed;
}

Pulled vjp(const Function& function, Arguments arguments) {
    const Closure closure = traced("vjp", function, arguments);
    Positions wrt = float_params(*closure.graph);
    std::erase_if(wrt, [&](std::size_t position) { return position >= arguments.size(); });
    Reversed reversed = placed("vjp", [&] { return reverse(*closure.graph, wrt); });
    Arrays results = call_graph(internal::shared(std::move(reversed.forward)), arguments + closure.captured);
    Pulled pulled;
    Arrays residuals(results.end() - static_cast<std::ptrdiff_t>(reversed.residuals), results.end());
    pulled.results = first(std::move(results), closure.graph->results().size());
    pulled.back = [graph = closure.graph, backward = internal::shared(std::move(reversed.backward)),
                   residuals = std::move(residuals)](Arguments cotangents) {
        const Arrays given = beside(cotangents, floats(graph->types(graph->results())));
        placed("vjp", [&] { check_cotangents(*graph, internal::types_of(given)); });
        return call_graph(backward, residuals + given);
    };
    return pulled;
}

Arrays hvp(const Function& function, Arguments arguments, Arguments vectors) {
    Positions wrt;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (ir::is_float(internal::type_of(arguments[i]).element)) wrt.push_back(i);
    return jvp(grad(function, wrt), arguments, vectors).tangents;
}

Function vmap(Function function, MappedAxes in_axes, MappedAxes out_axes) {
    return vmap(std::move(function), std::move(in_axes),
                [out_axes = std::move(out_axes)](std::size_t results) {
                    return out_axes.empty() ? MappedAxes(results, 0) : out_axes;
                });
}

Function vmap(Function function, MappedAxes in_axes, std::function<MappedAxes(std::size_t)> out_axes) {
    return [function = std::move(function), in_axes = std::move(in_axes),
            out_axes = std::move(out_axes)](Arguments arguments) {
        std::vector<TensorType> lanes = internal::types_of(arguments);
        const std::int64_t count = placed("vmap", [&] { return lanes_of(lanes, in_axes); });
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            if (!in_axes[i]) continue;
            ir::Integers dims(lanes[i].shape.begin(), lanes[i].shape.end());
            const std::int64_t axis = *in_axes[i];
            dims.erase(dims.begin() + (axis < 0 ? axis + static_cast<std::int64_t>(dims.size()) : axis));
            lanes[i].shape = ir::Shape(std::span(dims));
        }
        const Closure closure =
            trace_closure("vmap", internal::with_weak_arguments(function, arguments), lanes);
        MappedAxes axes = in_axes;
        axes.resize(closure.graph->params().size());
        const MappedAxes outs = out_axes(closure.graph->results().size());
        const Graph graph = placed("vmap", [&] { return vmap(*closure.graph, count, axes, outs); });
        return call_graph(internal::shared(graph), arguments + closure.captured);
    };
}

}  // namespace tilemeter::trace
