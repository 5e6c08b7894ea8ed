// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rotary position embedding as Hugging Face's models have it, with TT-NN's name, arguments and defaults.
//
//     x * cos + rotate_half(x) * sin,  rotate_half([a b]) = [-b a]
//
// TILE; FLOAT32, BFLOAT16 or BFLOAT8_B; d is 32 or a multiple of 64. Prefill: input [b, h, s, d], interleaved
// or HEIGHT_SHARDED, cos_cache and sin_cache [1, 1, t, d], t >= s, interleaved; row i takes row i.
// is_decode_mode: one token for each of b users, all HEIGHT_SHARDED by users: input [1, b, h, d], cos and sin
// [1, b, 1, d]. memory_config of the result: that of the input unless given. compute_kernel_config: does not
// change values. Throws RuntimeError (shapes, dtypes, layouts), OutOfMemoryError.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter::experimental {

struct RotaryEmbeddingHf {
    using Self = RotaryEmbeddingHf;
    Tensor input_tensor{};
    Tensor cos_cache{}, sin_cache{};
    bool is_decode_mode = false;
    OptionalMemoryConfig memory_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "experimental::rotary_embedding_hf",
        "Rows turned by their position; decoding, [1, b, h, d] by the angles [1, b, 1, d] of each user."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor, &Self::cos_cache, &Self::sin_cache>(),
                   keyword<&Self::is_decode_mode, &Self::memory_config>(),
                   unrecorded_keyword<&Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<RotaryEmbeddingHf> rotary_embedding_hf;

}  // namespace tilemeter::experimental
