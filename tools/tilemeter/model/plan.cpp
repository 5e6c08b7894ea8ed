// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/plan.hpp"

#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/foreign/load.hpp"
#include "report/report_writer.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"

namespace tilemeter::cli {
namespace {

struct ProgramOptions {
    std::string program, output, board, function;
    bool json = false;
};

Json counts(const std::map<std::string, std::size_t>& of) {
    Json json = Json::object();
    for (const auto& [name, count] : of)
        json[name] = count;
    return json;
}

Json dram(const std::optional<compiled::DramUse>& use) {
    if (!use) return nullptr;
    return {{"bytes_in_use", use->in_use},
            {"bytes_kept_by_programs", use->kept_by_programs},
            {"largest_free_block_bytes", use->largest_free_block}};
}

void print_plan(const compiled::Plan& plan, const std::string& name, const std::string& output) {
    std::cout << name << ": function " << plan.function << " on " << plan.board << ", "
              << grouped(plan.operation_count) << " operations\n";
    if (plan.refusal.empty()) {
        std::cout << "planned to its end\n";
    } else {
        std::cout << "refused: " << plan.refused_operation;
        if (!plan.refused_place.empty()) std::cout << " at " << plan.refused_place;
        std::cout << ": " << plan.refusal << '\n';
    }
    if (plan.dram) {
        std::cout << "DRAM at the end: " << grouped(plan.dram->in_use) << " B in use";
        if (plan.dram->kept_by_programs > 0)
            std::cout << " (" << grouped(plan.dram->kept_by_programs)
                      << " B of tables that cached programs keep)";
        std::cout << ", largest free block " << grouped(plan.dram->largest_free_block) << " B\n";
        if (plan.dram_in_plugin && *plan.dram_in_plugin != *plan.dram)
            std::cout << "under the runtime of JAX's plugin: " << grouped(plan.dram_in_plugin->in_use)
                      << " B in use, largest free block " << grouped(plan.dram_in_plugin->largest_free_block)
                      << " B\n";
    }
    for (const auto& [operation, count] : plan.unknown)
        std::cout << "at least: " << count << " x " << operation
                  << " has no plan, its results lie as the program says\n";
    for (const auto& [attribute, count] : plan.left_out)
        std::cout << "at least: " << count << " x " << attribute << " is not known\n";
    if (!output.empty()) std::cout << "report: " << output << '\n';
}

void run_plan(const ProgramOptions& options) {
    const foreign::CompiledProgram program = load_program(options.program);
    if (!options.output.empty()) check_output(options.output);
    const std::string name = program.name.empty() ? options.program : program.name;
    try {
        const compiled::Plan plan =
            compiled::plan(program, {.board = options.board, .function = options.function});
        if (!options.output.empty())
            if (const auto written = report::write_report(plan.graph, options.output); !written)
                throw failure_of(written.error());
        if (!options.json) return print_plan(plan, name, options.output);
        Json answer = {{"program", name},
                       {"function", plan.function},
                       {"board", plan.board},
                       {"operations", plan.operation_count},
                       {"refused", nullptr},
                       {"unknown_operations", counts(plan.unknown)},
                       {"unknown_attributes", counts(plan.left_out)}};
        if (!plan.refusal.empty())
            answer["refused"] = {{"operation", plan.refused_operation},
                                 {"place", plan.refused_place},
                                 {"message", plan.refusal}};
        answer["dram"] = dram(plan.dram);
        answer["dram_in_plugin"] = dram(plan.dram_in_plugin);
        print_answer("plan", answer);
    } catch (const RuntimeError& error) {
        throw Failure(options.program + ": " + error.what());
    }
}

}  // namespace

foreign::CompiledProgram load_program(const std::string& path) {
    auto program = foreign::load_compiled_program(path);
    if (!program) throw failure_of(program.error());
    if (path != "-") note_input(path);
    return std::move(program).value();
}

report::Result<std::string> planned_report(const std::filesystem::path& path) {
    auto program = foreign::load_compiled_program(path);
    if (!program) return program.error();
    try {
        return report::report_text(compiled::plan(program.value()).graph);
    } catch (const RuntimeError& error) {
        return report::Error{.file = path.string(),
                             .position = {},
                             .expected = "a program that can be planned",
                             .found = error.what()};
    }
}

command::Verb plan_verb() {
    auto options = std::make_shared<ProgramOptions>();
    return {
        .name = "plan",
        .documentation =
            "Plans a compiled program (the TTNN dialect's text): what it takes, and where it would be refused",
        .parameters = {{"program",
                        &options->program,
                        "a module or a dump, or - for standard input",
                        {.required = true}},
                       {"--output,-o", &options->output, "the report of the plan is written there"},
                       {"--board", &options->board,
                        "n150, n300, p100, p150, ... or a description file; default: the program's own"},
                       {"--function", &options->function,
                        "which to plan; default: the first that no other calls"},
                       {"--json", &options->json, "machine-readable"}},
        .example = "tilemeter plan model.mlir -o plan.json",
        .run = [options] { run_plan(*options); }};
}

}  // namespace tilemeter::cli
