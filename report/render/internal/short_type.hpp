// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis::internal {

/// "[1, 32] bf16" of a tensor node, as far as it is known: tiles are the rule.
std::string short_type(const NodeList& list, std::uint32_t tensor);

}  // namespace tilemeter::analysis::internal
