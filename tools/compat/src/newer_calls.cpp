// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/newer_calls.hpp"

#include <stdexcept>

#include "tools/compat/src/arguments.hpp"

namespace ttnn {

using tilemeter::compat::call;
using tilemeter::compat::returned;
using tilemeter::compat::to_argument;

namespace detail {
Tensor group_norm_with_reciprocals(const Tensor& input_tensor, int num_groups, float epsilon,
                                   const std::optional<Tensor>& input_mask,
                                   const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                                   const std::optional<Tensor>& reciprocals,
                                   const std::optional<MemoryConfig>& memory_config,
                                   std::optional<DataType> dtype, std::optional<CoreGrid> core_grid,
                                   std::optional<bool> inplace, std::optional<Layout> output_layout,
                                   std::optional<int> num_out_blocks,
                                   std::optional<ComputeKernelConfig> compute_kernel_config,
                                   const std::optional<Tensor>& negative_mask, bool use_welford) {
    if (reciprocals)
        throw std::runtime_error("ttnn::group_norm: reciprocals: expected none, TT-NN 0.81.1 takes none");
    return returned<Tensor>(call("group_norm", {{"input_tensor", to_argument(input_tensor)},
                                                {"num_groups", to_argument(num_groups)},
                                                {"epsilon", to_argument(epsilon)},
                                                {"input_mask", to_argument(input_mask)},
                                                {"weight", to_argument(weight)},
                                                {"bias", to_argument(bias)},
                                                {"memory_config", to_argument(memory_config)},
                                                {"dtype", to_argument(dtype)},
                                                {"core_grid", to_argument(core_grid)},
                                                {"inplace", to_argument(inplace)},
                                                {"output_layout", to_argument(output_layout)},
                                                {"num_out_blocks", to_argument(num_out_blocks)},
                                                {"compute_kernel_config", to_argument(compute_kernel_config)},
                                                {"negative_mask", to_argument(negative_mask)},
                                                {"use_welford", to_argument(use_welford)}}));
}
}  // namespace detail

namespace experimental {
Tensor gelu_bw(const Tensor& grad_tensor, const Tensor& input_tensor, const std::string& approximate,
               const std::optional<MemoryConfig>& memory_config, std::optional<Tensor> input_grad) {
    using operations::unary::GeluVariant;
    if (approximate != "none" && approximate != "tanh")
        throw std::runtime_error("ttnn::experimental::gelu_bw: approximate: expected none or tanh, found " +
                                 approximate);
    const GeluVariant variant = approximate == "tanh" ? GeluVariant::Tanh : GeluVariant::Accurate;
    return returned<Tensor>(call("gelu_bw", {{"grad_tensor", to_argument(grad_tensor)},
                                             {"input_tensor", to_argument(input_tensor)},
                                             {"variant", to_argument(variant)},
                                             {"memory_config", to_argument(memory_config)},
                                             {"input_grad", to_argument(input_grad)}}));
}

Tensor indexer_score_dsa(
    const Tensor& q, const Tensor& k, const Tensor& weights, std::optional<std::uint32_t> chunk_start_idx,
    const operations::experimental::indexer_score::IndexerScoreProgramConfig& program_config,
    const std::optional<ComputeKernelConfig>& compute_kernel_config,
    std::optional<std::uint32_t> cache_batch_idx, std::optional<std::uint32_t> kv_len,
    const std::optional<std::vector<std::uint32_t>>& seq_shard_axes) {
    return returned<Tensor>(call("experimental::indexer_score_dsa",
                                 {{"q", to_argument(q)},
                                  {"k", to_argument(k)},
                                  {"weights", to_argument(weights)},
                                  {"chunk_start_idx", to_argument(chunk_start_idx)},
                                  {"program_config", to_argument(program_config)},
                                  {"compute_kernel_config", to_argument(compute_kernel_config)},
                                  {"cache_batch_idx", to_argument(cache_batch_idx)},
                                  {"kv_len", to_argument(kv_len)},
                                  {"seq_shard_axes", to_argument(seq_shard_axes)}}));
}
}  // namespace experimental

}  // namespace ttnn
