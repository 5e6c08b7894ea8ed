// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Weights of experts as moe_compute reads them: shared out over a ring of cores, one beside each bank of DRAM.

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::experimental {

struct WeightCoreShardMaps {
    std::vector<std::uint32_t> w0_w1_shard_map;  ///< columns of tiles of each core
    /// Tiles of each core's last group of four, and those that the group lacks.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> w2_shard_map;
    CoreRangeSet dram_core_range_set;  ///< the banks in the ring's order
};
struct WeightMemoryConfigs {
    MemoryConfig w0_w1;
    MemoryConfig w2;
};

// Throw std::runtime_error where a board's cores beside its banks are not known.
WeightCoreShardMaps get_weight_core_shard_maps(tt::tt_metal::distributed::MeshDevice* mesh_device,
                                               std::uint32_t hidden_size, std::uint32_t intermediate_size);
/// Throws for sizes that are no whole tiles, too.
WeightMemoryConfigs get_weight_mem_configs(tt::tt_metal::distributed::MeshDevice* mesh_device,
                                           std::uint32_t num_layers, std::uint32_t experts_per_device,
                                           std::uint32_t hidden_size, std::uint32_t intermediate_size,
                                           bool has_bias);

/// Routed experts with shared ones behind them, whose intermediate dimension is parted along the mesh's other axis: each core's
/// part of it comes first in what the core has of a routed expert, zeros after it.
std::tuple<Tensor, Tensor, Tensor> add_shared_expert_weights(const Tensor& routed_w0, const Tensor& routed_w1,
                                                             const Tensor& routed_w2, const Tensor& shared_w0,
                                                             const Tensor& shared_w1, const Tensor& shared_w2,
                                                             std::uint32_t cluster_axis);

// Weights [layers, experts, rows, columns] as the ring reads them, in tiles: for each bank, layer and expert blocks of rows of
// four tiles. L: layers; E: experts; K: hidden size; N: intermediate size. Throw std::runtime_error for sizes that are no whole
// tiles, and as get_weight_core_shard_maps.
/// Pairs of a column of either tensor beside the next such pair, a core's columns together; an odd column at their end lies in
/// rows of two of its own.
Tensor prepare_w0_w1_tensor_for_moe_compute(const Tensor& tt_w0, const Tensor& tt_w1, std::uint32_t L,
                                            std::uint32_t E, std::uint32_t K, std::uint32_t N);
/// A core's columns in groups of four, whose rows begin with those that reach the core first.
Tensor prepare_w2_tensor_for_moe_compute(const Tensor& tt_w2, std::uint32_t L, std::uint32_t E,
                                         std::uint32_t N, std::uint32_t K);
// With a bias [layers, experts, columns] in a row of tiles behind the weights.
Tensor prepare_w0_w1_tensor_with_bias(const Tensor& tt_w0, const Tensor& tt_w1, const Tensor& tt_b0,
                                      const Tensor& tt_b1, std::uint32_t L, std::uint32_t E, std::uint32_t K,
                                      std::uint32_t N);
Tensor prepare_w2_tensor_with_bias(const Tensor& tt_w2, const Tensor& tt_b2, std::uint32_t L, std::uint32_t E,
                                   std::uint32_t N, std::uint32_t K);

/// With another dtype, by the host; on the device again where `memory_config` is given.
Tensor quantize_weights_via_host(const Tensor& device_tensor, DataType dtype,
                                 const std::optional<MemoryConfig>& memory_config);

}  // namespace ttnn::experimental
