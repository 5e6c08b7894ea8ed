// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The state of devices' memory as reports say it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilemeter_ttnn/enums.hpp"

namespace tt::tt_metal::distributed {
class MeshDevice;
}

namespace ttnn::reports {

struct DeviceInfo {
    std::size_t num_y_cores;
    std::size_t num_x_cores;
    std::size_t num_y_compute_cores;
    std::size_t num_x_compute_cores;
    std::size_t worker_l1_size;
    std::size_t l1_num_banks;
    std::size_t l1_bank_size;
    std::uint64_t address_at_first_l1_bank;
    std::uint64_t address_at_first_l1_cb_buffer;
    std::size_t num_banks_per_storage_core;
    std::size_t num_compute_cores;
    std::size_t num_storage_cores;
    std::size_t total_l1_memory;
    std::size_t total_l1_for_tensors;
    std::size_t total_l1_for_interleaved_buffers;
    std::size_t total_l1_for_sharded_buffers;
    std::size_t cb_limit;
};
/// Throws std::runtime_error for null.
DeviceInfo get_device_info(tt::tt_metal::distributed::MeshDevice* device);

struct BufferInfo {
    std::uint32_t device_id;
    std::uint32_t address;
    std::uint32_t max_size_per_bank;
    tt::tt_metal::BufferType buffer_type;
    tt::tt_metal::TensorMemoryLayout buffer_layout;
};
/// The buffers that have memory now, oldest first.
std::vector<BufferInfo> get_buffers(const std::vector<tt::tt_metal::distributed::MeshDevice*>& devices);

struct BufferPageInfo {
    std::uint32_t device_id;
    std::uint32_t address;
    std::uint32_t core_y;
    std::uint32_t core_x;
    std::uint32_t bank_id;
    std::uint32_t page_index;
    std::uint32_t page_address;
    std::uint32_t page_size;
    tt::tt_metal::BufferType buffer_type;
};
/// The pages of those that lie in L1.
std::vector<BufferPageInfo> get_buffer_pages(
    const std::vector<tt::tt_metal::distributed::MeshDevice*>& devices);

}  // namespace ttnn::reports
