// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/verify.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "capture/ir/dimension.hpp"
#include "capture/ir/order.hpp"

namespace tilemeter::ir {

namespace {

class Verifier {
public:
    explicit Verifier(const OperationSet* set) : set_(set) {}

    // Throws Error. REQUIRES: nothing; depth() keeps the recursion bounded
    void check(const Graph& graph) {
        if (!seen_.insert(&graph).second) return;
        if (set_ != nullptr && !graph.operation_set().empty() && graph.operation_set() != set_->name())
            throw Error(ErrorKind::kUnknownOperation, "found operations of the set '" +
                                                          graph.operation_set() + "', expected those of '" +
                                                          set_->name() + "'");
        check_names(graph);
        check_types(graph);
        for (const ValueId result : graph.results())
            if (!graph.has(result)) refuse_undefined(graph, "result", result);
        for (const Equation equation : graph.equations())
            for (const ValueId operand : equation.operands())
                if (!graph.has(operand)) refuse_undefined(graph, place_of(equation) + ": operand", operand);
        if (!is_ordered(graph)) topological_order(graph);  // throws where there is a cycle
        const auto operations =
            set_ == nullptr ? std::vector<const Operation*>{} : operations_of(graph, *set_);
        for (const Equation equation : graph.equations()) {
            for (const Subgraph& each : equation.subgraphs())
                in_place(equation, each.name, [&] { check(*each.graph); });
            if (set_ == nullptr) continue;
            in_place(equation, {}, [&] {
                const Operation* const operation = operations[equation.operation_number()];
                check(equation, operation != nullptr ? *operation : set_->at(equation.operation()));
            });
        }
    }

private:
    static std::string place_of(const Equation& equation) {
        return "equation " + std::to_string(equation.index()) + " (" + equation.operation() + ")";
    }

    // Puts the place before the text of what `step` throws.
    template <class Step>
    static void in_place(const Equation& equation, const std::string& subgraph, const Step& step) {
        const auto place = [&] {
            return place_of(equation) + (subgraph.empty() ? "" : ", '" + subgraph + "'") + ": ";
        };
        // Most errors begin with the operation, which the place names already.
        const auto text = [&](const std::exception& error) {
            std::string_view what = error.what();
            const std::string operation = equation.operation() + ": ";
            if (what.starts_with(operation)) what.remove_prefix(operation.size());
            return place() + std::string(what);
        };
        try {
            step();
        } catch (const Error& error) {
            throw Error(error.kind(), text(error));
        } catch (const std::exception& error) {
            throw Error(ErrorKind::kBadArgument, text(error));
        }
    }

    [[noreturn]] static void refuse_undefined(const Graph& graph, const std::string& what, ValueId value) {
        throw Error(ErrorKind::kUndefinedValue, what + ": found value " + std::to_string(index_of(value)) +
                                                    ", which is not defined, expected one below " +
                                                    std::to_string(graph.value_count()));
    }

    static void check_names(const Graph& graph) {
        std::unordered_set<std::string_view> names;
        for (std::size_t i = 0; i < graph.params().size(); ++i) {
            const std::string_view name = graph.name_of(graph.params()[i]);
            if (name.empty())
                throw Error(ErrorKind::kWrongName,
                            "parameter " + std::to_string(i) + ": found no name, expected one");
            if (!names.insert(name).second)
                throw Error(ErrorKind::kWrongName, "parameter " + std::to_string(i) + ": found the name '" +
                                                       std::string(name) + "' again, expected another");
        }
    }

    static void check_types(const Graph& graph) {
        std::vector<bool> seen;
        for (std::size_t i = 0; i < graph.value_count(); ++i) {
            const auto value = static_cast<ValueId>(i);
            const std::size_t number = graph.type_number(value);
            if (number < seen.size() && seen[number]) continue;
            seen.resize(std::max(seen.size(), number + 1));
            seen[number] = true;
            for (const std::int64_t dim : graph.type(value).shape)
                if (dim < 0 && !Dim(dim).is_expression()) [[unlikely]]
                    throw Error(ErrorKind::kWrongType, "value " + std::to_string(i) + ": found type " +
                                                           text_of(graph.type(value)) +
                                                           ", expected dimensions of at least 0");
        }
    }

    void check(const Equation& equation, const Operation& operation) {
        const OperationUse use{equation.graph(), equation.operands(), equation.attributes(),
                               equation.subgraphs()};
        check_use(operation, use);
        const ValueRange results = equation.results();
        if (!operation.results.admits(results.size()))
            throw Error(ErrorKind::kWrongArity, "found " + std::to_string(results.size()) +
                                                    " results, expected " + text_of(operation.results));
        if (!operation.infer && operation.control == Control::kNone) return;
        types_.clear();
        infer(operation, use, types_);
        if (types_.size() != results.size())
            throw Error(ErrorKind::kWrongArity, "found " + std::to_string(results.size()) +
                                                    " results, expected " + std::to_string(types_.size()));
        for (std::size_t i = 0; i < types_.size(); ++i)
            if (const TensorType& found = equation.graph().type(results[i]); found != types_[i])
                throw Error(ErrorKind::kWrongType, "result " + std::to_string(i) + ": found type " +
                                                       text_of(found) + ", expected " + text_of(types_[i]));
    }

    const OperationSet* set_;
    std::unordered_set<const Graph*> seen_;
    std::vector<TensorType> types_;
};

std::optional<Error> first_error(const Graph& graph, const OperationSet* set) {
    try {
        Verifier(set).check(graph);
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> verify(const Graph& graph) {
    return first_error(graph, nullptr);
}

std::optional<Error> verify(const Graph& graph, const OperationSet& set) {
    return first_error(graph, &set);
}

}  // namespace tilemeter::ir
