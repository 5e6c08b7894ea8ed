// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pages are a file of HTML with a mark where the data goes.

#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tilemeter::analysis::internal {

/// The page with `data` in place of the mark /*DATA*/: JSON that cannot end the script element it stands in.
/// REQUIRES: the page has the mark.
std::string page_with(const char* page, const nlohmann::json& data);

}  // namespace tilemeter::analysis::internal
