// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/trace.hpp"

#include <utility>

#include "capture/ir/sizes.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/arrays/internal/body.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

std::string input_name(std::span<const std::string> names, std::size_t i) {
    return i < names.size() ? names[i] : "x" + std::to_string(i);
}

void require_sizes(const std::string& name, const ir::Graph& graph) {
    try {
        ir::require_sizes(graph);
    } catch (const ir::Error& error) {
        throw TraceError(ir::Error(error.kind(), "'" + name + "': " + error.what()),
                         {.types = graph.types(graph.params()), .location = current_location()});
    }
}

template <class Input>
TracedGraph traced(const std::string& name, const Function& function, Mode mode,
                   std::span<const Input> inputs, std::span<const std::string> names,
                   ir::ConstraintsPtr constraints = {}, bool has_sizes = false) {
    Frame frame(name, mode, std::move(constraints));
    std::vector<Array> arguments;
    arguments.reserve(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        arguments.push_back(frame.add_input(input_name(names, i), inputs[i]));
    if (has_sizes) require_sizes(name, frame.graph());
    return frame.close(function(arguments));
}

}  // namespace

TracedGraph trace(const std::string& name, const Function& function, std::span<const ir::TensorType> types,
                  std::span<const std::string> names) {
    return traced(name, function, Mode::kAbstract, types, names);
}

TracedGraph trace_sizes(const std::string& name, const Function& function,
                        std::span<const ir::TensorType> types, ir::ConstraintsPtr constraints,
                        std::span<const std::string> names) {
    return traced(name, function, Mode::kAbstract, types, names, std::move(constraints), true);
}

TracedGraph trace_concrete(const std::string& name, const Function& function,
                           std::span<const ir::Constant> inputs, std::span<const std::string> names) {
    return traced(name, function, Mode::kConcrete, inputs, names);
}

Closure trace_closure(const std::string& name, const Function& function,
                      std::span<const ir::TensorType> types) {
    internal::Body body(name, function, types);
    body.finish();
    return {body.graph(), body.captured()};
}

std::vector<Array> call_graph(const ir::GraphPtr& graph, std::span<const Array> arguments) {
    static const ir::Operation& kOperation = operation_named("call");
    const ir::GraphPtr body =
        graph->operation_set() == kFlat ? std::make_shared<const ir::Graph>(as_calls(*graph)) : graph;
    const ir::Subgraph subgraph{"body", body};
    return apply(kOperation, arguments, {}, std::span(&subgraph, 1));
}

}  // namespace tilemeter::trace
