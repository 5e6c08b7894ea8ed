// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/internal/differentiator.hpp"

#include <algorithm>

#include "capture/ir/control.hpp"
#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "runtime/trace/derivatives/internal/custom_rules.hpp"
#include "runtime/trace/derivatives/internal/extract.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/formulas.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

using ir::Control;
using ir::Equation;
using ir::Error;
using ir::ErrorKind;
using ir::Graph;
using ir::GraphPtr;
using ir::Subgraph;

std::size_t count_of(const Mask& mask, std::size_t first, std::size_t count) {
    const auto from = mask.begin() + static_cast<std::ptrdiff_t>(first);
    return static_cast<std::size_t>(std::count(from, from + static_cast<std::ptrdiff_t>(count), true));
}

// Groups of values, each followed by the tangents of its values: how holders take both.
std::vector<ValueId> grouped(std::span<const ValueId> values, std::span<const Tangent> tangents,
                             std::initializer_list<std::size_t> sizes) {
    std::vector<ValueId> all;
    std::size_t first = 0;
    for (const std::size_t size : sizes) {
        all.insert(all.end(), values.begin() + static_cast<std::ptrdiff_t>(first),
                   values.begin() + static_cast<std::ptrdiff_t>(first + size));
        for (const ValueId tangent : present(tangents.subspan(first, size)))
            all.push_back(tangent);
        first += size;
    }
    return all;
}

// The results of such a holder, apart again.
void apart(const ir::ValueRange& all, const Mask& has_tangent, std::initializer_list<std::size_t> sizes,
           std::vector<ValueId>& values, std::vector<Tangent>& tangents) {
    std::size_t next = 0;
    std::size_t first = 0;
    for (const std::size_t size : sizes) {
        for (std::size_t i = 0; i < size; ++i)
            values.push_back(all[next++]);
        for (std::size_t i = first; i < first + size; ++i)
            tangents.push_back(has_tangent[i] ? Tangent(all[next++]) : Tangent());
        first += size;
    }
}

// Gives zeros to results that need a tangent and have none.
void materialize(Joint& joint, const Mask& needed) {
    FlatBuilder to(joint.graph);
    for (std::size_t i = 0; i < needed.size(); ++i)
        if (needed[i]) joint.tangents[i] = materialized(to, joint.tangents[i], to.type(joint.results[i]));
}

// The params of a joint graph by the value: where one is, or the number of params.
std::size_t param_of(const Joint& joint, ValueId value) {
    return static_cast<std::size_t>(std::ranges::find(joint.params, value) - joint.params.begin());
}

}  // namespace

class Differentiator::Pass {
public:
    Pass(Differentiator& owner, const Graph& from, const Mask& active)
        : owner_(owner),
          from_(from),
          joint_{graph_like(from)},
          to_(joint_.graph),
          formulas_(joint_.graph),
          copier_(from, to_),
          tangents_(from.value_count()) {
        for (const ValueId param : from.params())
            joint_.params.push_back(copier_.copy_param(param));
        for (std::size_t i = 0; i < active.size(); ++i) {
            Tangent tangent;
            if (active[i]) {
                const ValueId param = from.params()[i];
                tangent = to_.add_input(std::string(from.name_of(param)) + "_tangent", from.type(param));
                tangents_[index_of(param)] = tangent;
            }
            joint_.param_tangents.push_back(tangent);
        }
    }

    Joint run() {
        // Factors, tangents and, later, cotangents come beside each equation.
        to_.reserve(6 * from_.equation_count(), 10 * from_.equation_count());
        const auto operations = operations_of(from_, flat_operations());
        std::vector<const Primitive*> rows;
        for (const std::string& name : from_.operations())
            rows.push_back(find_primitive(name));
        for (const Equation equation : from_.equations()) {
            const std::uint32_t number = equation.operation_number();
            if (!has_tangents(equation))
                copy(equation);
            else if (operations[number] != nullptr && operations[number]->control != Control::kNone)
                holder(equation, operations[number]->control);
            else
                primitive(equation, rows[number]);
            joint_.is_primal.resize(to_.equation_count());
        }
        for (const ValueId result : from_.results()) {
            joint_.results.push_back(copier_(result));
            joint_.tangents.push_back(tangents_[index_of(result)]);
        }
        return std::move(joint_);
    }

private:
    // Some operand has a tangent, and some result could have one.
    [[nodiscard]] bool has_tangents(const Equation& equation) const {
        const ir::ValueRange results = equation.results();
        bool is_any_float = false;
        for (std::size_t i = 0; i < results.size(); ++i)
            is_any_float = is_any_float || ir::is_float(from_.type(results[i]).element);
        return is_any_float && std::ranges::any_of(equation.operands(), [&](ValueId operand) {
                   return tangents_[index_of(operand)].has_value();
               });
    }

    ir::ValueRange copy(const Equation& equation) {
        const ir::ValueRange results = copier_.copy(equation);
        joint_.is_primal.resize(to_.equation_count());
        joint_.is_primal.back() = true;
        return results;
    }

    void take_operands(const Equation& equation) {
        operands_.clear();
        given_.clear();
        for (const ValueId operand : equation.operands()) {
            operands_.push_back(copier_(operand));
            given_.push_back(tangents_[index_of(operand)]);
        }
    }

    void primitive(const Equation& equation, const Primitive* row) {
        if (equation.operation() == kCustomCall) return custom(equation);
        if (row == nullptr || !row->derivative.jvp)
            throw Error(ErrorKind::kNoRule, equation.operation() +
                                                ": found no rule 'jvp', expected one for an operation whose "
                                                "operands depend on what is differentiated");
        const ir::ValueRange results = copy(equation);
        take_operands(equation);
        formulas_.begin({equation.operation_number(), equation.attributes_number()});
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            formulas_.take(operands_[i]);
            formulas_.take(given_[i]);
        }
        for (std::size_t i = 0; i < results.size(); ++i)
            formulas_.take(results[i]);
        const std::vector<Tangent>& made = formulas_.end(equation.location(), [&](std::vector<Tangent>& all) {
            FlatBuilder builder(to_, equation.location());
            all.resize(results.size());
            row->derivative.jvp.function()({builder, *row, operands_, results, equation.attributes(), given_},
                                           all);
        });
        for (std::size_t i = 0; i < made.size(); ++i)
            if (ir::is_float(to_.type(results[i]).element))
                tangents_[index_of(equation.results()[i])] = made[i];
    }

    void custom(const Equation& equation) {
        take_operands(equation);
        const ir::ValueRange copied = copy(equation);
        std::vector<ValueId> results;
        for (std::size_t i = 0; i < copied.size(); ++i)
            results.push_back(copied[i]);
        FlatBuilder builder(to_, equation.location());
        const std::vector<Tangent> made =
            custom_jvp({builder, operands_, results, equation.attributes(), given_},
                       owner_.mode_ == DerivativeMode::kReverse);
        for (std::size_t i = 0; i < made.size(); ++i)
            tangents_[index_of(equation.results()[i])] = made[i];
    }

    void holder(const Equation& equation, Control control) {
        take_operands(equation);
        const bool is_forward = owner_.mode_ == DerivativeMode::kForward;
        switch (control) {
            case Control::kCall:
                return is_forward                             ? forward_call(equation)
                       : equation.operation() == "checkpoint" ? linear_checkpoint(equation)
                                                              : linear_call(equation);
            case Control::kBranch:
                return is_forward ? forward_branch(equation) : linear_branch(equation);
            case Control::kWhile:
                return loop(equation);
            case Control::kScan:
                return is_forward ? forward_scan(equation) : linear_scan(equation);
            case Control::kNone:
                return;
        }
    }

    ir::ValueRange append(const Equation& equation, std::span<const ValueId> operands,
                          const Attributes& attributes, std::span<const Subgraph> subgraphs, bool is_primal) {
        FlatBuilder builder(to_, equation.location());
        const ir::ValueRange results = builder.op(equation.operation(), operands, attributes, subgraphs);
        joint_.is_primal.resize(to_.equation_count());
        joint_.is_primal.back() = is_primal;
        return results;
    }

    void set(const Equation& equation, std::span<const ValueId> values, std::span<const Tangent> tangents) {
        for (std::size_t i = 0; i < equation.results().size(); ++i) {
            copier_.map(equation.results()[i], values[i]);
            tangents_[index_of(equation.results()[i])] = tangents[i];
        }
    }

    // ---- forward: one equation with both

    // Parameters in groups, each with its tangents: consts, carry, the rest; results: carry, the rest.
    GraphPtr forward_body(const Graph& body, const Mask& active, const Mask& needed, std::size_t consts = 0,
                          std::size_t carry = 0) {
        GraphPtr& known = owner_.forward_bodies_[{&body, active, needed, consts, carry}];
        if (known != nullptr) return known;
        Joint joint = owner_.joint_of(body, active);
        materialize(joint, needed);
        const std::size_t rest = joint.params.size() - consts - carry;
        const std::vector<ValueId> params =
            grouped(joint.params, joint.param_tangents, {consts, carry, rest});
        const std::vector<ValueId> results =
            grouped(joint.results, joint.tangents, {carry, joint.results.size() - carry});
        return known = shared(extract(joint.graph, part_params(params), results));
    }

    void forward_call(const Equation& equation) {
        const Graph& body = *equation.subgraph(ir::kBody);
        const Mask active = mask_of(given_);
        const Mask has_tangent = mask_of(owner_.joint_of(body, active).tangents);
        if (!any_of(has_tangent)) return void(copy(equation));
        const Subgraph subgraph{std::string(ir::kBody), forward_body(body, active, has_tangent)};
        const ir::ValueRange all = append(equation, grouped(operands_, given_, {operands_.size()}),
                                          equation.attributes(), std::span(&subgraph, 1), true);
        set_apart(equation, all, has_tangent, 0);
    }

    void set_apart(const Equation& equation, const ir::ValueRange& all, const Mask& has_tangent,
                   std::size_t carry) {
        std::vector<ValueId> values;
        std::vector<Tangent> tangents;
        apart(all, has_tangent, {carry, has_tangent.size() - carry}, values, tangents);
        set(equation, values, tangents);
    }

    // The tangents that any branch has.
    Mask branch_tangents(const Equation& equation, const Mask& active) {
        Mask has_tangent(equation.results().size());
        for (const Subgraph& each : equation.subgraphs())
            has_tangent = joined(has_tangent, mask_of(owner_.joint_of(*each.graph, active).tangents));
        return has_tangent;
    }

    void forward_branch(const Equation& equation) {
        const auto given = std::span(given_).subspan(1);
        const Mask active = mask_of(given);
        const Mask has_tangent = branch_tangents(equation, active);
        if (!any_of(has_tangent)) return void(copy(equation));
        std::vector<Subgraph> branches;
        for (const Subgraph& each : equation.subgraphs())
            branches.push_back({each.name, forward_body(*each.graph, active, has_tangent)});
        std::vector<ValueId> operands =
            grouped(std::span(operands_).subspan(1), given, {operands_.size() - 1});
        operands.insert(operands.begin(), operands_[0]);
        const ir::ValueRange all = append(equation, operands, equation.attributes(), branches, true);
        set_apart(equation, all, has_tangent, 0);
    }

    // The operands of a loop that have tangents, from its second trip on: what is carried gets one where the body
    // makes one. Which of the body's results have tangents, then.
    struct Loop {
        Mask active;
        Mask has_tangent;
    };
    Loop loop_tangents(const Graph& body, const ir::ControlOperands& parts) {
        Loop loop{mask_of(given_), {}};
        for (bool is_settled = false; !is_settled;) {
            loop.has_tangent = mask_of(owner_.joint_of(body, loop.active).tangents);
            is_settled = true;
            for (std::size_t i = 0; i < parts.carry; ++i) {
                if (loop.has_tangent[i] && !loop.active[parts.consts + i]) {
                    loop.active[parts.consts + i] = true;
                    is_settled = false;
                }
            }
        }
        for (std::size_t i = 0; i < parts.carry; ++i)
            loop.has_tangent[i] = loop.active[parts.consts + i];
        return loop;
    }

    // Zeros for what is carried and has no tangent before the loop.
    void materialize_carry(const Loop& loop, const ir::ControlOperands& parts) {
        FlatBuilder builder(to_);
        for (std::size_t i = parts.consts; i < parts.consts + parts.carry; ++i)
            if (loop.active[i]) given_[i] = materialized(builder, given_[i], to_.type(operands_[i]));
    }

    void loop(const Equation& equation) {
        const auto parts =
            control_operands(Control::kWhile, equation.operands().size(), equation.attributes());
        const Graph& body = *equation.subgraph(ir::kBody);
        const Loop loop = loop_tangents(body, parts);
        if (!any_of(loop.has_tangent)) return void(copy(equation));
        // The linear part runs the loop again, beside its tangents. It is only refused if the way back needs it.
        const bool is_linear = owner_.mode_ != DerivativeMode::kForward;
        if (is_linear) copy(equation);
        materialize_carry(loop, parts);
        const std::vector<Subgraph> subgraphs{
            {std::string(ir::kCond), forward_condition(*equation.subgraph(ir::kCond), loop, parts)},
            {std::string(ir::kBody),
             forward_body(body, loop.active, loop.has_tangent, parts.consts, parts.carry)}};
        const std::size_t consts = parts.consts + count_of(loop.active, 0, parts.consts);
        const ir::ValueRange all =
            append(equation, grouped(operands_, given_, {parts.consts, parts.carry}),
                   with(equation.attributes(), ir::kConstsAttribute, static_cast<std::int64_t>(consts)),
                   subgraphs, !is_linear);
        if (!is_linear) return set_apart(equation, all, loop.has_tangent, parts.carry);
        std::vector<ValueId> values;
        std::vector<Tangent> tangents;
        apart(all, loop.has_tangent, {parts.carry}, values, tangents);
        for (std::size_t i = 0; i < tangents.size(); ++i)
            tangents_[index_of(equation.results()[i])] = tangents[i];
    }

    // The same condition, with the tangents as parameters that it does not use.
    GraphPtr forward_condition(const Graph& condition, const Loop& loop, const ir::ControlOperands& parts) {
        std::vector<PartParam> params;
        const auto group = [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i)
                params.push_back({condition.params()[i]});
            for (std::size_t i = first; i < first + count; ++i)
                if (loop.active[i]) params.push_back({{}, condition.type(condition.params()[i]), "tangent"});
        };
        group(0, parts.consts);
        group(parts.consts, parts.carry);
        return shared(extract(condition, params, condition.results()));
    }

    Attributes scan_attributes(const Equation& equation, std::size_t consts, std::size_t carry) {
        return with(with(equation.attributes(), ir::kConstsAttribute, static_cast<std::int64_t>(consts)),
                    ir::kCarryAttribute, static_cast<std::int64_t>(carry));
    }

    void forward_scan(const Equation& equation) {
        const auto parts =
            control_operands(Control::kScan, equation.operands().size(), equation.attributes());
        const Graph& body = *equation.subgraph(ir::kBody);
        const Loop loop = loop_tangents(body, parts);
        if (!any_of(loop.has_tangent)) return void(copy(equation));
        materialize_carry(loop, parts);
        const Subgraph subgraph{std::string(ir::kBody),
                                forward_body(body, loop.active, loop.has_tangent, parts.consts, parts.carry)};
        const ir::ValueRange all =
            append(equation, grouped(operands_, given_, {parts.consts, parts.carry, parts.rest}),
                   scan_attributes(equation, parts.consts + count_of(loop.active, 0, parts.consts),
                                   parts.carry + count_of(loop.active, parts.consts, parts.carry)),
                   std::span(&subgraph, 1), true);
        set_apart(equation, all, loop.has_tangent, parts.carry);
    }

    // ---- linear: one equation for the values and residuals, one for the tangents

    // The equation as it was, with a body that gives back residuals as well; their values.
    std::vector<ValueId> append_primal(const Equation& equation, std::span<const Subgraph> subgraphs,
                                       bool has_residuals) {
        const ir::ValueRange all = has_residuals
                                       ? append(equation, operands_, equation.attributes(), subgraphs, true)
                                       : copy(equation);
        std::vector<ValueId> residuals;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i < equation.results().size())
                copier_.map(equation.results()[i], all[i]);
            else
                residuals.push_back(all[i]);
        return residuals;
    }

    void set_tangents(const Equation& equation, const Mask& has_tangent, const ir::ValueRange& tangents) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < has_tangent.size(); ++i)
            if (has_tangent[i]) tangents_[index_of(equation.results()[i])] = tangents[next++];
    }

    void linear_call(const Equation& equation) {
        const Graph& body = *equation.subgraph(ir::kBody);
        const Mask active = mask_of(given_);
        const Joint& joint = owner_.joint_of(body, active);
        const std::vector<ValueId> tangents = present(joint.tangents);
        if (tangents.empty()) return void(copy(equation));
        Split& split = owner_.calls_[{&body, active}];
        if (split.linear == nullptr) {
            split.residuals = residuals_of(joint, tangents, Mask(joint.params.size(), true));
            std::vector<ValueId> results = joint.results;
            for (const ValueId residual : split.residuals)
                if (param_of(joint, residual) == joint.params.size()) results.push_back(residual);
            split.primal = shared(extract(joint.graph, part_params(joint.params), results));
            std::vector<PartParam> params = part_params(split.residuals, "residual");
            for (const PartParam& each : part_params(present(joint.param_tangents)))
                params.push_back(each);
            split.linear = shared(extract(joint.graph, params, tangents));
        }
        const Subgraph primal{std::string(ir::kBody), split.primal};
        const bool has_residuals = split.primal->results().size() > joint.results.size();
        const std::vector<ValueId> extra = append_primal(equation, std::span(&primal, 1), has_residuals);
        std::vector<ValueId> operands;
        std::size_t next = 0;
        for (const ValueId residual : split.residuals) {
            const std::size_t param = param_of(joint, residual);
            operands.push_back(param < joint.params.size() ? operands_[param] : extra[next++]);
        }
        for (const ValueId tangent : present(given_))
            operands.push_back(tangent);
        const Subgraph linear{std::string(ir::kBody), split.linear};
        set_tangents(equation, mask_of(joint.tangents),
                     append(equation, operands, equation.attributes(), std::span(&linear, 1), false));
    }

    // The body is computed again beside its tangents: nothing but the operands is kept.
    void linear_checkpoint(const Equation& equation) {
        const Joint& joint = owner_.joint_of(*equation.subgraph(ir::kBody), mask_of(given_));
        const std::vector<ValueId> tangents = present(joint.tangents);
        copy(equation);
        if (tangents.empty()) return;
        const std::vector<ValueId> params =
            grouped(joint.params, joint.param_tangents, {joint.params.size()});
        const Subgraph linear{std::string(ir::kBody),
                              shared(extract(joint.graph, part_params(params), tangents))};
        set_tangents(equation, mask_of(joint.tangents),
                     append(equation, grouped(operands_, given_, {operands_.size()}), equation.attributes(),
                            std::span(&linear, 1), false));
    }

    // Branches give back residuals of equal types: each puts its own into places that all have, and zeros into
    // those that it does not need. Residuals that are operands go around the branches.
    void linear_branch(const Equation& equation) {
        const auto given = std::span(given_).subspan(1);
        const Mask active = mask_of(given);
        const Mask has_tangent = branch_tangents(equation, active);
        if (!any_of(has_tangent)) return void(copy(equation));
        std::vector<Joint> joints;
        std::vector<std::vector<std::pair<std::size_t, ValueId>>> placed;  // of each branch: place, residual
        std::vector<TensorType> places;
        Mask is_operand_used(operands_.size() - 1);
        for (const Subgraph& each : equation.subgraphs()) {
            Joint& joint = joints.emplace_back(owner_.joint_of(*each.graph, active));
            materialize(joint, has_tangent);
            auto& own = placed.emplace_back();
            Mask is_taken(places.size());
            for (const ValueId residual :
                 residuals_of(joint, present(joint.tangents), Mask(joint.params.size(), true))) {
                const std::size_t param = param_of(joint, residual);
                if (param < joint.params.size()) {
                    is_operand_used[param] = true;
                    continue;
                }
                const TensorType type = joint.graph.type(residual);
                std::size_t place = 0;
                while (place < places.size() && (is_taken[place] || places[place] != type))
                    ++place;
                if (place == places.size()) places.push_back(type);
                is_taken.resize(places.size());
                is_taken[place] = true;
                own.emplace_back(place, residual);
            }
        }
        std::vector<Subgraph> primal;
        std::vector<Subgraph> linear;
        for (std::size_t k = 0; k < joints.size(); ++k) {
            Joint& joint = joints[k];
            std::vector<Tangent> kept(places.size());
            for (const auto& [place, residual] : placed[k])
                kept[place] = residual;
            std::vector<PartParam> params;
            for (std::size_t i = 0; i < is_operand_used.size(); ++i)
                if (is_operand_used[i]) params.push_back({joint.params[i]});
            for (std::size_t place = 0; place < places.size(); ++place)
                params.push_back({kept[place], places[place], "residual"});
            for (const ValueId tangent : present(joint.param_tangents))
                params.push_back({tangent});
            const std::string& name = equation.subgraphs()[k].name;
            linear.push_back({name, shared(extract(joint.graph, params, present(joint.tangents)))});
            std::vector<ValueId> results = joint.results;
            FlatBuilder builder(joint.graph);
            for (std::size_t place = 0; place < places.size(); ++place)
                results.push_back(materialized(builder, kept[place], places[place]));
            primal.push_back({name, shared(extract(joint.graph, part_params(joint.params), results))});
        }
        const std::vector<ValueId> residuals = append_primal(equation, primal, !places.empty());
        std::vector<ValueId> operands{operands_[0]};
        for (std::size_t i = 0; i < is_operand_used.size(); ++i)
            if (is_operand_used[i]) operands.push_back(operands_[i + 1]);
        operands.insert(operands.end(), residuals.begin(), residuals.end());
        for (const ValueId tangent : present(given))
            operands.push_back(tangent);
        set_tangents(equation, has_tangent, append(equation, operands, equation.attributes(), linear, false));
    }

    // Residuals of a trip become outputs of the loop; consts and slices of inputs are there already.
    void linear_scan(const Equation& equation) {
        const auto parts =
            control_operands(Control::kScan, equation.operands().size(), equation.attributes());
        const Graph& body = *equation.subgraph(ir::kBody);
        const Loop loop = loop_tangents(body, parts);
        if (!any_of(loop.has_tangent)) return void(copy(equation));
        Joint joint = owner_.joint_of(body, loop.active);
        materialize(joint, loop.has_tangent);
        const std::vector<ValueId> tangents = present(joint.tangents);
        Mask varies(joint.params.size(), true);
        std::fill_n(varies.begin(), parts.consts, false);

        const std::size_t first_input = parts.consts + parts.carry;
        std::vector<ValueId> results = joint.results;
        std::vector<ValueId> params[3];    // consts, stacked, inputs
        std::vector<ValueId> operands[3];  // the stacked ones follow
        for (const ValueId residual : residuals_of(joint, tangents, varies)) {
            const std::size_t param = param_of(joint, residual);
            const bool is_const = param < parts.consts;
            const bool is_input = param >= first_input && param < joint.params.size();
            const std::size_t group = is_const ? 0 : is_input ? 2 : 1;
            params[group].push_back(residual);
            if (group == 1)
                results.push_back(residual);
            else
                operands[group].push_back(operands_[param]);
        }
        const Subgraph primal{std::string(ir::kBody),
                              shared(extract(joint.graph, part_params(joint.params), results))};
        operands[1] = append_primal(equation, std::span(&primal, 1), !params[1].empty());
        materialize_carry(loop, parts);

        std::vector<PartParam> linear_params;
        std::vector<ValueId> linear_operands;
        const auto add = [&](std::span<const ValueId> values, std::span<const ValueId> from) {
            for (const PartParam& each : part_params(values, "residual"))
                linear_params.push_back(each);
            linear_operands.insert(linear_operands.end(), from.begin(), from.end());
        };
        const auto add_tangents = [&](std::size_t first, std::size_t count) {
            add(present(std::span(joint.param_tangents).subspan(first, count)),
                present(std::span(given_).subspan(first, count)));
        };
        add(params[0], operands[0]);
        add_tangents(0, parts.consts);
        const std::size_t consts = linear_params.size();
        add_tangents(parts.consts, parts.carry);
        const std::size_t carry = linear_params.size() - consts;
        add(params[1], operands[1]);
        add(params[2], operands[2]);
        add_tangents(first_input, parts.rest);
        const Subgraph linear{std::string(ir::kBody), shared(extract(joint.graph, linear_params, tangents))};
        set_tangents(equation, loop.has_tangent,
                     append(equation, linear_operands, scan_attributes(equation, consts, carry),
                            std::span(&linear, 1), false));
    }

    Differentiator& owner_;
    const Graph& from_;
    Joint joint_;
    Graph& to_;
    Formulas formulas_;
    ir::GraphCopier copier_;
    std::vector<Tangent> tangents_;  // by value of `from`
    std::vector<ValueId> operands_;  // of the equation at hand
    std::vector<Tangent> given_;     // and their tangents
};

Joint Differentiator::run(const Graph& graph, const Mask& active) {
    return Pass(*this, graph, active).run();
}

const Joint& Differentiator::joint_of(const Graph& body, const Mask& active) {
    std::unique_ptr<const Joint>& known = joints_[{&body, active}];
    if (known == nullptr) {
        // run() may add to the table, whose elements stay where they are.
        known = std::make_unique<const Joint>(run(body, active));
    }
    return *known;
}

}  // namespace tilemeter::trace::internal
