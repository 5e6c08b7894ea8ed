// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// attn_matmul, attn_matmul_from_cache, group_attn_matmul: products of one token of each user with what the
// user's cache holds.
//
// TILE, interleaved, floating point. The programs take all cores of the device, whatever
// compute_with_storage_grid_size says. memory_config, dtype: the input's unless given. All throw RuntimeError,
// OutOfMemoryError.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

struct AttnMatmul {
    Tensor input_tensor_a{};  ///< [1, heads, users, K]
    Tensor input_tensor_b{};  ///< [users, 1, K, N]
    CoreCoord compute_with_storage_grid_size{};
    OptionalDataType dtype{};
    Ignored compute_kernel_config{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{
        "experimental::attn_matmul",
        "[1, heads, users, K] times [users, 1, K, N], user by user: [1, heads, users, N]. TILE."};
    static constexpr auto kParameters = parameters(
        required<&AttnMatmul::input_tensor_a, &AttnMatmul::input_tensor_b>(),
        required_keyword<&AttnMatmul::compute_with_storage_grid_size>(),
        keyword<&AttnMatmul::dtype, &AttnMatmul::compute_kernel_config, &AttnMatmul::memory_config>(),
        unrecorded_keyword<&AttnMatmul::output_tensor>().output());

    Tensor body() const;
};

struct AttnMatmulFromCache {
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};  ///< [users, 1, rows, K], of which the first num_tokens rows are used
    std::uint32_t num_tokens = 0;
    bool transpose_hw = false;  ///< the result is [1, heads, users, tokens]
    CoreCoord compute_with_storage_grid_size{};
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    Ignored compute_kernel_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{
        "experimental::attn_matmul_from_cache",
        "attn_matmul with the first num_tokens rows of a cache [users, 1, rows, K], transposed or not."};
    static constexpr auto kParameters = parameters(
        required<&AttnMatmulFromCache::input_tensor_a, &AttnMatmulFromCache::input_tensor_b>(),
        required_keyword<&AttnMatmulFromCache::num_tokens, &AttnMatmulFromCache::transpose_hw,
                         &AttnMatmulFromCache::compute_with_storage_grid_size>(),
        keyword<&AttnMatmulFromCache::memory_config>(), unrecorded_keyword<&AttnMatmulFromCache::dtype>(),
        keyword<&AttnMatmulFromCache::compute_kernel_config>(),
        unrecorded_keyword<&AttnMatmulFromCache::output_tensor>().output());

    Tensor body() const;
};

struct GroupAttnMatmul {
    Tensor input_tensor_a{};  ///< [1, q heads, 32, K]
    Tensor input_tensor_b{};  ///< [32, kv heads, K, N]: as many q heads share one as there are more of them
    CoreCoord compute_with_storage_grid_size{};
    OptionalMemoryConfig memory_config{};
    OptionalDataType dtype{};
    Ignored compute_kernel_config{};
    OptionalTensor optional_output_tensor{};

    static constexpr OperationInfo kOperation{
        "experimental::group_attn_matmul",
        "[1, q heads, 32, K] times [32, kv heads, K, N], heads in groups: [1, q heads, 32, N]. TILE."};
    static constexpr auto kParameters =
        parameters(required<&GroupAttnMatmul::input_tensor_a, &GroupAttnMatmul::input_tensor_b>(),
                   required_keyword<&GroupAttnMatmul::compute_with_storage_grid_size>(),
                   keyword<&GroupAttnMatmul::memory_config, &GroupAttnMatmul::dtype,
                           &GroupAttnMatmul::compute_kernel_config>(),
                   unrecorded_keyword<&GroupAttnMatmul::optional_output_tensor>().output());

    Tensor body() const;
};

inline constexpr Operation<AttnMatmul> attn_matmul;
inline constexpr Operation<AttnMatmulFromCache> attn_matmul_from_cache;
inline constexpr Operation<GroupAttnMatmul> group_attn_matmul;

}  // namespace tilemeter::experimental
