// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where the fused experts of moe_compute lie on the grid: which cores combine, which one leads those that tilize, and the
// block around all of them. Clients place semaphores and shards by these.

#pragma once

#include <cstdint>
#include <vector>

#include "tilemeter_ttnn/core_coord.hpp"

namespace tt::tt_metal::distributed {
class MeshDevice;
}  // namespace tt::tt_metal::distributed

namespace ttnn::experimental {

// All throw std::runtime_error where there is no room for them beside `mux_core_range_set`, or where it is not known which cores
// read the device's banks best.

/// `combine_token_parallel_cores` times `combine_data_parallel_cores`, column by column.
std::vector<tt::tt_metal::CoreCoord> get_moe_combine_cores(
    tt::tt_metal::distributed::MeshDevice* mesh_device, std::uint32_t combine_token_parallel_cores,
    std::uint32_t combine_data_parallel_cores, std::uint32_t hidden_size,
    const tt::tt_metal::CoreRangeSet& mux_core_range_set = {});
tt::tt_metal::CoreCoord get_moe_tilize_drain_core(tt::tt_metal::distributed::MeshDevice* mesh_device,
                                                  std::uint32_t combine_token_parallel_cores,
                                                  std::uint32_t combine_data_parallel_cores,
                                                  std::uint32_t hidden_size,
                                                  const tt::tt_metal::CoreRangeSet& mux_core_range_set = {});
tt::tt_metal::CoreRange get_moe_worker_mcast_bounding_box(
    tt::tt_metal::distributed::MeshDevice* mesh_device, std::uint32_t combine_token_parallel_cores,
    std::uint32_t combine_data_parallel_cores, std::uint32_t hidden_size,
    const tt::tt_metal::CoreRangeSet& mux_core_range_set = {});

}  // namespace ttnn::experimental
