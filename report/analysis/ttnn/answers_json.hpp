// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Answers as JSON: TT-NN's in the form of its Python functions, ours with every figure named by its unit.

#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// Calls one of TT-NN's analyses by its Python name, "extract_calltrace"; `max_level` is for the levelized
/// graph. Sets are sorted lists. Throws AnalysisError, also for a name that is none.
nlohmann::json call_analysis(std::string_view name, const NodeList& list, std::int64_t max_level = 1);

/// The same of a node list as JSON text, "GraphTracerUtils.serialize_graph" included. A text that is no list
/// is refused with the kind of error that TT-NN's function has for it.
nlohmann::ordered_json call_analysis_of_text(std::string_view name, std::string_view json,
                                             std::int64_t max_level = 1);

/// GraphTracerUtils.serialize_graph: the arguments of all functions, their texts taken apart.
nlohmann::ordered_json serialize_arguments(const NodeList& list);

}  // namespace tilemeter::analysis
