// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilemeter::cli {

/// "no verb 'peek'; did you mean 'peak'?", or the list of names where none is near (two edits at most).
std::string no_such(std::string_view what, std::string_view asked, const std::vector<std::string>& names);

}  // namespace tilemeter::cli
