// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Caches of keys or values written in place at places that differ by user, also in blocks that a page table
// assigns; TT-NN's names, arguments and defaults.
//
//     paged_update_cache   cache[i, :, at[i], :] = input[0, i]                            cache [b, h, t, d]
//                          with page_table [b, n]:
//                          cache[page_table[i, at[i] / t], :, at[i] % t, :] = input[0, i]
//     paged_fill_cache     cache[page_table[batch_idx, i / t], :, i % t, :] = input[0, :, i]
//     paged_fused_update_cache   paged_update_cache of two caches by one program
//
// cache TILE, interleaved, floating point. page_table, and positions as a tensor [b]: INT32, ROW_MAJOR. All
// return the cache and throw RuntimeError (shapes, dtypes, layouts, places outside of the cache).

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter::experimental {

/// input_tensor [1, b, h, d], HEIGHT_SHARDED by users; BFLOAT16 or FLOAT32. Positions: update_idxs or a
/// tensor of them, one for each user; one below 0 leaves that user's cache alone. share_cache: cache_tensor
/// [1, h, t, d], all users write into it.
struct PagedUpdateCache {
    using Self = PagedUpdateCache;
    Tensor cache_tensor{};
    Tensor input_tensor{};
    std::vector<std::int64_t> update_idxs{};
    OptionalTensor update_idxs_tensor{};
    std::optional<bool> share_cache{};
    OptionalTensor page_table{};
    int batch_offset = 0;  ///< has no effect
    Ignored compute_kernel_config{};
    Ignored mesh_coords{};
    NotModelled block_size{};
    NotModelled num_kv_heads{};
    NotModelled cache_position_modulo{};

    static constexpr OperationInfo kOperation{"experimental::paged_update_cache",
                                              "One token of each user written into the pages of the cache."};
    static constexpr auto kParameters = parameters(
        required<&Self::cache_tensor, &Self::input_tensor>(),
        keyword<&Self::update_idxs, &Self::update_idxs_tensor, &Self::share_cache, &Self::page_table>(),
        unrecorded_keyword<&Self::batch_offset, &Self::compute_kernel_config, &Self::mesh_coords,
                           &Self::block_size, &Self::num_kv_heads, &Self::cache_position_modulo>());
    bool is_shared() const { return share_cache.value_or(false); }
    Tensor call() const;
};
inline constexpr Operation<PagedUpdateCache> paged_update_cache;

/// Inputs on cores of their own, the caches alike. ROW_MAJOR inputs have 8 rows of 128, of which a cache of
/// fewer heads takes the first. Returns both caches.
struct PagedFusedUpdateCache {
    using Self = PagedFusedUpdateCache;
    Tensor cache_tensor1{}, input_tensor1{};
    Tensor cache_tensor2{}, input_tensor2{};
    std::vector<std::int64_t> update_idxs{};
    OptionalTensor update_idxs_tensor{};
    std::optional<bool> share_cache{};
    OptionalTensor page_table{};
    int batch_offset = 0;  ///< has no effect
    Ignored compute_kernel_config{};
    Ignored mesh_coords{};

    static constexpr OperationInfo kOperation{"experimental::paged_fused_update_cache",
                                              "paged_update_cache of two caches, which are returned."};
    static constexpr auto kParameters = parameters(
        required<&Self::cache_tensor1, &Self::input_tensor1, &Self::cache_tensor2, &Self::input_tensor2>(),
        keyword<&Self::update_idxs, &Self::update_idxs_tensor, &Self::share_cache, &Self::page_table>(),
        unrecorded_keyword<&Self::batch_offset, &Self::compute_kernel_config, &Self::mesh_coords>());
    bool is_shared() const { return share_cache.value_or(false); }
    std::pair<Tensor, Tensor> call() const;
};
inline constexpr Operation<PagedFusedUpdateCache> paged_fused_update_cache;

/// input_tensor [1, h, s, d], interleaved, of the cache's dtype; with batch_idx_tensor, INT32 or UINT32 [b],
/// instead of batch_idx, [b, h, s, d].
struct PagedFillCache {
    using Self = PagedFillCache;
    Tensor cache_tensor{};
    Tensor input_tensor{};
    Tensor page_table{};
    OptionalTensor batch_idx_tensor{};
    std::uint32_t batch_idx = 0;
    Ignored compute_kernel_config{};
    Ignored mesh_coords{};
    NotModelled block_size{};
    NotModelled cache_position_modulo{};
    NotModelled valid_seq_len_tensor{};

    static constexpr OperationInfo kOperation{
        "experimental::paged_fill_cache",
        "input_tensor written into the pages of one user, or of those in batch_idx_tensor."};
    static constexpr auto kParameters = parameters(
        required<&Self::cache_tensor, &Self::input_tensor, &Self::page_table>(),
        keyword<&Self::batch_idx_tensor, &Self::batch_idx, &Self::compute_kernel_config, &Self::mesh_coords,
                &Self::block_size, &Self::cache_position_modulo, &Self::valid_seq_len_tensor>());
    Tensor call() const;
};
inline constexpr Operation<PagedFillCache> paged_fill_cache;

}  // namespace tilemeter::experimental
