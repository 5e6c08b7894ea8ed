// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "report/analysis/nodes/text_pool.hpp"

namespace tilemeter::analysis::internal {

/// Pairs (i, j) with a[i] == b[j], both ascending: a longest common subsequence. Time and memory grow with
/// how much differs (Myers 1986); beyond some thousand differences pairs are sought close by instead, which
/// may miss some.
std::vector<std::pair<std::uint32_t, std::uint32_t>> match_names(std::span<const TextRef> a,
                                                                 std::span<const TextRef> b);

}  // namespace tilemeter::analysis::internal
