// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/checks.hpp"

#include <fstream>
#include <ostream>
#include <stdexcept>
#include <vector>

#include <unistd.h>

#include "capture/ir/file.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/arrays/lazy.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tools/trace_check/comparison.hpp"
#include "tools/trace_check/derivatives.hpp"
#include "tools/trace_check/functions.hpp"
#include "tools/trace_check/placed.hpp"
#include "tools/trace_check/random_numbers.hpp"
#include "tools/trace_check/recomputation.hpp"
#include "tools/trace_check/shapes.hpp"

namespace tilemeter::trace_check {

namespace {

using ir::Constant;
using ir::Graph;
using nlohmann::json;

constexpr std::size_t kMostFailuresShown = 20;

class Checker {
public:
    Checker(const Options& options, Tally& tally) : options_(options), tally_(tally) {}

    void function(const json& function) {
        if (wants("value")) guarded("value", function, [&] { return value(function); });
        if (wants("trace")) guarded("trace", function, [&] { return traced(function); });
        for (const auto& [kind, check] : derivative_checks())
            if (wants(kind)) derivative(kind, function, check);
        if (!options_.stablehlo.empty()) guarded("stablehlo", function, [&] { return module(function); });
        if (wants("text")) guarded("text", function, [&] { return text(function); });
        if (options_.on != nullptr) guarded("placed", function, [&] { return placed(function); });
    }

    void pass(const json& each) {
        if (wants("passes")) guarded("passes", each, [&] { return counts(each); });
    }

    void random_case(const std::string& kind, const std::string& name, const RandomCase& check) {
        if (wants(kind)) guarded(kind, name, check);
    }

private:
    [[nodiscard]] bool wants(const std::string& kind) const {
        return options_.only.empty() || options_.only.contains(kind);
    }

    void derivative(const std::string& kind, const json& function, const DerivativeCheck& check) {
        if (check.is_recorded(function))
            guarded(kind, function, [&] { return check.difference(function, options_.precision); });
    }

    template <class Check>
    void guarded(const std::string& kind, const json& function, Check&& check) {
        guarded(kind, function.at("name").get<std::string>(), std::forward<Check>(check));
    }

    // Counts what the check says; it returns why the case failed, or nothing.
    template <class Check>
    void guarded(const std::string& kind, const std::string& name, Check&& check) {
        try {
            const std::string why = check();
            why.empty() ? tally_.passed(kind) : tally_.failed(kind, name, why);
        } catch (const CannotBePlaced& refused) {
            tally_.cannot_be_placed(kind, refused.operations);
        } catch (const std::exception& error) {
            tally_.failed(kind, name, error.what());
        }
    }

    std::string value(const json& function) {
        const Graph graph = graph_of(function.at("graph"), options_.precision);
        if (const auto error = ir::verify(graph, trace::call_operations())) return error->what();
        const auto inputs = arrays_of(function.at("inputs"), options_.precision);
        const auto outputs = arrays_of(function.at("outputs"), options_.precision);
        const double tolerance = tolerance_of(function, "value", options_.precision);
        if (auto why = difference(trace::evaluate(graph, inputs), outputs, tolerance); !why.empty())
            return why;
        const Graph lowered = trace::lower(graph);
        if (const auto error = ir::verify(lowered, trace::flat_operations())) return error->what();
        for (const Graph& same : {trace::simplify(graph), trace::simplify(lowered)}) {
            if (const auto error = ir::verify(same, trace::operations_for(same))) return error->what();
            if (auto why = difference(trace::evaluate(same, inputs), outputs, tolerance); !why.empty())
                return "simplified: " + why;
        }
        return {};
    }

    // The function written in arrays: traced, and pending until its values are asked for.
    std::string traced(const json& function) {
        const trace::Function f = function_of(function.at("graph"), options_.precision);
        const auto inputs = arrays_of(function.at("inputs"), options_.precision);
        const auto outputs = arrays_of(function.at("outputs"), options_.precision);
        const double tolerance = tolerance_of(function, "value", options_.precision);
        std::vector<ir::TensorType> types;
        std::vector<trace::Array> arguments;
        for (const Constant& input : inputs) {
            types.push_back(input.type());
            arguments.emplace_back(input);
        }
        const trace::TracedGraph traced = trace::trace("main", f, types);
        if (const auto error = ir::verify(*traced.graph, trace::call_operations())) return error->what();
        if (auto why = difference(trace::evaluate(*traced.graph, inputs), outputs, tolerance); !why.empty())
            return why;
        const std::vector<trace::Array> pending = f(arguments);
        trace::eval(pending);
        std::vector<Constant> values;
        for (const trace::Array& each : pending)
            values.push_back(each.value());
        if (auto why = difference(values, outputs, tolerance); !why.empty()) return "pending: " + why;
        const trace::TracedGraph concrete = trace::trace_concrete("main", f, inputs);
        if (auto why = difference(concrete.values, outputs, tolerance); !why.empty())
            return "concrete: " + why;
        return {};
    }

    // In float32, whatever the host computes in.
    std::string placed(const json& function) {
        const Precision precision{ir::ElementType::kF32};
        const auto inputs = arrays_of(function.at("inputs"), precision);
        return difference(placed_values(graph_of(function.at("graph"), precision), inputs, options_.on),
                          arrays_of(function.at("outputs"), precision),
                          tolerance_of(function, "value", precision));
    }

    std::string text(const json& function) {
        const Graph graph = graph_of(function.at("graph"), options_.precision);
        for (const Graph& each : {graph, trace::lower(graph)}) {
            if (!equal(ir::parse(ir::print(each)), each)) return "found another graph in its text";
            const auto path = std::filesystem::temp_directory_path() /
                              ("trace_check." + std::to_string(getpid()) + ".graph");
            ir::save(each, path);
            const Graph loaded = ir::load(path);
            std::filesystem::remove(path);
            if (!equal(loaded, each)) return "found another graph in its file";
        }
        return {};
    }

    std::string module(const json& function) {
        std::filesystem::create_directories(options_.stablehlo);
        const auto name = function.at("name").get<std::string>();
        const Graph graph = graph_of(function.at("graph"), options_.precision);
        if (auto why = write_module(name, graph); !why.empty()) return why;
        if (!function.value("vjp", json::object()).contains("in_cotangents")) return {};
        return write_module("vjp_" + name, cotangents_of(graph));
    }

    std::string write_module(const std::string& name, const Graph& graph) {
        const auto path = options_.stablehlo / (name + ".mlir");
        std::ofstream file(path);
        file << trace::to_stablehlo(graph);
        file.close();
        return file ? std::string() : path.string() + ": can't be written";
    }

    // The equations that a pass leaves; what folding and identities make useless goes as well.
    std::string counts(const json& each) {
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < each.at("results_used").size(); ++i)
            if (each.at("results_used")[i].get<bool>()) used.push_back(i);
        const Graph graph = with_results(graph_of(each.at("graph"), options_.precision), used);
        const ir::OperationSet& set = trace::call_operations();
        if (const auto error = ir::verify(graph, set)) return error->what();
        for (const auto& [pass, expected] : each.at("expect").items()) {
            const auto left = left_by(pass, graph);
            if (pass == "fold_max" ? left > expected.get<std::uint64_t>()
                                   : left != expected.get<std::uint64_t>())
                return pass + ": found " + std::to_string(left) + " equations, expected " + expected.dump();
        }
        return {};
    }

    static std::uint64_t left_by(const std::string& pass, const Graph& graph) {
        const ir::OperationSet& set = trace::call_operations();
        if (pass == "dce") return remove_dead_code(graph, set).after;
        if (pass == "cse") return merge_common_subexpressions(graph, set).after;
        if (pass == "fold" || pass == "fold_max")
            return remove_dead_code(trace::fold(graph).graph, set).after;
        if (pass == "simplify") return remove_dead_code(trace::simplify_identities(graph).graph, set).after;
        throw std::runtime_error("found pass '" + pass + "', expected dce, cse, fold or simplify");
    }

    const Options& options_;
    Tally& tally_;
};

}  // namespace

void Tally::failed(const std::string& kind, const std::string& name, const std::string& why) {
    if (++counts_[kind].failed <= kMostFailuresShown)
        *out_ << "FAIL " << kind << ' ' << name << ": " << why << '\n';
}

void Tally::cannot_be_placed(const std::string& kind, const std::vector<std::string>& operations) {
    ++counts_[kind].not_placed;
    for (const std::string& operation : operations)
        ++not_placed_[operation];
}

bool Tally::finish() const {
    std::size_t passed = 0;
    std::size_t failed = 0;
    bool too_many = false;
    for (const auto& [kind, count] : counts_) {
        *out_ << kind << ": " << count.passed << " of " << count.passed + count.failed + count.not_placed;
        if (count.not_placed != 0) *out_ << ", " << count.not_placed << " cannot be placed";
        *out_ << '\n';
        passed += count.passed;
        failed += count.failed;
        too_many = too_many || 5 * count.not_placed > count.passed + count.failed + count.not_placed;
    }
    for (const auto& [operation, count] : not_placed_)
        *out_ << "cannot be placed: " << operation << " (" << count << ")\n";
    *out_ << passed << " passed, " << failed << " failed\n";
    return failed == 0 && passed > 0 && !too_many;
}

void check_file(const json& file, const Options& options, Tally& tally) {
    Checker checker(options, tally);
    if (file.is_object() && file.contains("functions")) {
        for (const json& each : file.at("functions"))
            checker.function(each);
        return;
    }
    if (file.is_object() && file.contains("cases") && !file.at("cases").empty() &&
        file.at("cases")[0].contains("results_used")) {
        for (const json& each : file.at("cases"))
            checker.pass(each);
        return;
    }
    if (has_random_numbers(file)) {
        random_cases(file, [&](const std::string& kind, const std::string& name, const RandomCase& check) {
            checker.random_case(kind, name, check);
        });
        return;
    }
    if (has_recomputation(file)) {
        recomputation_cases(file, [&](const std::string& kind, const std::string& name,
                                      const RandomCase& check) { checker.random_case(kind, name, check); });
        return;
    }
    if (has_shapes(file)) {
        shape_cases(file, [&](const std::string& kind, const std::string& name, const RandomCase& check) {
            checker.random_case(kind, name, check);
        });
        return;
    }
    throw std::runtime_error(
        "found neither functions nor passes nor random numbers, recomputation or shapes, expected a file of recorded cases");
}

}  // namespace tilemeter::trace_check
