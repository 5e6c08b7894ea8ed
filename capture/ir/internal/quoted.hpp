// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Texts in the text form of a graph: names as they are, all else between quotes.

#pragma once

#include <string>
#include <string_view>

namespace tilemeter::ir::internal {

/// True if `text` stands without quotes: a letter or underscore, then letters, digits and underscores.
bool is_identifier(std::string_view text);

/// True if `text` can be the name of a dimension: an identifier that is no function of dimensions.
bool is_dimension_name(std::string_view text);

/// `text` between quotes; quotes, backslashes and control characters escaped (\" \\ \n \t \x7f);
/// bytes beyond ASCII stay.
void append_quoted(std::string& to, std::string_view text);

/// `text` as it is where it is an identifier, else between quotes.
void append_name(std::string& to, std::string_view text);

}  // namespace tilemeter::ir::internal
