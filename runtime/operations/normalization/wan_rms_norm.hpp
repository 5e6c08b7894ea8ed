// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// rms_norm of rows that are spread over several chips, as distributed_norm.hpp's, with heads of attention and their rotation
// made in the same program. bfloat16, TILE. Both throw RuntimeError (shapes, dtype, layout), OutOfMemoryError.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter::experimental {

struct WanRmsNormPreAllGather {
    Tensor input_tensor{};
    DataType dtype = DataType::BFLOAT16;
    OptionalComputeKernelConfig compute_kernel_config{};
    Ignored memory_config{};  ///< the result's is the input's

    static constexpr OperationInfo kOperation{
        "experimental::wan_fused_rmsnorm_pre_allgather",
        "The sums of squares of the last dimension, in the first column of a tile. bfloat16, TILE."};
    static constexpr auto kParameters = parameters(
        required<&WanRmsNormPreAllGather::input_tensor>(), keyword<&WanRmsNormPreAllGather::dtype>(),
        unrecorded_keyword<&WanRmsNormPreAllGather::compute_kernel_config,
                           &WanRmsNormPreAllGather::memory_config>());
    Tensor body() const;
};

struct WanRmsNormPostAllGather {
    Tensor input_tensor{};  ///< [1, 1, S, H]
    Tensor stats{};         ///< the sums of all chips, a tile each; BFLOAT16 or FLOAT32
    float epsilon = 1e-5F;
    std::uint32_t num_heads_per_device = 1;
    OptionalTensor weight{};              ///< [1, H]
    OptionalTensor transformation_mat{};  ///< [1, 1, 32, 32], which turns each tile; the next two with it
    OptionalTensor rope_cos{};            ///< [1, 1, S, H / heads], BFLOAT16 or FLOAT32
    OptionalTensor rope_sin{};
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalDataType dtype{};  ///< the input's unless given

    static constexpr OperationInfo kOperation{
        "experimental::wan_fused_rmsnorm_post_allgather",
        "The input normalized by the sums of all chips, times weight, as heads [1, heads, S, H / heads]; "
        "rotated by cos and sin where they are given. bfloat16, TILE."};
    static constexpr auto kParameters =
        parameters(required<&WanRmsNormPostAllGather::input_tensor, &WanRmsNormPostAllGather::stats>(),
                   keyword<&WanRmsNormPostAllGather::epsilon, &WanRmsNormPostAllGather::num_heads_per_device,
                           &WanRmsNormPostAllGather::weight, &WanRmsNormPostAllGather::transformation_mat,
                           &WanRmsNormPostAllGather::rope_cos, &WanRmsNormPostAllGather::rope_sin,
                           &WanRmsNormPostAllGather::memory_config>(),
                   unrecorded_keyword<&WanRmsNormPostAllGather::compute_kernel_config,
                                      &WanRmsNormPostAllGather::dtype>());
    Tensor body() const;
};

inline constexpr Operation<WanRmsNormPreAllGather> wan_fused_rmsnorm_pre_allgather;
inline constexpr Operation<WanRmsNormPostAllGather> wan_fused_rmsnorm_post_allgather;

}  // namespace tilemeter::experimental
