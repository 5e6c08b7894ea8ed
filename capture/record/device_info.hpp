// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The description of each device that a recording mentions, for reports. The runtime announces a device when it opens
// it; it stays known after it is closed, since a capture may end later.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/events/ids.hpp"

namespace tilemeter::record {

/// Field names as in the report's `devices` records; sizes in bytes.
struct DeviceInfo {
    std::string arch;                  ///< as in reports: "WORMHOLE_B0"
    std::vector<std::uint16_t> chips;  ///< physical ids of the chips behind this device or mesh
    std::uint64_t num_y_cores = 0;
    std::uint64_t num_x_cores = 0;
    std::uint64_t num_y_compute_cores = 0;
    std::uint64_t num_x_compute_cores = 0;
    std::uint64_t worker_l1_size = 0;
    std::uint64_t l1_num_banks = 0;
    std::uint64_t l1_bank_size = 0;
    std::uint64_t address_at_first_l1_bank = 0;
    std::uint64_t address_at_first_l1_cb_buffer = 0;
    std::uint64_t num_banks_per_storage_core = 0;
    std::uint64_t num_compute_cores = 0;
    std::uint64_t num_storage_cores = 0;
    std::uint64_t total_l1_memory = 0;
    std::uint64_t total_l1_for_tensors = 0;
    std::uint64_t total_l1_for_interleaved_buffers = 0;
    std::uint64_t total_l1_for_sharded_buffers = 0;
    std::uint64_t cb_limit = 0;
    std::uint64_t num_dram_channels = 0;
    std::uint64_t dram_size_per_channel = 0;
    std::string cluster_descriptor;  ///< YAML text of the cluster the device belongs to
};

/// Makes `device` known, replacing what was known of that id.
void announce_device(DeviceId device, DeviceInfo info);

/// The description of `device`, if any.
std::optional<DeviceInfo> device_info_of(DeviceId device);

/// The cluster descriptor of the device announced last; empty when there was none.
std::string latest_cluster_descriptor();

}  // namespace tilemeter::record
