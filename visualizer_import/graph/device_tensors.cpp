// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph/device_tensors.hpp"

#include "report/json_node.hpp"
#include "report/python_text.hpp"

namespace tilemeter::visualizer_import {
namespace {

constexpr std::string_view kChip = "device_id";
constexpr std::string_view kMesh = "mesh_device_id";

// True if parts of one tensor name different chips.
bool names_several_chips(const report::JsonValue& list) {
    std::optional<std::int64_t> first;
    for (auto part = list.children(); part.valid(); part.next()) {
        auto chip = report::integer_of(part.value().at(kChip));
        if (!chip || !*chip) continue;
        if (first && *first != **chip) return true;
        first = **chip;
    }
    return false;
}

}  // namespace

report::Status DeviceTensorTexts::parse(std::string_view text, const DeviceMap& devices, DeviceTensors& out) {
    auto list = document_.parse(text);
    if (!list) return report::Error{"", "", "device_tensors, a JSON array in a text", list.error().found};
    if (!list->is_array()) return report::Error{"", "", "device_tensors, a JSON array in a text", "no array"};
    const bool by_chip = !reference_quirks_ && names_several_chips(*list);
    const auto is_renumbered = [&](std::string_view key) {
        return key == kMesh || (key == kChip && !by_chip);
    };
    out.text = "[";
    for (auto part = list->children(); part.valid(); part.next()) {
        out.text += out.text.size() > 1 ? ", {" : "{";
        bool first = true;
        for (auto member = part.value().children(); member.valid(); member.next()) {
            if (!first) out.text += ", ";
            first = false;
            report::append_json_dumps(out.text, member.key());
            out.text += ": ";
            const auto number = member.value().integer();
            if (number && is_renumbered(member.key()) && !devices.empty()) {
                out.text += std::to_string(devices.mapped(*number));
            } else if (report::Status appended = report::append_json_dumps(out.text, member.value());
                       !appended) {
                return appended;
            }
        }
        out.text += '}';
        const report::JsonValue record = part.value();
        const std::string_view named = !by_chip && record.has(kMesh) ? kMesh : kChip;
        auto device_id = report::integer_of(record.at(named));
        auto address = report::integer_of(record.at("address"));
        if (!device_id) return device_id.error();
        if (!address) return address.error();
        if (*device_id && is_renumbered(named)) *device_id = devices.mapped(**device_id);
        out.parts.push_back({*device_id, *address});
    }
    out.text += ']';
    return {};
}

report::Result<const DeviceTensors*> DeviceTensorTexts::read(std::string_view text,
                                                             const DeviceMap& devices) {
    std::string key(text);
    if (const auto found = known_.find(key); found != known_.end()) return &found->second;
    DeviceTensors tensors;
    if (report::Status parsed = parse(text, devices, tensors); !parsed) return parsed.error();
    if (known_.size() >= kMostKept) known_.clear();
    return &known_.emplace(std::move(key), std::move(tensors)).first->second;
}

}  // namespace tilemeter::visualizer_import
