// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/internal/malformed_nodes.hpp"

namespace tilemeter::analysis::internal {
namespace {

using report::JsonKind;
using report::JsonValue;

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

// The fields that a kind of node may lack without a defect: most kinds have no name, no id, no type.
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

}  // namespace

report::JsonNode lenient_node(const JsonValue& json, std::size_t index, std::uint32_t& defects) {
    DefectFinder finder(json, index);
    report::JsonNode node = finder.run();
    defects = finder.defects() & concerns(node.type);
    return node;
}

}  // namespace tilemeter::analysis::internal
