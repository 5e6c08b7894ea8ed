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

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// update_idx: a multiple of 32.
struct FillCache {
    Tensor cache_tensor{};
    Tensor input_tensor{};
    std::uint32_t batch_idx = 0;
    std::uint32_t update_idx = 0;

    static constexpr OperationInfo kOperation{
        "fill_cache", "input_tensor written into the cache of one user, which is returned."};
    static constexpr auto kParameters =
        parameters(required<&FillCache::cache_tensor, &FillCache::input_tensor, &FillCache::batch_idx>(),
                   keyword<&FillCache::update_idx>());
    Tensor call() const;
};
inline constexpr Operation<FillCache> fill_cache;

struct UpdateCache {
    using Self = UpdateCache;
    Tensor cache{};
    Tensor input{};
    std::uint32_t update_idx = 0;
    std::uint32_t batch_offset = 0;
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "update_cache", "One token of each user written into the cache, which is returned."};
    static constexpr auto kParameters =
        parameters(required<&Self::cache, &Self::input, &Self::update_idx>(), keyword<&Self::batch_offset>(),
                   unrecorded_keyword<&Self::compute_kernel_config>());
    Tensor call() const;
};
inline constexpr Operation<UpdateCache> update_cache;

namespace kv_cache {

struct FillCacheForUser {
    using Self = FillCacheForUser;
    Tensor cache{};
    Tensor input{};
    std::uint32_t batch_index = 0;
    std::uint32_t update_idx = 0;

    static constexpr OperationInfo kOperation{"kv_cache::fill_cache_for_user_",
                                              "fill_cache under its older name."};
    static constexpr auto kParameters =
        parameters(required<&Self::cache, &Self::input, &Self::batch_index>(), keyword<&Self::update_idx>());
    Tensor call() const;
};
inline constexpr Operation<FillCacheForUser> fill_cache_for_user_;

struct UpdateCacheForToken {
    using Self = UpdateCacheForToken;
    Tensor cache{};
    Tensor input{};
    std::uint32_t update_index = 0;
    std::uint32_t batch_offset = 0;
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{"kv_cache::update_cache_for_token_",
                                              "update_cache under its older name."};
    static constexpr auto kParameters =
        parameters(required<&Self::cache, &Self::input, &Self::update_index>(),
                   optional<&Self::batch_offset>(), optional<&Self::compute_kernel_config>().unrecorded());
    Tensor call() const;
};
inline constexpr Operation<UpdateCacheForToken> update_cache_for_token_;

}  // namespace kv_cache

}  // namespace tilemeter
