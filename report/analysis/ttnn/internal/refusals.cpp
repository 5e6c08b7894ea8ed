// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/ttnn/internal/refusals.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "report/analysis/nodes/internal/malformed_nodes.hpp"
#include "report/analysis/ttnn/analysis_error.hpp"

namespace tilemeter::analysis::internal {
namespace {

using Kind = AnalysisError::Kind;

constexpr std::uint32_t kind_bit(NodeType kind) {
    return 1U << static_cast<std::uint32_t>(kind);
}
constexpr std::uint32_t kAll = ~0U;
constexpr std::uint32_t kStarts = kind_bit(NodeType::kFunctionStart);
constexpr std::uint32_t kEnds = kind_bit(NodeType::kFunctionEnd);
constexpr std::uint32_t kTensors = kind_bit(NodeType::kTensor);
constexpr std::uint32_t kBuffers = kind_bit(NodeType::kBuffer);
constexpr std::uint32_t kAllocations = kind_bit(NodeType::kBufferAllocate);
constexpr std::uint32_t kReleases = kind_bit(NodeType::kBufferDeallocate);
constexpr std::uint32_t kPieces = kind_bit(NodeType::kCircularBufferAllocate) |
                                  kind_bit(NodeType::kDataflowBufferAllocate) |
                                  kind_bit(NodeType::kScratchpadAllocate);
constexpr std::uint32_t kManagers = kind_bit(NodeType::kSubDeviceManager);

constexpr std::uint32_t kBadParams = kNoParams | kParamsNull | kParamsOther;
constexpr std::uint32_t kBadName = kNameNull | kNameScalar | kNameContainer;
constexpr std::uint32_t kBadConnections = kConnectionsScalar | kConnectionsOther | kConnectionOther;

/// Nodes of `kinds` with one of `defects` make the analysis fail.
struct Rule {
    std::uint32_t defects;
    std::uint32_t kinds;
    Kind error;
};

constexpr std::array kPeakL1{
    Rule{kNoObject, kAll, Kind::kRuntime},
    Rule{kBadParams | kNoName | kBadName, kStarts, Kind::kRuntime},
    Rule{kBadParams, kPieces, Kind::kRuntime},
    Rule{kParamsNull | kParamsOther, kAllocations, Kind::kRuntime},
    Rule{kNoConnections | kBadConnections, kReleases, Kind::kRuntime},
};
constexpr std::array kResourceUsage{
    Rule{kNoObject | kNoType | kNoCounter | kCounterOther | kCounterBoolean, kAll, Kind::kRuntime},
    Rule{kBadParams, kPieces | kAllocations | kReleases, Kind::kRuntime},
    Rule{kNoBufferType, kAllocations | kReleases, Kind::kRuntime},
};
constexpr std::array kCallTrace{
    Rule{kNoObject, kAll, Kind::kRuntime},
    Rule{kBadParams | kNoName | kBadName, kStarts, Kind::kRuntime},
};
constexpr std::array kOutputInfo{
    Rule{kNoObject, kAll, Kind::kRuntime},
    Rule{kNoConnections | kBadConnections, kBuffers, Kind::kRuntime},
};
constexpr std::array kTensorCounts{
    Rule{kNoObject, kAll, Kind::kRuntime},
    Rule{kBadParams, kEnds, Kind::kRuntime},
};
constexpr std::array kLevelizedGraph{
    Rule{kNoObject | kNoCounter | kCounterOther, kAll, Kind::kRuntime},
    Rule{kNoLevel | kLevelOther | kBadConnections, kStarts | kEnds | kTensors, Kind::kRuntime},
    Rule{kBadParams, kStarts | kEnds, Kind::kRuntime},
    Rule{kBadName, kStarts, Kind::kRuntime},
};
/// Vertices of the levelized graph: functions and tensors that become vertices.
constexpr std::array kVertices{
    Rule{kInputOther | kNoName, kStarts, Kind::kRuntime},
    Rule{kTensorIdOther | kShapeOther, kTensors, Kind::kRuntime},
};
constexpr std::array kOperationDurations{
    Rule{kNoObject, kAll, Kind::kAttribute},
    Rule{kParamsNull | kParamsOther, kEnds, Kind::kAttribute},
    Rule{kDurationOther | kNameContainer, kEnds, Kind::kType},
};
constexpr std::array kPrettyFormat{
    Rule{kNoObject, kAll, Kind::kType},
    Rule{kNoType, kAll, Kind::kKey},
    Rule{kNoParams, kTensors | kStarts | kEnds | kManagers, Kind::kKey},
    Rule{kParamsNull | kParamsOther, kTensors | kStarts | kEnds | kManagers, Kind::kType},
    Rule{kNoName, kStarts | kEnds, Kind::kKey},
    Rule{kBadName, kStarts | kEnds, Kind::kType},
    Rule{kNoTensorId, kTensors, Kind::kKey},
    Rule{kNoSubDeviceManager, kManagers, Kind::kKey},
};
constexpr std::array kVisualize{
    Rule{kNoObject | kTypeOther, kAll, Kind::kType},
    Rule{kNoType, kAll, Kind::kKey},
    Rule{kNoParams, kTensors | kStarts | kEnds, Kind::kKey},
    Rule{kParamsNull | kParamsOther, kTensors | kStarts | kEnds, Kind::kType},
    Rule{kNoName, kStarts | kEnds, Kind::kKey},
    Rule{kNameScalar | kNameContainer, kStarts, Kind::kType},
    Rule{kNoTensorId, kTensors, Kind::kKey},
    Rule{kNoCounter | kNoParams, kAll, Kind::kKey},
};
constexpr std::array kVisualizeEdges{
    Rule{kNoConnections, kAll, Kind::kKey},
    Rule{kConnectionsScalar, kAll, Kind::kType},
};
constexpr std::array kSerializeGraph{
    Rule{kNoObject | kArgumentsScalar | kArgumentOther, kAll, Kind::kType},
    Rule{kNoArguments, kAll, Kind::kKey},
};

std::span<const Rule> rules_of(TtnnAnalysis analysis) {
    switch (analysis) {
        case TtnnAnalysis::kPeakL1:
            return kPeakL1;
        case TtnnAnalysis::kResourceUsage:
            return kResourceUsage;
        case TtnnAnalysis::kCallTrace:
            return kCallTrace;
        case TtnnAnalysis::kOutputInfo:
            return kOutputInfo;
        case TtnnAnalysis::kTensorCounts:
            return kTensorCounts;
        case TtnnAnalysis::kLevelizedGraph:
            return kLevelizedGraph;
        case TtnnAnalysis::kOperationDurations:
            return kOperationDurations;
        case TtnnAnalysis::kPrettyFormat:
            return kPrettyFormat;
        case TtnnAnalysis::kVisualize:
            return kVisualize;
        case TtnnAnalysis::kVisualizeEdges:
            return kVisualizeEdges;
        case TtnnAnalysis::kSerializeGraph:
            return kSerializeGraph;
    }
    return {};
}

void apply(std::span<const Rule> rules, NodeType kind, const NodeList::MalformedNode& malformed,
           std::uint32_t spared) {
    for (const Rule& rule : rules)
        if ((rule.kinds & kind_bit(kind)) != 0 && (rule.defects & malformed.defects & ~spared) != 0)
            throw AnalysisError(rule.error, "node " + std::to_string(malformed.node) +
                                                ": a field is missing or of a kind that is not expected");
}

}  // namespace

void refuse_as_ttnn(const NodeList& list, TtnnAnalysis analysis, std::int64_t max_level) {
    if (list.malformed_nodes.empty()) return;
    const std::uint32_t spared =
        is_oldest_dialect(list) ? std::uint32_t{kNoLevel | kNoArguments | kNoTensorId} : 0U;
    for (const NodeList::MalformedNode& malformed : list.malformed_nodes) {
        const NodeList::Node& node = list.nodes[malformed.node];
        apply(rules_of(analysis), node.kind, malformed, spared);
        if (analysis != TtnnAnalysis::kLevelizedGraph) continue;
        const bool is_vertex = node.kind == NodeType::kTensor ? node.level == 1 : node.level <= max_level;
        if (is_vertex) apply(kVertices, node.kind, malformed, spared);
    }
}

void refuse_node_as_ttnn(const NodeList& list, TtnnAnalysis analysis, std::size_t node) {
    if (list.malformed_nodes.empty()) return;
    const auto malformed = std::lower_bound(
        list.malformed_nodes.begin(), list.malformed_nodes.end(), node,
        [](const NodeList::MalformedNode& it, std::size_t wanted) { return it.node < wanted; });
    if (malformed != list.malformed_nodes.end() && malformed->node == node)
        apply(rules_of(analysis), list.nodes[node].kind, *malformed, 0);
}

bool is_oldest_dialect(const NodeList& list) {
    return std::all_of(list.nodes.begin(), list.nodes.end(),
                       [](const NodeList::Node& node) { return node.level == NodeList::kNoLevel; });
}

}  // namespace tilemeter::analysis::internal
