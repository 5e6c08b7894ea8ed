// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/device_table.hpp"

#include <algorithm>
#include <charconv>

namespace tilemeter::analysis::internal {
namespace {

Number number_after(std::string_view entry, std::string_view key) {
    const std::size_t at = entry.find(key);
    if (at == std::string_view::npos) return {};
    std::int64_t value = 0;
    const char* begin = entry.data() + at + key.size();
    const auto [end, problem] = std::from_chars(begin, entry.data() + entry.size(), value);
    return problem == std::errc{} ? Number(value) : Number();
}

}  // namespace

std::vector<DeviceTensor> parse_device_tensors(std::string_view text) {
    std::vector<DeviceTensor> entries;
    while (true) {
        const std::size_t open = text.find('{');
        if (open == std::string_view::npos) return entries;
        const std::size_t close = std::min(text.find('}', open), text.size());
        const std::string_view entry = text.substr(open, close - open);
        entries.push_back({number_after(entry, "\"address\":"), number_after(entry, "\"device_id\":"),
                           number_after(entry, "\"mesh_device_id\":")});
        text.remove_prefix(close);
    }
}

DeviceTable::DeviceTable(const NodeList& list) {
    for (const Chip& chip : list.chips)
        add_chip(chip.device, chip.physical);
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (const auto* buffer = list.buffer(node); buffer && buffer->device.given()) {
            slot(buffer->device);
        } else if (const auto* event = list.program_event(node); event && event->device.given()) {
            slot(event->device);
            if (event->physical_device.given())
                add_chip(event->device.value_or(0), event->physical_device.value_or(0));
        }
    }
    // Texts of views name a chip where the device should be: they tell of known devices only.
    for (const NodeList::Tensor& tensor : list.tensors)
        for (const DeviceTensor& entry : parse_device_tensors(list.text(tensor.device_tensors)))
            if (entry.chip.given() && slot_by_id_.contains(entry.device.value_or(-1)))
                add_chip(entry.device.value_or(0), entry.chip.value_or(0));
}

std::uint16_t DeviceTable::slot(Number id) {
    constexpr std::size_t kMostDevices = 0xffff;  // of a hostile list; more share the last slot
    const auto known = slot_by_id_.find(id.value_or(0));
    if (known != slot_by_id_.end()) return known->second;
    if (slots_.size() >= kMostDevices) return static_cast<std::uint16_t>(slots_.size() - 1);
    const auto slot = static_cast<std::uint16_t>(slots_.size());
    slots_.push_back({id, {}});
    slot_by_id_.emplace(id.value_or(0), slot);
    return slot;
}

void DeviceTable::add_chip(std::int64_t device, std::int64_t chip) {
    std::vector<std::int64_t>& chips = slots_[slot(device)].chips;
    if (std::find(chips.begin(), chips.end(), chip) != chips.end()) return;
    chips.push_back(chip);
    device_of_chip_.emplace(chip, device);
}

std::uint16_t DeviceTable::slot_of_device(Number id) {
    if (id.given()) return slot(id);
    // The constructor has met all devices that nodes name, so a single one is the only one.
    if (!unknown_) {
        unknown_ = slots_.size() == 1 ? 0 : static_cast<std::uint16_t>(slots_.size());
        if (*unknown_ == slots_.size()) slots_.push_back({});
    }
    return *unknown_;
}

std::uint16_t DeviceTable::slot_of_tensor(Number id) {
    if (slot_by_id_.contains(id.value_or(-1))) return slot(id);
    const auto device = device_of_chip_.find(id.value_or(-1));
    return device != device_of_chip_.end() ? slot(device->second) : slot_of_device({});
}

std::uint16_t DeviceTable::slot_of_piece(Number id, std::optional<std::uint16_t> program_device) {
    if (program_device) return *program_device;
    if (!id.given()) return slot_of_device(id);
    if (const auto device = device_of_chip_.find(id.value_or(0)); device != device_of_chip_.end())
        return slot(device->second);
    if (slot_by_id_.contains(id.value_or(0)) || slots_.size() != 1) return slot(id);
    return 0;
}

}  // namespace tilemeter::analysis::internal
