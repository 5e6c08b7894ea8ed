// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/json_node.hpp"
#include "report/result.hpp"
#include "visualizer_import/database/database.hpp"
#include "visualizer_import/graph/device_map.hpp"

namespace tilemeter::visualizer_import {

// The programs that one operation ran, and the sub-devices it met. Collected while it is open.
class Executions {
public:
    // operation_executions.execution_id is the operation's id times this plus an index.
    static constexpr std::size_t kMostPerOperation = 1024;

    Executions(const DeviceMap& devices, bool reference_quirks)
        : devices_(devices), reference_quirks_(reference_quirks) {}

    void clear();
    report::Status add(const report::JsonNode& node);  // any node; others are ignored
    void write(Database& database, std::int64_t operation_id, std::int64_t rank) const;
    [[nodiscard]] std::size_t count() const { return executions_.size(); }
    [[nodiscard]] std::size_t dropped_count() const { return dropped_; }

private:
    using Id = std::optional<std::int64_t>;
    struct Execution {
        Id device_id, physical_device_id, manager_id, sub_device_id, runtime_id, global_call_count,
            command_queue_id;
    };
    struct Manager {
        Id device_id, manager_id;
    };
    struct SubDevice {
        Id device_id, manager_id, sub_device_id;
        std::string worker_core_ranges;
    };
    report::Status add_manager(const report::JsonNode& node);
    report::Status add_execution(const report::JsonNode& node);

    const DeviceMap& devices_;
    bool reference_quirks_;
    bool stopped_ = false;
    std::size_t dropped_ = 0;
    std::vector<Execution> executions_;
    std::vector<Manager> managers_;
    std::vector<SubDevice> sub_devices_;
    report::JsonDocument document_;
};

}  // namespace tilemeter::visualizer_import
