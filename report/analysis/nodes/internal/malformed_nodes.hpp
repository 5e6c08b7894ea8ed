// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Defects of the nodes of a JSON list, those that TT-NN's analyses fail on (ttnn/internal/refusals.hpp).

#pragma once

#include <cstdint>

#include "report/analysis/nodes/node_list.hpp"
#include "report/json_node.hpp"

namespace tilemeter::analysis::internal {

/// Bits of NodeList::MalformedNode::defects. "other": there, but neither what is wanted nor what another bit
/// says.
enum Defect : std::uint32_t {
    kNoObject = 1U << 0U,
    kNoType = 1U << 1U,
    kTypeOther = 1U << 2U,  ///< not a text, not null
    kNoParams = 1U << 3U,
    kParamsNull = 1U << 4U,
    kParamsOther = 1U << 5U,
    kNoName = 1U << 6U,  ///< params without it
    kNameNull = 1U << 7U,
    kNameScalar = 1U << 8U,  ///< number or boolean
    kNameContainer = 1U << 9U,
    kNoConnections = 1U << 10U,
    kConnectionsScalar = 1U << 11U,  ///< null, number or boolean
    kConnectionsOther = 1U << 12U,   ///< text or object
    kConnectionOther = 1U << 13U,    ///< one of them is no number
    kNoCounter = 1U << 14U,
    kCounterOther = 1U << 15U,  ///< not a number or boolean
    kNoLevel = 1U << 16U,
    kLevelOther = 1U << 17U,  ///< not a number
    kNoArguments = 1U << 18U,
    kArgumentsScalar = 1U << 19U,  ///< number or true
    kArgumentOther = 1U << 20U,    ///< one of them is no text
    kInputOther = 1U << 21U,       ///< one of input_tensors is no number
    kDurationOther = 1U << 22U,    ///< not a number or boolean
    kNoTensorId = 1U << 23U,
    kTensorIdOther = 1U << 24U,  ///< not a number or text
    kShapeOther = 1U << 25U,     ///< there, and no text
    kNoBufferType = 1U << 26U,
    kNoSubDeviceManager = 1U << 27U,
    kCounterBoolean = 1U << 28U,
};

/// A node as far as it goes, and its defects (a set of Defect).
report::JsonNode lenient_node(const report::JsonValue& json, std::size_t index, std::uint32_t& defects);

}  // namespace tilemeter::analysis::internal
