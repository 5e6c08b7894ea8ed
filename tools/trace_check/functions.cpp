// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/functions.hpp"

#include <map>
#include <string>
#include <vector>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/derivatives/transforms.hpp"
#include "tools/trace_check/derivatives.hpp"

namespace tilemeter::trace_check {

namespace {

using nlohmann::json;
using trace::Array;
using trace::Function;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

class Interpreter {
public:
    explicit Interpreter(Precision precision) : precision_(precision) {}

    [[nodiscard]] Arrays run(const json& graph, Arguments arguments) const {
        std::map<std::string, Array> values;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            values[graph.at("params").at(i).at("name")] = arguments[i];
        const auto value_of = [&](const json& operand) {
            return operand.is_string() ? values.at(operand.get<std::string>())
                                       : Array(literal_of(operand, precision_));
        };
        for (const json& equation : graph.at("eqns")) {
            Arrays operands;
            for (const json& operand : equation.at("in"))
                operands.push_back(value_of(operand));
            const Arrays results = call(equation, operands);
            for (std::size_t i = 0; i < results.size(); ++i)
                values[equation.at("out").at(i)] = results[i];
        }
        Arrays results;
        for (const json& result : graph.at("results"))
            results.push_back(value_of(result));
        return results;
    }

private:
    [[nodiscard]] Function function(const json& graph) const {
        return [this, &graph](Arguments arguments) { return run(graph, arguments); };
    }

    [[nodiscard]] Arrays call(const json& equation, Arguments x) const {
        const auto name = equation.at("op").get<std::string>();
        if (!equation.contains("subgraphs"))
            return trace::apply(name, x, attributes_of(equation, precision_));
        const json& held = equation.at("subgraphs");
        const json attributes = equation.value("attrs", json::object());
        if (name == "call") return trace::call("body", function(held.at("body")), x);
        if (name == "checkpoint") return trace::checkpoint(function(held.at("body")), x);
        if (name == "cond")
            return trace::cond(x[0], function(held.at("then")), function(held.at("else")), x.subspan(1));
        if (name == "switch") {
            std::vector<Function> branches;
            for (const json& branch : held.at("branches"))
                branches.push_back(function(branch));
            return trace::switch_case(x[0], branches, x.subspan(1));
        }
        if (name == "while") return loop(held, attributes.at("n_consts").get<std::size_t>(), x);
        if (name == "scan") return scan(held.at("body"), attributes, x);
        return transformed(name, function(held.at("f")), attributes, x);
    }

    static Arrays transformed(const std::string& name, const Function& f, const json& attributes,
                              Arguments x) {
        const auto both = [](Arrays first, const Arrays& second) {
            first.insert(first.end(), second.begin(), second.end());
            return first;
        };
        if (name == "grad") return trace::grad(f, attributes.at("wrt").get<trace::Positions>())(x);
        if (name == "jvp") {
            const trace::Pushed pushed = trace::jvp(f, x.first(x.size() / 2), x.subspan(x.size() / 2));
            return both(pushed.results, pushed.tangents);
        }
        if (name == "vjp") {
            const auto count = attributes.at("n_in").get<std::size_t>();
            const trace::Pulled pulled = trace::vjp(f, x.first(count));
            return both(pulled.results, pulled.back(x.subspan(count)));
        }
        return trace::vmap(f, mapped_axes(attributes.at("in_axes")),
                           mapped_axes(attributes.at("out_axes")))(x);
    }

    // Values that the format passes as constants, a program uses from around the body.
    [[nodiscard]] Function with_constants(const json& graph, Arguments constants) const {
        return [this, &graph, constants](Arguments arguments) {
            Arrays all(constants.begin(), constants.end());
            all.insert(all.end(), arguments.begin(), arguments.end());
            return run(graph, all);
        };
    }

    [[nodiscard]] Arrays loop(const json& held, std::size_t constants, Arguments x) const {
        const Arguments around = x.first(constants);
        return trace::while_loop(with_constants(held.at("cond"), around),
                                 with_constants(held.at("body"), around), x.subspan(constants));
    }

    [[nodiscard]] Arrays scan(const json& body, const json& attributes, Arguments x) const {
        const auto constants = attributes.at("n_consts").get<std::size_t>();
        const auto carry = attributes.at("n_carry").get<std::size_t>();
        return trace::scan(
            with_constants(body, x.first(constants)), x.subspan(constants, carry),
            x.subspan(constants + carry),
            {.length = dimension_of(attributes.at("length")), .reverse = attributes.value("reverse", false)});
    }

    Precision precision_;
};

}  // namespace

Function function_of(const json& graph, Precision precision) {
    return [&graph, interpreter = Interpreter(precision)](Arguments arguments) {
        return interpreter.run(graph, arguments);
    };
}

}  // namespace tilemeter::trace_check
