// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Texts in columns of equal width, cut and wrapped between words. A word ends at a blank or a sign, and within a name at a
// capital: ttnn . transformer . scaled _ dot _ product, Binary Ng Device Operation. Numbers stay whole: 1,179,648.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilemeter::report {

/// Columns of a UTF-8 text on a terminal: wide characters take two, those that combine with the one before none, and
/// so do the codes of colours.
std::size_t columns_of(std::string_view text);

/// The text itself where it fits into `columns`, else its begin up to the end of a word and an ellipsis; the ellipsis alone
/// where not even the first word fits.
std::string with_end_cut(std::string_view text, std::size_t columns);
/// The same for a path of operations, whose end says most: an ellipsis and its end from the begin of a word.
std::string with_begin_cut(std::string_view text, std::size_t columns);

/// The text in lines of at most `columns` columns, broken at blanks; within a word that is wider than a line where that has
/// an end, as above, and where it has none by force. `columns` is at least 1. Blanks at the ends of lines are dropped.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace tilemeter::report
