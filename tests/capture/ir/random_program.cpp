// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/capture/ir/random_program.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "capture/ir/operation_set.hpp"
#include "tests/capture/ir/operations.hpp"

namespace tilemeter::test {

namespace {

using ir::Graph;
using ir::GraphPtr;
using ir::Subgraph;
using ir::TensorType;
using ir::ValueId;
using Types = std::vector<TensorType>;
using Values = std::vector<ValueId>;

constexpr std::int64_t kLength = 3;
const TensorType kVector{ir::ElementType::kF64, {kLength}, {}};
const TensorType kBool{ir::ElementType::kBool, {}, {}};

class RandomProgram {
public:
    explicit RandomProgram(std::uint32_t seed) : random_(seed) {}

    /// A graph with these parameters and results.
    Graph graph(const Types& params, const Types& results, int depth) {
        Graph made(chance(2) ? "f" : "");
        for (std::size_t i = 0; i < params.size(); ++i)
            made.add_input("p" + std::to_string(i), params[i]);
        for (std::size_t i = 1 + below(8); i > 0; --i)
            append(made, depth);
        Values values;
        for (const TensorType& type : results)
            values.push_back(any(made, type));
        made.set_results(values);
        return made;
    }

    Types types(std::size_t count) {
        Types made;
        for (std::size_t i = 0; i < count; ++i)
            made.push_back(chance(3) ? kVector : kScalar);
        return made;
    }
    std::size_t below(std::size_t count) { return random_() % count; }

private:
    bool chance(std::size_t one_in) { return below(one_in) == 0; }

    ValueId constant(Graph& graph, double value) {
        return graph.add_const(ir::Constant::scalar(ir::ElementType::kF64, value));
    }

    // A value of this type: one that is there, or a new one.
    ValueId any(Graph& graph, const TensorType& type) {
        Values found;
        for (std::size_t i = 0; i < graph.value_count(); ++i)
            if (graph.type(static_cast<ValueId>(i)) == type) found.push_back(static_cast<ValueId>(i));
        if (!found.empty() && !chance(8)) return found[below(found.size())];
        if (type == kBool)
            return add_op(graph, operations(), "lt", {any(graph, kScalar), any(graph, kScalar)});
        if (type == kVector)
            return add_op(
                graph, operations(), "full", {},
                {{"shape", ir::Integers{kLength}}, {"value", 0.5}, {"dtype", ir::ElementType::kF64}});
        return constant(graph, static_cast<double>(below(4)) - 1);
    }
    Values any(Graph& graph, const Types& types) {
        Values values;
        for (const TensorType& type : types)
            values.push_back(any(graph, type));
        return values;
    }

    void append(Graph& graph, int depth) {
        static const std::vector<std::string> kUnary{"neg", "sin", "cos", "floor", "relu", "tanh"};
        static const std::vector<std::string> kBinary{"add", "sub", "mul", "div"};
        const ir::OperationSet& set = operations();
        const TensorType type = chance(3) ? kVector : kScalar;
        switch (below(depth > 0 ? 12 : 6)) {
            case 0:
            case 1:
                add_op(graph, set, kUnary[below(kUnary.size())], {any(graph, type)});
                return;
            case 2:
            case 3:
                add_op(graph, set, kBinary[below(kBinary.size())], {any(graph, type), any(graph, kScalar)});
                return;
            case 4:
                if (chance(2)) add_op(graph, set, "sum", {any(graph, kVector)}, {{"axes", ir::Integers{0}}});
                return;
            case 5:
                if (chance(3)) add_op(graph, set, "print", {any(graph, kScalar)});
                return;
            case 6:
            case 7:
                return call(graph, depth);
            case 8:
                return branch(graph, depth);
            case 9:
            case 10:
                return scan(graph, depth);
            default:
                return loop(graph, depth);
        }
    }

    void hold(Graph& graph, const char* operation, const Values& operands,
              const std::vector<Subgraph>& subgraphs, const ir::Attributes& attributes = {}) {
        add_op(graph, operations().at(operation), operands, attributes, subgraphs);
    }

    void call(Graph& graph, int depth) {
        // Now and then a body that was there before, and the same call twice.
        if (!last_body_ || chance(2)) {
            const Types params = types(below(3));
            last_body_ = shared(this->graph(params, types(below(3)), depth - 1));  // makes calls of its own
            last_params_ = params;
        }
        const char* const operation = chance(4) ? "checkpoint" : "call";
        const Values operands = any(graph, last_params_);
        for (std::size_t times = chance(3) ? 2 : 1; times > 0; --times)
            hold(graph, operation, operands, {{"body", last_body_}});
    }

    void branch(Graph& graph, int depth) {
        const Types params = types(below(3));
        const Types results = types(below(3));
        const auto body = [&] { return shared(this->graph(params, results, depth - 1)); };
        Values operands{ValueId{}};
        const Values arguments = any(graph, params);
        operands.insert(operands.end(), arguments.begin(), arguments.end());
        if (chance(2)) {
            operands[0] = any(graph, kBool);
            return hold(graph, "cond", operands, {{"then", body()}, {"else", body()}});
        }
        operands[0] = graph.add_const(
            ir::Constant::scalar(ir::ElementType::kI32, static_cast<std::int64_t>(below(5)) - 1));
        hold(graph, "switch", operands, {{"branch_0", body()}, {"branch_1", body()}, {"branch_2", body()}});
    }

    // consts, carry, inputs; the body may do anything with them.
    void scan(Graph& graph, int depth) {
        const Types consts = types(below(3));
        const Types carry = types(below(4));
        Types params = joined(consts, carry);
        Values operands = any(graph, params);
        for (std::size_t i = below(3); i > 0; --i) {
            params.push_back(kScalar);
            operands.push_back(any(graph, kVector));
        }
        Types results = carry;
        for (std::size_t i = below(3); i > 0; --i)
            results.push_back(kScalar);
        hold(graph, "scan", operands, {{"body", shared(this->graph(params, results, depth - 1))}},
             {{"n_consts", static_cast<std::int64_t>(consts.size())},
              {"n_carry", static_cast<std::int64_t>(carry.size())},
              {"length", kLength},
              {"reverse", chance(2)}});
    }

    // A counter, at any place of the carry, ends it after at most three rounds.
    void loop(Graph& graph, int depth) {
        const Types consts = types(below(2));
        Types carry = types(below(4));
        const std::size_t counter = below(carry.size() + 1);
        carry.insert(carry.begin() + static_cast<std::ptrdiff_t>(counter), kScalar);
        const Types params = joined(consts, carry);
        const std::size_t place = consts.size() + counter;

        Graph cond = this->graph(params, {}, 0);
        const ValueId limit = constant(cond, static_cast<double>(below(4)));
        cond.set_results({add_op(cond, operations(), "lt", {cond.params()[place], limit})});

        Graph body = this->graph(params, carry, depth - 1);
        Values results(body.results().begin(), body.results().end());
        results[counter] = add_op(body, operations(), "add", {body.params()[place], constant(body, 1)});
        body.set_results(results);

        Values operands = any(graph, params);
        operands[place] = constant(graph, 0);
        hold(graph, "while", operands, {{"cond", shared(std::move(cond))}, {"body", shared(std::move(body))}},
             {{"n_consts", static_cast<std::int64_t>(consts.size())}});
    }

    static Types joined(Types first, const Types& second) {
        first.insert(first.end(), second.begin(), second.end());
        return first;
    }
    static GraphPtr shared(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

    std::mt19937 random_;
    GraphPtr last_body_;
    Types last_params_;
};

}  // namespace

Graph random_program(std::uint32_t seed, int depth) {
    RandomProgram program(seed);
    const Types params = program.types(1 + program.below(3));
    return program.graph(params, program.types(1 + program.below(3)), depth);
}

Graph shuffled(const Graph& graph, std::uint32_t seed) {
    std::vector<std::size_t> order(graph.equation_count());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, std::mt19937(seed));
    Graph to(graph.name(), graph.operation_set());
    std::vector<ValueId> map(graph.value_count(), ir::kUndefined);
    for (std::size_t i = 0; i < map.size(); ++i) {
        const auto value = static_cast<ValueId>(i);
        const ir::Definition definition = graph.definition(value);
        if (definition.kind == ir::ValueKind::kParam)
            map[i] = to.add_input(graph.name_of(value), graph.type(value));
        if (definition.kind == ir::ValueKind::kConstant) map[i] = to.add_const(*graph.constant(value));
    }
    for (const std::size_t index : order) {
        const ir::Equation equation = graph.equation(index);
        const Values operands(equation.operands().size(), ir::kUndefined);
        Types types;
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            types.push_back(graph.type(equation.results()[i]));
        const ir::ValueRange results =
            to.append(equation.operation(), operands, types, equation.attributes(), equation.subgraphs());
        for (std::size_t i = 0; i < results.size(); ++i)
            map[index_of(equation.results()[i])] = results[i];
    }
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t operand = 0; operand < to.equation(i).operands().size(); ++operand)
            to.set_operand(i, operand, map[index_of(graph.equation(order[i]).operands()[operand])]);
    Values results;
    for (const ValueId result : graph.results())
        results.push_back(map[index_of(result)]);
    to.set_results(results);
    return to;
}

}  // namespace tilemeter::test
