// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One matrix product as its planning sees it: operands after transposition, in tiles.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/device/device_description.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// Blocks of an operand that lie in L1: one is multiplied while the next one comes.
inline constexpr std::uint64_t kDoubleBuffered = 2;

struct MatmulProblem {
    TensorSpec a;
    TensorSpec b;
    std::optional<TensorSpec> bias;  ///< only one that the program itself adds
    bool transpose_a = false;
    bool transpose_b = false;
    MemoryConfig output_memory_config;
    DataType output_dtype = DataType::BFLOAT16;
    bool accumulates_in_fp32 = false;  ///< sums are kept in 32 bits while the product is made
    bool packs_into_l1 = true;         ///< sums of several steps are added up where they lie

    /// The shapes with their last two dimensions swapped where the operand is to be transposed.
    Shape logical_shape_a() const;
    Shape logical_shape_b() const;

    /// The tiles of the operands as the product sees them, and of its result. The bias has its own.
    Tile tile_a() const;
    Tile tile_b() const;
    Tile output_tile() const { return {tile_a().height, tile_b().width}; }

    std::uint64_t batch_a() const;
    std::uint64_t batch_b() const;
    std::uint64_t m_tiles() const;  ///< of one batch
    std::uint64_t k_tiles() const;
    std::uint64_t n_tiles() const;

    /// Rows and columns of one shard in tiles: of `a` as it lies, which TT-NN takes for those of the product even where
    /// it is to be transposed, of `b` as the product sees it. REQUIRES: sharded.
    std::uint64_t a_shard_height() const;
    std::uint64_t a_shard_width() const;
    std::uint64_t b_shard_height() const;
    std::uint64_t b_shard_width() const;
};

/// Throws RuntimeError: ranks, dimensions that don't match, layouts, dtypes, tiles.
void require_valid(const MatmulProblem& problem);

/// Low tiles beside blocks, which only products of batches from DRAM take. Throws RuntimeError.
void require_tiles_of_mcast(const MatmulProblem& problem);

/// [..., M, N]; a vector operand gives up its dimension.
Shape output_shape(const MatmulProblem& problem);

/// As the program will write it: with a shard spec that follows from the program config where the result is
/// sharded.
TensorSpec output_spec(const MatmulProblem& problem, const MatmulProgramConfig& config,
                       const DeviceDescription& device);

}  // namespace tilemeter
