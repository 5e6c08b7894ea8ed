// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/emit.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/cut.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"

namespace tilemeter::cli {
namespace {

struct EmitOptions {
    std::string program, output = "-", function, board;
    std::optional<std::string> cut;
    bool python = false, cpp = false, json = false;
};

// "DIR" has the program, in its language's file; a name of such a file is that file.
std::string file_of(const std::string& output, bool is_cpp) {
    const std::string extension = is_cpp ? ".cpp" : ".py";
    if (output == "-" || output.ends_with(extension)) return output;
    std::error_code failed;
    std::filesystem::create_directories(output, failed);
    if (failed) throw cannot_be_written(output, failed.value());
    return (std::filesystem::path(output) / ("program" + extension)).string();
}

void run_emit(const EmitOptions& options) {
    if (options.cpp && options.python) throw Failure("emit: expected one of --python and --cpp, found both");
    foreign::CompiledProgram program = load_program(options.program);
    try {
        std::string function = options.function;
        Json cut;
        if (options.cut) {
            compiled::CutProgram smaller = compiled::cut(program, *options.cut == "any" ? "" : *options.cut,
                                                         {.board = options.board, .function = function});
            program = std::move(smaller.program);
            function = smaller.function;
            cut = {{"failure", smaller.failure},
                   {"operations", smaller.operation_count},
                   {"operations_kept", smaller.kept_count}};
            std::cerr << "cut to " << smaller.kept_count << " of " << smaller.operation_count
                      << " operations of function " << function
                      << ", which fails as before: " << smaller.failure << '\n';
        }
        const compiled::EmittedProgram made = options.cpp ? compiled::cpp_program(program, function)
                                                          : compiled::python_program(program, function);
        const std::string file = file_of(options.output, options.cpp);
        write_text(file, made.text);
        if (options.json)
            print_answer("emit", Json{{"file", file}, {"unknown_operations", made.unknown}, {"cut", cut}});
    } catch (const RuntimeError& error) {
        throw Failure(options.program + ": " + error.what());
    }
}

}  // namespace

command::Verb emit_verb() {
    auto options = std::make_shared<EmitOptions>();
    return {
        .name = "emit",
        .documentation = "A compiled program as Python or C++ code of TT-NN, to run, edit and cut down",
        .parameters =
            {{"program",
              &options->program,
              "a module or a dump, or - for standard input",
              {.required = true}},
             {"--python", &options->python, "as Python; the default"},
             {"--cpp", &options->cpp, "as C++, which `tilemeter run-cpp` and TT-NN build"},
             {"--output,-o",
              &options->output,
              "the file (.py, .cpp), a folder for program.py or program.cpp, or - for standard output",
              {.shows_default = true}},
             {"--cut", &options->cut,
              "the smallest program that fails as this one does: part of the failure's operation, place or message, or any"},
             {"--board", &options->board, "where --cut plans; default: the program's own"},
             {"--function", &options->function, "which to write; default: the first that no other calls"},
             {"--json", &options->json, "say what was written, machine-readable", {.needs = {"--output"}}}},
        .example = "tilemeter emit model.mlir -o program.py",
        .run = [options] { run_emit(*options); }};
}

}  // namespace tilemeter::cli
