// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/emit.hpp"

#include <memory>
#include <string>

#include "runtime/types/runtime_error.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"

namespace tilemeter::cli {
namespace {

struct EmitOptions {
    std::string program, output = "-", function;
    bool json = false;
};

void run_emit(const EmitOptions& options) {
    const foreign::CompiledProgram program = load_program(options.program);
    try {
        const compiled::PythonProgram made = compiled::python_program(program, options.function);
        write_text(options.output, made.text);
        if (options.json)
            print_answer("emit", Json{{"file", options.output}, {"unknown_operations", made.unknown}});
    } catch (const RuntimeError& error) {
        throw Failure(options.program + ": " + error.what());
    }
}

}  // namespace

command::Verb emit_verb() {
    auto options = std::make_shared<EmitOptions>();
    return {
        .name = "emit",
        .documentation = "A compiled program as Python code of TT-NN, to run, edit and cut down",
        .parameters =
            {{"program",
              &options->program,
              "a module or a dump, or - for standard input",
              {.required = true}},
             {"--output,-o", &options->output, "the file, or - for standard output", {.shows_default = true}},
             {"--function", &options->function, "which to write; default: the first that no other calls"},
             {"--json", &options->json, "say what was written, machine-readable", {.needs = {"--output"}}}},
        .example = "tilemeter emit model.mlir -o program.py",
        .run = [options] { run_emit(*options); }};
}

}  // namespace tilemeter::cli
