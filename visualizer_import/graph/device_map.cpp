// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph/device_map.hpp"

#include <algorithm>

#include "report/json_node.hpp"

namespace tilemeter::visualizer_import {
namespace {

constexpr std::int64_t kWormholeDramAlignment = 32;
constexpr std::int64_t kBlackholeDramAlignment = 64;

}  // namespace

report::Result<DeviceMap> DeviceMap::from(const report::JsonValue& devices) {
    DeviceMap map;
    std::map<std::int64_t, BankCounts> banks;
    for (auto device = devices.children(); device.valid(); device.next()) {
        const report::JsonValue record = device.value();
        auto id = report::integer_of(record.at("device_id"));
        auto channels = report::integer_of(record.at("num_dram_channels"));
        auto l1_banks = report::integer_of(record.at("l1_num_banks"));
        auto l1_bytes = report::integer_of(record.at("worker_l1_size"));
        auto dram_bytes = report::integer_of(record.at("dram_size_per_channel"));
        for (const auto* number : {&id, &channels, &l1_banks, &l1_bytes, &dram_bytes})
            if (!*number) return number->error();
        map.listed_.push_back(id->value_or(0));
        banks[id->value_or(0)] = {
            channels->value_or(0), l1_banks->value_or(0), l1_bytes->value_or(0), dram_bytes->value_or(0),
            record.at("arch").text() == "BLACKHOLE" ? kBlackholeDramAlignment : kWormholeDramAlignment};
    }
    std::sort(map.listed_.begin(), map.listed_.end());
    map.listed_.erase(std::unique(map.listed_.begin(), map.listed_.end()), map.listed_.end());
    for (const auto& [id, counts] : banks)
        map.banks_[map.mapped(id)] = counts;
    return map;
}

std::int64_t DeviceMap::mapped(std::int64_t device_id) const {
    const auto found = std::lower_bound(listed_.begin(), listed_.end(), device_id);
    if (found == listed_.end() || *found != device_id) return device_id;
    return folded_ ? 0 : found - listed_.begin();
}

// True for a YAML text with one key two blanks below `chips:`.
bool has_one_chip(std::string_view descriptor) {
    constexpr std::string_view kChips = "\nchips:\n";
    const std::size_t begin = descriptor.find(kChips);
    if (begin == std::string_view::npos) return false;
    int chips = 0;
    for (descriptor.remove_prefix(begin + kChips.size()); descriptor.starts_with("  ");) {
        if (descriptor.size() > 2 && descriptor[2] >= '0' && descriptor[2] <= '9') ++chips;
        const std::size_t line_end = descriptor.find('\n');
        if (line_end == std::string_view::npos) break;
        descriptor.remove_prefix(line_end + 1);
    }
    return chips == 1;
}

BankCounts DeviceMap::banks(std::int64_t mapped_id) const {
    const auto found = banks_.find(mapped_id);
    return found == banks_.end() ? BankCounts{} : found->second;
}

}  // namespace tilemeter::visualizer_import
