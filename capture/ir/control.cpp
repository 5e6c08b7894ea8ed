// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/control.hpp"

#include <string>
#include <utility>

#include "capture/ir/decide.hpp"
#include "capture/ir/error.hpp"

namespace tilemeter::ir {

namespace {

std::string number(std::size_t i) {
    return std::to_string(i);
}

std::size_t count_of(const Attributes& attributes, std::string_view name) {
    const auto count = attributes.get<std::int64_t>(name);
    if (count < 0)
        throw Error(ErrorKind::kWrongAttribute, "attribute '" + std::string(name) + "': found " +
                                                    std::to_string(count) + ", expected at least 0");
    return static_cast<std::size_t>(count);
}

// The graphs a holder must have, in order. Branches by number may be any number.
std::vector<std::string> expected_names(Control control, std::span<const Subgraph> subgraphs) {
    switch (control) {
        case Control::kNone:
            return {};
        case Control::kCall:
        case Control::kScan:
            return {std::string(kBody)};
        case Control::kWhile:
            return {std::string(kCond), std::string(kBody)};
        case Control::kBranch:
            break;
    }
    if (subgraphs.empty() || subgraphs.front().name == kThen || subgraphs.front().name == kElse)
        return {std::string(kThen), std::string(kElse)};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < subgraphs.size(); ++i)
        names.push_back(std::string(kBranchPrefix) + number(i));
    return names;
}

class ControlInference {
public:
    ControlInference(const Operation& operation, const OperationUse& use, std::vector<TensorType>& types)
        : operation_(operation),
          use_(use),
          types_(types),
          parts_(control_operands(operation.control, use.size(), use.attributes)) {}

    void run() {
        switch (operation_.control) {
            case Control::kNone:
                return;
            case Control::kCall:
                return call();
            case Control::kBranch:
                return branch();
            case Control::kWhile:
                return loop();
            case Control::kScan:
                return scan();
        }
    }

private:
    [[noreturn]] void refuse(ErrorKind kind, const std::string& what) const {
        throw Error(kind, operation_.name + ": " + what);
    }

    void call() {
        const Graph& body = graph(kBody);
        check_params(body, kBody);
        append_results(body, 0);
    }

    void branch() {
        if (use_.type(0).shape.rank() != 0)
            refuse(ErrorKind::kPredicateNotScalar,
                   "found a predicate of type " + text_of(use_.type(0)) + ", expected a scalar");
        const bool by_number = use_.subgraphs.front().name != kThen;
        const ElementType element = use_.type(0).element;
        if (by_number ? !is_integer(element) : element != ElementType::kBool)
            refuse(ErrorKind::kPredicateNotBool,
                   "found a predicate of type " + text_of(use_.type(0)) +
                       (by_number ? ", expected an integer" : ", expected bool[]"));
        const Graph& first = *use_.subgraphs.front().graph;
        for (const Subgraph& each : use_.subgraphs) {
            check_params(*each.graph, each.name);
            const std::string where = "results of '" + each.name + "': found ";
            if (each.graph->results().size() != first.results().size())
                refuse(ErrorKind::kBranchTypeMismatch, where + number(each.graph->results().size()) +
                                                           ", expected " + number(first.results().size()));
            for (std::size_t i = 0; i < first.results().size(); ++i)
                if (!same(result_type(*each.graph, i), result_type(first, i)))
                    refuse(ErrorKind::kBranchTypeMismatch,
                           "result " + number(i) + " of '" + each.name + "': found " +
                               text_of(result_type(*each.graph, i)) + ", expected " +
                               text_of(result_type(first, i)) + " as in '" + use_.subgraphs.front().name +
                               "'");
        }
        append_results(first, 0);
    }

    void loop() {
        const Graph& cond = graph(kCond);
        const Graph& body = graph(kBody);
        check_params(cond, kCond);
        check_params(body, kBody);
        if (cond.results().size() != 1)
            refuse(ErrorKind::kWrongSubgraph,
                   "results of 'cond': found " + number(cond.results().size()) + ", expected one bool[]");
        const TensorType& predicate = result_type(cond, 0);
        if (predicate.shape.rank() != 0)
            refuse(ErrorKind::kPredicateNotScalar,
                   "found a predicate of type " + text_of(predicate) + ", expected bool[]");
        if (predicate.element != ElementType::kBool)
            refuse(ErrorKind::kPredicateNotBool,
                   "found a predicate of type " + text_of(predicate) + ", expected bool[]");
        if (body.results().size() != parts_.carry)
            refuse(ErrorKind::kWrongSubgraph, "results of 'body': found " + number(body.results().size()) +
                                                  ", expected " + number(parts_.carry) + " carried values");
        check_carry(body);
        append_results(body, 0);
    }

    void scan() {
        const Graph& body = graph(kBody);
        const auto length = use_.attributes.get<std::int64_t>(kLengthAttribute);
        if (!Dim(length).is_expression()) count_of(use_.attributes, kLengthAttribute);  // refuses
        check_params(body, kBody);
        if (body.results().size() < parts_.carry)
            refuse(ErrorKind::kWrongSubgraph, "results of 'body': found " + number(body.results().size()) +
                                                  ", expected at least " + number(parts_.carry) +
                                                  " carried values");
        check_carry(body);
        for (std::size_t i = 0; i < body.results().size(); ++i) {
            TensorType type = result_type(body, i);
            if (i >= parts_.carry) {
                Shape stacked{length};
                for (const std::int64_t dim : type.shape)
                    stacked.push_back(dim);
                type.shape = stacked;
            }
            types_.push_back(std::move(type));
        }
    }

    // Dimensions may be equal under the graph's constraints alone.
    [[nodiscard]] bool same(const TensorType& a, const TensorType& b) const {
        return is_same(a, b, use_.graph.constraints());
    }

    [[nodiscard]] const Graph& graph(std::string_view name) const { return *use_.subgraph(name); }
    static const TensorType& result_type(const Graph& graph, std::size_t i) {
        return graph.type(graph.results()[i]);
    }

    void append_results(const Graph& graph, std::size_t from) {
        for (std::size_t i = from; i < graph.results().size(); ++i)
            types_.push_back(result_type(graph, i));
    }

    void check_carry(const Graph& body) const {
        for (std::size_t i = 0; i < parts_.carry; ++i) {
            const TensorType& before = use_.type(parts_.consts + i);
            if (!same(result_type(body, i), before))
                refuse(ErrorKind::kCarryTypeChanged, "carried value " + number(i) + ": found " +
                                                         text_of(result_type(body, i)) +
                                                         " after the body, expected " + text_of(before));
        }
    }

    // The subgraph's argument for its parameter `i`.
    [[nodiscard]] TensorType argument(std::size_t i) const {
        TensorType type = use_.type(parts_.choice + i);
        if (operation_.control != Control::kScan || i < parts_.consts + parts_.carry) return type;
        const auto length = use_.attributes.get<std::int64_t>(kLengthAttribute);
        if (type.shape.rank() == 0 || !is_equal(type.shape[0], length, use_.graph.constraints()))
            refuse(ErrorKind::kLengthMismatch, "operand " + number(i) + ": found " + text_of(type) +
                                                   ", expected " + Dim(length).text() +
                                                   " slices in its first dimension");
        type.shape = Shape(type.shape.dims().subspan(1));
        return type;
    }

    void check_params(const Graph& graph, std::string_view name) const {
        const std::size_t arguments = use_.size() - parts_.choice;
        if (graph.params().size() != arguments)
            refuse(ErrorKind::kWrongSubgraph, "parameters of '" + std::string(name) + "': found " +
                                                  number(graph.params().size()) + ", expected " +
                                                  number(arguments));
        for (std::size_t i = 0; i < arguments; ++i) {
            const TensorType passed = argument(i);
            if (!same(graph.type(graph.params()[i]), passed))
                refuse(ErrorKind::kWrongSubgraph, "parameter " + number(i) + " of '" + std::string(name) +
                                                      "': found " + text_of(graph.type(graph.params()[i])) +
                                                      ", expected " + text_of(passed));
        }
    }

    const Operation& operation_;
    const OperationUse& use_;
    std::vector<TensorType>& types_;
    ControlOperands parts_;
};

}  // namespace

Operation control_operation(std::string name, Control control) {
    Operation operation{.name = std::move(name), .results = {}, .control = control};
    const auto add = [&](std::string_view attribute, AttributeKind kind, bool required = true) {
        operation.attributes.push_back({std::string(attribute), kind, required});
    };
    if (control == Control::kBranch) operation.operands.least = 1;
    if (control == Control::kWhile || control == Control::kScan)
        add(kConstsAttribute, AttributeKind::kInteger);
    if (control == Control::kScan) {
        add(kCarryAttribute, AttributeKind::kInteger);
        add(kLengthAttribute, AttributeKind::kInteger);
        add(kReverseAttribute, AttributeKind::kBool, false);
    }
    return operation;
}

ControlOperands control_operands(Control control, std::size_t operands, const Attributes& attributes) {
    ControlOperands parts;
    parts.choice = control == Control::kBranch ? 1 : 0;
    if (control == Control::kWhile || control == Control::kScan)
        parts.consts = count_of(attributes, kConstsAttribute);
    if (control == Control::kScan) parts.carry = count_of(attributes, kCarryAttribute);
    // Sums of counts from outside may wrap around: each is compared with what is left.
    if (operands < parts.choice || operands - parts.choice < parts.consts ||
        operands - parts.choice - parts.consts < parts.carry)
        throw Error(ErrorKind::kWrongArity, "found " + number(operands) + " operands, expected at least " +
                                                (parts.choice == 1 ? std::string("a predicate")
                                                                   : number(parts.consts) + " consts and " +
                                                                         number(parts.carry) + " carried"));
    const std::size_t rest = operands - parts.choice - parts.consts - parts.carry;
    (control == Control::kWhile ? parts.carry : parts.rest) = rest;
    return parts;
}

void check_subgraph_names(const Operation& operation, std::span<const Subgraph> subgraphs) {
    const std::vector<std::string> expected = expected_names(operation.control, subgraphs);
    const std::string here = operation.name + ": ";
    for (std::size_t i = 0; i < subgraphs.size(); ++i) {
        if (i >= expected.size())
            throw Error(ErrorKind::kWrongSubgraph, here + "found subgraph '" + subgraphs[i].name +
                                                       "', expected " +
                                                       (expected.empty() ? "none" : "no more"));
        if (subgraphs[i].name != expected[i])
            throw Error(ErrorKind::kWrongSubgraph,
                        here + "found subgraph '" + subgraphs[i].name + "', expected '" + expected[i] + "'");
        if (subgraphs[i].graph == nullptr)
            throw Error(ErrorKind::kWrongSubgraph, here + "found no graph for '" + expected[i] + "'");
    }
    if (subgraphs.size() < expected.size())
        throw Error(ErrorKind::kWrongSubgraph,
                    here + "found no subgraph '" + expected[subgraphs.size()] + "'");
}

void infer_control(const Operation& operation, const OperationUse& use, std::vector<TensorType>& types) {
    ControlInference(operation, use, types).run();
}

}  // namespace tilemeter::ir
