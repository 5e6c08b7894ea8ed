// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/json_node.hpp"
#include "report/result.hpp"
#include "visualizer_import/graph/device_map.hpp"
#include "visualizer_import/graph/device_tensors.hpp"
#include "visualizer_import/rows/string_pool.hpp"

namespace tilemeter::visualizer_import {

struct TensorRow {
    std::int64_t tensor_id = 0;
    std::string_view shape;
    std::optional<std::string_view> dtype, layout, memory_config;
    std::optional<std::int64_t> device_id, address, buffer_type;
    std::optional<std::string_view> storage_type;
    std::optional<std::int64_t> size_bytes;
};

// The bytes of an element of "DataType.BFLOAT16" and its like; block formats counted as one byte, as the current
// dialect does.
std::optional<std::int64_t> element_bytes(std::string_view dtype);

// The row of a tensor: of a node's params, or of a record with the same members.
report::Result<TensorRow> tensor_row(const report::JsonValue& params, std::int64_t tensor_id,
                                     const DeviceMap& devices, StringPool& pool);

// The tensors of one graph: the first node of each id.
class TensorTable {
public:
    TensorTable(const DeviceMap& devices, bool reference_quirks)
        : devices_(devices), device_tensors_(reference_quirks) {}

    report::Status add(const report::JsonNode& node);
    [[nodiscard]] const std::vector<TensorRow>& rows() const { return rows_; }
    // Null for an id that was not met yet; lives until the next one is.
    [[nodiscard]] const TensorRow* find(std::int64_t tensor_id) const;
    // The address of a tensor that was recorded without one.
    void place(std::int64_t tensor_id, std::int64_t address) { placed_.try_emplace(tensor_id, address); }
    // The tensor that lies at an address: the first that ever did, or the latest on that device.
    [[nodiscard]] std::optional<std::int64_t> first_at(std::int64_t address) const;
    [[nodiscard]] std::optional<std::int64_t> latest_at(std::int64_t address, std::int64_t device_id) const;

    struct Part {
        std::int64_t tensor_id;
        DeviceTensors::Part place;
    };
    // The address of a tensor, or of its part on one device: where it was recorded, or was placed.
    [[nodiscard]] std::optional<std::int64_t> address_of(const TensorRow& row) const {
        return address_of(row.tensor_id, row.address);
    }
    [[nodiscard]] std::optional<std::int64_t> address_of(const Part& part) const {
        return address_of(part.tensor_id, part.place.address);
    }
    // No part twice.
    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    StringPool& pool() { return pool_; }

private:
    [[nodiscard]] std::optional<std::int64_t> address_of(std::int64_t tensor_id,
                                                         std::optional<std::int64_t> recorded) const;
    report::Status add_parts(const report::JsonNode& node, std::int64_t tensor);

    const DeviceMap& devices_;
    StringPool pool_;
    DeviceTensorTexts device_tensors_;
    std::vector<TensorRow> rows_;
    std::vector<Part> parts_;
    std::unordered_map<std::int64_t, std::size_t> places_;  // by id, in rows_
    std::set<std::pair<std::int64_t, bool>> forms_;
    std::set<std::tuple<std::int64_t, std::optional<std::int64_t>, std::optional<std::int64_t>>> known_parts_;
    std::unordered_map<std::int64_t, std::int64_t> first_at_;
    std::unordered_map<std::int64_t, std::int64_t> placed_;
    std::unordered_map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>>
        latest_at_;  // device, tensor
};

}  // namespace tilemeter::visualizer_import
