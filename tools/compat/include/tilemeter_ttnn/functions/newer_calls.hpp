// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Forms of calls that TT-NN got after 0.81.1, as tt-mlir's runtime makes them: the same operations.

#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

namespace detail {
/// Throws std::runtime_error where `reciprocals` are given, which 0.81.1 does not take.
Tensor group_norm_with_reciprocals(const Tensor& input_tensor, int num_groups, float epsilon,
                                   const std::optional<Tensor>& input_mask,
                                   const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                                   const std::optional<Tensor>& reciprocals,
                                   const std::optional<MemoryConfig>& memory_config,
                                   std::optional<DataType> dtype, std::optional<CoreGrid> core_grid,
                                   std::optional<bool> inplace, std::optional<Layout> output_layout,
                                   std::optional<int> num_out_blocks,
                                   std::optional<ComputeKernelConfig> compute_kernel_config,
                                   const std::optional<Tensor>& negative_mask, bool use_welford);
}  // namespace detail

/// With `reciprocals` before the memory config. The type of the config tells it from the form of 0.81.1.
template <typename Config>
requires(std::same_as<std::remove_cvref_t<Config>, std::optional<MemoryConfig>> ||
         std::same_as<std::remove_cvref_t<Config>, MemoryConfig>) Tensor
    group_norm(const Tensor& input_tensor, int num_groups, float epsilon,
               const std::optional<Tensor>& input_mask, const std::optional<Tensor>& weight,
               const std::optional<Tensor>& bias, const std::optional<Tensor>& reciprocals,
               const Config& memory_config, std::optional<DataType> dtype = std::nullopt,
               std::optional<CoreGrid> core_grid = std::nullopt, std::optional<bool> inplace = std::nullopt,
               std::optional<Layout> output_layout = std::nullopt,
               std::optional<int> num_out_blocks = std::nullopt,
               std::optional<ComputeKernelConfig> compute_kernel_config = std::nullopt,
               const std::optional<Tensor>& negative_mask = std::nullopt, bool use_welford = false) {
    return detail::group_norm_with_reciprocals(
        input_tensor, num_groups, epsilon, input_mask, weight, bias, reciprocals, memory_config, dtype,
        core_grid, inplace, output_layout, num_out_blocks, compute_kernel_config, negative_mask, use_welford);
}

namespace experimental {
/// gelu_bw's gradient, with the way gelu is computed by name: "none" or "tanh". Throws std::runtime_error for others.
Tensor gelu_bw(const Tensor& grad_tensor, const Tensor& input_tensor, const std::string& approximate = "none",
               const std::optional<MemoryConfig>& memory_config = std::nullopt,
               std::optional<Tensor> input_grad = std::nullopt);

/// Without the ratio of keys to tokens before the config.
Tensor indexer_score_dsa(
    const Tensor& q, const Tensor& k, const Tensor& weights, std::optional<std::uint32_t> chunk_start_idx,
    const operations::experimental::indexer_score::IndexerScoreProgramConfig& program_config,
    const std::optional<ComputeKernelConfig>& compute_kernel_config,
    std::optional<std::uint32_t> cache_batch_idx = std::nullopt,
    std::optional<std::uint32_t> kv_len = std::nullopt,
    const std::optional<std::vector<std::uint32_t>>& seq_shard_axes = std::nullopt);
}  // namespace experimental

}  // namespace ttnn
