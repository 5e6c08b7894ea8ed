// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The peaks of a workload at every size, as JSON.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/gate/peak_sizes.hpp"

namespace tilemeter::analysis {

/// `name`: of the size. tools/tilemeter/JSON.md describes it: the verb `sizes`.
nlohmann::ordered_json sizes_json(const PeakSizes& peaks, const std::string& name, const std::string& device);

}  // namespace tilemeter::analysis
