// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs of the TTNN dialect, in MLIR's text. A dump of several stages gives the last one that has TTNN operations.

#pragma once

#include <memory>
#include <string>

#include "report/foreign/compiled_program.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign {

/// `file` is for messages: they name its line, what was expected there and what was found.
report::Result<CompiledProgram> read_mlir_program(const std::string& file,
                                                  std::shared_ptr<const std::string> text);

}  // namespace tilemeter::foreign
