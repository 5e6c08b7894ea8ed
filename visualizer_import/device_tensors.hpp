// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/json_value.hpp"
#include "report/result.hpp"
#include "visualizer_import/device_map.hpp"

namespace tilemeter::visualizer_import {

// Where the parts of a tensor lie: params.device_tensors, which is JSON inside a text.
struct DeviceTensors {
    struct Part {
        std::optional<std::int64_t> device_id;  // the mesh's where it is given, renumbered
        std::optional<std::int64_t> address;
        bool operator==(const Part&) const = default;
    };
    std::vector<Part> parts;
    std::string text;  // with renumbered devices, as json.dumps writes it
};

// Reads those texts; the same few come again and again.
class DeviceTensorTexts {
public:
    // The result lives until the next call.
    report::Result<const DeviceTensors*> read(std::string_view text, const DeviceMap& devices);

private:
    report::Status parse(std::string_view text, const DeviceMap& devices, DeviceTensors& out);

    static constexpr std::size_t kMostKept = 4096;
    std::unordered_map<std::string, DeviceTensors> known_;
    report::JsonDocument document_;
};

}  // namespace tilemeter::visualizer_import
