// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "report/json_value.hpp"
#include "report/result.hpp"

namespace tilemeter::visualizer_import {

struct BankCounts {
    std::int64_t dram_channels = 0;
    std::int64_t l1_banks = 0;
    std::int64_t l1_bytes = 0;         // of a core
    std::int64_t dram_bytes = 0;       // of a channel
    std::int64_t dram_alignment = 32;  // of pages
};

// The viewer wants devices 0..n-1: the listed ids in ascending order. Ids that a report does not list stay.
//
// A report lists each id that its events name, and on one chip there may be two: most events name the mesh,
// whose id is 1 there, circular buffers name the chip itself, 0.
class DeviceMap {
public:
    // devices: the report's list
    static report::Result<DeviceMap> from(const report::JsonValue& devices);

    // All listed ids are names of one device: 0.
    void fold() { folded_ = true; }

    [[nodiscard]] bool empty() const { return listed_.empty(); }
    [[nodiscard]] std::int64_t mapped(std::int64_t device_id) const;
    [[nodiscard]] BankCounts banks(std::int64_t mapped_id) const;
    [[nodiscard]] const std::vector<std::int64_t>& listed() const { return listed_; }

private:
    std::vector<std::int64_t> listed_;  // sorted, each once
    bool folded_ = false;
    std::map<std::int64_t, BankCounts> banks_;
};

// True if the machine that the text describes, TT-NN's cluster descriptor, has exactly one chip.
bool has_one_chip(std::string_view cluster_descriptor);

}  // namespace tilemeter::visualizer_import
