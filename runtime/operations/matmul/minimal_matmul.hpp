// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A matrix product in blocks of a size that the caller chooses, the same program for all shapes.
//
// [..., M, K] times [K, N], TILE, interleaved, floating point; a bias of one row [1, N]; an activation.
// Result: the input's dtype and memory config unless given. Throws RuntimeError, OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <vector>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/eltwise/unary.hpp"

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

struct MinimalMatmulOptions {
    OptionalTensor bias{};
    std::optional<UnaryWithParam> activation{};
    std::optional<MinimalMatmulConfig> config{};  ///< blocks of eight tiles on all cores unless given
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    OptionalComputeKernelConfig compute_kernel_config{};
};

namespace experimental {
Tensor minimal_matmul(const Tensor& input_tensor, const Tensor& weight_tensor,
                      const MinimalMatmulOptions& options = {});
/// The product in `chunks` equal parts of its columns, in one program. REQUIRES: dim -1.
std::vector<Tensor> minimal_matmul_split(const Tensor& input_tensor, const Tensor& weight_tensor,
                                         std::uint32_t chunks = 3, int dim = -1,
                                         const MinimalMatmulOptions& options = {});
}  // namespace experimental

}  // namespace tilemeter
