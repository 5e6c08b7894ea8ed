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
#include "visualizer_import/graph/device_map.hpp"

namespace tilemeter::visualizer_import {

// The places of a tensor's parts: params.device_tensors, which is JSON inside a text.
struct DeviceTensors {
    struct Part {
        std::optional<std::int64_t>
            device_id;  // the mesh's where it is given, renumbered; of several chips the chip's
        std::optional<std::int64_t> address;
        bool operator==(const Part&) const = default;
    };
    std::vector<Part> parts;
    std::string text;  // with renumbered devices, as json.dumps writes it
};

// Reads those texts; the same few come again and again.
//
// The chips of a mesh have numbers of their own, from 0. The reference takes the number of their mesh for each, so that
// what lies at one address on all of them is one part.
class DeviceTensorTexts {
public:
    explicit DeviceTensorTexts(bool reference_quirks) : reference_quirks_(reference_quirks) {}

    // The result lives until the next call.
    report::Result<const DeviceTensors*> read(std::string_view text, const DeviceMap& devices);

private:
    report::Status parse(std::string_view text, const DeviceMap& devices, DeviceTensors& out);

    const bool reference_quirks_;
    static constexpr std::size_t kMostKept = 4096;
    std::unordered_map<std::string, DeviceTensors> known_;
    report::JsonDocument document_;
};

}  // namespace tilemeter::visualizer_import
