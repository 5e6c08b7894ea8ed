// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Computation graphs in five steps, each shown on a small example: the graph built by hand, evaluated,
// differentiated, simplified, and a multilayer perceptron built by hand, traced, and traced by torch.fx.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "capture/ir/fx_table.hpp"
#include "capture/ir/operation_set.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"

namespace tilemeter::cli {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::TensorType;
using ir::ValueId;

constexpr ElementType kElement = ElementType::kF32;

TensorType type_of(const ir::Shape& shape) {
    return {kElement, shape, {}};
}

/// Multiples of 1/8 that look random, the same each time: -1.5, -1, ... of `seed`.
Constant numbers(const ir::Shape& shape, std::uint32_t seed) {
    std::vector<double> values;
    const auto count = static_cast<std::uint64_t>(shape.elements());
    for (std::uint64_t i = 0; i < count; ++i)
        values.push_back(static_cast<double>((i * 7 + seed * 5) % 25) / 8.0 - 1.5);
    return Constant::of<double>(kElement, shape, values);
}

std::string text_of(const Constant& constant) {
    std::ostringstream text;
    const auto count = static_cast<std::uint64_t>(constant.type().shape.elements());
    for (std::uint64_t i = 0; i < count; ++i)
        text << (i == 0 ? "[" : ", ") << constant.double_at(i);
    text << "]";
    return text.str();
}

/// max((a + b) * a, 0), and besides a product of two constants and a sum that nobody uses.
Graph by_hand() {
    Graph graph("phases", std::string(trace::kCall));
    const ir::OperationSet& calls = trace::call_operations();
    const ValueId a = graph.add_input("a", type_of({3})), b = graph.add_input("b", type_of({3}));
    const ValueId two = graph.add_const(Constant::scalar(kElement, 2.0));
    const ValueId three = graph.add_const(Constant::scalar(kElement, 3.0));
    const ValueId six = add_op(graph, calls, "mul", {two, three});
    const ValueId sum = add_op(graph, calls, "add", {a, b});
    const ValueId product = add_op(graph, calls, "mul", {sum, six});
    add_op(graph, calls, "sub", {sum, product});
    graph.set_results({add_op(graph, calls, "relu", {product})});
    return graph;
}

std::string data_structures() {
    const Graph graph = by_hand();
    return ir::print(graph) + "\n" + ir::fx_table(graph, true);
}

std::string evaluation() {
    Graph graph = by_hand();
    std::ostringstream text;
    text << "order:";
    for (const std::uint32_t each : ir::topological_order(graph))
        text << ' ' << graph.equation(each).operation();
    const std::vector<Constant> inputs = {numbers({3}, 1), numbers({3}, 2)};
    text << "\na = " << text_of(inputs[0]) << "\nb = " << text_of(inputs[1]) << '\n';
    std::vector<ValueId> all;
    for (const ir::Equation equation : graph.equations())
        all.push_back(equation.results());
    graph.set_results(all);
    const std::vector<Constant> values = trace::evaluate(graph, inputs);
    for (std::size_t i = 0; i < values.size(); ++i)
        text << '%' << i << " = " << graph.equation(i).operation() << ": " << text_of(values[i]) << '\n';
    return text.str();
}

/// The sum of by_hand()'s result: a scalar, so that it has a gradient.
Graph loss_by_hand() {
    Graph graph = by_hand();
    const ValueId result = graph.results().front();
    graph.set_results({add_op(graph, trace::call_operations(), "sum", {result}, {{"keepdims", false}})});
    return graph;
}

/// The change of the loss when one element of one input changes by `step` in either direction, per step.
double difference(const Graph& loss, std::vector<Constant> inputs, std::size_t input, std::uint64_t element) {
    constexpr double kStep = 1.0 / 16;
    const auto at = [&](double change) {
        std::vector<double> values;
        for (std::uint64_t i = 0; i < 3; ++i)
            values.push_back(inputs[input].double_at(i) + (i == element ? change : 0));
        std::vector<Constant> changed = inputs;
        changed[input] = Constant::of<double>(kElement, inputs[input].type().shape, values);
        return trace::evaluate(loss, changed)[0].double_at(0);
    };
    return (at(kStep) - at(-kStep)) / (2 * kStep);
}

std::string backward() {
    const Graph loss = loss_by_hand();
    const Graph gradient = trace::simplify(trace::value_and_grad(trace::lower(loss), {0, 1}));
    const std::vector<Constant> inputs = {numbers({3}, 1), numbers({3}, 2)};
    const std::vector<Constant> values = trace::evaluate(gradient, inputs);
    std::ostringstream text;
    text << "the loss is the sum of the result; it and its gradient, simplified:\n\n"
         << ir::print(gradient) << "\nloss = " << text_of(values[0]) << '\n';
    for (std::size_t i = 0; i < 2; ++i) {
        text << "gradient of " << (i == 0 ? 'a' : 'b') << ": " << text_of(values[i + 1])
             << ", by differences: [";
        for (std::uint64_t element = 0; element < 3; ++element)
            text << (element == 0 ? "" : ", ") << difference(loss, inputs, i, element);
        text << "]\n";
    }
    return text.str();
}

std::string passes() {
    Graph graph = by_hand();
    std::ostringstream text;
    const auto step = [&](const char* name, const std::function<ir::PassResult(const Graph&)>& pass) {
        const ir::PassResult done = pass(graph);
        text << name << ": " << done.before << " -> " << done.after << " equations\n";
        graph = done.graph;
    };
    text << ir::print(graph) << '\n';
    step("constant folding", [](const Graph& each) { return trace::fold(each); });
    step("dead code", [](const Graph& each) { return ir::remove_dead_code(each, trace::call_operations()); });
    text << '\n' << ir::print(graph);
    return text.str();
}

// ---- a multilayer perceptron: x @ w1 + b1, relu, @ w2 + b2

const std::array<const char*, 5> kNames = {"x", "w1", "b1", "w2", "b2"};
const std::array<ir::Shape, 5> kShapes = {
    {ir::Shape{2, 3}, ir::Shape{3, 4}, ir::Shape{4}, ir::Shape{4, 2}, ir::Shape{2}}};

Graph perceptron_by_hand() {
    Graph graph("mlp", std::string(trace::kCall));
    const ir::OperationSet& calls = trace::call_operations();
    std::vector<ValueId> in;
    for (std::size_t i = 0; i < kNames.size(); ++i)
        in.push_back(graph.add_input(kNames[i], type_of(kShapes[i])));
    const ValueId first = add_op(graph, calls, "matmul", {in[0], in[1]});
    const ValueId hidden =
        add_op(graph, calls, "relu", {ValueId(add_op(graph, calls, "add", {first, in[2]}))});
    const ValueId second = add_op(graph, calls, "matmul", {hidden, in[3]});
    graph.set_results({add_op(graph, calls, "add", {second, in[4]})});
    return graph;
}

std::vector<trace::Array> perceptron(std::span<const trace::Array> in) {
    const trace::Array hidden = trace::relu(trace::matmul(in[0], in[1]) + in[2]);
    return {trace::matmul(hidden, in[3]) + in[4]};
}

Graph perceptron_traced() {
    std::vector<TensorType> types;
    for (const ir::Shape& shape : kShapes)
        types.push_back(type_of(shape));
    const std::vector<std::string> names(kNames.begin(), kNames.end());
    return *trace::trace("mlp", perceptron, types, names).graph;
}

/// The output of the program, or nothing where it fails.
std::optional<std::string> output_of(const std::string& command) {
    FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return std::nullopt;
    std::string text;
    std::array<char, 4096> part;
    for (std::size_t count; (count = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
        text.append(part.data(), count);
    return ::pclose(pipe) == 0 ? std::optional(text) : std::nullopt;
}

/// torch.fx's node names and operations, a line each, then its values; nothing where there is no torch.
std::optional<std::string> torch_says(const std::vector<Constant>& inputs) {
    std::ostringstream script;
    script << "import torch, torch.fx\n"
              "def mlp(x, w1, b1, w2, b2):\n"
              "    return torch.relu(x @ w1 + b1) @ w2 + b2\n"
              "graph = torch.fx.symbolic_trace(mlp)\n"
              "for node in graph.graph.nodes:\n"
              "    print(node.op, node.name, getattr(node.target, \"__name__\", node.target))\n"
              "print(*graph(";
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        script << "torch.tensor(" << text_of(inputs[i]) << ").reshape(";
        for (const std::int64_t extent : kShapes[i].dims())
            script << extent << ", ";
        script << "),";
    }
    script << ").flatten().tolist())";
    // The Python that the package is installed in, where that started this program.
    return output_of("\"${TILEMETER_PYTHON:-python3}\" -c '" + script.str() + "' 2>/dev/null");
}

std::string beside_torch() {
    const Graph hand = perceptron_by_hand(), traced = perceptron_traced();
    std::vector<Constant> inputs;
    for (std::size_t i = 0; i < kShapes.size(); ++i)
        inputs.push_back(numbers(kShapes[i], static_cast<std::uint32_t>(i)));
    const Constant by_hand = trace::evaluate(hand, inputs)[0];
    const Constant by_trace = trace::evaluate(traced, inputs)[0];
    std::ostringstream text;
    text << "built by hand\n" << ir::fx_table(hand, true) << "\ntraced\n" << ir::fx_table(traced, true);
    text << "\nthe same graph: " << (ir::equal(hand, traced, ir::Detail::kNames) ? "yes" : "no");
    text << "\nvalues by hand: " << text_of(by_hand) << "\nvalues traced:  " << text_of(by_trace) << '\n';
    const std::optional<std::string> torch = torch_says(inputs);
    if (!torch) {
        const char* const python = std::getenv("TILEMETER_PYTHON");
        text << "\ntorch.fx: " << (python != nullptr && *python != '\0' ? python : "python3")
             << " has no torch here\n";
        return text.str();
    }
    std::istringstream lines(*torch);
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);)
        rows.push_back(line);
    std::istringstream numbers(rows.back());
    rows.pop_back();
    text << "\ntorch.fx (it knows neither types nor shapes)\n";
    for (const std::string& row : rows)
        text << "  " << row << '\n';
    double largest = 0, value = 0;
    for (std::uint64_t i = 0; numbers >> value; ++i)
        largest = std::max(largest, std::fabs(value - by_trace.double_at(i)));
    text << "values of torch: " << torch->substr(torch->rfind('\n', torch->size() - 2) + 1)
         << "largest difference: " << largest << '\n';
    return text.str();
}

// ---- the verb

struct Phase {
    const char* title;
    std::string (*show)();
};

const std::array<Phase, 5> kPhases = {{
    {"data structures: a graph built by hand", data_structures},
    {"forward evaluation, in topological order", evaluation},
    {"backward pass: the gradient as a graph", backward},
    {"optimization passes: constant folding, then dead code", passes},
    {"the same network by hand, traced, and by torch.fx", beside_torch},
}};

struct PhasesOptions {
    std::int64_t only = 0;
    bool json = false;
};

void run_phases(const PhasesOptions& options) {
    Json phases = Json::array();
    std::string all;
    for (std::size_t i = 0; i < kPhases.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i) + 1;
        if ((options.only != 0 && options.only != number)) continue;
        const std::string text = kPhases[i].show();
        if (!all.empty()) all += '\n';
        all += "==== " + std::to_string(number) + ". " + kPhases[i].title + " ====\n" + text;
        phases.push_back({{"phase", number}, {"title", kPhases[i].title}, {"text", text}});
    }
    if (options.json) return print_answer("phases", Json{{"phases", phases}});
    print_text(all);
}

}  // namespace

command::Verb phases_verb() {
    auto options = std::make_shared<PhasesOptions>();
    return {.name = "phases",
            .documentation = "Computation graphs in five steps, on small examples",
            .parameters = {{"--only", &options->only, "this phase alone", {.range = command::Range{1, 5}}},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter phases --only 2",
            .run = [options] { run_phases(*options); }};
}

}  // namespace tilemeter::cli
