// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "report/analysis/node_list_builder.hpp"
#include "report/json_value.hpp"
#include "report/node.hpp"
#include "report/result.hpp"

namespace tilemeter::graph::internal {

/// Appends one node of a JSON list. Fields that are missing or of the wrong kind are kept as such (Number).
report::Status append_node(NodeListBuilder& builder, const report::Node& node);

/// The report's list of devices.
void append_devices(NodeList& list, const report::JsonValue& devices);

}  // namespace tilemeter::graph::internal
