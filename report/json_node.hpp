// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/graph/node_type.hpp"
#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

using graph::NodeType;

// kUnknown for a name that this version does not know.
NodeType node_type(std::string_view name);

// One node as the file has it. The values live until the reader goes on.
struct JsonNode {
    std::size_t index = 0;  // its place in the list; connections of other nodes mean this
    std::optional<std::int64_t> counter;
    NodeType type = NodeType::kUnknown;
    std::string_view type_name;
    JsonValue json;  // the whole object
    JsonValue params;
    JsonValue connections;
    JsonValue input_tensors;
    JsonValue arguments;
    JsonValue duration_ns;
    JsonValue stacking_level;
    JsonValue stack_trace;
    // The first member that should be a number or a list of numbers and is none: it is left empty. Nothing: none.
    std::optional<Error> damage;

    // Counter or place, for messages: "node 17".
    [[nodiscard]] std::string position() const;
};

// Sorts the members of an object into a JsonNode. Fails on what is no object, on duplicate keys and wrong
// kinds, but for those of numbers (JsonNode::damage).
Result<JsonNode> node_from_json(const JsonValue& json, std::size_t index);

// The number that an Error says it expected.
inline constexpr std::string_view kIntegerExpected = "an integer from 0 to 2^63 - 1";
// The one reader of numbers in reports: sizes, addresses, ids, counts. Older dialects wrote them as texts: 4096,
// "4096". Empty where absent or null; an Error for what is no integer from 0 to 2^63 - 1 (-5, "12abc", 1.5, 1e3).
Result<std::optional<std::int64_t>> integer_of(const JsonValue& value);
Result<std::optional<std::int64_t>> integer_param(const JsonNode& node, std::string_view key);
// The size that every node of memory has: an Error also where it is absent.
Result<std::int64_t> size_param(const JsonNode& node);
// A text, or empty where absent or null.
Result<std::optional<std::string_view>> text_param(const JsonNode& node, std::string_view key);
// The nodes that a list of the node points at: its connections, its input tensors. what: the list, for messages.
Result<std::vector<std::int64_t>> counters_in(const JsonNode& node, const JsonValue& list,
                                              std::string_view what);
// true, 1, "1", "true"
bool flag_of(const JsonValue& value);
// The same, with an Error for what is no flag; false where absent or null.
Result<bool> flag_or_error(const JsonValue& value);

// The id of a tensor node. The number 0 and the empty text mean "none" in the format, the text "0" is an id.
Result<std::optional<std::int64_t>> tensor_id_of(const JsonNode& node);

}  // namespace tilemeter::report
