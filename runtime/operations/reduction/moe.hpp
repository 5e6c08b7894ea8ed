// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// moe: the weight of the first expert among those chosen for each token.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// In each row the k largest of input + expert_mask, the softmax of those + topk_mask, and of that the sum where the
/// element was the row's first.
struct Moe {
    Tensor input_tensor{};                 ///< [N, C, H, W], TILE
    Tensor expert_mask_tensor{};           ///< [N, C, 1, W]
    Tensor topk_mask_tensor{};             ///< [N, C, 1, k]
    std::uint32_t k = 32;                  ///< nothing else is supported
    OptionalMemoryConfig memory_config{};  ///< none: the input's
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{
        "moe",
        "The weight of the first expert: of each row the softmax of the k largest of input + expert_mask, + "
        "topk_mask, as far as they are element 0. [N, C, H, W] to [N, C, H, 1], TILE, k 32."};
    static constexpr auto kParameters = parameters(
        required<&Moe::input_tensor, &Moe::expert_mask_tensor, &Moe::topk_mask_tensor>(), optional<&Moe::k>(),
        keyword<&Moe::memory_config>(), unrecorded_keyword<&Moe::output_tensor>().output());
    Tensor body() const;
};

inline constexpr Operation<Moe> moe;

}  // namespace tilemeter
