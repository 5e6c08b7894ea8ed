// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Files that hold a compiled program, whatever their form.
//
// Thread safety: calls are free.

#pragma once

#include <filesystem>
#include <string_view>

#include "report/foreign/compiled_program.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign {

/// As far into a file as is looked for a sign of a program.
inline constexpr std::size_t kHeadSize = std::size_t{1} << 20;

/// Whether a file that begins so is one: a text with operations of the TTNN dialect, which may stand in a log. A report never
/// is, nor an archive.
bool is_compiled_program(std::string_view head);
/// The same of a regular file; false of what cannot be read.
bool is_compiled_program(const std::filesystem::path& path);

/// "-": standard input.
report::Result<CompiledProgram> load_compiled_program(const std::filesystem::path& path);

}  // namespace tilemeter::foreign
