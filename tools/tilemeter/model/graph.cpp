// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "capture/ir/error.hpp"
#include "capture/ir/file.hpp"
#include "capture/ir/fx_table.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/tripy_text.hpp"
#include "report/render/graph_page.hpp"
#include "report/render/graph_picture.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/calls/simplify.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/model/graph_file.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"

namespace tilemeter::cli {

ir::Graph load_graph(const std::string& path) {
    if (path == "-") return ir::load("/dev/stdin");
    note_input(path);
    return ir::load(path);
}

namespace {

struct GraphOptions {
    std::string graph, form = "text", output = "-";
    bool lower = false, passes = false, json = false;
};

std::string name_of(const GraphOptions& options) {
    return options.graph == "-" ? "standard input" : std::filesystem::path(options.graph).filename().string();
}

/// `name`: of the file, a page's title.
std::string text_of(const ir::Graph& graph, const std::string& form, const std::string& name) {
    if (form == "table") return ir::fx_table(graph, true);
    if (form == "trace") return ir::tripy_trace_ir(graph);
    if (form == "flat") return ir::tripy_flat_ir(trace::lower(graph));
    if (form == "html") return analysis::graph_page(graph, name);
    if (form == "svg") return analysis::graph_picture(graph, name);
    if (form == "stablehlo") return trace::to_stablehlo(trace::lower(graph));
    return ir::print(graph);
}

void add_counts(const ir::Graph& graph, std::map<std::string, std::uint64_t>& counts) {
    for (const ir::Equation equation : graph.equations()) {
        ++counts[std::string(equation.operation())];
        for (const ir::Subgraph& each : equation.subgraphs())
            add_counts(*each.graph, counts);
    }
}

Json json_of(const ir::Graph& graph, const GraphOptions& options) {
    std::map<std::string, std::uint64_t> counts;
    add_counts(graph, counts);
    Json operations = Json::object();
    for (const auto& [name, count] : counts)
        operations[name] = count;
    return {{"name", std::string(graph.name())},
            {"parameter_count", graph.params().size()},
            {"result_count", graph.results().size()},
            {"equation_count", ir::count_equations(graph)},
            {"operations", operations},
            {"text", text_of(graph, options.form, name_of(options))}};
}

/// The changes of the passes: those that changed nothing are left out.
std::vector<ir::PassStep> changes(std::vector<ir::PassStep> steps) {
    std::erase_if(steps, [](const ir::PassStep& each) { return each.changed == 0; });
    return steps;
}

std::string before_and_after(const ir::Graph& before, const ir::Graph& after,
                             const std::vector<ir::PassStep>& steps, const std::string& form) {
    std::ostringstream text;
    text << "before: " << ir::count_equations(before) << " equations\n" << text_of(before, form, "") << '\n';
    for (const ir::PassStep& each : steps)
        text << each.name << ": " << each.before << " -> " << each.after << " equations, " << each.changed
             << " changed\n";
    text << "\nafter: " << ir::count_equations(after) << " equations\n" << text_of(after, form, "");
    return text.str();
}

/// Documents as they are, what people read in lines that fit.
void write(const GraphOptions& options, const std::string& text) {
    const bool is_document = options.form == "html" || options.form == "svg";
    if (options.output == "-" && !is_document) return print_text(text);
    write_text(options.output, text);
}

void print_json(const GraphOptions& options, const Json& answer) {
    if (options.output == "-") return print_answer("graph", answer);
    write_text(options.output, answer_text("graph", answer));
}

void answer(const GraphOptions& options, ir::Graph graph) {
    if (options.lower) graph = trace::lower(graph);
    if (options.passes && (options.form == "html" || options.form == "svg"))
        throw Failure("graph: --as " + options.form + " shows one graph: without --passes", kWrongUsage);
    if (!options.passes) {
        if (options.json) return print_json(options, json_of(graph, options));
        return write(options, text_of(graph, options.form, name_of(options)));
    }
    std::vector<ir::PassStep> steps;
    const ir::Graph simple = trace::simplify(graph, &steps);
    steps = changes(std::move(steps));
    if (!options.json) return write(options, before_and_after(graph, simple, steps, options.form));
    Json answer = json_of(graph, options), passes = Json::array();
    for (const ir::PassStep& each : steps)
        passes.push_back({{"name", each.name},
                          {"equation_count_before", each.before},
                          {"equation_count_after", each.after},
                          {"changed", each.changed}});
    answer["passes"] = passes;
    answer["after"] = json_of(simple, options);
    print_json(options, answer);
}

void run_graph(const GraphOptions& options) {
    const ir::Graph graph = load_graph(options.graph);
    try {
        answer(options, graph);
    } catch (const ir::Error& error) {
        throw Failure((options.graph == "-" ? "standard input" : options.graph) + ": " + error.what());
    }
}

}  // namespace

command::Verb graph_verb() {
    auto options = std::make_shared<GraphOptions>();
    return {.name = "graph",
            .documentation = "A traced function's graph: printed, as others print it, exported, simplified",
            .parameters =
                {{"graph", &options->graph, "a graph's file, or - for standard input", {.required = true}},
                 {"--as",
                  &options->form,
                  "text; table: rows as torch.fx prints them, with types; trace, flat: Tripy's "
                  "Trace IR and Flat IR; stablehlo: a module; html: a page; svg: a picture",
                  {.shows_default = true,
                   .one_of = {"text", "table", "trace", "flat", "stablehlo", "html", "svg"}}},
                 {"--lower", &options->lower, "calls as flat primitives first"},
                 {"--passes", &options->passes, "before and after the passes, and what each of them changed"},
                 {"-o,--output", &options->output, "file to write (default: standard output)"},
                 {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter graph function.json --as stablehlo",
            .run = [options] { run_graph(*options); }};
}

}  // namespace tilemeter::cli
