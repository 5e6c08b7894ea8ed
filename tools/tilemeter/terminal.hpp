// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Lines that fit who reads them: a terminal has a width, a pipe takes all.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tilemeter::cli {

/// Columns of the terminal on standard output; no limit (SIZE_MAX) where that is none, or doesn't say.
std::size_t line_width();

/// Characters of a UTF-8 text, which take a column each.
std::size_t columns_of(std::string_view text);

/// The text itself where it fits into `columns`, else its begin and an ellipsis.
std::string with_end_cut(std::string_view text, std::size_t columns);
/// The same for a path of operations, whose end says most: an ellipsis and its end.
std::string with_begin_cut(std::string_view text, std::size_t columns);

/// In `columns` columns, at the right end of them; longer texts are left as they are.
std::string right_aligned(std::string_view text, std::size_t columns);

}  // namespace tilemeter::cli
