// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/executions.hpp"

#include <array>

#include "report/python_text.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::JsonValue;
using report::Status;

}  // namespace

void Executions::clear() {
    executions_.clear();
    managers_.clear();
    sub_devices_.clear();
    stopped_ = false;
    dropped_ = 0;
}

Status Executions::add(const report::JsonNode& node) {
    if (stopped_) return {};
    if (node.type == report::NodeType::kSubDeviceManager) return add_manager(node);
    if (node.type != report::NodeType::kProgramExecution) return {};
    if (executions_.size() < kMostPerOperation) return add_execution(node);
    ++dropped_;
    stopped_ = reference_quirks_;
    return {};
}

Status Executions::add_manager(const report::JsonNode& node) {
    auto device_id = report::integer_param(node, "device_id");
    if (!device_id) return device_id.error();
    auto manager_id = report::integer_param(node, "sub_device_manager_id");
    if (!manager_id) return manager_id.error();
    if (*device_id) *device_id = devices_.mapped(**device_id);
    managers_.push_back({*device_id, *manager_id});
    const auto text = node.params.at("sub_devices").text();
    if (!text || text->empty()) return {};
    auto list = document_.parse(*text);
    if (!list)
        return Error{"", node.position() + ", params.sub_devices", "a JSON array in a text",
                     list.error().found};
    for (auto sub_device = list->children(); sub_device.valid(); sub_device.next()) {
        auto id = report::integer_of(sub_device.value().at("sub_device_id"));
        if (!id) return Error{"", node.position() + ", params.sub_devices", "an integer", id.error().found};
        std::string ranges;
        const JsonValue listed = sub_device.value().at("worker_core_ranges");
        if (!sub_device.value().has("worker_core_ranges")) {
            ranges = "[]";
        } else if (Status appended = report::append_json_dumps(ranges, listed); !appended) {
            return appended;
        }
        sub_devices_.push_back({*device_id, *manager_id, *id, std::move(ranges)});
    }
    return {};
}

Status Executions::add_execution(const report::JsonNode& node) {
    struct Member {
        std::string_view key;
        Id Execution::*value;
    };
    static constexpr std::array<Member, 7> kMembers{{
        {"device_id", &Execution::device_id},
        {"physical_device_id", &Execution::physical_device_id},
        {"sub_device_manager_id", &Execution::manager_id},
        {"sub_device_id", &Execution::sub_device_id},
        {"runtime_id", &Execution::runtime_id},
        {"global_call_count", &Execution::global_call_count},
        {"command_queue_id", &Execution::command_queue_id},
    }};
    Execution execution;
    for (const Member& member : kMembers) {
        auto number = report::integer_param(node, member.key);
        if (!number) return number.error();
        execution.*member.value = *number;
    }
    if (execution.device_id) execution.device_id = devices_.mapped(*execution.device_id);
    if (!execution.physical_device_id) execution.physical_device_id = execution.device_id;
    executions_.push_back(execution);
    return {};
}

void Executions::write(Database& database, std::int64_t operation_id, std::int64_t rank) const {
    for (const Manager& manager : managers_)
        database.insert<Table::kSubDeviceManagers>(manager.device_id, manager.manager_id, rank);
    for (const SubDevice& sub_device : sub_devices_)
        database.insert<Table::kSubDevices>(sub_device.device_id, sub_device.manager_id,
                                            sub_device.sub_device_id,
                                            std::string_view(sub_device.worker_core_ranges), rank);
    std::int64_t execution_id = operation_id * static_cast<std::int64_t>(kMostPerOperation);
    for (const Execution& execution : executions_) {
        database.insert<Table::kOperationExecutions>(
            execution_id, operation_id, execution.device_id, execution.physical_device_id,
            execution.runtime_id, execution.global_call_count, execution.command_queue_id, rank);
        if (execution.sub_device_id)
            database.insert<Table::kExecutionSubDevices>(execution_id, execution.device_id,
                                                         execution.manager_id, execution.sub_device_id, rank);
        ++execution_id;
    }
}

}  // namespace tilemeter::visualizer_import
