// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::visualizer_import {

struct BankCounts {
    std::int64_t dram_channels = 0;
    std::int64_t l1_banks = 0;
};

// The viewer wants devices 0..n-1: the listed ids in ascending order. Ids that a report does not list stay.
class DeviceMap {
public:
    // devices: the report's list
    static report::Result<DeviceMap> from(const report::JsonValue& devices);

    [[nodiscard]] bool empty() const { return listed_.empty(); }
    [[nodiscard]] std::int64_t mapped(std::int64_t device_id) const;
    [[nodiscard]] BankCounts banks(std::int64_t mapped_id) const;
    [[nodiscard]] const std::vector<std::int64_t>& listed() const { return listed_; }

private:
    std::vector<std::int64_t> listed_;  // sorted, each once
    std::map<std::int64_t, BankCounts> banks_;
};

}  // namespace tilemeter::visualizer_import
