// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/device_map.hpp"

#include <algorithm>

#include "report/node.hpp"

namespace tilemeter::visualizer_import {

report::Result<DeviceMap> DeviceMap::from(const report::JsonValue& devices) {
    DeviceMap map;
    std::map<std::int64_t, BankCounts> banks;
    for (auto device = devices.children(); device.valid(); device.next()) {
        const report::JsonValue record = device.value();
        auto id = report::integer_of(record.at("device_id"));
        auto channels = report::integer_of(record.at("num_dram_channels"));
        auto l1_banks = report::integer_of(record.at("l1_num_banks"));
        for (const auto* number : {&id, &channels, &l1_banks})
            if (!*number) return number->error();
        map.listed_.push_back(id->value_or(0));
        banks[id->value_or(0)] = {channels->value_or(0), l1_banks->value_or(0)};
    }
    std::sort(map.listed_.begin(), map.listed_.end());
    map.listed_.erase(std::unique(map.listed_.begin(), map.listed_.end()), map.listed_.end());
    for (const auto& [id, counts] : banks)
        map.banks_[map.mapped(id)] = counts;
    return map;
}

std::int64_t DeviceMap::mapped(std::int64_t device_id) const {
    const auto found = std::lower_bound(listed_.begin(), listed_.end(), device_id);
    return found != listed_.end() && *found == device_id ? found - listed_.begin() : device_id;
}

BankCounts DeviceMap::banks(std::int64_t mapped_id) const {
    const auto found = banks_.find(mapped_id);
    return found == banks_.end() ? BankCounts{} : found->second;
}

}  // namespace tilemeter::visualizer_import
