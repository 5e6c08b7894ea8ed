// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/ir/control.hpp"
#include "runtime/trace/call_operations.hpp"
#include "runtime/trace/error.hpp"
#include "runtime/trace/random.hpp"

namespace tilemeter::trace::random {

namespace {

using ir::Control;
using ir::Equation;
using ir::Graph;
using ir::ValueId;

/// What a value is, whatever equation made it: equal operations on equal operands have one number.
using Number = std::size_t;
using Numbers = std::vector<Number>;

struct Use {
    std::string operation;
    ir::Location location;
};
/// By what is used up: a key, or a key with the number that is folded into it.
using Uses = std::map<Numbers, Use>;

class Walk {
public:
    std::vector<KeyReuse> run(const Graph& graph) {
        Numbers params;
        for (std::size_t i = 0; i < graph.params().size(); ++i)
            params.push_back(fresh(false));
        body(graph, params);
        return std::move(found_);
    }

private:
    Number fresh(bool differs_by_trip) {
        differs_by_trip_.push_back(differs_by_trip);
        return differs_by_trip_.size() - 1;
    }

    Number constant_number(const ir::Constant& constant) {
        auto& known = constants_[text_of(constant.type())];
        for (const auto& [value, number] : known)
            if (value == constant) return number;
        known.emplace_back(constant, fresh(false));
        return known.back().second;
    }

    // The first number of the equation's results.
    Number number_of(const Equation& equation, const Numbers& operands) {
        auto& known = equations_[{equation.operation(), operands}];
        for (const auto& [attributes, number] : known)
            if (attributes == equation.attributes()) return number;
        bool differs = false;
        for (const Number operand : operands)
            differs = differs || differs_by_trip_[operand];
        const Number first = differs_by_trip_.size();
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            fresh(differs);
        known.emplace_back(equation.attributes(), first);
        return first;
    }

    Numbers body(const Graph& graph, const Numbers& params) {
        std::unordered_map<std::size_t, Number> numbers;
        for (std::size_t i = 0; i < params.size(); ++i)
            numbers[index_of(graph.params()[i])] = params[i];
        const auto number = [&](ValueId value) {
            const ir::Constant* const constant = graph.constant(value);
            return constant != nullptr ? constant_number(*constant) : numbers.at(index_of(value));
        };
        for (const Equation equation : graph.equations()) {
            Numbers operands;
            for (const ValueId operand : equation.operands())
                operands.push_back(number(operand));
            const ir::Operation* const operation = call_operations().find(equation.operation());
            const Numbers results = operation != nullptr && operation->control != Control::kNone
                                        ? holder(equation, operation->control, operands)
                                        : plain(equation, operands);
            for (std::size_t i = 0; i < results.size(); ++i)
                numbers[index_of(equation.results()[i])] = results[i];
        }
        Numbers results;
        for (const ValueId result : graph.results())
            results.push_back(number(result));
        return results;
    }

    Numbers plain(const Equation& equation, const Numbers& operands) {
        const std::string& name = equation.operation();
        if (name == "random_bits" || name == "random_uniform" || name == "random_split")
            use(equation, {operands[0]});
        else if (name == "random_fold_in")
            use(equation, {operands[0], operands[1]});
        const Number first = number_of(equation, operands);
        Numbers results;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            results.push_back(first + i);
        return results;
    }

    void use(const Equation& equation, const Numbers& what) {
        const Use now{equation.operation(), equation.location()};
        bool differs = !in_loop_;
        for (const Number each : what)
            differs = differs || differs_by_trip_[each];
        if (!differs) add({now, now, "in each trip of a loop"});
        const auto [known, is_new] = uses_.try_emplace(what, now);
        if (!is_new) add({known->second, now, "before"});
    }

    struct Pair {
        Use first, second;
        std::string when;
    };
    void add(const Pair& pair) {
        const auto text = [](const Use& use) {
            const std::string place = text_of(use.location);
            return use.operation + (place.empty() ? "" : " (at " + place + ")");
        };
        found_.push_back({text(pair.second) + ": found a key that " + text(pair.first) + " uses " +
                              pair.when + ", expected a new one, of split() or fold_in()",
                          pair.first.location, pair.second.location});
    }

    Numbers unknown(const Equation& equation, bool differs) {
        Numbers results;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            results.push_back(fresh(differs));
        return results;
    }

    Numbers holder(const Equation& equation, Control control, const Numbers& operands) {
        if (control == Control::kCall) return body(*equation.subgraph(ir::kBody), operands);
        if (control == Control::kBranch) {
            const Uses before = uses_;
            Uses after = before;
            for (const ir::Subgraph& branch : equation.subgraphs()) {
                uses_ = before;
                body(*branch.graph, {operands.begin() + 1, operands.end()});
                after.insert(uses_.begin(), uses_.end());
            }
            uses_ = std::move(after);
            return unknown(equation, false);
        }
        const auto parts = ir::control_operands(control, operands.size(), equation.attributes());
        Numbers params = operands;
        for (std::size_t i = parts.consts; i < params.size(); ++i)
            params[i] = fresh(true);
        const bool was_in_loop = in_loop_;
        in_loop_ = control == Control::kWhile ||
                   equation.attributes().get_or<std::int64_t>(ir::kLengthAttribute, 2) > 1 || in_loop_;
        if (control == Control::kWhile) body(*equation.subgraph(ir::kCond), params);
        body(*equation.subgraph(ir::kBody), params);
        in_loop_ = was_in_loop;
        return unknown(equation, in_loop_);
    }

    std::vector<bool> differs_by_trip_;  // by Number
    std::map<std::string, std::vector<std::pair<ir::Constant, Number>>> constants_;
    std::map<std::pair<std::string, Numbers>, std::vector<std::pair<ir::Attributes, Number>>> equations_;
    Uses uses_;
    std::vector<KeyReuse> found_;
    bool in_loop_ = false;
};

}  // namespace

std::vector<KeyReuse> reused_keys(const ir::Graph& graph) {
    return Walk().run(graph);
}

}  // namespace tilemeter::trace::random
