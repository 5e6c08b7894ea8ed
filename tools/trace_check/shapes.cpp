// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/shapes.hpp"

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "capture/ir/decide.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/sizes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tools/trace_check/comparison.hpp"
#include "tools/trace_check/functions.hpp"

namespace tilemeter::trace_check {

namespace {

using ir::Graph;
using nlohmann::json;

constexpr Precision kPrecision{};

ir::ConstraintsPtr constraints_of(const json& texts) {
    if (texts.empty()) return nullptr;
    auto constraints = std::make_shared<ir::Constraints>();
    for (const json& each : texts)
        constraints->push_back(ir::Constraint::parse(each.get<std::string>()));
    return constraints;
}

ir::GraphPtr traced(const json& graph, const ir::ConstraintsPtr& constraints) {
    std::vector<ir::TensorType> types;
    std::vector<std::string> names;
    for (const json& param : graph.at("params")) {
        types.push_back(type_of(param, kPrecision));
        names.push_back(param.at("name"));
    }
    return trace::trace_sizes("main", function_of(graph, kPrecision), types, constraints, names).graph;
}

ir::Sizes sizes_in(const json& at) {
    ir::Sizes sizes;
    for (const auto& [name, size] : at.items())
        sizes[name] = size.get<std::int64_t>();
    return sizes;
}

// Numbers in the place of expressions, in shapes and in the attributes that hold dimensions.
void put_sizes(json& graph, const ir::Sizes& sizes) {
    const auto put = [&](json& dimension) {
        if (dimension.is_string()) dimension = ir::Dim::parse(dimension.get<std::string>()).at(sizes);
    };
    for (json& param : graph.at("params"))
        for (json& dimension : param.at("shape"))
            put(dimension);
    for (json& equation : graph.at("eqns")) {
        if (equation.contains("attrs"))
            for (const char* const name :
                 {"shape", "starts", "limits", "strides", "low", "high", "n", "length", "sizes", "depth"})
                if (equation.at("attrs").contains(name)) {
                    json& value = equation.at("attrs").at(name);
                    if (!value.is_array()) put(value);
                    if (value.is_array())
                        for (json& dimension : value)
                            put(dimension);
                }
        if (!equation.contains("subgraphs")) continue;
        for (auto& [name, held] : equation.at("subgraphs").items()) {
            if (!held.is_array()) put_sizes(held, sizes);
            if (held.is_array())
                for (json& branch : held)
                    put_sizes(branch, sizes);
        }
    }
}

std::vector<ir::Constant> some_inputs(const Graph& graph) {
    std::mt19937 random(1);
    std::vector<ir::Constant> inputs;
    for (const ir::ValueId param : graph.params()) {
        const ir::TensorType& type = graph.type(param);
        const auto count = static_cast<std::size_t>(type.shape.elements());
        if (ir::is_float(type.element)) {
            std::vector<double> values;
            for (std::size_t i = 0; i < count; ++i)
                values.push_back(static_cast<double>(random() % 256) / 64);
            inputs.push_back(ir::Constant::of(type.element, type.shape, std::span<const double>(values)));
            continue;
        }
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(random() % 2);
        inputs.push_back(ir::Constant::of(type.element, type.shape, std::span<const std::int64_t>(values)));
    }
    return inputs;
}

// The graph at sizes, against the recorded shapes and against the same function of plain sizes.
std::string difference_at(const Graph& graph, const json& recorded, const json& checked) {
    const ir::Sizes sizes = sizes_in(checked.at("at"));
    const std::string where = "at " + checked.at("at").dump() + ": ";
    std::vector<ir::Shape> shapes;
    for (const json& each : checked.at("inputs"))
        shapes.emplace_back(each.get<std::vector<std::int64_t>>());
    if (ir::sizes_of(graph, shapes) != sizes) return where + "found other sizes from the inputs' shapes";
    const Graph sized = at(graph, sizes);
    if (const auto error = ir::verify(sized, trace::operations_for(sized))) return where + error->what();
    const json& outputs = checked.at("outputs");
    if (outputs.size() != sized.results().size())
        return where + "found " + std::to_string(sized.results().size()) + " results";
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const ir::Shape& found = sized.type(sized.results()[i]).shape;
        if (found != ir::Shape(outputs[i].get<std::vector<std::int64_t>>()))
            return where + "result " + std::to_string(i) + ": found " +
                   text_of(sized.type(sized.results()[i])) + ", expected " + outputs[i].dump();
    }
    json plain = recorded;
    put_sizes(plain, sizes);
    const auto inputs = some_inputs(sized);
    const auto why =
        difference(trace::evaluate(sized, inputs), trace::evaluate(*traced(plain, nullptr), inputs), 1e-12);
    return why.empty() ? why : where + "against plain sizes: " + why;
}

std::string accepted(const json& each) {
    const ir::ConstraintsPtr constraints = constraints_of(each.at("constraints"));
    const json& recorded = each.at("graph");
    const ir::GraphPtr graph = traced(recorded, constraints);
    const Graph lowered = trace::lower(*graph);
    for (const Graph* const form : {graph.get(), &lowered}) {
        if (const auto error = ir::verify(*form, trace::operations_for(*form))) return error->what();
        if (!equal(ir::parse(ir::print(*form)), *form)) return "found another graph in its text";
        for (const json& checked : each.at("checked"))
            if (auto why = difference_at(*form, recorded, checked); !why.empty()) return why;
    }
    for (std::size_t i = 0; i < each.at("outputs").size(); ++i) {
        const ir::TensorType& found = graph->type(graph->results()[i]);
        const ir::Shape expected = shape_of(each.at("outputs")[i]);
        bool is_same = found.shape.rank() == expected.rank();
        for (std::size_t k = 0; is_same && k < expected.rank(); ++k)
            is_same = ir::is_equal(found.shape[k], expected[k], constraints.get());
        if (!is_same) return "found " + text_of(found) + ", expected " + each.at("outputs")[i].dump();
    }
    return {};
}

// True for a function that may be accepted all the same: the recording says that it is right, or Python's slicing makes
// it so.
bool may_be_accepted(const json& each) {
    return each.at("why").get<std::string>().starts_with("legal in truth");
}

std::string rejected(const json& each) {
    try {
        const ir::GraphPtr graph = traced(each.at("graph"), constraints_of(each.at("constraints")));
        if (may_be_accepted(each)) return {};
        std::string results;
        for (const ir::ValueId result : graph->results())
            results += " " + text_of(graph->type(result));
        return "found" + results + ", expected an error: " + each.at("why").get<std::string>();
    } catch (const ir::Error&) {
        return {};
    } catch (const trace::TraceError&) {
        return {};
    }
}

std::string called(const json& each) {
    std::vector<ir::TensorType> types;
    for (const json& param : each.at("params"))
        types.push_back({kPrecision.element, ir::parse_shape(param.get<std::string>()), {}});
    const auto graph = trace::trace_sizes(
        "main",
        [](std::span<const trace::Array> arguments) {
            return std::vector<trace::Array>(arguments.begin(), arguments.end());
        },
        types, constraints_of(each.at("constraints")));
    std::vector<ir::Shape> shapes;
    for (const json& shape : each.at("argument_shapes"))
        shapes.emplace_back(shape.get<std::vector<std::int64_t>>());
    std::optional<std::string> refused;
    try {
        const Graph sized = at(*graph.graph, ir::sizes_of(*graph.graph, shapes));
        for (std::size_t i = 0; i < shapes.size(); ++i)
            if (sized.type(sized.params()[i]).shape != shapes[i]) return "found another shape";
    } catch (const ir::Error& error) {
        refused = error.what();
    }
    if (each.at("accept").get<bool>() == !refused.has_value()) return {};
    return refused ? "refused: " + *refused : "found no error, expected one";
}

}  // namespace

bool has_shapes(const json& file) {
    return file.is_object() && (file.contains("accept") || file.contains("reject") || file.contains("calls"));
}

void shape_cases(
    const json& file,
    const std::function<void(const std::string&, const std::string&, const ShapeCase&)>& report) {
    for (const auto& [kind, check] :
         {std::pair<const char*, std::string (*)(const json&)>{"accept", accepted},
          {"reject", rejected},
          {"calls", called}})
        for (const json& each : file.value(kind, json::array()))
            report(kind, each.at("name"), [&, run = check] { return run(each); });
}

}  // namespace tilemeter::trace_check
