// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program that a matrix product gets where none is prescribed.

#pragma once

#include <cstdint>
#include <optional>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

namespace prim {
/// A product's settings, as the operation has them.
struct MatmulParams {
    std::optional<operations::matmul::MatmulProgramConfig> program_config{};
    std::optional<bool> bcast_batch{};
    tt::tt_metal::MemoryConfig output_mem_config{};
    std::optional<tt::tt_metal::DataType> output_dtype{};
    std::optional<ComputeKernelConfig> compute_kernel_config{};
    bool untilize_out = false;
    std::optional<tt::tt_metal::CoreCoord> user_core_coord{};  ///< a grid that the caller gave
    std::optional<UnaryWithParam> user_fused_activation{};
    bool user_run_batched = false;
    bool transpose_a = false;
    bool transpose_b = false;
    std::optional<tt::tt_metal::Tile> output_tile{};
};
}  // namespace prim

namespace operations::matmul {

// By what is free of L1 now. `bias_single_tile_size`: bytes of a tile of the bias, 0 without one. Throw std::runtime_error for
// tensors on the host and operands that do not match.
MatmulProgramConfig get_program_config(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                                       bool transpose_a, bool transpose_b,
                                       std::uint32_t bias_single_tile_size,
                                       const prim::MatmulParams& attributes);
/// Without a core grid. Throws for shards of `input_tensor_a`, too, which say themselves on which cores.
MatmulProgramConfig create_simple_matmul_program_config(
    const Tensor& input_tensor_a, const Tensor& input_tensor_b, bool transpose_a, bool transpose_b,
    std::uint32_t bias_single_tile_size,
    const std::optional<const ComputeKernelConfig>& compute_kernel_config,
    const CoreCoord& compute_with_storage_grid_size, const MemoryConfig& mem_config,
    tt::tt_metal::DataType output_dtype);

/// Throws std::runtime_error for an `alpha` of 0, and for a tensor that is not of the product's shape.
void addmm_validate(const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor,
                    float alpha, float beta);

}  // namespace operations::matmul
}  // namespace ttnn
