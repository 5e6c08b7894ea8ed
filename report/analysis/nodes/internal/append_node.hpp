// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/analysis/nodes/node_list_builder.hpp"
#include "report/json_node.hpp"
#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::analysis::internal {

enum class NumberReading : std::uint8_t {
    kStrict,  ///< a text that is no number is noted (ListSource::damaged_numbers), and counts as not given
    kAsTtnn,  ///< as TT-NN's analyses take it: 12 of "12abc", 1 of 1.5
};
/// Appends one node of a JSON list. Fields that are missing or of the wrong kind are kept as such (Number);
/// connections that are no numbers are left out.
report::Status append_node(NodeListBuilder& builder, const report::JsonNode& node,
                           NumberReading reading = NumberReading::kStrict);

/// A list whose nodes are taken as far as they go, NodeList::malformed_nodes says which and why: for TT-NN's
/// analyses, which take such lists, too, or fail on them in ways of their own.
report::Result<NodeList> lenient_node_list_of(const report::JsonValue& list);

/// The report's list of devices, which lies at `byte` of the file.
void append_devices(NodeList& list, const report::JsonValue& devices, std::uint64_t byte);

/// A member of an object that is in no node; what is no number is noted as `where` with the key behind it.
Number number_in(ListSource& source, const report::JsonValue& object, std::string_view key,
                 const std::string& where, std::uint64_t byte);

}  // namespace tilemeter::analysis::internal
