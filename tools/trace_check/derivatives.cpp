// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "runtime/trace/derivatives/vmap.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tools/trace_check/comparison.hpp"

namespace tilemeter::trace_check {

namespace {

using ir::Constant;
using ir::Graph;
using nlohmann::json;
using Constants = std::vector<Constant>;

std::vector<std::size_t> counted(std::size_t first, std::size_t end) {
    std::vector<std::size_t> numbers(end - first);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

Constants operator+(Constants a, const Constants& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// The values of a derivative's graph, or why it is no ordinary graph.
std::string differs(const Graph& graph, const Constants& inputs, const Constants& expected,
                    double tolerance) {
    if (const auto error = ir::verify(graph, trace::flat_operations())) return error->what();
    if (!equal(ir::parse(ir::print(graph)), graph)) return "found another graph in its text";
    if (auto why = difference(trace::evaluate(graph, inputs), expected, tolerance); !why.empty()) return why;
    const Graph simpler = trace::simplify(graph);
    if (const auto error = ir::verify(simpler, trace::flat_operations())) return error->what();
    const auto why = difference(trace::evaluate(simpler, inputs), expected, tolerance);
    return why.empty() ? why : "simplified: " + why;
}

struct Recorded {
    Graph graph;
    trace::Positions wrt;
    Constants inputs;
    Constants outputs;

    Recorded(const json& function, Precision precision)
        : graph(graph_of(function.at("graph"), precision)),
          wrt(trace::float_params(graph)),
          inputs(arrays_of(function.at("inputs"), precision)),
          outputs(arrays_of(function.at("outputs"), precision)) {}
};

std::string jvp_difference(const json& function, Precision precision) {
    const Recorded f(function, precision);
    const json& recorded = function.at("jvp");
    return differs(trace::jvp(f.graph, f.wrt), f.inputs + arrays_of(recorded.at("tangents"), precision),
                   f.outputs + arrays_of(recorded.at("out_tangents"), precision),
                   tolerance_of(function, "jvp", precision));
}

std::string vjp_difference(const json& function, Precision precision) {
    const Recorded f(function, precision);
    const json& recorded = function.at("vjp");
    const double tolerance = tolerance_of(function, "vjp", precision);
    const Constants cotangents = arrays_of(recorded.at("cotangents"), precision);
    const Constants expected = arrays_of(recorded.at("in_cotangents"), precision);
    if (auto why =
            differs(trace::vjp(f.graph, f.wrt), f.inputs + cotangents, f.outputs + expected, tolerance);
        !why.empty())
        return why;
    const trace::Reversed parts = trace::reverse(f.graph, f.wrt);
    const Constants forward = trace::evaluate(parts.forward, f.inputs);
    const Constants residuals(forward.end() - static_cast<std::ptrdiff_t>(parts.residuals), forward.end());
    const auto why = differs(parts.backward, residuals + cotangents, expected, tolerance);
    return why.empty() ? why : "in two parts: " + why;
}

// A function that was recorded as refused is refused by name.
std::string refused_difference(const json& function, Precision precision) {
    const Recorded f(function, precision);
    try {
        trace::vjp(f.graph, f.wrt);
    } catch (const ir::Error& error) {
        if (error.kind() == ir::ErrorKind::kNotReversible) return {};
        return error.what();
    }
    return "found a derivative, expected not_reversible";
}

std::string hvp_difference(const json& function, Precision precision) {
    const Recorded f(function, precision);
    const Graph gradient = cotangents_of(f.graph);
    const std::size_t count = gradient.results().size();
    const Graph both = trace::jvp(gradient, f.wrt);
    const Graph product = with_results(both, counted(count, 2 * count));
    const Constants inputs = f.inputs + arrays_of(function.at("vjp").at("cotangents"), precision) +
                             arrays_of(function.at("hvp").at("vector"), precision);
    return differs(product, inputs, arrays_of(function.at("hvp").at("product"), precision),
                   tolerance_of(function, "hvp", precision));
}

double inner(const Constants& a, const Constants& b, double& magnitude) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < static_cast<std::size_t>(a[i].type().shape.elements()); ++k) {
            const double term = a[i].double_at(k) * b[i].double_at(k);
            sum += term;
            magnitude += std::fabs(term);
        }
    return sum;
}

std::string dual_difference(const json& function, Precision precision) {
    const Recorded f(function, precision);
    const Constants tangents = arrays_of(function.at("jvp").at("tangents"), precision);
    const Constants cotangents = arrays_of(function.at("vjp").at("cotangents"), precision);
    Constants out = trace::evaluate(trace::jvp(f.graph, f.wrt), f.inputs + tangents);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(f.graph.results().size()));
    const Constants in = trace::evaluate(cotangents_of(f.graph), f.inputs + cotangents);
    double magnitude = 0;
    const double left = inner(cotangents, out, magnitude);
    const double right = inner(in, tangents, magnitude);
    const double tolerance = precision.element == ir::ElementType::kF64 ? 1e-9 : 1e-4;
    if (!std::isfinite(left) || !std::isfinite(right) ||
        std::fabs(left - right) <= tolerance * (1 + magnitude))
        return {};
    return "found <ct, J t> = " + std::to_string(left) + " and <J' ct, t> = " + std::to_string(right);
}

bool has(const json& function, const char* answer, const char* part) {
    return function.value(answer, json::object()).contains(part);
}

trace::Positions positions(const json& numbers) {
    return numbers.get<trace::Positions>();
}

Graph transformed(const json& equation, const Graph& graph, std::span<const ir::ValueId> operands,
                  const Graph& f) {
    const auto name = equation.at("op").get<std::string>();
    const json attributes = equation.value("attrs", json::object());
    if (name == "grad") return trace::grad(f, positions(attributes.at("wrt")));
    if (name == "jvp") return trace::jvp(f, trace::float_params(f));
    if (name == "vjp") return trace::vjp(f, trace::float_params(f));
    const std::vector<ir::TensorType> types = graph.types(operands);
    const trace::MappedAxes in_axes = mapped_axes(attributes.at("in_axes"));
    return trace::vmap(f, trace::lanes_of(types, in_axes), in_axes, mapped_axes(attributes.at("out_axes")));
}

}  // namespace

bool is_transformation(const std::string& operation) {
    static const std::set<std::string> kTransformations = {"grad", "jvp", "vjp", "vmap"};
    return kTransformations.contains(operation);
}

trace::MappedAxes mapped_axes(const json& axes) {
    trace::MappedAxes all;
    for (const json& axis : axes)
        all.push_back(axis.is_null() ? std::nullopt : std::optional(axis.get<std::int64_t>()));
    return all;
}

ir::ValueRange append_transformation(Graph& graph, const json& equation,
                                     std::span<const ir::ValueId> operands, const Graph& f) {
    const ir::Subgraph body{
        std::string(ir::kBody),
        std::make_shared<const Graph>(trace::as_calls(transformed(equation, graph, operands, f)))};
    return add_op(graph, trace::call_operations().at("call"), operands, {}, std::span(&body, 1));
}

Graph cotangents_of(const Graph& graph) {
    const Graph both = trace::vjp(graph, trace::float_params(graph));
    return with_results(both, counted(graph.results().size(), both.results().size()));
}

const std::map<std::string, DerivativeCheck>& derivative_checks() {
    static const std::map<std::string, DerivativeCheck> kChecks = {
        {"jvp", {[](const json& f) { return has(f, "jvp", "out_tangents"); }, jvp_difference}},
        {"vjp", {[](const json& f) { return has(f, "vjp", "in_cotangents"); }, vjp_difference}},
        {"hvp", {[](const json& f) { return has(f, "hvp", "product"); }, hvp_difference}},
        {"dual",
         {[](const json& f) { return has(f, "jvp", "out_tangents") && has(f, "vjp", "in_cotangents"); },
          dual_difference}},
        {"refused", {[](const json& f) { return has(f, "vjp", "error"); }, refused_difference}},
    };
    return kChecks;
}

}  // namespace tilemeter::trace_check
