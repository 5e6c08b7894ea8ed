// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Compiled programs in binary form: tt-mlir's flatbuffer (.ttnn), and the container "TTSERv00" that plugins keep executables in,
// with a module's texts and a flatbuffer. Both hold the module as text; of a flatbuffer that does not a module is made, of the texts
// of its operations or, without those, of the tensors that they take and give.
//
// Thread safety: calls are free.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "report/foreign/compiled_program.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign {

/// As its first bytes tell; a container may stand behind what a framework keeps with it.
bool is_binary_program(std::string_view head);

/// `file` is for messages: they name its byte, what was expected there and what was found.
report::Result<CompiledProgram> read_binary_program(const std::string& file, std::string_view bytes);

}  // namespace tilemeter::foreign
