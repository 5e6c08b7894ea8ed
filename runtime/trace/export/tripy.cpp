// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/export/tripy.hpp"

#include <sstream>

#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/export/stablehlo.hpp"

namespace tilemeter::trace {

namespace {

std::string numbered(const std::string& module) {
    std::istringstream lines(module);
    std::string text = "==== StableHLO IR ====\n";
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        // The module has no name there, and no function is private.
        if (number == 0) line = "module {";
        if (const std::size_t at = line.find("func.func public "); at != std::string::npos)
            line.erase(at + 10, 7);
        text += std::to_string(++number) + ": " + line + "\n";
    }
    return text + std::to_string(number + 1) + ":\n";
}

}  // namespace

TripyTexts tripy_texts(const ir::Graph& graph, const ir::TripyOptions& options) {
    // Names go over to what lowering puts in the place of a value.
    ir::Graph named = graph;
    const std::vector<std::string> names = ir::tripy_trace_names(graph);
    for (const ir::Equation equation : graph.equations())
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            named.set_name(equation.results()[i], names[index_of(equation.results()[i])]);
    return {tripy_trace_ir(named, options), tripy_flat_ir(lower(named), options),
            numbered(to_stablehlo(graph))};
}

}  // namespace tilemeter::trace
