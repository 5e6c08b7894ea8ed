// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "report/analysis/node_list_builder.hpp"
#include "report/json_node.hpp"
#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::analysis::internal {

/// Appends one node of a JSON list. Fields that are missing or of the wrong kind are kept as such (Number).
/// Connections that are no numbers are an error, or left out.
enum class BadConnections : std::uint8_t { kFail, kLeaveOut };
report::Status append_node(NodeListBuilder& builder, const report::JsonNode& node,
                           BadConnections bad = BadConnections::kFail);

/// A list whose nodes are taken as far as they go, NodeList::malformed_nodes says which and why: for TT-NN's
/// analyses, which take such lists, too, or fail on them in ways of their own.
report::Result<NodeList> lenient_node_list_of(const report::JsonValue& list);

/// The report's list of devices.
void append_devices(NodeList& list, const report::JsonValue& devices);

}  // namespace tilemeter::analysis::internal
