// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of a convolution's program: TT-NN's structures, names and defaults.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/types/dtype.hpp"
#include "runtime/types/memory_config.hpp"

namespace tilemeter {

struct Conv2dConfig {
    std::optional<DataType> weights_dtype;  ///< that of the weights unless given
    std::optional<UnaryWithParam> activation;
    bool deallocate_activation = false;  ///< frees an input in L1 as soon as it was read
    bool reallocate_halo_output = true;  ///< moves the halo to where the input was
    bool config_tensors_in_dram = false;
    std::uint32_t act_block_h_override = 0;  ///< rows of the output that a core makes at a time; 0: all
    std::uint32_t act_block_w_div = 1;       ///< WIDTH_SHARDED: parts into which a core's channels are cut
    bool reshard_if_not_optimal = false;
    bool override_sharding_config = false;                  ///< takes shard_layout and core_grid
    std::optional<TensorMemoryLayout::Value> shard_layout;  ///< the one with least L1 unless given
    std::optional<CoreRangeSet> core_grid;
    bool transpose_shards = false;  ///< BLOCK_SHARDED: channels along y
    Layout output_layout = Layout::TILE;
    bool enable_act_double_buffer = false;
    bool enable_weights_double_buffer = false;
    bool full_inner_dim = false;  ///< BLOCK_SHARDED: all of the kernel at a time
    std::optional<bool> enable_kernel_stride_folding;
    bool enable_activation_reuse = false;
    std::optional<bool> force_split_reader;
    bool override_output_sharding_config = false;
    bool replicates_edges = false;  ///< TT-NN's PaddingMode.Replicate: padding repeats the nearest pixel
    friend bool operator==(const Conv2dConfig&, const Conv2dConfig&) = default;
};

/// In Python also None, for the default.
struct Conv2dConfigOrDefault : Conv2dConfig {
    Conv2dConfigOrDefault() = default;
    Conv2dConfigOrDefault(Conv2dConfig config) : Conv2dConfig(std::move(config)) {}  // NOLINT
};

/// The slices of a convolution of an input in DRAM, and their direction.
struct Conv2dSliceConfig {
    enum class SliceType : std::uint8_t { DRAM_HEIGHT, DRAM_WIDTH, L1_FULL };
    SliceType slice_type = SliceType::L1_FULL;
    std::uint32_t num_slices = 0;  ///< 0: the number that is needed
    friend bool operator==(const Conv2dSliceConfig&, const Conv2dSliceConfig&) = default;
};

inline constexpr Conv2dSliceConfig Conv2dL1FullSliceConfig{};

}  // namespace tilemeter
