// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace tilemeter::graph {

/// `text` as a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD, since readers reject them.
std::string quoted(std::string_view text);

/// `text` with the same replacement, unquoted.
std::string valid_utf8(std::string_view text);

}  // namespace tilemeter::graph
