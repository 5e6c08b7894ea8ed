// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Completion for shells, and a page of the manual, made of the verbs' own tables.

#pragma once

#include <string>

#include "tools/command/arguments.hpp"

namespace tilemeter::command {

/// For bash: `source <(PROGRAM completion bash)`.
std::string bash_completion(const VerbProgram& program);
/// For zsh, as a file `_PROGRAM` on $fpath.
std::string zsh_completion(const VerbProgram& program);
/// For fish, as a file `PROGRAM.fish` in ~/.config/fish/completions.
std::string fish_completion(const VerbProgram& program);
/// In roff, section 1.
std::string manual_page(const VerbProgram& program);

}  // namespace tilemeter::command
