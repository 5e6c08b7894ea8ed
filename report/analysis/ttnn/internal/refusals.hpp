// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The analyses of TT-NN that fail on defects of a list's nodes, and their exceptions in Python. Learnt by damaging a
// list in every place and asking TT-NN 0.81.1.

#pragma once

#include <cstddef>
#include <cstdint>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis::internal {

enum class TtnnAnalysis : std::uint8_t {
    kPeakL1,
    kResourceUsage,
    kCallTrace,
    kOutputInfo,
    kTensorCounts,
    kLevelizedGraph,
    kOperationDurations,
    kPrettyFormat,
    kVisualize,
    kVisualizeEdges,
    kSerializeGraph,
};

/// Throws AnalysisError where TT-NN fails on a malformed node. Lists of the oldest dialect are spared what
/// that has not (levels, arguments, tensor ids): they are to be answered. `max_level` is the levelized
/// graph's.
void refuse_as_ttnn(const NodeList& list, TtnnAnalysis analysis, std::int64_t max_level = 1);

/// The same for one node, for analyses that fail on other things on their way.
void refuse_node_as_ttnn(const NodeList& list, TtnnAnalysis analysis, std::size_t node);

/// The dialect of TT-NN's document: no stacking levels, flags as "true" and "false", no sizes per bank.
bool is_oldest_dialect(const NodeList& list);

}  // namespace tilemeter::analysis::internal
