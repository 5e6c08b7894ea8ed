// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// minimal_matmul, minimal_matmul_split: a matrix product in blocks of a size that the caller chooses, the same program for all shapes.
//
// [..., M, K] times [K, N], TILE, interleaved, floating point; a bias of one row [1, N]; an activation.
// Result: the input's dtype and memory config unless given. Throws RuntimeError, OutOfMemoryError.

#pragma once

#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// Sizes in tiles.
struct MinimalMatmulConfig {
    std::uint32_t M_block_size = 1;  // NOLINT: TT-NN's names
    std::uint32_t K_block_size = 1;  // NOLINT
    std::uint32_t N_block_size = 1;  // NOLINT
    std::uint32_t subblock_h = 1;
    std::uint32_t subblock_w = 1;
    CoreCoord compute_with_storage_grid_size{1, 1};
    auto key_fields() const {
        return std::tie(M_block_size, K_block_size, N_block_size, subblock_h, subblock_w,
                        compute_with_storage_grid_size);
    }
};
std::string attribute_text(const MinimalMatmulConfig& config);

namespace experimental {

struct MinimalMatmul {
    Tensor input_tensor{};
    Tensor weight_tensor{};
    OptionalTensor bias_tensor{};  ///< one row [1, N]
    std::optional<UnaryWithParam> fused_activation{};
    std::optional<MinimalMatmulConfig> config{};  ///< none: blocks of eight tiles on all cores
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    OptionalComputeKernelConfig compute_kernel_config{};
    bool fuse_swiglu = false;  ///< true is not supported

    static constexpr OperationInfo kOperation{
        "experimental::minimal_matmul",
        "[..., M, K] times [K, N] in blocks, plus a bias of one row, then an activation. TILE."};
    static constexpr auto kParameters =
        parameters(required<&MinimalMatmul::input_tensor, &MinimalMatmul::weight_tensor>(),
                   unrecorded_keyword<&MinimalMatmul::bias_tensor, &MinimalMatmul::fused_activation,
                                      &MinimalMatmul::config>(),
                   keyword<&MinimalMatmul::memory_config>(),
                   unrecorded_keyword<&MinimalMatmul::dtype, &MinimalMatmul::compute_kernel_config,
                                      &MinimalMatmul::fuse_swiglu>());

    Tensor call() const;
};

/// The product in `chunks` equal parts of its columns, in one program.
struct MinimalMatmulSplit {
    Tensor input_tensor{};
    Tensor weight_tensor{};
    std::uint32_t chunks = 3;
    int dim = -1;  ///< nothing else is supported
    OptionalTensor bias_tensor{};
    std::optional<UnaryWithParam> fused_activation{};
    std::optional<MinimalMatmulConfig> config{};
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    OptionalComputeKernelConfig compute_kernel_config{};
    bool fuse_swiglu = false;

    static constexpr OperationInfo kOperation{"experimental::minimal_matmul_split",
                                              "minimal_matmul's columns in chunks equal parts. dim: -1."};
    static constexpr auto kParameters =
        parameters(required<&MinimalMatmulSplit::input_tensor, &MinimalMatmulSplit::weight_tensor>(),
                   keyword<&MinimalMatmulSplit::chunks, &MinimalMatmulSplit::dim>(),
                   unrecorded_keyword<&MinimalMatmulSplit::bias_tensor, &MinimalMatmulSplit::fused_activation,
                                      &MinimalMatmulSplit::config>(),
                   keyword<&MinimalMatmulSplit::memory_config>(),
                   unrecorded_keyword<&MinimalMatmulSplit::dtype, &MinimalMatmulSplit::compute_kernel_config,
                                      &MinimalMatmulSplit::fuse_swiglu>());

    std::vector<Tensor> call() const;
};

inline constexpr Operation<MinimalMatmul> minimal_matmul;
inline constexpr Operation<MinimalMatmulSplit> minimal_matmul_split;

}  // namespace experimental

}  // namespace tilemeter
