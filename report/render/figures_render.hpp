// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's figures and the right ones beside them, as JSON.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis {

/// {"figures": [{"figure", "unit", "ttnn", "right"}], "operations": [{"name", "calls", "duration_ns", ..}]}.
/// `ttnn` is {"error": text} where TT-NN's function fails, null where it has no such figure; `right` is null
/// where the list has not what it takes.
nlohmann::ordered_json figures_json(const NodeList& list, const MemoryLifetimes& lifetimes);

}  // namespace tilemeter::analysis
