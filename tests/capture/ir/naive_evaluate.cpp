// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/capture/ir/naive_evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "capture/ir/control.hpp"

namespace tilemeter::test {

namespace {

using ir::Equation;
using ir::Graph;
using List = std::vector<Numbers>;

class Evaluation {
public:
    List run(const Graph& graph, const List& inputs) {
        List values(graph.value_count());
        for (std::size_t i = 0; i < inputs.size(); ++i)
            values[index_of(graph.params()[i])] = inputs[i];
        for (std::size_t i = 0; i < graph.value_count(); ++i)
            if (const ir::Constant* const constant = graph.constant(static_cast<ir::ValueId>(i)))
                values[i] = {constant->double_at(0)};
        for (const Equation equation : graph.equations()) {
            List operands;
            for (const ir::ValueId operand : equation.operands())
                operands.push_back(values[index_of(operand)]);
            const List results = run(equation, operands);
            for (std::size_t i = 0; i < results.size(); ++i)
                values[index_of(equation.results()[i])] = results[i];
        }
        List results;
        for (const ir::ValueId result : graph.results())
            results.push_back(values[index_of(result)]);
        return results;
    }

    Numbers printed;

private:
    static List part(const List& list, std::size_t from) {
        return {list.begin() + static_cast<std::ptrdiff_t>(from), list.end()};
    }

    List run(const Equation& equation, const List& operands) {
        const std::string& name = equation.operation();
        if (name == "call" || name == "checkpoint") return run(*equation.subgraph("body"), operands);
        if (name == "cond")
            return run(*equation.subgraph(operands[0][0] != 0 ? "then" : "else"), part(operands, 1));
        if (name == "switch") {
            const auto last = static_cast<double>(equation.subgraphs().size() - 1);
            const auto branch = static_cast<std::size_t>(std::clamp(operands[0][0], 0.0, last));
            return run(*equation.subgraphs()[branch].graph, part(operands, 1));
        }
        if (name == "while") return loop(equation, operands);
        if (name == "scan") return scan(equation, operands);
        if (name == "print") {
            printed.push_back(operands[0][0]);
            return {};
        }
        if (name == "full") return {Numbers(3, equation.attributes().get<double>("value"))};
        if (name == "sum") return {{std::accumulate(operands[0].begin(), operands[0].end(), 0.0)}};
        return {elementwise(name, operands)};
    }

    List loop(const Equation& equation, const List& operands) {
        const auto parts = control_operands(ir::Control::kWhile, operands.size(), equation.attributes());
        List state = operands;
        while (run(*equation.subgraph("cond"), state)[0][0] != 0) {
            const List next = run(*equation.subgraph("body"), state);
            std::ranges::copy(next, state.begin() + static_cast<std::ptrdiff_t>(parts.consts));
        }
        return part(state, parts.consts);
    }

    List scan(const Equation& equation, const List& operands) {
        const auto parts = control_operands(ir::Control::kScan, operands.size(), equation.attributes());
        const auto length = static_cast<std::size_t>(equation.attributes().get<std::int64_t>("length"));
        const bool reverse = equation.attributes().get_or("reverse", false);
        List arguments = operands;
        List results(equation.results().size(), Numbers(length));
        for (std::size_t i = 0; i < parts.carry; ++i)
            results[i] = operands[parts.consts + i];
        for (std::size_t step = 0; step < length; ++step) {
            const std::size_t row = reverse ? length - 1 - step : step;
            for (std::size_t i = 0; i < parts.carry; ++i)
                arguments[parts.consts + i] = results[i];
            for (std::size_t i = parts.consts + parts.carry; i < operands.size(); ++i)
                arguments[i] = {operands[i][row]};
            const List out = run(*equation.subgraph("body"), arguments);
            for (std::size_t i = 0; i < out.size(); ++i) {
                if (i < parts.carry)
                    results[i] = out[i];
                else
                    results[i][row] = out[i][0];
            }
        }
        return results;
    }

    static Numbers elementwise(const std::string& name, const List& operands) {
        static const std::map<std::string, std::function<double(double, double)>> kFunctions{
            {"neg", [](double x, double) { return -x; }},
            {"sin", [](double x, double) { return std::sin(x); }},
            {"cos", [](double x, double) { return std::cos(x); }},
            {"tanh", [](double x, double) { return std::tanh(x); }},
            {"floor", [](double x, double) { return std::floor(x); }},
            {"relu", [](double x, double) { return x > 0 ? x : 0; }},
            {"add", [](double x, double y) { return x + y; }},
            {"sub", [](double x, double y) { return x - y; }},
            {"mul", [](double x, double y) { return x * y; }},
            {"div", [](double x, double y) { return x / y; }},
            {"lt", [](double x, double y) { return x < y ? 1.0 : 0.0; }}};
        const auto& function = kFunctions.at(name);
        const Numbers& x = operands[0];
        const Numbers& y = operands.back();
        Numbers result(std::max(x.size(), y.size()));
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = function(x[x.size() == 1 ? 0 : i], y[y.size() == 1 ? 0 : i]);
        return result;
    }
};

bool equal(const Numbers& a, const Numbers& b) {
    return std::ranges::equal(a, b,
                              [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

Run naive_evaluate(const Graph& graph, const std::vector<Numbers>& inputs) {
    Evaluation evaluation;
    Run run;
    run.results = evaluation.run(graph, inputs);
    run.printed = evaluation.printed;
    return run;
}

bool equal(const Run& a, const Run& b) {
    return std::ranges::equal(a.results, b.results,
                              [](const Numbers& x, const Numbers& y) { return equal(x, y); }) &&
           equal(a.printed, b.printed);
}

}  // namespace tilemeter::test
