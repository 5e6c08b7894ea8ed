// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The spread of a matrix product over the cores of a device, with TT-NN's names: what a caller may prescribe, and what
// is chosen for him otherwise (matmul_config_choice.hpp). All sizes in tiles.
//
//     in0 [M, K]  x  in1 [K, N]  ->  out [M, N]
//     each core makes per_core_M x per_core_N of out, in blocks of out_block_h x out_block_w,
//     reading in0_block_w columns of in0 (and as many rows of in1) at a time.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/work/core_grid.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// One tile of the result at a time, on any core; no reuse of what was read.
struct MatmulMultiCoreProgramConfig {
    auto key_fields() const { return std::tie(); }
    friend bool operator==(const MatmulMultiCoreProgramConfig&,
                           const MatmulMultiCoreProgramConfig&) = default;
};

/// Batches: each core makes whole products of its own.
struct MatmulMultiCoreReuseProgramConfig {
    CoreCoord compute_with_storage_grid_size;
    std::uint64_t in0_block_w = 1;
    std::uint64_t out_subblock_h = 1;
    std::uint64_t out_subblock_w = 1;
    std::uint64_t per_core_M = 1;
    std::uint64_t per_core_N = 1;
    auto key_fields() const {
        return std::tie(compute_with_storage_grid_size, in0_block_w, out_subblock_h, out_subblock_w,
                        per_core_M, per_core_N);
    }
    friend bool operator==(const MatmulMultiCoreReuseProgramConfig&,
                           const MatmulMultiCoreReuseProgramConfig&) = default;
};

/// "2D": rows of in0 are sent along rows of cores, columns of in1 along columns of cores.
struct MatmulMultiCoreReuseMultiCastProgramConfig {
    CoreCoord compute_with_storage_grid_size;
    std::uint64_t in0_block_w = 1;
    std::uint64_t out_subblock_h = 1;
    std::uint64_t out_subblock_w = 1;
    std::uint64_t out_block_h = 0;  ///< 0: per_core_M
    std::uint64_t out_block_w = 0;  ///< 0: per_core_N
    std::uint64_t per_core_M = 1;
    std::uint64_t per_core_N = 1;
    bool transpose_mcast = false;  ///< M along x, N along y
    std::optional<UnaryWithParam> fused_activation = std::nullopt;
    bool fuse_batch = true;  ///< batches of in0 count as more rows
    auto key_fields() const {
        return std::tie(compute_with_storage_grid_size, in0_block_w, out_subblock_h, out_subblock_w,
                        out_block_h, out_block_w, per_core_M, per_core_N, transpose_mcast, fused_activation,
                        fuse_batch);
    }
    friend bool operator==(const MatmulMultiCoreReuseMultiCastProgramConfig&,
                           const MatmulMultiCoreReuseMultiCastProgramConfig&) = default;
};

/// "1D": one operand is sent to all cores (mcast_in0: in0, and cores share the columns of the result; else
/// in1, and cores share its rows).
struct MatmulMultiCoreReuseMultiCast1DProgramConfig {
    CoreCoord compute_with_storage_grid_size;
    std::uint64_t in0_block_w = 1;
    std::uint64_t out_subblock_h = 1;
    std::uint64_t out_subblock_w = 1;
    std::uint64_t out_block_h = 0;  ///< 0: per_core_M
    std::uint64_t out_block_w = 0;  ///< 0: per_core_N
    std::uint64_t per_core_M = 1;
    std::uint64_t per_core_N = 1;
    bool fuse_batch = true;
    std::optional<UnaryWithParam> fused_activation = std::nullopt;
    bool mcast_in0 = true;
    auto key_fields() const {
        return std::tie(compute_with_storage_grid_size, in0_block_w, out_subblock_h, out_subblock_w,
                        out_block_h, out_block_w, per_core_M, per_core_N, fuse_batch, fused_activation,
                        mcast_in0);
    }
    friend bool operator==(const MatmulMultiCoreReuseMultiCast1DProgramConfig&,
                           const MatmulMultiCoreReuseMultiCast1DProgramConfig&) = default;
};

/// One row of tiles (a step of decoding): in1 lies in one shard per bank of DRAM, and the cores nearest to
/// the banks each multiply with what theirs has. in0 is spread over the width.
struct MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig {
    std::uint64_t in0_block_w = 1;
    std::uint64_t per_core_M = 1;
    std::uint64_t per_core_N = 1;  ///< columns of a shard of the result
    std::optional<UnaryWithParam> fused_activation = std::nullopt;
    std::uint64_t num_workers_per_dram_bank = 1;  ///< Blackhole: cores that share a bank
    auto key_fields() const {
        return std::tie(in0_block_w, per_core_M, per_core_N, fused_activation, num_workers_per_dram_bank);
    }
    friend bool operator==(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig&,
                           const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig&) = default;
};

/// Batches: in0, in1 and the result lie in height shards of whole batches, in1 one shard per bank of DRAM; the core next to
/// a bank makes the products of its batches. in0 and the result lie on these cores, in the banks' order.
struct MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig {
    std::uint64_t in0_block_w = 1;
    std::uint64_t per_core_M = 1;  ///< rows of tiles of a batch
    std::uint64_t per_core_N = 1;  ///< columns of tiles of a batch
    std::optional<UnaryWithParam> fused_activation = std::nullopt;
    auto key_fields() const { return std::tie(in0_block_w, per_core_M, per_core_N, fused_activation); }
    friend bool operator==(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig&,
                           const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig&) = default;
};

using MatmulProgramConfig =
    std::variant<MatmulMultiCoreProgramConfig, MatmulMultiCoreReuseProgramConfig,
                 MatmulMultiCoreReuseMultiCastProgramConfig, MatmulMultiCoreReuseMultiCast1DProgramConfig,
                 MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig,
                 MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>;

/// "MatmulMultiCoreReuseProgramConfig(compute_with_storage_grid_size=(x=8,y=8),in0_block_w=2,...)"
std::string to_string(const MatmulProgramConfig& config);

}  // namespace tilemeter
