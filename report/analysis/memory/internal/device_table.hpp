// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// One entry of a device_tensors text.
struct DeviceTensor {
    Number address, chip, device;
};
std::vector<DeviceTensor> parse_device_tensors(std::string_view text);

/// Says which device a node means. The ids in a list are of two sorts, of devices (meshes) and of chips, and
/// one number can be both; which is meant follows from the kind of node. An id that is missing is unknown: it
/// means the only device there is, if there is only one, and else a device of its own.
class DeviceTable {
public:
    explicit DeviceTable(const NodeList& list);

    std::uint16_t slot_of_device(Number id);
    /// The slot of an entry of device_tensors.
    std::uint16_t slot_of_tensor(Number id);
    /// The slot of a piece of program memory. `program_device`: what the program's other nodes say, if anything.
    std::uint16_t slot_of_piece(Number id, std::optional<std::uint16_t> program_device);
    std::size_t chip_count(std::uint16_t slot) const { return slots_[slot].chips.size(); }
    std::vector<DeviceSlot> take_slots() { return std::move(slots_); }

private:
    std::uint16_t slot(Number id);
    void add_chip(std::int64_t device, std::int64_t chip);

    std::vector<DeviceSlot> slots_;
    std::map<std::int64_t, std::uint16_t> slot_by_id_;
    std::map<std::int64_t, std::int64_t> device_of_chip_;
    std::optional<std::uint16_t> unknown_;
};

}  // namespace tilemeter::analysis::internal
