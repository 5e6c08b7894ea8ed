// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Caches of keys or values written in place at places that differ by user, also in blocks that a page table
// assigns; TT-NN's names, arguments and defaults.
//
//     paged_update_cache   cache[i, :, at[i], :] = input[0, i]                            cache [b, h, t, d]
//                          with page_table [b, n]: cache[page_table[i, at[i] / t], :, at[i] % t, :] =
//                          input[0, i]
//     paged_fill_cache     cache[page_table[batch_idx, i / t], :, i % t, :] = input[0, :, i]
//
// cache TILE, interleaved; FLOAT32, BFLOAT16 or BFLOAT8_B. page_table, and positions as a tensor [b]: INT32,
// ROW_MAJOR. Both return the cache and throw RuntimeError (shapes, dtypes, layouts, places outside of the
// cache).
//
// Thread safety: all functions may be called from any thread; no two may write to one cache at a time.

#pragma once

#include <cstdint>
#include <vector>

#include "runtime/operations/optional_arguments.hpp"

namespace tilemeter::experimental {

/// input [1, b, h, d], HEIGHT_SHARDED by users; BFLOAT16 or FLOAT32. Positions: update_idxs or a tensor of
/// them, one for each user; one below 0 leaves that user's cache alone.
Tensor paged_update_cache(const Tensor& cache, const Tensor& input,
                          const std::vector<std::int64_t>& update_idxs = {},
                          const OptionalTensor& update_idxs_tensor = std::nullopt,
                          const OptionalTensor& page_table = std::nullopt);

/// input [1, h, s, d], interleaved, of the cache's dtype.
Tensor paged_fill_cache(const Tensor& cache, const Tensor& input, const Tensor& page_table,
                        std::uint32_t batch_idx = 0);

}  // namespace tilemeter::experimental
