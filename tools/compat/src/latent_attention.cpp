// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/latent_attention.hpp"

#include <string>

#include "tools/compat/src/arguments.hpp"
#include "tools/compat/src/fatal.hpp"

namespace ttnn::transformer {

using tilemeter::compat::call;
using tilemeter::compat::returned;
using tilemeter::compat::to_argument;

Tensor flash_mla_prefill(const Tensor& input_tensor_q, const Tensor& input_tensor_k, std::uint32_t head_dim_v,
                         const std::optional<Tensor>& input_tensor_v, const std::optional<Tensor>& attn_mask,
                         bool is_causal, std::optional<float> scale,
                         const std::optional<MemoryConfig>& memory_config,
                         std::optional<operations::transformer::SDPAProgramConfig> program_config,
                         std::optional<ComputeKernelConfig> compute_kernel_config) {
    if (!input_tensor_v) {
        return returned<Tensor>(call("transformer::flash_mla_prefill",
                                     {{"input_tensor_q", to_argument(input_tensor_q)},
                                      {"input_tensor_k", to_argument(input_tensor_k)},
                                      {"head_dim_v", to_argument(head_dim_v)},
                                      {"attn_mask", to_argument(attn_mask)},
                                      {"is_causal", to_argument(is_causal)},
                                      {"scale", to_argument(scale)},
                                      {"memory_config", to_argument(memory_config)},
                                      {"program_config", to_argument(program_config)},
                                      {"compute_kernel_config", to_argument(compute_kernel_config)}}));
    }
    const std::uint32_t width = input_tensor_v->logical_shape()[-1];
    if (width != head_dim_v) {
        tilemeter::compat::refuse_as_fatal("ttnn::transformer::flash_mla_prefill",
                                           "head_dim_v: expected that of the values, " +
                                               std::to_string(width) + ", found " +
                                               std::to_string(head_dim_v));
    }
    return returned<Tensor>(call("transformer::flash_mla_prefill",
                                 {{"input_tensor_q", to_argument(input_tensor_q)},
                                  {"input_tensor_k", to_argument(input_tensor_k)},
                                  {"input_tensor_v", to_argument(*input_tensor_v)},
                                  {"attn_mask", to_argument(attn_mask)},
                                  {"is_causal", to_argument(is_causal)},
                                  {"scale", to_argument(scale)},
                                  {"memory_config", to_argument(memory_config)},
                                  {"program_config", to_argument(program_config)},
                                  {"compute_kernel_config", to_argument(compute_kernel_config)}}));
}

}  // namespace ttnn::transformer
