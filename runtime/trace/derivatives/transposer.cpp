// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/internal/transposer.hpp"

#include <algorithm>
#include <string>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"
#include "runtime/trace/derivatives/internal/custom_rules.hpp"
#include "runtime/trace/derivatives/internal/differentiator.hpp"
#include "runtime/trace/derivatives/internal/extract.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/formulas.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

using ir::Control;
using ir::Equation;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;
using ir::GraphPtr;
using ir::Subgraph;

// An operation, looked up once.
struct Transposer::Known {
    std::string name;
    Control control = Control::kNone;
    const Primitive* row = nullptr;
};

// One equation, copied: what is appended to the graph moves what views of it refer to.
struct Transposer::Site {
    FlatBuilder& to;
    std::string operation;
    Control control;
    const Primitive* row;
    std::vector<ValueId> operands;
    Mask is_linear;
    std::vector<Tangent> given;  // cotangents of the results
    Attributes attributes;
    std::vector<Subgraph> subgraphs;

    [[noreturn]] void refuse(const std::string& found) const {
        throw Error(ErrorKind::kNoRule, operation + ": " + found);
    }
};

namespace {

Mask linear_values(const Graph& graph, std::span<const ValueId> of, std::size_t equations) {
    Mask is_linear(graph.value_count());
    for (const ValueId value : of)
        is_linear[index_of(value)] = true;
    for (std::size_t i = 0; i < equations; ++i) {
        const Equation equation = graph.equation(i);
        const bool any = std::ranges::any_of(equation.operands(),
                                             [&](ValueId operand) { return is_linear[index_of(operand)]; });
        for (std::size_t k = 0; any && k < equation.results().size(); ++k)
            is_linear[index_of(equation.results()[k])] = true;
    }
    return is_linear;
}

template <class Value>
std::vector<Value> chosen(std::span<const Value> values, const Mask& mask, bool which) {
    std::vector<Value> all;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (mask[i] == which) all.push_back(values[i]);
    return all;
}

std::vector<ValueId> materialized_all(Graph& graph, std::span<const Tangent> cotangents,
                                      std::span<const ValueId> of) {
    FlatBuilder to(graph);
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < of.size(); ++i)
        all.push_back(materialized(to, cotangents[i], to.type(of[i])));
    return all;
}

std::vector<Tangent> add_cotangents(Graph& graph, std::span<const ValueId> of, const Mask& given) {
    std::vector<Tangent> inputs(of.size());
    for (std::size_t i = 0; i < of.size(); ++i)
        if (given[i]) inputs[i] = graph.add_input("cotangent", ir::TensorType(graph.type(of[i])));
    return inputs;
}

}  // namespace

Transposer::Site Transposer::site_of(const Graph& graph, std::size_t index, FlatBuilder& builder,
                                     const Known& known, const Mask& is_linear, std::span<const Tangent> at) {
    const Equation equation = graph.equation(index);
    const ir::ValueRange defined = equation.results();
    Site site{builder,
              known.name,
              known.control,
              known.row,
              {equation.operands().begin(), equation.operands().end()},
              {},
              {},
              equation.attributes(),
              {equation.subgraphs().begin(), equation.subgraphs().end()}};
    for (const ValueId operand : site.operands)
        site.is_linear.push_back(is_linear[index_of(operand)]);
    for (std::size_t k = 0; k < defined.size(); ++k)
        site.given.push_back(at[index_of(defined[k])]);
    return site;
}

std::vector<Tangent> Transposer::append(Graph& graph, std::span<const ValueId> of,
                                        std::span<const ValueId> results,
                                        std::span<const Tangent> cotangents) {
    const std::size_t equations = graph.equation_count();
    const Mask is_linear = linear_values(graph, of, equations);
    std::vector<Tangent> at(graph.value_count());
    FlatBuilder adder(graph);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (cotangents[i] && is_linear[index_of(results[i])]) {
            Tangent& sum = at[index_of(results[i])];
            sum = sum_of(adder, sum, cotangents[i]);
        }
    std::vector<Tangent> made;
    std::vector<Known> known;  // by the operation's number
    Formulas formulas(graph);
    std::vector<ValueId> operands;
    for (std::size_t i = equations; i-- > 0;) {
        const Equation equation = graph.equation(i);
        const ir::ValueRange defined = equation.results();
        bool is_any = false;
        for (std::size_t k = 0; k < defined.size(); ++k)
            is_any = is_any || at[index_of(defined[k])].has_value();
        if (!is_any) continue;
        const std::uint32_t number = equation.operation_number();
        if (number >= known.size()) known.resize(number + 1);
        if (known[number].name.empty()) {
            const ir::Operation* const operation = flat_operations().find(equation.operation());
            known[number] = {equation.operation(), operation != nullptr ? operation->control : Control::kNone,
                             find_primitive(equation.operation())};
        }
        const ir::Location place = equation.location();
        FlatBuilder builder(graph, place);
        const Primitive* const row = known[number].row;
        if (row != nullptr && row->derivative.transpose) {
            formulas.begin({number, equation.attributes_number()});
            operands.assign(equation.operands().begin(), equation.operands().end());
            for (const ValueId operand : operands) {
                formulas.depends_on(is_linear[index_of(operand)] ? 1 : 0);
                formulas.take(operand);
            }
            for (std::size_t k = 0; k < defined.size(); ++k)
                formulas.take(at[index_of(defined[k])]);
            const std::vector<Tangent>& found = formulas.end(place, [&](std::vector<Tangent>& all) {
                all.resize(operands.size());
                const Site site = site_of(graph, i, builder, known[number], is_linear, at);
                transpose(site, all);
            });
            for (std::size_t k = 0; k < found.size(); ++k) {
                if (!found[k] || !is_linear[index_of(operands[k])]) continue;
                Tangent& sum = at[index_of(operands[k])];
                sum = sum_of(builder, sum, found[k]);
            }
            continue;
        }
        const Site site = site_of(graph, i, builder, known[number], is_linear, at);
        made.assign(site.operands.size(), {});
        transpose(site, made);
        for (std::size_t k = 0; k < made.size(); ++k) {
            if (!made[k] || !site.is_linear[k]) continue;
            Tangent& sum = at[index_of(site.operands[k])];
            sum = sum_of(builder, sum, made[k]);
        }
    }
    std::vector<Tangent> all;
    for (const ValueId value : of)
        all.push_back(at[index_of(value)]);
    return all;
}

void Transposer::transpose(const Site& site, std::vector<Tangent>& cotangents) {
    if (site.control != Control::kNone) return holder(site, cotangents);
    if (site.operation == kCustomLinear) {
        cotangents = transposed_custom(site.to, site.operands, site.attributes, site.given);
        return;
    }
    if (site.row == nullptr || !site.row->derivative.transpose)
        site.refuse("found no rule 'transpose', expected one for an operation that is linear");
    const bool is_product = site.row->derivative.jvp.function() == product_jvp;
    if (is_product && site.is_linear[0] && site.is_linear[1])
        site.refuse(
            "found two operands that depend on what is transposed, expected one, for a rule "
            "'transpose'");
    site.row->derivative.transpose.function()(
        {site.to, *site.row, site.operands, site.is_linear, site.attributes, site.given}, cotangents);
}

void Transposer::holder(const Site& site, std::vector<Tangent>& cotangents) {
    switch (site.control) {
        case Control::kCall:
            return call(site, cotangents);
        case Control::kBranch:
            return branch(site, cotangents);
        case Control::kScan:
            return scan(site, cotangents);
        default:
            throw Error(
                ErrorKind::kNotReversible,
                site.operation +
                    ": found a loop with no bound on its trips, whose states can't be kept for the way "
                    "back, expected a scan of fixed length, a bound (bounded_loops), or forward mode "
                    "(jvp)");
    }
}

// Parameters: those that are not linear, then the cotangents that are given. Results: of all that is linear.
GraphPtr Transposer::body_of(const Graph& body, const Mask& is_linear, const Mask& given) {
    if (const auto known = bodies_.find({&body, is_linear, given}); known != bodies_.end())
        return known->second;
    Graph graph = body;
    const std::vector<ValueId> results(body.results().begin(), body.results().end());
    const std::vector<ValueId> linear = chosen(body.params(), is_linear, true);
    const std::vector<Tangent> inputs = add_cotangents(graph, results, given);
    const std::vector<Tangent> made = append(graph, linear, results, inputs);
    std::vector<PartParam> params = part_params(chosen(body.params(), is_linear, false));
    for (const PartParam& each : part_params(present(inputs)))
        params.push_back(each);
    GraphPtr part =
        std::make_shared<const Graph>(extract(graph, params, materialized_all(graph, made, linear)));
    bodies_.emplace(Key{&body, is_linear, given}, part);
    return part;
}

void Transposer::call(const Site& site, std::vector<Tangent>& cotangents) {
    std::vector<ValueId> operands = chosen(std::span(site.operands), site.is_linear, false);
    for (const ValueId each : present(site.given))
        operands.push_back(each);
    const Subgraph body{std::string(ir::kBody),
                        body_of(*site.subgraphs[0].graph, site.is_linear, mask_of(site.given))};
    const ir::ValueRange made = site.to.op(site.operation, operands, site.attributes, std::span(&body, 1));
    std::size_t next = 0;
    for (std::size_t i = 0; i < cotangents.size(); ++i)
        if (site.is_linear[i]) cotangents[i] = made[next++];
}

void Transposer::branch(const Site& site, std::vector<Tangent>& cotangents) {
    if (site.is_linear[0]) site.refuse("found a predicate that depends on what is transposed");
    const Mask is_linear(site.is_linear.begin() + 1, site.is_linear.end());
    std::vector<ValueId> operands = chosen(std::span(site.operands).subspan(1), is_linear, false);
    operands.insert(operands.begin(), site.operands[0]);
    for (const ValueId each : present(site.given))
        operands.push_back(each);
    std::vector<Subgraph> branches;
    for (const Subgraph& each : site.subgraphs)
        branches.push_back({each.name, body_of(*each.graph, is_linear, mask_of(site.given))});
    const ir::ValueRange made = site.to.op(site.operation, operands, site.attributes, branches);
    std::size_t next = 0;
    for (std::size_t i = 0; i < is_linear.size(); ++i)
        if (is_linear[i]) cotangents[i + 1] = made[next++];
}

// The loop reversed: cotangents are carried back; those of consts are summed on the way.
//     consts c, carry, inputs x -> carry, outputs      becomes
//     consts, carry (sums of c, carry), inputs (x, outputs) -> (sums, carry), x
void Transposer::scan(const Site& site, std::vector<Tangent>& cotangents) {
    const auto parts = control_operands(Control::kScan, site.operands.size(), site.attributes);
    const Graph& body = *site.subgraphs[0].graph;
    const std::size_t first_input = parts.consts + parts.carry;

    // Carried values are linear in whole, or the way back would need its states.
    Mask is_linear = site.is_linear;
    std::fill_n(is_linear.begin() + static_cast<std::ptrdiff_t>(parts.consts), parts.carry, true);
    std::vector<ValueId> linear = chosen(body.params(), is_linear, true);
    const Mask linear_body = linear_values(body, linear, body.equation_count());
    for (std::size_t i = 0; i < parts.carry; ++i)
        if (!linear_body[index_of(body.results()[i])] && site.is_linear[parts.consts + i] &&
            body.constant(body.results()[i]) == nullptr)
            site.refuse(
                "found a carried value that is not linear, expected one that is, for a rule "
                "'transpose'");

    Mask given = mask_of(site.given);
    std::fill_n(given.begin(), parts.carry, true);
    Graph graph = body;
    const std::vector<ValueId> results(body.results().begin(), body.results().end());
    const auto group = [&](std::size_t first, std::size_t count, bool which) {
        const Mask mask(is_linear.begin() + static_cast<std::ptrdiff_t>(first),
                        is_linear.begin() + static_cast<std::ptrdiff_t>(first + count));
        return chosen(body.params().subspan(first, count), mask, which);
    };
    const std::vector<ValueId> linear_consts = group(0, parts.consts, true);
    const std::vector<Tangent> sums = add_cotangents(graph, linear_consts, Mask(linear_consts.size(), true));
    const std::vector<Tangent> inputs = add_cotangents(graph, results, given);
    std::vector<Tangent> made = append(graph, linear, results, inputs);
    FlatBuilder builder(graph);
    for (std::size_t i = 0; i < sums.size(); ++i)
        made[i] = sum_of(builder, sums[i], made[i]);

    std::vector<ValueId> params;
    std::vector<ValueId> operands;
    const auto add = [&](std::span<const ValueId> more, std::span<const ValueId> values) {
        params.insert(params.end(), more.begin(), more.end());
        operands.insert(operands.end(), values.begin(), values.end());
    };
    const auto operand_group = [&](std::size_t first, std::size_t count, bool which) {
        const Mask mask(is_linear.begin() + static_cast<std::ptrdiff_t>(first),
                        is_linear.begin() + static_cast<std::ptrdiff_t>(first + count));
        return chosen(std::span(site.operands).subspan(first, count), mask, which);
    };
    add(group(0, parts.consts, false), operand_group(0, parts.consts, false));
    const std::size_t consts = params.size();
    std::vector<ValueId> starts;
    for (const ValueId operand : operand_group(0, parts.consts, true))
        starts.push_back(site.to.full_like(operand, 0));
    add(present(sums), starts);
    starts.clear();
    for (std::size_t i = 0; i < parts.carry; ++i)
        starts.push_back(materialized(site.to, site.given[i], site.to.type(site.operands[parts.consts + i])));
    add(present(std::span(inputs).first(parts.carry)), starts);
    const std::size_t carry = params.size() - consts;
    add(group(first_input, parts.rest, false), operand_group(first_input, parts.rest, false));
    add(present(std::span(inputs).subspan(parts.carry)), present(std::span(site.given).subspan(parts.carry)));

    const Subgraph reversed{std::string(ir::kBody),
                            std::make_shared<const Graph>(
                                extract(graph, part_params(params), materialized_all(graph, made, linear)))};
    Attributes attributes = site.attributes;
    attributes.set(ir::kConstsAttribute, static_cast<std::int64_t>(consts));
    attributes.set(ir::kCarryAttribute, static_cast<std::int64_t>(carry));
    attributes.set(ir::kReverseAttribute, !site.attributes.get_or(ir::kReverseAttribute, false));
    const ir::ValueRange all = site.to.op(site.operation, operands, attributes, std::span(&reversed, 1));
    std::size_t next = 0;
    for (std::size_t i = 0; i < is_linear.size(); ++i)
        if (is_linear[i]) cotangents[i] = all[next++];
}

}  // namespace tilemeter::trace::internal
