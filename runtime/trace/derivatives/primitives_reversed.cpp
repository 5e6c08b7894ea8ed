// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/derivatives/internal/primitives_reversed.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "capture/ir/copier.hpp"
#include "capture/ir/error.hpp"
#include "runtime/trace/derivatives/internal/custom_rules.hpp"
#include "runtime/trace/derivatives/internal/differentiator.hpp"
#include "runtime/trace/derivatives/internal/extract.hpp"
#include "runtime/trace/derivatives/internal/transposer.hpp"
#include "runtime/trace/primitives/internal/formulas.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

using ir::Equation;
using ir::Graph;

// Equations of one operation with equal attributes, types and constants, and with tangents at the same operands: their
// tangents, in a graph of their own.
struct Form {
    Graph graph;
    std::vector<std::size_t> operands;  ///< those that are parameters of it: no constants, none twice
    std::vector<std::size_t> active;    ///< those that have tangents, none twice
    std::vector<ValueId> values;        ///< its parameters: operands, then results
    std::vector<ValueId> given;         ///< and the tangents of the active ones
    std::vector<Tangent> made;          ///< of the results
};

class WayBack {
public:
    WayBack(Graph& graph, std::size_t equations)
        : graph_(graph),
          equations_(equations),
          formulas_(graph),
          is_active_(graph.value_count()),
          forms_of_equations_(equations, kNoForm) {}

    std::vector<Tangent> run(const Mask& active, std::span<const Tangent> cotangents) {
        find_forms(active);
        graph_.reserve(5 * equations_, 9 * equations_);
        at_.resize(graph_.value_count());
        for (std::size_t i = 0; i < cotangents.size(); ++i)
            if (cotangents[i] && is_active_[index_of(graph_.results()[i])])
                add(graph_.results()[i], *cotangents[i], {});
        for (std::size_t i = equations_; i-- > 0;)
            if (forms_of_equations_[i] != kNoForm) go_back(i);
        std::vector<Tangent> all;
        for (std::size_t i = 0; i < active.size(); ++i)
            all.push_back(active[i] ? at_[index_of(graph_.params()[i])] : Tangent());
        return all;
    }

private:
    static constexpr std::uint32_t kNoForm = ~std::uint32_t{0};
    // The beginning of a formula's key where it is no form.
    static constexpr std::uint32_t kSum = ~std::uint32_t{0};

    // Forwards: which values have tangents, as the rules say.
    void find_forms(const Mask& active) {
        for (std::size_t i = 0; i < active.size(); ++i)
            if (active[i]) is_active_[index_of(graph_.params()[i])] = true;
        std::vector<std::uint32_t> key;
        for (std::size_t i = 0; i < equations_; ++i) {
            const Equation equation = graph_.equation(i);
            const ir::ValueRange results = equation.results();
            if (std::ranges::none_of(equation.operands(),
                                     [&](ValueId operand) { return is_active_[index_of(operand)]; }) ||
                !has_float(results))
                continue;
            set_key(equation, key);
            const auto [known, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(forms_.size()));
            if (is_new) forms_.push_back(form_of(equation));
            const Form& form = forms_[known->second];
            forms_of_equations_[i] = known->second;
            for (std::size_t k = 0; k < results.size(); ++k)
                is_active_[index_of(results[k])] = form.made[k].has_value();
        }
    }

    [[nodiscard]] bool has_float(const ir::ValueRange& results) const {
        for (std::size_t k = 0; k < results.size(); ++k)
            if (ir::is_float(graph_.type(results[k]).element)) return true;
        return false;
    }

    void set_key(const Equation& equation, std::vector<std::uint32_t>& key) const {
        const std::span<const ValueId> operands = equation.operands();
        key.assign({equation.operation_number(), equation.attributes_number()});
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const auto same = std::ranges::find(operands.first(k), operands[k]) - operands.begin();
            key.push_back(graph_.type_number(operands[k]));
            key.push_back(static_cast<std::uint32_t>(2 * same + (is_active_[index_of(operands[k])] ? 1 : 0)));
            // A rule may look at a constant.
            if (graph_.constant(operands[k]) != nullptr)
                key.push_back(static_cast<std::uint32_t>(index_of(operands[k])));
        }
        for (std::size_t k = 0; k < equation.results().size(); ++k)
            key.push_back(graph_.type_number(equation.results()[k]));
    }

    [[nodiscard]] Form form_of(const Equation& equation) const {
        const Primitive* const row = find_primitive(equation.operation());
        if (row == nullptr || !row->derivative.jvp)
            throw ir::Error(ir::ErrorKind::kNoRule,
                            equation.operation() +
                                ": found no rule 'jvp', expected one for an operation whose "
                                "operands depend on what is differentiated");
        Form form{graph_like(graph_), {}, {}, {}, {}, {}};
        const std::span<const ValueId> before = equation.operands();
        std::vector<ValueId> operands;
        std::vector<Tangent> tangents;
        for (std::size_t k = 0; k < before.size(); ++k) {
            const auto first = std::ranges::find(before.first(k), before[k]) - before.begin();
            if (static_cast<std::size_t>(first) < k) {
                operands.push_back(ValueId(operands[static_cast<std::size_t>(first)]));
                tangents.push_back(Tangent(tangents[static_cast<std::size_t>(first)]));
                continue;
            }
            const TensorType& type = graph_.type(before[k]);
            if (const ir::Constant* const constant = graph_.constant(before[k])) {
                operands.push_back(form.graph.add_const(*constant));
            } else {
                operands.push_back(form.graph.add_input("x", type));
                form.operands.push_back(k);
                form.values.push_back(operands.back());
            }
            tangents.emplace_back();
            if (!is_active_[index_of(before[k])]) continue;
            tangents.back() = form.graph.add_input("tangent", type);
            form.active.push_back(k);
            form.given.push_back(*tangents.back());
        }
        ir::ValueRange results;
        for (std::size_t k = 0; k < equation.results().size(); ++k) {
            const ValueId result = form.graph.add_input("y", graph_.type(equation.results()[k]));
            if (k == 0) results.first = result;
            ++results.count;
            form.values.push_back(result);
        }
        form.made.resize(results.size());
        FlatBuilder builder(form.graph, equation.location());
        row->derivative.jvp.function()({builder, *row, operands, results, equation.attributes(), tangents},
                                       form.made);
        for (std::size_t k = 0; k < form.made.size(); ++k)
            if (!ir::is_float(form.graph.type(results[k]).element)) form.made[k].reset();
        return form;
    }

    void go_back(std::size_t number) {
        const Equation equation = graph_.equation(number);
        const Form& form = forms_[forms_of_equations_[number]];
        const ir::ValueRange results = equation.results();
        cotangents_.clear();
        bool is_any = false;
        formulas_.begin({forms_of_equations_[number]});
        for (std::size_t k = 0; k < form.made.size(); ++k) {
            cotangents_.push_back(form.made[k] ? at_[index_of(results[k])] : Tangent());
            is_any = is_any || cotangents_.back().has_value();
            formulas_.depends_on(cotangents_.back() ? 1 : 0);
        }
        if (!is_any) return;
        arguments_.clear();
        for (const std::size_t operand : form.operands)
            arguments_.push_back(equation.operands()[operand]);
        for (std::size_t k = 0; k < results.size(); ++k)
            arguments_.push_back(results[k]);
        for (const Tangent& each : cotangents_)
            if (each) arguments_.push_back(*each);
        for (const ValueId each : arguments_)
            formulas_.take_known(each);
        // Appending may move what the graph has of the equation.
        active_.clear();
        for (const std::size_t operand : form.active)
            active_.push_back(equation.operands()[operand]);
        made_ =
            formulas_.end(ir::LocationOf{number}, [&](std::vector<Tangent>& made) { made = write(form); });
        for (std::size_t k = 0; k < active_.size(); ++k)
            if (made_[k]) add(active_[k], *made_[k], number);
    }

    // The cotangents of the active operands.
    std::vector<Tangent> write(const Form& form) {
        Graph graph = form.graph;
        std::vector<PartParam> params = part_params(form.values);
        std::vector<ValueId> results;
        std::vector<Tangent> given;
        for (std::size_t k = 0; k < form.made.size(); ++k) {
            if (!form.made[k]) continue;
            results.push_back(*form.made[k]);
            given.emplace_back();
            if (!cotangents_[k]) continue;
            given.back() = graph.add_input("cotangent", TensorType(graph.type(results.back())));
            params.push_back({*given.back()});
        }
        std::vector<Tangent> made = Transposer().append(graph, form.given, results, given);
        const std::vector<ValueId> appended =
            append_equations(extract(graph, params, present(made)), graph_, arguments_);
        std::size_t next = 0;
        for (Tangent& each : made)
            if (each) each = appended[next++];
        return made;
    }

    void add(ValueId to, ValueId cotangent, std::optional<std::size_t> equation) {
        Tangent& sum = at_[index_of(to)];
        if (!sum) {
            sum = cotangent;
            return;
        }
        if (!equation) {
            sum = FlatBuilder(graph_).add(*sum, cotangent);
            return;
        }
        formulas_.begin({kSum});
        formulas_.take(*sum);
        formulas_.take(cotangent);
        sum = formulas_.end(ir::LocationOf{*equation}, [&](std::vector<Tangent>& made) {
            made = {FlatBuilder(graph_, ir::Location(graph_.equation(*equation).location()))
                        .add(*sum, cotangent)};
        })[0];
    }

    Graph& graph_;
    const std::size_t equations_;
    Formulas formulas_;
    Mask is_active_;
    std::vector<std::uint32_t> forms_of_equations_;
    std::vector<Form> forms_;
    std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, KeyHash> numbers_;
    std::vector<Tangent> at_;  // cotangents of the function's values, as far as they are summed up

    // Cotangents of the equation at hand.
    std::vector<Tangent> cotangents_;
    std::vector<ValueId> arguments_;
    std::vector<ValueId> active_;
    std::vector<Tangent> made_;
};

}  // namespace

bool is_of_primitives(const Graph& graph) {
    const auto& names = graph.operations();
    return std::ranges::find(names, kCustomCall) == names.end() &&
           std::ranges::all_of(graph.equations(),
                               [](const Equation& each) { return each.subgraphs().empty(); });
}

std::vector<Tangent> append_way_back(Graph& graph, std::size_t equations, const Mask& active,
                                     std::span<const Tangent> cotangents) {
    return WayBack(graph, equations).run(active, cotangents);
}

}  // namespace tilemeter::trace::internal
