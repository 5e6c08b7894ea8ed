// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Files that hold a compiled program, whatever their form.
//
// Thread safety: calls are free.

#pragma once

#include <cstddef>
#include <filesystem>

#include "report/foreign/compiled_program.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign {

/// As far into a file as is looked for a sign of a program.
inline constexpr std::size_t kHeadSize = std::size_t{1} << 20;

/// Whether a regular file is one: a text with operations of the TTNN dialect, which may stand in a log. A report never is, nor
/// an archive, nor what cannot be read.
bool is_compiled_program(const std::filesystem::path& path);

/// "-": standard input.
report::Result<CompiledProgram> load_compiled_program(const std::filesystem::path& path);

}  // namespace tilemeter::foreign
