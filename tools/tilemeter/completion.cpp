// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/command/completion.hpp"

#include <iostream>
#include <memory>

#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

command::Verb completion_verb(const command::VerbProgram& program) {
    struct Options {
        std::string kind;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    return {.name = "completion",
            .documentation = "Completion for a shell, or the page of the manual: as text to install",
            .parameters = {{"for",
                            &options->kind,
                            "bash, zsh, fish or man",
                            {.required = true, .one_of = {"bash", "zsh", "fish", "man"}}},
                           {"--json", &options->json, "the text, machine-readable"}},
            .example = "tilemeter completion bash > tilemeter.bash",
            .run = [options, program] {
                const std::string text = options->kind == "bash"   ? command::bash_completion(program)
                                         : options->kind == "zsh"  ? command::zsh_completion(program)
                                         : options->kind == "fish" ? command::fish_completion(program)
                                                                   : command::manual_page(program);
                if (options->json)
                    print_answer("completion", Json{{"for", options->kind}, {"text", text}});
                else
                    std::cout << text;
            }};
}

}  // namespace tilemeter::cli
