// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "capture/ir/control.hpp"
#include "runtime/trace/arrays/internal/array_state.hpp"
#include "runtime/trace/arrays/random.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::trace::random {

namespace {

using ir::Control;
using ir::Equation;
using ir::Graph;
using ir::ValueId;

/// The identity of a value or an element, whatever equation made it: equal operations on equal operands have one
/// number.
using Number = std::size_t;
using Numbers = std::vector<Number>;

/// A value by its elements, so that a key is known again in whatever it is moved to; by itself where they are many, or their
/// number is not known.
struct Value {
    Number whole = 0;
    Numbers elements{};
};
using Values = std::vector<Value>;

struct Use {
    std::string operation;
    ir::Location location;
};
/// By what is used up: a key, or a key with the number that is folded into it.
using Uses = std::map<Numbers, Use>;

constexpr std::int64_t kMostElements = 4096;

/// Operations whose results have elements of the first operand, or of all, in places that do not depend on elements.
bool moves_elements(std::string_view name) {
    static const std::unordered_set<std::string_view> kMoving = {
        "reshape",     "transpose",     "broadcast_to", "broadcast_in_dim", "concat",
        "concatenate", "slice",         "flip",         "reverse",          "identity",
        "copy",        "stop_gradient", "gather",       "embedding",        "dynamic_slice"};
    return kMoving.contains(name);
}

class Walk {
public:
    std::vector<KeyReuse> run(const Graph& graph) {
        Values params;
        for (const ValueId param : graph.params())
            params.push_back(unknown(graph.type(param), false));
        body(graph, params);
        return std::move(found_);
    }

private:
    Number fresh(bool differs_by_trip) {
        differs_by_trip_.push_back(differs_by_trip);
        return differs_by_trip_.size() - 1;
    }

    static bool has_elements(const ir::TensorType& type) {
        for (const std::int64_t dim : type.shape)
            if (!ir::Dim(dim).is_number()) return false;
        return type.shape.elements() <= kMostElements;
    }

    // The value with this number, its elements those of no other one.
    Value of_number(Number whole, const ir::TensorType& type) {
        Value value{whole};
        if (!has_elements(type)) return value;
        const auto count = static_cast<std::size_t>(type.shape.elements());
        Numbers& known = elements_of_[whole];
        while (known.size() < count)
            known.push_back(fresh(differs_by_trip_[whole]));
        value.elements = known;
        return value;
    }

    Value of_elements(Numbers elements) {
        const auto [known, is_new] = wholes_.try_emplace(elements, 0);
        if (is_new) {
            bool differs = false;
            for (const Number each : elements)
                differs = differs || differs_by_trip_[each];
            known->second = fresh(differs);
        }
        return {known->second, std::move(elements)};
    }

    Value unknown(const ir::TensorType& type, bool differs) { return of_number(fresh(differs), type); }

    Value constant(const ir::Constant& constant) {
        const ir::TensorType& type = constant.type();
        if (has_elements(type)) {
            Numbers elements;
            const std::size_t width = ir::element_bytes(type.element);
            for (std::size_t i = 0; i < static_cast<std::size_t>(type.shape.elements()); ++i) {
                const auto bytes = constant.bytes().subspan(i * width, width);
                std::string text(ir::name_of(type.element));
                text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                const auto [known, is_new] = constant_elements_.try_emplace(text, 0);
                if (is_new) known->second = fresh(false);
                elements.push_back(known->second);
            }
            return of_elements(std::move(elements));
        }
        auto& known = constants_[text_of(type)];
        for (const auto& [value, number] : known)
            if (value == constant) return {number};
        known.emplace_back(constant, fresh(false));
        return {known.back().second};
    }

    Number canonical(const Value& value) {
        return value.elements.empty() ? value.whole : of_elements(value.elements).whole;
    }

    Numbers canonical(const Values& values) {
        Numbers numbers;
        for (const Value& each : values)
            numbers.push_back(canonical(each));
        return numbers;
    }

    // The results of an equation that computes.
    Values computed(const Equation& equation, const Values& operands) {
        const Numbers numbers = canonical(operands);
        auto& known = equations_[{equation.operation(), numbers}];
        Number first = differs_by_trip_.size();
        const auto same =
            std::ranges::find(known, equation.attributes(), &std::pair<ir::Attributes, Number>::first);
        if (same != known.end()) {
            first = same->second;
        } else {
            bool differs = false;
            for (const Number each : numbers)
                differs = differs || differs_by_trip_[each];
            for (std::size_t i = 0; i < equation.results().size(); ++i)
                fresh(differs);
            known.emplace_back(equation.attributes(), first);
        }
        Values results;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            results.push_back(of_number(first + i, equation.graph().type(equation.results()[i])));
        return results;
    }

    // The result of an equation that moves elements, found by moving their numbers; nothing where that can't be done.
    std::optional<Value> moved(const Graph& graph, const Equation& equation, const Values& operands) {
        std::string_view name = equation.operation();
        if (name.starts_with(kFlatPrefix)) name.remove_prefix(kFlatPrefix.size());
        const ir::Operation* const operation = call_operations().find(equation.operation());
        if (!moves_elements(name) || operation == nullptr || equation.results().size() != 1) return {};
        ir::TensorType type = graph.type(equation.results()[0]);
        if (!has_elements(type) || type.shape.elements() == 0) return {};
        const bool joins = name.starts_with("concat");
        const std::size_t table = name == "embedding" ? 1 : 0;
        std::vector<ir::Constant> given;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const ValueId operand = equation.operands()[i];
            if (joins || i == table) {
                if (operands[i].elements.empty()) return {};
                const std::vector<std::int64_t> numbers(operands[i].elements.begin(),
                                                        operands[i].elements.end());
                given.push_back(ir::Constant::of(ir::ElementType::kI64, graph.type(operand).shape,
                                                 std::span<const std::int64_t>(numbers)));
            } else if (const ir::Constant* const places = graph.constant(operand)) {
                given.push_back(*places);
            } else {
                return {};
            }
        }
        type.element = ir::ElementType::kI64;
        const std::vector<ir::Constant> results =
            internal::compute(*operation, given, std::span(&type, 1), equation.attributes(), {});
        Numbers elements;
        for (std::size_t i = 0; i < static_cast<std::size_t>(type.shape.elements()); ++i)
            elements.push_back(static_cast<Number>(results[0].integer_at(i)));
        return of_elements(std::move(elements));
    }

    // A choice between keys counts as all of them: a use of it uses both.
    std::optional<Value> chosen(const Equation& equation, const Values& operands) {
        const std::string& name = equation.operation();
        if (name != "where" && name != "flat.select") return {};
        const Value &a = operands[1], &b = operands[2];
        if (a.elements.empty() || a.elements.size() != b.elements.size()) return {};
        if (a.elements == b.elements) return a;
        const Value result = computed(equation, operands)[0];
        if (result.elements.size() != a.elements.size()) return result;
        alternatives_[canonical(result)] = {a, b};
        return result;
    }

    Values body(const Graph& graph, const Values& params) {
        std::unordered_map<std::size_t, Value> values;
        for (std::size_t i = 0; i < params.size(); ++i)
            values[index_of(graph.params()[i])] = params[i];
        const auto value_of = [&](ValueId value) {
            const ir::Constant* const known = graph.constant(value);
            return known != nullptr ? constant(*known) : values.at(index_of(value));
        };
        for (const Equation equation : graph.equations()) {
            Values operands;
            for (const ValueId operand : equation.operands())
                operands.push_back(value_of(operand));
            const ir::Operation* const operation = call_operations().find(equation.operation());
            const Values results = operation != nullptr && operation->control != Control::kNone
                                       ? holder(equation, operation->control, operands)
                                       : plain(graph, equation, operands);
            for (std::size_t i = 0; i < results.size(); ++i)
                values[index_of(equation.results()[i])] = results[i];
        }
        Values results;
        for (const ValueId result : graph.results())
            results.push_back(value_of(result));
        return results;
    }

    Values plain(const Graph& graph, const Equation& equation, const Values& operands) {
        const std::string& name = equation.operation();
        if (name == "random_bits" || name == "random_uniform" || name == "random_split")
            use(equation, operands[0], {});
        else if (name == "random_fold_in")
            use(equation, operands[0], {canonical(operands[1])});
        if (const auto value = moved(graph, equation, operands)) return {*value};
        if (const auto value = chosen(equation, operands)) return {*value};
        return computed(equation, operands);
    }

    void collect(const Value& key, std::set<Number>& keys) const {
        const auto whole = key.elements.empty() ? wholes_.end() : wholes_.find(key.elements);
        const Number number = whole == wholes_.end() ? key.whole : whole->second;
        const auto either = alternatives_.find(number);
        if (either == alternatives_.end()) {
            keys.insert(number);
            return;
        }
        for (const Value& each : either->second)
            collect(each, keys);
    }

    void use(const Equation& equation, const Value& key, const Numbers& folded) {
        if (is_dry_) return;
        canonical(key);
        std::set<Number> keys;
        collect(key, keys);
        const Use now{equation.operation(), equation.location()};
        std::optional<Use> before;
        bool is_found = false;
        for (const Number each : keys) {
            Numbers what{each};
            what.insert(what.end(), folded.begin(), folded.end());
            bool differs = !in_loop_;
            for (const Number part : what)
                differs = differs || differs_by_trip_[part];
            if (!differs && !is_found) {
                add({now, now, "in each trip of a loop"});
                is_found = true;
            }
            const auto [known, is_new] = uses_.try_emplace(what, now);
            if (!is_new && !before) before = known->second;
        }
        if (before) add({*before, now, "before"});
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

    Values unknown(const Equation& equation, bool differs) {
        Values results;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            results.push_back(unknown(equation.graph().type(equation.results()[i]), differs));
        return results;
    }

    Values branches(const Equation& equation, const Values& operands) {
        const Uses before = uses_;
        Uses after = before;
        Values results;
        bool is_first = true;
        for (const ir::Subgraph& branch : equation.subgraphs()) {
            uses_ = before;
            const Values made = body(*branch.graph, {operands.begin() + 1, operands.end()});
            after.insert(uses_.begin(), uses_.end());
            for (std::size_t i = 0; i < made.size(); ++i) {
                if (is_first)
                    results.push_back(made[i]);
                else if (canonical(results[i]) != canonical(made[i]))
                    results[i] = unknown(equation.graph().type(equation.results()[i]), false);
            }
            is_first = false;
        }
        uses_ = std::move(after);
        return results;
    }

    // The row of something that a loop goes through row by row: the row, where all are one key.
    Value row_of(const Value& rows, const ir::TensorType& row) {
        const auto count = has_elements(row) ? static_cast<std::size_t>(row.shape.elements()) : 0;
        bool is_same = count != 0 && !rows.elements.empty();
        for (std::size_t i = count; is_same && i < rows.elements.size(); ++i)
            is_same = rows.elements[i] == rows.elements[i - count];
        if (!is_same) return unknown(row, true);
        return of_elements(
            {rows.elements.begin(), rows.elements.begin() + static_cast<std::ptrdiff_t>(count)});
    }

    // The body with what differs by trip. What is carried is assumed to come back as it was, until that is seen to be wrong.
    Values loop(const Equation& equation, Control control, const Values& operands) {
        const auto parts = ir::control_operands(control, operands.size(), equation.attributes());
        const Graph& step = *equation.subgraph(ir::kBody);
        Values params = operands;
        for (std::size_t i = parts.consts + parts.carry; i < params.size(); ++i)
            params[i] = row_of(operands[i], step.type(step.params()[i]));
        const bool was_dry = std::exchange(is_dry_, true);
        std::vector<bool> is_same(parts.carry, true);
        for (bool is_settled = false; !is_settled;) {
            is_settled = true;
            const Values results = body(step, params);
            for (std::size_t i = 0; i < parts.carry; ++i) {
                Value& param = params[parts.consts + i];
                if (!is_same[i] || canonical(results[i]) == canonical(param)) continue;
                param = unknown(step.type(step.params()[parts.consts + i]), true);
                is_same[i] = is_settled = false;
            }
        }
        is_dry_ = was_dry;
        if (control == Control::kWhile) body(*equation.subgraph(ir::kCond), params);
        body(step, params);
        Values results = unknown(equation, in_loop_);
        for (std::size_t i = 0; i < parts.carry; ++i)
            if (is_same[i]) results[i] = operands[parts.consts + i];
        return results;
    }

    Values holder(const Equation& equation, Control control, const Values& operands) {
        if (control == Control::kCall) return body(*equation.subgraph(ir::kBody), operands);
        if (control == Control::kBranch) return branches(equation, operands);
        const bool was_in_loop = in_loop_;
        in_loop_ = control == Control::kWhile ||
                   equation.attributes().get_or<std::int64_t>(ir::kLengthAttribute, 2) > 1 || in_loop_;
        Values results = loop(equation, control, operands);
        in_loop_ = was_in_loop;
        return results;
    }

    std::vector<bool> differs_by_trip_;  // by Number
    std::map<std::string, std::vector<std::pair<ir::Constant, Number>>> constants_;
    std::unordered_map<std::string, Number> constant_elements_;  // by element type and bytes
    std::unordered_map<Number, Numbers> elements_of_;            // of a value by its own number
    std::map<Numbers, Number> wholes_;                           // by elements
    std::unordered_map<Number, Values> alternatives_;            // of a value that is one of several
    std::map<std::pair<std::string, Numbers>, std::vector<std::pair<ir::Attributes, Number>>> equations_;
    Uses uses_;
    std::vector<KeyReuse> found_;
    bool in_loop_ = false;
    bool is_dry_ = false;  // looks at values alone
};

}  // namespace

std::vector<KeyReuse> reused_keys(const ir::Graph& graph) {
    return Walk().run(graph);
}

}  // namespace tilemeter::trace::random
