// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/derivatives.hpp"

#include <optional>
#include <string>
#include <utility>

#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/order.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/derivatives/internal/custom_rules.hpp"
#include "runtime/trace/derivatives/internal/differentiator.hpp"
#include "runtime/trace/derivatives/internal/extract.hpp"
#include "runtime/trace/derivatives/internal/primitives_reversed.hpp"
#include "runtime/trace/derivatives/internal/transposer.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

using namespace internal;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;

Graph flat(const Graph& function) {
    Graph lowered = lower(function, has_derivative);
    std::optional<Graph> sorted;
    in_order(lowered, flat_operations(), sorted);
    return sorted ? std::move(*sorted) : std::move(lowered);
}

bool is_float(const Graph& graph, ValueId value) {
    return ir::is_float(graph.type(value).element);
}

Mask active_params(const Graph& graph, const Positions& wrt) {
    Mask active(graph.params().size());
    for (const std::size_t position : wrt) {
        if (position >= active.size())
            throw Error(ErrorKind::kBadArgument, "wrt: found parameter " + std::to_string(position) +
                                                     ", expected one of " + std::to_string(active.size()));
        const ValueId param = graph.params()[position];
        if (active[position])
            throw Error(ErrorKind::kBadArgument,
                        "wrt: found parameter " + std::to_string(position) + " twice, expected it once");
        if (!is_float(graph, param))
            throw Error(ErrorKind::kGradNeedsFloat, "parameter '" + std::string(graph.name_of(param)) +
                                                        "': found " + text_of(graph.type(param)) +
                                                        ", expected floats to differentiate");
        active[position] = true;
    }
    return active;
}

/// The tangents or whatever belongs to the parameters of wrt, in the order of wrt.
template <class Value>
std::vector<Value> in_order_of(const Positions& wrt, const std::vector<Value>& by_param) {
    std::vector<Value> all;
    for (const std::size_t position : wrt)
        all.push_back(by_param[position]);
    return all;
}

std::vector<PartParam> operator+(std::vector<PartParam> a, const std::vector<PartParam>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::vector<ValueId> operator+(std::vector<ValueId> a, const std::vector<ValueId>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Tangents of all float results.
std::vector<ValueId> result_tangents(Joint& joint) {
    FlatBuilder to(joint.graph);
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < joint.results.size(); ++i)
        if (is_float(joint.graph, joint.results[i]))
            all.push_back(materialized(to, joint.tangents[i], to.type(joint.results[i])));
    return all;
}

std::vector<ValueId> wrt_tangents(const Joint& joint, const Positions& wrt) {
    return present(in_order_of(wrt, joint.param_tangents));
}

/// A function with the way back appended.
struct Way {
    Joint joint;
    std::vector<ValueId> cotangents;  // of float results, where they are parameters
    std::vector<ValueId> gradients;   // of wrt
    bool has_tangents = false;        // the graph's parameters are not only the function's and cotangents

    /// The part of the graph that its results need, as a function of those.
    Graph returning(const std::vector<ValueId>& results) && {
        return has_tangents ? extract(joint.graph, part_params(joint.params + cotangents), results)
                            : cut_to(std::move(joint.graph), results);
    }
};

enum class Seed : std::uint8_t { kParams, kOneForTheFirst };

std::string unused_name(const Graph& graph, const std::string& wanted) {
    std::string name = wanted;
    for (int number = 1; graph.find_input(name) != nullptr; ++number)
        name = wanted + "_" + std::to_string(number);
    return name;
}

// Cotangents of the results, none where there are none.
std::vector<Tangent> seeds(Graph& graph, const std::vector<ValueId>& results, Seed seed) {
    std::vector<Tangent> cotangents(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!is_float(graph, results[i]) || (seed == Seed::kOneForTheFirst && i != 0)) continue;
        const TensorType type = graph.type(results[i]);
        const std::string_view given = graph.name_of(results[i]);
        const std::string name =
            (given.empty() ? "result_" + std::to_string(i) : std::string(given)) + "_cotangent";
        cotangents[i] = seed == Seed::kOneForTheFirst ? FlatBuilder(graph).full(type, 1)
                                                      : graph.add_input(unused_name(graph, name), type);
    }
    return cotangents;
}

Way way_back(const Graph& function, const Positions& wrt, Seed seed) {
    Graph graph = flat(function);
    const Mask active = active_params(graph, wrt);
    Way way{Joint{Graph()}, {}, {}, false};
    Joint& joint = way.joint;
    std::vector<Tangent> of_params;
    if (is_of_primitives(graph)) {
        joint.graph = std::move(graph);
        joint.params.assign(joint.graph.params().begin(), joint.graph.params().end());
        joint.results.assign(joint.graph.results().begin(), joint.graph.results().end());
        joint.is_primal.assign(joint.graph.equation_count(), true);
        const std::vector<Tangent> cotangents = seeds(joint.graph, joint.results, seed);
        if (seed == Seed::kParams) way.cotangents = present(cotangents);
        of_params = append_way_back(joint.graph, joint.is_primal.size(), active, cotangents);
    } else {
        joint = Differentiator(DerivativeMode::kReverse).run(graph, active);
        const std::vector<Tangent> cotangents = seeds(joint.graph, joint.results, seed);
        if (seed == Seed::kParams) way.cotangents = present(cotangents);
        way.has_tangents = true;
        std::vector<ValueId> tangents;
        std::vector<Tangent> given;
        for (std::size_t i = 0; i < joint.results.size(); ++i) {
            if (!joint.tangents[i]) continue;
            tangents.push_back(*joint.tangents[i]);
            given.push_back(cotangents[i]);
        }
        const std::vector<ValueId> of = present(joint.param_tangents);
        const std::vector<Tangent> made = Transposer().append(joint.graph, of, tangents, given);
        std::size_t next = 0;
        for (const bool is_active : active)
            of_params.push_back(is_active ? made[next++] : Tangent());
    }
    FlatBuilder to(joint.graph);
    for (const std::size_t position : wrt)
        way.gradients.push_back(
            materialized(to, of_params[position], TensorType(to.type(joint.params[position]))));
    return way;
}

void require_scalar(const Graph& function, bool has_further = false) {
    const auto results = function.results();
    if (results.empty() || (results.size() != 1 && !has_further))
        throw Error(ErrorKind::kGradNeedsScalar, "grad: found a function with " +
                                                     std::to_string(results.size()) +
                                                     " results, expected one scalar");
    const TensorType& type = function.type(results[0]);
    if (type.shape.rank() != 0)
        throw Error(ErrorKind::kGradNeedsScalar,
                    "grad: found a result of type " + text_of(type) + ", expected a scalar");
    if (!ir::is_float(type.element))
        throw Error(ErrorKind::kGradNeedsFloat,
                    "grad: found a result of type " + text_of(type) + ", expected a float");
}

void check_types(const std::string& what, const Graph& graph, std::span<const ValueId> of,
                 std::span<const TensorType> types) {
    if (of.size() != types.size())
        throw Error(ErrorKind::kWrongArity, "found " + std::to_string(types.size()) + " " + what +
                                                "s, expected " + std::to_string(of.size()));
    for (std::size_t i = 0; i < of.size(); ++i) {
        const TensorType& expected = graph.type(of[i]);
        const std::string found = what + " " + std::to_string(i) + ": found " + text_of(types[i]) +
                                  ", expected " + text_of(expected) + " as the value it belongs to";
        if (types[i].element != expected.element) throw Error(ErrorKind::kElementTypeMismatch, found);
        if (types[i].shape != expected.shape) throw Error(ErrorKind::kShapeMismatch, found);
    }
}

}  // namespace

Positions float_params(const Graph& graph) {
    Positions positions;
    for (std::size_t i = 0; i < graph.params().size(); ++i)
        if (is_float(graph, graph.params()[i])) positions.push_back(i);
    return positions;
}

Graph jvp(const Graph& function, const Positions& wrt) {
    const Graph graph = flat(function);
    Joint joint = Differentiator(DerivativeMode::kForward).run(graph, active_params(graph, wrt));
    const std::vector<ValueId> tangents = result_tangents(joint);
    return extract(joint.graph, part_params(joint.params + wrt_tangents(joint, wrt)),
                   joint.results + tangents);
}

Linearized linearize(const Graph& function, const Positions& wrt) {
    const Graph graph = flat(function);
    Joint joint = Differentiator(DerivativeMode::kLinear).run(graph, active_params(graph, wrt));
    const std::vector<ValueId> tangents = result_tangents(joint);
    const std::vector<ValueId> residuals = residuals_of(joint, tangents, Mask(joint.params.size(), true));
    const auto params = part_params(residuals, "residual") + part_params(wrt_tangents(joint, wrt));
    return {extract(joint.graph, part_params(joint.params), joint.results + residuals),
            extract(joint.graph, params, tangents), residuals.size()};
}

Graph transpose(const Graph& linear, const Positions& wrt) {
    Graph graph = flat(linear);
    const Mask is_linear = active_params(graph, wrt);
    std::vector<ValueId> of;
    for (const std::size_t position : wrt)
        of.push_back(graph.params()[position]);
    std::vector<ValueId> others;
    for (std::size_t i = 0; i < is_linear.size(); ++i)
        if (!is_linear[i]) others.push_back(graph.params()[i]);
    const std::vector<ValueId> results(graph.results().begin(), graph.results().end());
    std::vector<Tangent> cotangents(results.size());
    for (std::size_t i = 0; i < results.size(); ++i)
        if (is_float(graph, results[i]))
            cotangents[i] = graph.add_input("cotangent", TensorType(graph.type(results[i])));
    const std::vector<Tangent> made = Transposer().append(graph, of, results, cotangents);
    FlatBuilder to(graph);
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < of.size(); ++i)
        all.push_back(materialized(to, made[i], to.type(of[i])));
    return extract(graph, part_params(others) + part_params(present(cotangents)), all);
}

Reversed reverse(const Graph& function, const Positions& wrt) {
    const Way way = way_back(function, wrt, Seed::kParams);
    const Graph& graph = way.joint.graph;
    const std::vector<ValueId> residuals =
        residuals_of(way.joint, way.gradients, Mask(way.joint.params.size(), true));
    return {extract(graph, part_params(way.joint.params), way.joint.results + residuals),
            extract(graph, part_params(residuals, "residual") + part_params(way.cotangents), way.gradients),
            residuals.size()};
}

Graph vjp(const Graph& function, const Positions& wrt) {
    Way way = way_back(function, wrt, Seed::kParams);
    const std::vector<ValueId> results = way.joint.results + way.gradients;
    return std::move(way).returning(results);
}

Graph grad(const Graph& function, const Positions& wrt) {
    require_scalar(function);
    Way way = way_back(function, wrt, Seed::kOneForTheFirst);
    const std::vector<ValueId> results = way.gradients;
    return std::move(way).returning(results);
}

Graph value_and_grad(const Graph& function, const Positions& wrt, bool has_further) {
    require_scalar(function, has_further);
    Way way = way_back(function, wrt, Seed::kOneForTheFirst);
    const std::vector<ValueId> results = way.joint.results + way.gradients;
    return std::move(way).returning(results);
}

Graph hvp(const Graph& function, const Positions& wrt) {
    const Graph both = jvp(grad(function, wrt), wrt);
    std::vector<ValueId> products(both.results().begin() + static_cast<std::ptrdiff_t>(wrt.size()),
                                  both.results().end());
    const std::vector<ValueId> params(both.params().begin(), both.params().end());
    return extract(both, part_params(params), products);
}

void check_tangents(const Graph& function, const Positions& wrt, std::span<const TensorType> tangents) {
    active_params(function, wrt);
    const std::vector<ValueId> params(function.params().begin(), function.params().end());
    check_types("tangent", function, in_order_of(wrt, params), tangents);
}

void check_cotangents(const Graph& function, std::span<const TensorType> cotangents) {
    std::vector<ValueId> results;
    for (const ValueId result : function.results())
        if (is_float(function, result)) results.push_back(result);
    check_types("cotangent", function, results, cotangents);
}

}  // namespace tilemeter::trace
