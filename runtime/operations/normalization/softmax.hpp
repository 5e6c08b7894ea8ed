// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax, with TT-NN's names, arguments and defaults.
//
// Any shape; BFLOAT16, FLOAT32 or BFLOAT8_B; TILE layout. The result has the input's shape and dtype.
// memory_config: that of the input unless given. numeric_stable: subtract the maximum first (values here are
// computed so in any case; the program's memory differs). compute_kernel_config: without fp32_dest_acc_en
// (the default has it) sums take 16 bits. Throws RuntimeError (dimension out of range, dtype, layout),
// OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/types/core_range.hpp"

namespace tilemeter {

/// Softmax where the shards lie: HEIGHT_SHARDED or one column of blocks, whole rows to a core. Sizes in
/// tiles.
struct SoftmaxShardedMultiCoreProgramConfig {
    CoreCoord compute_with_storage_grid_size;  ///< from the first core; one shard to each
    std::uint32_t subblock_w = 1;
    std::uint32_t block_h = 1;  ///< of a shard
    std::uint32_t block_w = 1;
};
/// Nothing: rows are shared out among all cores, wherever they lie.
using OptionalSoftmaxProgramConfig = std::optional<SoftmaxShardedMultiCoreProgramConfig>;

Tensor softmax(const Tensor& input_tensor, int dim = -1,
               const OptionalMemoryConfig& memory_config = std::nullopt, bool numeric_stable = true,
               const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// Written over the input, which is returned; four dimensions, along the last.
Tensor softmax_in_place(const Tensor& input_tensor, int dim = -1, bool numeric_stable = true,
                        const OptionalSoftmaxProgramConfig& program_config = std::nullopt,
                        const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// softmax(scale * input + mask) along the last of four dimensions [b, h, s, t]. mask [b, 1 or h, 1 or s, t];
/// of 32 rows that are not the input's the first counts, or, with is_causal_mask (the mask differs by row),
/// they repeat. scale: only with a mask. The form in place takes masks of any height, the other up to 32
/// rows; with a program_config the mask is interleaved, one for all heads, or lies in shards as the input
/// does.
Tensor scale_mask_softmax(const Tensor& input_tensor, std::optional<float> scale = std::nullopt,
                          const OptionalTensor& mask = std::nullopt,
                          const OptionalMemoryConfig& memory_config = std::nullopt,
                          bool is_causal_mask = false, bool numeric_stable = true,
                          const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);
Tensor scale_mask_softmax_in_place(const Tensor& input_tensor, std::optional<float> scale = std::nullopt,
                                   const OptionalTensor& mask = std::nullopt, bool is_causal_mask = false,
                                   bool numeric_stable = true,
                                   const OptionalSoftmaxProgramConfig& program_config = std::nullopt,
                                   const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// The same of shards with one causal mask [1, 1, s, t] for all batches and heads; its rows repeat. Needs
/// scale, mask and program_config.
Tensor scale_causal_mask_hw_dims_softmax_in_place(
    const Tensor& input_tensor, std::optional<float> scale = std::nullopt,
    const OptionalTensor& mask = std::nullopt,
    const OptionalSoftmaxProgramConfig& program_config = std::nullopt, bool numeric_stable = false,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

namespace transformer {

/// softmax(input / sqrt(head_size) + attention_mask); without a head size nothing is divided.
Tensor attention_softmax(const Tensor& input_tensor, std::optional<std::uint32_t> head_size = std::nullopt,
                         const OptionalTensor& attention_mask = std::nullopt, bool causal_mask = false,
                         const OptionalMemoryConfig& memory_config = std::nullopt);

/// Written over the input, which is returned; needs a mask. Shards are treated as other tensors are, as in
/// TT-NN, which does not look at the program config here.
Tensor attention_softmax_(const Tensor& input_tensor, std::optional<std::uint32_t> head_size = std::nullopt,
                          const OptionalTensor& attention_mask = std::nullopt, bool causal_mask = false);

}  // namespace transformer

}  // namespace tilemeter
