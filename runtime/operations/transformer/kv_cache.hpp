// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Caches of keys or values, filled and updated in place, with TT-NN's names, arguments and defaults.
//
//     fill_cache     cache[batch_index, :, update_idx .. update_idx + s, :] = input[0]    input [1, h, s, d]
//     update_cache   cache[i, :, update_index, :] = input[0, :, batch_offset + i, :]      input [1, h, n, d]
//
// cache [b, h, t, d], TILE, interleaved; FLOAT32, BFLOAT16 or BFLOAT8_B. input interleaved or HEIGHT_SHARDED,
// for fill_cache in shards of one head. The functions of `kv_cache` are the same under TT-NN's other names.
// All return the cache and throw RuntimeError (shapes, dtypes, layouts, places outside of the cache).
//
// Thread safety: all functions may be called from any thread; no two may write to one cache at a time.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// update_idx: a multiple of 32.
Tensor fill_cache(const Tensor& cache_tensor, const Tensor& input_tensor, std::uint32_t batch_index,
                  std::uint32_t update_idx = 0);

Tensor update_cache(const Tensor& cache, const Tensor& input, std::uint32_t update_index,
                    std::uint32_t batch_offset = 0,
                    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt);

namespace kv_cache {

Tensor fill_cache_for_user_(const Tensor& cache, const Tensor& input, std::uint32_t batch_index,
                            std::uint32_t update_idx = 0);

Tensor update_cache_for_token_(
    const Tensor& cache, const Tensor& input, std::uint32_t update_index, std::uint32_t batch_offset = 0,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt);

}  // namespace kv_cache

}  // namespace tilemeter
