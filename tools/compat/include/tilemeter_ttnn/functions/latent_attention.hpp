// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Multi-latent attention of a whole sequence: one function for values that are a part of the keys, and for others.

#pragma once

#include <cstdint>
#include <optional>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::transformer {

/// Throws std::runtime_error unless `input_tensor_v`, if there is one, has `head_dim_v` columns.
Tensor flash_mla_prefill(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, std::uint32_t head_dim_v,
    const std::optional<Tensor>& input_tensor_v = std::nullopt,
    const std::optional<Tensor>& attn_mask = std::nullopt, bool is_causal = true,
    std::optional<float> scale = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<operations::transformer::SDPAProgramConfig> program_config = std::nullopt,
    std::optional<ComputeKernelConfig> compute_kernel_config = std::nullopt);

}  // namespace ttnn::transformer
