// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/internal/malformed_nodes.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "report/analysis/ttnn/extract.hpp"

namespace tilemeter::analysis::internal {
namespace {

using report::JsonKind;
using report::JsonValue;
using Kind = AnalysisError::Kind;

bool is_number(const JsonValue& value) {
    const JsonKind kind = value.kind();
    return kind == JsonKind::kInteger || kind == JsonKind::kBigInteger || kind == JsonKind::kReal;
}
bool is_scalar(const JsonValue& value) {
    return is_number(value) || value.kind() == JsonKind::kBoolean;
}

template <class IsFine>
bool any_other(const JsonValue& list, IsFine&& is_fine) {
    for (auto child = list.children(); child.valid(); child.next())
        if (!is_fine(child.value())) return true;
    return false;
}

class DefectFinder {
public:
    DefectFinder(const JsonValue& json, std::size_t index) : json_(json) { node_.index = index; }

    report::JsonNode run() {
        node_.json = json_;
        if (!json_.is_object()) {
            defects_ = kNoObject;
            return node_;
        }
        defects_ = kNoType | kNoParams | kNoConnections | kNoCounter | kNoLevel | kNoArguments;
        for (auto member = json_.children(); member.valid(); member.next())
            take(member.key(), member.value());
        return node_;
    }
    std::uint32_t defects() const { return defects_; }

private:
    void note(Defect defect, bool is_so = true) { defects_ |= is_so ? std::uint32_t{defect} : 0U; }
    void found(Defect missing) { defects_ &= ~std::uint32_t{missing}; }

    void take(std::string_view key, const JsonValue& value) {
        if (key == "node_type") {
            found(kNoType);
            note(kTypeOther, !value.text() && !value.is_null());
            node_.type_name = value.text().value_or("");
            node_.type = report::node_type(node_.type_name);
        } else if (key == "counter") {
            found(kNoCounter);
            node_.counter = value.integer();
            if (const auto real = value.real();
                !node_.counter && real && is_number(value) && *real > -9e18 && *real < 9e18)
                node_.counter = static_cast<std::int64_t>(*real);
            note(kCounterBoolean, value.kind() == JsonKind::kBoolean);
            note(kCounterOther, !is_scalar(value));
        } else if (key == "params") {
            take_params(value);
        } else if (key == "connections") {
            found(kNoConnections);
            if (value.is_array()) node_.connections = value;
            note(kConnectionsScalar, value.is_null() || is_scalar(value));
            note(kConnectionsOther, value.is_object() || value.text());
            note(kConnectionOther, value.is_array() && any_other(value, is_number));
        } else if (key == "arguments") {
            found(kNoArguments);
            if (value.is_array()) node_.arguments = value;
            note(kArgumentsScalar, is_scalar(value) && value.boolean().value_or(true));
            note(kArgumentOther,
                 value.is_array() && any_other(value, [](const JsonValue& it) { return it.text(); }));
        } else if (key == "input_tensors") {
            if (value.is_array()) node_.input_tensors = value;
            note(kInputOther, value.is_array() && any_other(value, is_number));
        } else if (key == "stacking_level") {
            found(kNoLevel);
            if (is_number(value)) node_.stacking_level = value;
            note(kLevelOther, !is_number(value));
        } else if (key == "duration_ns") {
            node_.duration_ns = value;
            note(kDurationOther, !is_scalar(value));
        } else if (key == "stack_trace") {
            node_.stack_trace = value;
        }
    }

    void take_params(const JsonValue& params) {
        found(kNoParams);
        note(kParamsNull, params.is_null());
        note(kParamsOther, !params.is_null() && !params.is_object());
        if (!params.is_object()) return;
        node_.params = params;
        defects_ |= kNoName | kNoTensorId | kNoBufferType | kNoSubDeviceManager;
        for (auto member = params.children(); member.valid(); member.next()) {
            const std::string_view key = member.key();
            const JsonValue value = member.value();
            if (key == "name") {
                found(kNoName);
                note(kNameNull, value.is_null());
                note(kNameScalar, is_scalar(value));
                note(kNameContainer, value.is_array() || value.is_object());
            } else if (key == "tensor_id") {
                found(kNoTensorId);
                note(kTensorIdOther, !value.text() && !is_number(value));
            } else if (key == "shape") {
                note(kShapeOther, !value.text());
            } else if (key == "type") {
                found(kNoBufferType);
            } else if (key == "sub_device_manager_id") {
                found(kNoSubDeviceManager);
            }
        }
    }

    const JsonValue json_;
    report::JsonNode node_;
    std::uint32_t defects_ = 0;
};

// What a kind of node may lack without a defect: most kinds have no name, no id, no type.
std::uint32_t concerns(NodeType kind) {
    std::uint32_t bits = ~std::uint32_t{kNoName | kNoTensorId | kNoBufferType | kNoSubDeviceManager};
    switch (kind) {
        case NodeType::kFunctionStart:
        case NodeType::kFunctionEnd:
            return bits | kNoName;
        case NodeType::kTensor:
            return bits | kNoTensorId;
        case NodeType::kBuffer:
        case NodeType::kBufferAllocate:
        case NodeType::kBufferDeallocate:
            return bits | kNoBufferType;
        case NodeType::kSubDeviceManager:
            return bits | kNoSubDeviceManager;
        default:
            return bits;
    }
}

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
/// Of the levelized graph, for functions and tensors that become vertices.
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

report::JsonNode lenient_node(const JsonValue& json, std::size_t index, std::uint32_t& defects) {
    DefectFinder finder(json, index);
    report::JsonNode node = finder.run();
    defects = finder.defects() & concerns(node.type);
    return node;
}

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
