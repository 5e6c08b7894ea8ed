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
//
// Thread safety: all functions may be called from any thread; no two may write to one cache at a time.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter::experimental {

/// input [1, b, h, d], HEIGHT_SHARDED by users; BFLOAT16 or FLOAT32. Positions: update_idxs or a tensor of
/// them, one for each user; one below 0 leaves that user's cache alone. share_cache: cache [1, h, t, d], all
/// users write into it.
Tensor paged_update_cache(const Tensor& cache, const Tensor& input,
                          const std::vector<std::int64_t>& update_idxs = {},
                          const OptionalTensor& update_idxs_tensor = std::nullopt,
                          const OptionalTensor& page_table = std::nullopt, bool share_cache = false);

/// inputs on cores of their own, the caches alike. ROW_MAJOR inputs have 8 rows of 128, of which a cache of
/// fewer heads takes the first. Returns both caches.
std::pair<Tensor, Tensor> paged_fused_update_cache(const Tensor& cache_tensor1, const Tensor& input_tensor1,
                                                   const Tensor& cache_tensor2, const Tensor& input_tensor2,
                                                   const std::vector<std::int64_t>& update_idxs = {},
                                                   const OptionalTensor& update_idxs_tensor = std::nullopt,
                                                   const OptionalTensor& page_table = std::nullopt,
                                                   bool share_cache = false);

/// input [1, h, s, d], interleaved, of the cache's dtype; with batch_idx_tensor, INT32 or UINT32 [b], instead
/// of batch_idx, [b, h, s, d].
Tensor paged_fill_cache(const Tensor& cache, const Tensor& input, const Tensor& page_table,
                        std::uint32_t batch_idx = 0, const OptionalTensor& batch_idx_tensor = std::nullopt);

}  // namespace tilemeter::experimental
