// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <span>
#include <vector>

#include "capture/record/device_info.hpp"

namespace tilemeter::graph {

/// The chips behind a device, asked for once per device. A device that was never announced stands for itself.
class ChipsCache {
public:
    std::span<const std::uint16_t> of(record::DeviceId device) {
        const auto [entry, is_new] = known_.try_emplace(device);
        if (is_new) {
            if (auto info = record::device_info_of(device)) entry->second = std::move(info->chips);
            if (entry->second.empty()) entry->second.push_back(record::number_of(device));
        }
        return entry->second;
    }

private:
    std::map<record::DeviceId, std::vector<std::uint16_t>> known_;
};

}  // namespace tilemeter::graph
