// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of collectives: their results, their workers, whether a gather has a program of its own.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tilemeter_ttnn/enums.hpp"
#include "tilemeter_ttnn/mesh.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

/// Whether all_gather is made of other operations, and why; its own program goes only where pages need not be cut anew. Throws
/// std::runtime_error for a tensor on the host.
std::pair<bool, std::string> use_composite_all_gather(const Tensor& input_tensor, int dim,
                                                      const std::optional<MemoryConfig>& memory_config,
                                                      std::optional<std::uint32_t> cluster_axis);

/// The first cores of each rectangle, row by row, for all workers of all links, or as many as there are: as a set and in order.
std::tuple<CoreRangeSet, std::vector<CoreCoord>> ar_choose_worker_cores(std::size_t num_links,
                                                                        std::size_t num_workers_per_link,
                                                                        const CoreRangeSet& available_cores);

/// What reduce_to_root puts between its steps: on each core of `input_tensor_l` its shard beside one of `input_tensor_s` and one
/// of `input_tensor_m`. Throws std::runtime_error for tensors without shards.
std::vector<tt::tt_metal::TensorSpec> reduce_to_root_tensor_spec(
    const Tensor& input_tensor_l, const Tensor& input_tensor_s, const Tensor& input_tensor_m,
    const MeshCoordinate& root_coord, float scale_fp32, tt::tt_fabric::Topology topology,
    const std::optional<std::vector<CoreCoord>>& input_mux_cores = std::nullopt);

namespace operations::ccl {
/// What gathering from so many chips gives; `gather_dim_from_end` is negative.
tt::tt_metal::TensorSpec compute_output_specs_helper(const Tensor& input_tensor, int gather_dim_from_end,
                                                     std::uint32_t num_devices,
                                                     const std::optional<MemoryConfig>& memory_config);
}  // namespace operations::ccl

}  // namespace ttnn
